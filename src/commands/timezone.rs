//! `/timezone`: by whose clock a person lives, and the buttons that ask for it. `/quiet`: when unasked
//! messages wait.

use chrono_tz::Tz;
use sayso_channel::{Language, Outbound};
use sayso_core::transcript::UserId;
use sayso_store::prompts::Audience;
use sayso_store::{StoreError, Tx, new_id, now_ms, personal_times};

use super::context::CommandContext;
use super::list_message::ListMessage;
use super::messages;
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed, ResolvedMessage, tell};
use crate::prompts::{PressedButton, Refusal};
use crate::routines::{self, QuietHours, zone_buttons, zone_named};

/// Shows the zone of a person, or sets it.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if written.trim().is_empty() {
        let here = ctx.routines.limits.zone_of(tx, heard.user).await?;
        let outbound = Outbound {
            buttons: zone_buttons(heard.user, here.zone.name(), language),
            ..Outbound::markdown(messages::zone(here, now_ms(), language))
        };
        return ListMessage::new().say(tx, ctx, heard, outbound).await;
    }
    let zone = match zone_named(written) {
        Ok(zone) => zone,
        Err(unknown) => {
            let text = messages::no_such_zone(&unknown, language);
            return tell(tx, &ctx.outbox, heard, text).await;
        }
    };
    let text = set(tx, ctx, heard.user, zone, language).await?;
    let mut effects = tell(tx, &ctx.outbox, heard, text).await?;
    effects.wakes.push(ctx.routines.changed.clone());
    Ok(effects)
}

/// Sets the zone of a person; what follows their clock is due by the new one from now on. Returns what
/// they read.
async fn set(
    tx: &mut Tx,
    ctx: &CommandContext,
    user: UserId,
    zone: Tz,
    language: Language,
) -> Result<String, StoreError> {
    personal_times::set_zone(tx, user, zone.name()).await?;
    let moved = routines::move_to_zone(tx, &ctx.routines.limits, user, zone, now_ms()).await?;
    Ok(messages::zone_set(zone, now_ms(), &moved, language))
}

/// Handles a press on a zone; `None` when the button was forged.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (Some(user), Ok(zone)) = (button.number(), button.choice.parse::<Tz>()) else {
        return Ok(None);
    };
    if user != press.user.0 {
        let refused = Refusal::NotYours(Audience::User).text(press.language);
        return Ok(Some(Effects::refused(refused.to_owned())));
    }
    let text = set(tx, ctx, press.user, zone, press.language).await?;
    let outbound = Outbound::markdown(text);
    let said = ctx
        .outbox
        .amend(tx, Purpose::Notice, new_id(), press.this, &outbound)
        .await?;
    Ok(Some(Effects {
        wakes: vec![ctx.routines.changed.clone()],
        ..Effects::shown(messages::zone_is_set(zone, press.language), said)
    }))
}

/// Shows the quiet hours of a person, or sets them.
pub async fn quiet(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    written: &str,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let limits = &ctx.routines.limits;
    let text = if written.trim().is_empty() {
        let set = personal_times::of_in(tx, heard.user).await?;
        messages::quiet_hours(limits.quiet_by(&set), language)
    } else {
        match QuietHours::parse(written) {
            Some(hours) => {
                personal_times::set_quiet(tx, heard.user, Some(&hours.to_string())).await?;
                messages::quiet_hours(hours, language)
            }
            None => messages::no_quiet_hours(language),
        }
    };
    let mut effects = tell(tx, &ctx.outbox, heard, text).await?;
    effects.wakes.push(ctx.routines.changed.clone());
    Ok(effects)
}
