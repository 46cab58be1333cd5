//! What every stop does at the door: the cards of its turn are closed at once. And the press on the
//! button below a live message, which stops that one turn.

use super::press::Pressed;
use super::{Effects, IntakeContext, messages};
use crate::approvals;
use crate::bus::Signal;
use crate::sessions;
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, turns};
use crate::transcript::{Role, SessionId, TurnId};

/// Handles a press on a stop button; `None` when the press is on something else. Anyone who may
/// `/stop` the turn may press; messages waiting behind it are left alone, and the turn itself
/// reports that it was stopped.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    pressed: &Pressed<'_>,
    (session, role): (SessionId, Role),
) -> Result<Option<Effects>, StoreError> {
    let Some(turn) = sessions::stops(pressed.data) else {
        return Ok(None);
    };
    let language = pressed.language;
    let open = turns::open_turns(tx, session).await?;
    // A turn that is not open here has ended or never existed; the presser gets the same notice for
    // both.
    let Some(turn) = open.into_iter().find(|open| open.id == turn) else {
        return Ok(Some(Effects::told(messages::turn_is_over(language), true)));
    };
    if turn.user_id != pressed.user && role != Role::Owner {
        return Ok(Some(Effects::told(messages::not_your_turn(language), true)));
    }
    turns::ask_one_to_stop(tx, turn.id, pressed.user).await?;
    Ok(Some(Effects {
        said: close_cards(tx, ctx, turn.id).await?,
        signals: vec![Signal::Stop(session, pressed.user, turn.id)],
        ..Effects::told(messages::stopping(language), false)
    }))
}

/// Closes the cards of a stopped turn at once: no button of theirs counts any more.
pub async fn close_cards(
    tx: &mut Tx,
    ctx: &IntakeContext,
    turn: TurnId,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for view in approvals::drop_cards(tx, turn).await? {
        said.extend(ctx.cards().amend(tx, &view, None).await?);
    }
    Ok(said)
}
