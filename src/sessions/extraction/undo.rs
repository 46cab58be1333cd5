//! The button of the note: the user whose words were learned from can undo it, once.

use sayso_channel::{Language, Outbound};
use sayso_core::transcript::{Owner, UserId};
use sayso_memory::{Learned, undo_in};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};
use serde::{Deserialize, Serialize};

use crate::audit::{Auditor, By, Event, Place, Record};
use crate::delivery::{MessageRef, OutboxWriter, Purpose};
use crate::prompts::Prompt;
use crate::sessions::messages;

/// The one choice of the button.
pub(super) const CHOICE: &str = "undo";

/// What was learned at once: the payload of the prompt.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct LearnedNote {
    /// Whose memory it is in.
    pub owner: Owner,
    /// What became of each fact.
    pub facts: Vec<Learned>,
}

/// Takes back what was learned, and returns the rows that say so.
pub async fn undo_learned(
    tx: &mut Tx,
    outbox: &OutboxWriter,
    auditor: &Auditor,
    prompt: &Prompt,
    presser: UserId,
    this: Option<MessageRef<'_>>,
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let note: LearnedNote = prompt.payload()?;
    // What came later may rest on what came before.
    for fact in note.facts.iter().rev() {
        undo_in(tx, note.owner, fact).await?;
    }
    let place = Place {
        chat: prompt.chat(),
        user: Some(presser),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(presser)),
        ..Record::of(Event::Unlearned, place)
    };
    auditor.note(tx, record).await?;
    let outbound = Outbound::markdown(messages::undone(language));
    outbox
        .amend(tx, Purpose::Card, prompt.id(), this, &outbound)
        .await
}
