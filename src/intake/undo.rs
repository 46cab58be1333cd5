//! `/undo` at the door: whose turn it may put back, and the press on the card that asks.

use sayso_channel::MessageKey;

use super::message::{self, ResolvedMessage, tell};
use super::press::Pressed;
use super::{Effects, IntakeContext, messages};
use crate::approvals::new_token;
use crate::sessions::{UndoAnswer, close_undo, undo_messages as words};
use crate::store::file_changes::{self, NewUndo};
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::{Role, SessionId};

/// Notes that the newest changes of files are to be put back. What is done then says so itself.
pub async fn command(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(turn) = file_changes::newest(tx, heard.session).await? else {
        return tell(tx, ctx, heard, words::nothing(language).to_owned()).await;
    };
    if turn.user_id != heard.user && heard.role != Role::Owner {
        return tell(tx, ctx, heard, words::not_yours(language).to_owned()).await;
    }
    if turn.state != "ended" {
        return tell(tx, ctx, heard, words::not_over(language).to_owned()).await;
    }
    let mut said = Vec::new();
    for earlier in file_changes::about(tx, turn.id).await? {
        if earlier.state != "open" {
            return tell(tx, ctx, heard, words::at_it(language).to_owned()).await;
        }
        let left = ("over", words::left(language));
        let closed = close_undo(tx, &ctx.outbox, &earlier, left, None).await?;
        said.extend(closed.unwrap_or_default());
    }
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let reply_to = message::reply_to(heard);
    let new = NewUndo {
        token: &token,
        turn: turn.id,
        user: heard.user,
        address: &serde_json::to_string(&heard.inbound.address)?,
        reply_to: reply_to.as_ref().map(MessageKey::as_str),
    };
    file_changes::want(tx, &new).await?;
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Judges a press on the card; `None` when it is no such press.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    pressed: &Pressed<'_>,
    (session, role): (SessionId, Role),
) -> Result<Option<Effects>, StoreError> {
    let Some((answer, token)) = UndoAnswer::parse(pressed.data) else {
        return Ok(None);
    };
    let language = pressed.language;
    let undo = file_changes::by_token(tx, token).await?;
    let Some(undo) = undo.filter(|undo| undo.session_id == session) else {
        return Ok(Some(Effects::told(
            messages::unknown_button(language),
            true,
        )));
    };
    if undo.turn_user != pressed.user && role != Role::Owner {
        return Ok(Some(Effects::told(
            words::not_yours(language).to_owned(),
            true,
        )));
    }
    if undo.state != "open" {
        return Ok(Some(Effects::told(
            messages::already_answered(language),
            true,
        )));
    }
    let is_late = undo.expires_ms <= now_ms();
    let (state, text) = match answer {
        _ if is_late => ("over", words::expired(language)),
        UndoAnswer::PutBack => ("confirmed", words::puts_back(language)),
        UndoAnswer::Leave => ("over", words::left(language)),
    };
    let said = close_undo(tx, &ctx.outbox, &undo, (state, text), pressed.this).await?;
    Ok(Some(Effects {
        said: said.unwrap_or_default(),
        ..Effects::told(text.to_owned(), is_late)
    }))
}
