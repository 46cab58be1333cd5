//! The button of the note: the user whose words were learned from can undo it, once.

use sayso_channel::{Address, Language, MessageKey, Outbound};

use crate::audit::{Auditor, By, Event, Place, Record};
use crate::delivery::{OutboxWriter, Purpose};
use crate::memory::{Learned, undo_in};
use crate::sessions::messages;
use crate::store::lessons;
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx};
use crate::transcript::{ChatId, Owner, UserId};

/// A press, and who made it where.
pub struct UndoPress<'a> {
    /// What the button carries; anything at all when it was forged.
    pub data: &'a str,
    /// Who pressed.
    pub user: UserId,
    /// The chat in which it happened.
    pub chat: ChatId,
    /// The message that carries the button, where the platform says it.
    pub this: Option<(&'a Address, &'a MessageKey)>,
    /// The language of the chat.
    pub language: Language,
}

/// What a press on the button of a note came to.
#[derive(Debug)]
pub enum UndoOutcome {
    /// It was taken back; the note says so.
    Undone(Vec<OutboxRow>),
    /// It was taken back before.
    Before,
    /// It was made of somebody else's words.
    NotYours,
    /// There is no such button here.
    Unknown,
}

/// Returns the data of the button (at most 37 bytes).
pub(super) fn button(token: &str) -> String {
    format!("undo:{token}")
}

/// Judges a press and takes back what was learned; `None` when the data is no button of a note.
pub async fn press_undo(
    tx: &mut Tx,
    (outbox, auditor): (&OutboxWriter, &Auditor),
    press: &UndoPress<'_>,
) -> Result<Option<UndoOutcome>, StoreError> {
    let Some(token) = press.data.strip_prefix("undo:") else {
        return Ok(None);
    };
    let learned = lessons::learned(tx, token).await?;
    let Some(learned) = learned.filter(|learned| learned.chat_id == press.chat) else {
        return Ok(Some(UndoOutcome::Unknown));
    };
    if learned.user_id != press.user {
        return Ok(Some(UndoOutcome::NotYours));
    }
    if !lessons::undo(tx, learned.id).await? {
        return Ok(Some(UndoOutcome::Before));
    }
    let owner: Owner = serde_json::from_str(&learned.owner)?;
    let facts: Vec<Learned> = serde_json::from_str(&learned.facts)?;
    // What came later may rest on what came before.
    for fact in facts.iter().rev() {
        undo_in(tx, owner, fact).await?;
    }
    let place = Place {
        chat: Some(press.chat),
        user: Some(press.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(press.user)),
        ..Record::of(Event::Unlearned, place)
    };
    auditor.note(tx, record).await?;
    let outbound = Outbound::markdown(messages::undone(press.language));
    let said = outbox
        .amend(tx, Purpose::Card, learned.id, press.this, &outbound)
        .await?;
    Ok(Some(UndoOutcome::Undone(said)))
}
