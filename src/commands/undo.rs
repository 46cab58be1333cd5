//! `/undo`: whose turn it may put back, and the answer to the prompt that asks before something
//! would be lost.

use sayso_channel::MessageKey;
use sayso_core::transcript::Role;
use sayso_store::file_changes::UndoState;
use sayso_store::file_changes::{self, NewUndo, UndoRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::turns::TurnStatus;
use sayso_store::{StoreError, Tx};

use super::context::CommandContext;
use crate::delivery::MessageRef;
use crate::intake::{Effects, Pressed, ResolvedMessage, reply_to, tell};
use crate::prompts::Prompt;
use crate::sessions::{UndoAnswer, close_undo, undo_messages as words, want_redo};

/// Notes that the newest changes of files are to be put back. What is done then says so itself.
pub async fn command(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(turn) = file_changes::newest(tx, heard.session).await? else {
        return tell(tx, &ctx.outbox, heard, words::nothing(language).to_owned()).await;
    };
    if turn.user_id != heard.user && heard.role != Role::Owner {
        return tell(
            tx,
            &ctx.outbox,
            heard,
            words::not_yours(language).to_owned(),
        )
        .await;
    }
    if turn.state != TurnStatus::Ended {
        return tell(tx, &ctx.outbox, heard, words::not_over(language).to_owned()).await;
    }
    let mut said = Vec::new();
    for earlier in file_changes::about(tx, turn.id).await? {
        if earlier.state != UndoState::Open {
            return tell(tx, &ctx.outbox, heard, words::at_it(language).to_owned()).await;
        }
        let left = words::left(language);
        let closed = close_undo(tx, &ctx.outbox, &earlier, UndoState::Over, left, None).await?;
        said.extend(closed.unwrap_or_default());
    }
    let reply_to = reply_to(heard);
    let new = NewUndo {
        turn: turn.id,
        user: heard.user,
        address: &serde_json::to_string(&heard.inbound.address)?,
        reply_to: reply_to.as_ref().map(MessageKey::as_str),
    };
    file_changes::want(tx, &new).await?;
    Ok(Effects::said(said))
}

/// Has files put back, or left, as was answered.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let found = (UndoAnswer::parse(choice), wish(tx, prompt).await?);
    let (Some(answer), Some(undo)) = found else {
        return Ok(None);
    };
    let language = pressed.language;
    let (state, text) = match answer {
        UndoAnswer::PutBack => (UndoState::Confirmed, words::puts_back(language)),
        UndoAnswer::Leave => (UndoState::Over, words::left(language)),
    };
    let said = close_undo(tx, &ctx.outbox, &undo, state, text, pressed.this).await?;
    Ok(Some(Effects::shown(
        text.to_owned(),
        said.unwrap_or_default(),
    )))
}

/// Has brought back what an undo took away.
pub async fn redo(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (user, this, language) = (pressed.user, pressed.this, pressed.language);
    let wanted = want_redo(tx, &ctx.outbox, prompt, choice, user, this, language).await?;
    Ok(wanted.map(|(line, said)| Effects::shown(line.to_owned(), said)))
}

/// Leaves the files as they are, since no one answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Some(undo) = wish(tx, prompt).await? else {
        return Ok(Vec::new());
    };
    let text = words::expired(ctx.language(&undo.language));
    let said = close_undo(tx, &ctx.outbox, &undo, UndoState::Over, text, this).await?;
    Ok(said.unwrap_or_default())
}

/// Returns the wish that a prompt asks about, while it waits for the answer.
async fn wish(tx: &mut Tx, prompt: &Prompt) -> Result<Option<UndoRow>, StoreError> {
    let id = prompt.subject().unwrap_or_default();
    let wish = file_changes::wish(tx, id).await?;
    Ok(wish.filter(|wish| wish.state == UndoState::Open))
}
