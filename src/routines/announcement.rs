//! What is said when something is kept: when it comes, in words and with its zone, whatever a model
//! makes of it. Where the zone is a guess, the first of these asks about it.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{RoutineId, UserId};
use sayso_store::outbox::OutboxRow;
use sayso_store::routines::{self, Added};
use sayso_store::{Store, StoreError, Tx};

use super::asker::Asker;
use super::context::RoutineContext;
use super::keeping::{self, Wanted};
use super::messages;
use super::zones::offered_beside;
use crate::delivery::{Purpose, Saying};
use crate::prompts::PromptKind;

/// Keeps something and says so, in a transaction of its own.
pub(super) async fn keep(
    store: &Store,
    ctx: &RoutineContext,
    asker: Asker,
    wanted: Wanted,
) -> Result<Added, StoreError> {
    let there = ctx.clone();
    let (added, said) = store
        .write(move |tx| Box::pin(async move { keep_in(tx, &there, &asker, &wanted).await }))
        .await?;
    ctx.outbox.offer(said);
    ctx.changed.notify_one();
    Ok(added)
}

/// Keeps something and says so. The scheduler is to be woken after the commit.
pub async fn keep_in(
    tx: &mut Tx,
    ctx: &RoutineContext,
    asker: &Asker,
    wanted: &Wanted,
) -> Result<(Added, Vec<OutboxRow>), StoreError> {
    let added = keeping::keep(tx, &ctx.limits, asker, wanted).await?;
    let (Added::New(id) | Added::Same(id)) = added else {
        return Ok((added, Vec::new()));
    };
    let language = ctx.language_of(tx, asker.user).await?;
    let outbound = Outbound {
        buttons: vec![vec![delete_button(id, language)]],
        ..Outbound::markdown(messages::kept(
            &wanted.when.words(language),
            &wanted.words,
            language,
        ))
    };
    let mut said = say(tx, ctx, asker, &outbound).await?;
    if added == Added::New(id) && is_zone_asked(tx, asker, wanted).await? {
        let zone = asker.zone.zone.name();
        let outbound = Outbound {
            buttons: zone_buttons(asker.user, zone, language),
            ..Outbound::markdown(messages::which_zone(zone, language))
        };
        said.extend(say(tx, ctx, asker, &outbound).await?);
    }
    Ok((added, said))
}

/// Says something to who asked, where they asked.
pub(super) async fn say(
    tx: &mut Tx,
    ctx: &RoutineContext,
    asker: &Asker,
    outbound: &Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let address = serde_json::from_str(&asker.address)?;
    let saying = Saying {
        to: &address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound,
    };
    ctx.outbox.say(tx, saying).await
}

/// Whether the zone is a guess, and this is the first thing that depends on it.
async fn is_zone_asked(tx: &mut Tx, asker: &Asker, wanted: &Wanted) -> Result<bool, StoreError> {
    if asker.zone.is_known || !wanted.when.follows {
        return Ok(false);
    }
    Ok(routines::of_in(tx, asker.user, None).await?.len() == 1)
}

/// Returns the button that deletes what was just kept.
pub(super) fn delete_button(id: RoutineId, language: Language) -> Button {
    plain(
        messages::delete_button(language),
        PromptKind::RoutineList.button("delete-kept", id),
    )
}

/// Returns the buttons that say by whose clock a person lives: the one that is taken so far, and some
/// others.
pub fn zone_buttons(user: UserId, zone: &str, language: Language) -> Vec<Vec<Button>> {
    let of = |name: &str, label: String| plain(&label, PromptKind::ZoneList.button(name, user));
    let mut buttons = vec![of(zone, messages::right_zone(zone, language))];
    buttons.extend(offered_beside(zone).map(|other| of(other, other.to_owned())));
    buttons.chunks(2).map(<[Button]>::to_vec).collect()
}

fn plain(label: &str, token: String) -> Button {
    Button {
        label: label.to_owned(),
        token,
        key: None,
        look: ButtonLook::Plain,
    }
}
