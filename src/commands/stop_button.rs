//! The press on the button below a live message, which stops that one turn.

use sayso_core::transcript::Role;
use sayso_store::{StoreError, Tx, stops, turns};

use super::context::CommandContext;
use super::messages;
use crate::bus::Signal;
use crate::intake::{Effects, Pressed};
use crate::prompts::PressedButton;
use crate::sessions;

/// Handles a press on a stop button; `None` when it was forged. Anyone who may `/stop` the turn may
/// press; messages waiting behind it are left alone, and the turn itself reports that it was
/// stopped.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    button: &PressedButton<'_>,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let Some(turn) = sessions::stops(button) else {
        return Ok(None);
    };
    let language = pressed.language;
    let open = turns::open_turns(tx, pressed.session).await?;
    // A turn that is not open here has ended or never existed; the presser gets the same notice for
    // both.
    let Some(turn) = open.into_iter().find(|open| open.id == turn) else {
        return Ok(Some(Effects::told(messages::turn_is_over(language), true)));
    };
    if turn.user_id != pressed.user && pressed.role != Role::Owner {
        return Ok(Some(Effects::told(messages::not_your_turn(language), true)));
    }
    stops::ask_one_to_stop(tx, turn.id, pressed.user).await?;
    let text = messages::stopping(language);
    let said = ctx.cards().close_of(tx, turn.id).await?;
    // The outcome takes the place of the live message, unless another turn runs before that.
    let effects = if said.is_empty() && turns::one_runs_on(tx, pressed.session).await? {
        Effects::told(text, false)
    } else {
        Effects::echo(text)
    };
    Ok(Some(Effects {
        said,
        signals: vec![Signal::Stop(pressed.session, pressed.user, turn.id)],
        ..effects
    }))
}
