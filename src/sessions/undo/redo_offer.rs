//! The offer to bring back what an undo took away: the button below its notice, and its press.
//!
//! A press only notes the wish, in the transaction that closes the prompt. The notice keeps its
//! text; what becomes of the wish is its last line.

use sayso_channel::{Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::UserId;
use sayso_store::file_changes::{self, UndoRow};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};
use serde::{Deserialize, Serialize};

use super::messages;
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// The one choice of the button.
const CHOICE: &str = "redo";

/// What the notice says without its button.
#[derive(Serialize, Deserialize)]
struct Shown {
    text: String,
}

/// Keeps the offer; the person of the turn and owners may take it. What the files are decides until
/// when.
pub(super) async fn open(tx: &mut Tx, undo: &UndoRow, text: &str) -> Result<Prompt, StoreError> {
    let new = NewPrompt {
        kind: PromptKind::FileRedo,
        place: Place::Session(undo.session_id),
        asked: Asked::UserOrOwners(undo.turn_user),
        subject: Some(undo.id),
        payload: &Shown {
            text: text.to_owned(),
        },
        expires_ms: None,
    };
    prompts::open(tx, new).await
}

/// Returns a text with the button of an offer below it.
pub(super) fn below(prompt: &Prompt, text: String, language: Language) -> Outbound {
    let button = Button {
        label: messages::redo(language).to_owned(),
        token: prompt.button(CHOICE),
        key: None,
        look: ButtonLook::Plain,
    };
    Outbound {
        buttons: vec![vec![button]],
        ..Outbound::markdown(text)
    }
}

/// Returns the notice of an undo with a further line.
pub(super) fn with_line(notice: &str, line: &str) -> String {
    format!("{notice}\n\n{line}")
}

/// Notes that what an undo took away is to be brought back, or says that it is not kept any more.
/// Returns the line that the notice gets and the rows that show it; `None` where the choice is
/// forged.
pub async fn want_redo(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    prompt: &Prompt,
    choice: &str,
    presser: UserId,
    this: Option<MessageRef<'_>>,
    language: Language,
) -> Result<Option<(&'static str, Vec<OutboxRow>)>, StoreError> {
    let Some(id) = prompt.subject().filter(|_| choice == CHOICE) else {
        return Ok(None);
    };
    let notice: Shown = prompt.payload()?;
    let line = if file_changes::want_redo(tx, id, presser, &notice.text).await? {
        messages::brings_back(language)
    } else {
        messages::not_kept(language)
    };
    let outbound = Outbound::markdown(with_line(&notice.text, line));
    let said = outbox
        .amend(tx, Purpose::Notice, prompt.id(), this, &outbound)
        .await?;
    Ok(Some((line, said)))
}

/// Shows what became of a wish as the last line of the notice. With `again`, the button is below it
/// once more, and that is what the notice says from now on.
pub(super) async fn answer(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    undo: &UndoRow,
    text: String,
    again: Option<String>,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let Some(prompt) = prompts::about(tx, PromptKind::FileRedo, undo.id).await? else {
        return Ok(Vec::new());
    };
    let outbound = match again {
        Some(notice) => {
            prompts::reopen(tx, &prompt).await?;
            prompts::set_payload(tx, &prompt, &Shown { text: notice }).await?;
            below(&prompt, text, language)
        }
        None => Outbound::markdown(text),
    };
    outbox
        .amend(tx, Purpose::Notice, prompt.id(), None, &outbound)
        .await
}
