//! The autonomy level that an owner lowers in a chat, by a word behind `/autonomy` or a button below
//! its answer.

use sayso_core::transcript::{Role, UserId};
use sayso_policy::AutonomyLevel;
use sayso_store::{StoreError, Tx};
use serde_json::json;

use super::context::CommandContext;
use super::layer::Layer;
use super::layers::{self, View};
use super::list_message::ListMessage;
use super::viewer::Viewer;
use super::{audit_records, autonomy, messages};
use crate::audit::Event;
use crate::intake::{Effects, Pressed, ResolvedMessage, tell};
use crate::prompts::PressedButton;

/// Lowers the level of the session to the one that was written, and shows what holds then.
pub(super) async fn lower(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    wanted: &str,
) -> Result<Effects, StoreError> {
    let viewer = Viewer::of_message(heard, ctx.language(&heard.chat.language));
    let language = viewer.language;
    if viewer.role != Role::Owner {
        let refused = messages::autonomy_owners_only(language);
        return tell(tx, &ctx.outbox, heard, refused).await;
    }
    let Some(level) = parse(wanted) else {
        let unknown = messages::autonomy_unknown(wanted, language);
        return tell(tx, &ctx.outbox, heard, unknown).await;
    };
    let ceiling = autonomy::ceiling(ctx, &viewer);
    if level > ceiling {
        let refused = messages::autonomy_above_ceiling(level, ceiling, language);
        return tell(tx, &ctx.outbox, heard, refused).await;
    }
    autonomy::set(tx, ctx, &viewer, level).await?;
    let level_now = json!({ "level": level.as_str() });
    audit_records::command(tx, ctx, heard, Event::Autonomy, level_now).await?;
    layers::run(tx, ctx, heard, View::Autonomy, "").await
}

/// Sets the level of the session by a press; `None` when the button was forged.
pub(super) async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some((level, asker, message)) = parse_button(button) else {
        return Ok(None);
    };
    let viewer = Viewer::of_press(press);
    let refused = |text: String| Ok(Some(Effects::told(text, true)));
    if asker != press.user {
        return refused(messages::answer_of_others(press.language).to_owned());
    }
    if viewer.role != Role::Owner {
        return refused(messages::autonomy_owners_only(press.language));
    }
    let ceiling = autonomy::ceiling(ctx, &viewer);
    if level > ceiling {
        let text = messages::autonomy_above_ceiling(level, ceiling, press.language);
        return refused(text.replace(['`', '*'], ""));
    }
    autonomy::set(tx, ctx, &viewer, level).await?;
    let level_now = json!({ "level": level.as_str() });
    audit_records::pressed(tx, ctx, press, Event::Autonomy, level_now).await?;
    let (view, layer) = (View::Autonomy, Layer::Brief);
    let outbound = layers::rendered(tx, ctx, &viewer, view, layer, message).await?;
    let said = message.show_again(tx, ctx, press, &outbound).await?;
    Ok(Some(Effects::said(said)))
}

fn parse_button(button: &PressedButton<'_>) -> Option<(AutonomyLevel, UserId, ListMessage)> {
    let (level, asker) = button.choice.split_once('-')?;
    let level = AutonomyLevel::ALL
        .into_iter()
        .find(|one| autonomy::code(*one) == level)?;
    let message = ListMessage(button.number()?);
    Some((level, UserId(asker.parse().ok()?), message))
}

fn parse(wanted: &str) -> Option<AutonomyLevel> {
    let wanted = wanted.trim().to_lowercase().replace(['-', ' '], "_");
    AutonomyLevel::named(&wanted)
}
