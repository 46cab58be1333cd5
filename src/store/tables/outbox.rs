//! What is said: one row per platform message, or per edit of one.

use sayso_core::transcript::{OutboxId, TurnId};
use sayso_core::{Address, MessageKey};
use serde::Deserialize;

use crate::sql;
use crate::sql::{named, query};
use crate::{Readers, StoreError, Tx, first_id_of, new_id, now_ms};

named! {
    /// What a row is for: how it is paced, and whether it is sent again when its arrival is
    /// unknown.
    pub enum Purpose {
        /// The outcome of a turn: its first part.
        Final = "final",
        /// A further part of a long message.
        More = "more",
        /// A card.
        Card = "card",
        /// A question.
        Question = "question",
        /// The answer to a command, and other words of our own.
        Notice = "notice",
        /// What a turn is doing.
        Live = "live",
        /// The edit of a message.
        Edit = "edit",
        /// The deletion of a message.
        Delete = "delete",
    }
}

impl Purpose {
    /// Returns whether it changes a message that was sent.
    pub fn is_change(self) -> bool {
        matches!(self, Self::Edit | Self::Delete)
    }
}

named! {
    /// How far a row is.
    pub enum OutboxState {
        /// It waits to be sent.
        Pending = "pending",
        /// It is being sent.
        Sending = "sending",
        /// It went out.
        Sent = "sent",
        /// It may have gone out, and is sent again.
        Unknown = "unknown",
        /// It does not go out.
        Failed = "failed",
        /// It has nothing left to say.
        Superseded = "superseded",
        /// A live message that may or may not be in the chat.
        Doubted = "doubted",
    }
}

/// A message to send, or an edit to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewOutbox {
    /// The channel that says it.
    pub channel: String,
    /// Where, as JSON.
    pub address: String,
    /// The turn that it belongs to.
    pub turn: Option<TurnId>,
    /// What it is for.
    pub purpose: Purpose,
    /// The card or question that it shows.
    pub subject: Option<i64>,
    /// The row whose message is edited.
    pub edits: Option<OutboxId>,
    /// For an edit of a message that no row knows: the message.
    pub message: Option<String>,
    /// The part, as JSON.
    pub part: String,
}

/// What a message shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shown {
    /// Whether it is a card, a question or something else.
    pub purpose: Purpose,
    /// Which one.
    pub subject: i64,
}

/// A message in a chat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageAt<'a> {
    /// The channel.
    pub channel: &'a str,
    /// The chat.
    pub chat: &'a str,
    /// The platform's name of the message.
    pub message: &'a str,
}

impl<'a> MessageAt<'a> {
    /// Returns the message of this name in the chat of an address.
    pub fn of(address: &'a Address, message: &'a MessageKey) -> Self {
        Self {
            channel: address.channel.as_str(),
            chat: address.chat.as_str(),
            message: message.as_str(),
        }
    }
}

/// A row of the outbox.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OutboxRow {
    /// Names the row.
    pub id: OutboxId,
    /// The channel that says it.
    pub channel: String,
    /// Where, as JSON.
    pub address: String,
    /// The turn that it belongs to.
    pub turn_id: Option<TurnId>,
    /// What it is for.
    pub purpose: Purpose,
    /// The card or question that it shows.
    pub subject: Option<i64>,
    /// The row whose message is edited.
    pub edits: Option<OutboxId>,
    /// The part, as JSON.
    pub part: String,
    /// How far it is.
    pub state: OutboxState,
    /// Whether it may already have arrived once; of a sent row, whether it says so.
    pub resent: bool,
    /// The platform's name of it, once sent.
    pub message: Option<String>,
    /// When it was made.
    pub created_ms: i64,
    /// Where it goes: 0 to its place, 1 beside its thread, 2 to whom it answers, in private.
    pub detour: i64,
}

/// Adds a row and returns it.
pub async fn insert(tx: &mut Tx, new: NewOutbox) -> Result<OutboxRow, StoreError> {
    let row = OutboxRow {
        id: OutboxId(new_id()),
        channel: new.channel,
        address: new.address,
        turn_id: new.turn,
        purpose: new.purpose,
        subject: new.subject,
        edits: new.edits,
        part: new.part,
        state: if new.purpose == Purpose::Live {
            OutboxState::Sending
        } else {
            OutboxState::Pending
        },
        resent: false,
        message: new.message,
        created_ms: now_ms(),
        detour: 0,
    };
    query(sql!(
        "INSERT INTO outbox (id, channel, address, turn_id, purpose, subject, edits, part, state,
                             message, created_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    ))
    .bind(row.id)
    .bind(&row.channel)
    .bind(&row.address)
    .bind(row.turn_id)
    .bind(row.purpose)
    .bind(row.subject)
    .bind(row.edits)
    .bind(&row.part)
    .bind(row.state)
    .bind(&row.message)
    .bind(row.created_ms)
    .execute(tx.connection())
    .await?;
    Ok(row)
}

// The first condition of each query repeats that of the partial index `outbox_open` verbatim;
// otherwise SQLite would scan the whole table.
const OPEN_ROWS: &str =
    "SELECT id, channel, address, turn_id, purpose, subject, edits, part, state, resent, message,
            created_ms, detour
     FROM outbox WHERE id IN (
         SELECT id FROM (
             SELECT id, row_number() OVER (PARTITION BY channel, chat ORDER BY id) AS place
             FROM outbox
             WHERE state IN ('pending', 'sending', 'unknown') AND state <> 'sending') AS line
         WHERE place <= $1)
     ORDER BY channel, id";
const DOUBT_LIVE: &str = "UPDATE outbox SET state = 'doubted'
     WHERE state IN ('pending', 'sending', 'unknown') AND state = 'sending' AND purpose = 'live'";
const EDIT_AGAIN: &str = "UPDATE outbox SET state = 'pending'
     WHERE state IN ('pending', 'sending', 'unknown') AND state = 'sending'
       AND purpose IN ('edit', 'delete')";
const SEND_AGAIN: &str = "UPDATE outbox SET state = 'unknown', resent = TRUE
     WHERE state IN ('pending', 'sending', 'unknown') AND state = 'sending'";

/// Messages that failed in a chat since `$3` and are still relevant. The ids are in chronological
/// order, so that only new rows are scanned.
const SAY_AGAIN: &str = "UPDATE outbox SET state = 'pending', why = NULL
     WHERE id >= $3 AND state = 'failed' AND channel = $1 AND chat = $2
       AND (purpose = 'final' OR (purpose = 'more' AND turn_id IS NOT NULL)
            OR (purpose = 'card' AND subject IN (SELECT id FROM cards WHERE state = 'open'
                                                 UNION ALL
                                                 SELECT o.id FROM owner_copies o
                                                 JOIN cards c ON c.id = o.card_id
                                                 WHERE c.state = 'open')))
     RETURNING id, channel, address, turn_id, purpose, subject, edits, part, state, resent, message,
               created_ms, detour";

/// Puts the outcomes and open cards that failed in a chat since this time in line again; returns
/// them in their order.
pub async fn say_again(
    tx: &mut Tx,
    channel: &str,
    chat: &str,
    since_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut rows: Vec<OutboxRow> = query(sql!(SAY_AGAIN))
        .bind(channel)
        .bind(chat)
        .bind(first_id_of(since_ms))
        .fetch_all(tx.connection())
        .await?;
    rows.sort_by_key(|row| row.id);
    Ok(rows)
}

/// Returns the rows that are still to be sent, those of each channel oldest first, of each chat no
/// more than `per_chat`.
pub async fn open_rows(readers: &Readers, per_chat: i64) -> Result<Vec<OutboxRow>, StoreError> {
    query(sql!(OPEN_ROWS))
        .bind(per_chat)
        .fetch_all(readers)
        .await
}

/// After a start: rows that were being sent when the process was killed may or may not have
/// arrived.
///
/// Texts of turns, cards and questions will be sent again, marked; live messages will not, but the
/// outcome of their turn looks after them.
/// Returns how many are sent again.
pub async fn find_unknown(tx: &mut Tx) -> Result<u64, StoreError> {
    query(sql!(DOUBT_LIVE)).execute(tx.connection()).await?;
    // An edit says the same however often it is made.
    query(sql!(EDIT_AGAIN)).execute(tx.connection()).await?;
    let unknown = query(sql!(SEND_AGAIN)).execute(tx.connection()).await?;
    Ok(unknown)
}

/// What is known of a row that is about to be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct BegunRow {
    /// Whether a live message of its turn went out, or may have.
    pub has_live: bool,
}

/// Sets a row to `sending`, which is committed before it is sent. Returns `None` where it is not to
/// be sent any more.
pub async fn begin_sending(tx: &mut Tx, id: OutboxId) -> Result<Option<BegunRow>, StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'sending' WHERE id = $1 AND state IN ('pending', 'unknown')
         RETURNING EXISTS (SELECT 1 FROM outbox live
                           WHERE live.turn_id = outbox.turn_id AND live.purpose = 'live'
                             AND live.state IN ('sent', 'doubted')) AS has_live"
    ))
    .bind(id)
    .fetch_optional(tx.connection())
    .await
}

/// Notes that a row certainly did not go out and is to be tried again.
pub async fn put_back(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    set_state(tx, id, OutboxState::Pending).await
}

/// Notes that it is unknown whether a row was sent; it is sent again, marked as a possible
/// duplicate.
pub async fn set_unknown(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'unknown', resent = TRUE WHERE id = $1"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Handles a row in state `sending` of which it is unknown whether it was sent: it is sent again,
/// marked as a possible duplicate; an edit is simply repeated. Does nothing to a row in another
/// state.
pub async fn doubt(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = CASE WHEN purpose IN ('edit', 'delete') THEN 'pending'
                                        ELSE 'unknown' END,
                           resent = resent OR purpose NOT IN ('edit', 'delete')
         WHERE id = $1 AND state = 'sending'"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// The same for a row whose sending panicked. What is an edit, or was sent again already, has
/// failed.
pub async fn doubt_after_panic(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'failed', why = 'sending it panicked'
         WHERE id = $1 AND state = 'sending' AND (resent OR purpose IN ('edit', 'delete'))"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    doubt(tx, id).await
}

/// Notes that a row went out, as which message, and whether that carries the mark of a repeated
/// send.
pub async fn set_sent(
    tx: &mut Tx,
    id: OutboxId,
    message: &str,
    marked: bool,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'sent', message = $2, sent_ms = $3, resent = $4 WHERE id = $1"
    ))
    .bind(id)
    .bind(message)
    .bind(now_ms())
    .bind(marked)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that a card or question has arrived, because one of its buttons was pressed. Does nothing
/// if the row may be in the chat twice, because it is then unknown which of the two messages was
/// pressed.
pub async fn set_pressed(tx: &mut Tx, shown: Shown, at: MessageAt<'_>) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'sent', message = $5, sent_ms = $6
         WHERE purpose = $1 AND subject = $2 AND channel = $3 AND chat = $4
           AND state = 'sending' AND NOT resent"
    ))
    .bind(shown.purpose)
    .bind(shown.subject)
    .bind(at.channel)
    .bind(at.chat)
    .bind(at.message)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that a row will not go out, and why.
pub async fn set_failed(tx: &mut Tx, id: OutboxId, why: &str) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET state = 'failed', why = $2 WHERE id = $1"
    ))
    .bind(id)
    .bind(why)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that it is unknown whether a live message is in the chat.
pub async fn doubt_live(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    set_state(tx, id, OutboxState::Doubted).await
}

/// Notes that a row has nothing left to say.
pub async fn supersede(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    set_state(tx, id, OutboxState::Superseded).await
}

/// Has a row that was to delete a message edit it.
pub async fn edit_instead(tx: &mut Tx, id: OutboxId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE outbox SET purpose = 'edit', state = 'pending' WHERE id = $1"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Drops the copies of a card or question that did not go out yet.
pub async fn supersede_pending(
    tx: &mut Tx,
    purpose: Purpose,
    subject: i64,
) -> Result<u64, StoreError> {
    let dropped = query(sql!(
        "UPDATE outbox SET state = 'superseded'
         WHERE purpose = $1 AND subject = $2 AND state IN ('pending', 'unknown')"
    ))
    .bind(purpose)
    .bind(subject)
    .execute(tx.connection())
    .await?;
    Ok(dropped)
}

/// Takes what a card or question said out of its rows: those that went out read as `now` does, the
/// others go.
pub async fn unsay(
    tx: &mut Tx,
    purpose: Purpose,
    subject: i64,
    now: Option<&OutboxRow>,
) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM outbox
         WHERE purpose = $1 AND subject = $2 AND ($3 IS NULL OR state = 'superseded')"
    ))
    .bind(purpose)
    .bind(subject)
    .bind(now.map(|row| row.part.as_str()))
    .execute(tx.connection())
    .await?;
    if let Some(now) = now {
        query(sql!(
            "UPDATE outbox SET part = $3 WHERE purpose = $1 AND subject = $2"
        ))
        .bind(purpose)
        .bind(subject)
        .bind(&now.part)
        .execute(tx.connection())
        .await?;
    }
    Ok(())
}

/// Returns the rows that show a card or question and went out, or will.
pub async fn copies(
    tx: &mut Tx,
    purpose: Purpose,
    subject: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    query(sql!("SELECT id, channel, address, turn_id, purpose, subject, edits, part, state, resent, message,
                created_ms, detour
         FROM outbox WHERE purpose = $1 AND subject = $2
           AND state IN ('pending', 'sending', 'sent', 'unknown') ORDER BY id"))
    .bind(purpose)
    .bind(subject)
    .fetch_all(tx.connection())
    .await
}

/// Returns the message of a row where it went out, and whether it carries the mark of a
/// repeated send.
pub async fn message_of(tx: &mut Tx, id: OutboxId) -> Result<Option<(String, bool)>, StoreError> {
    query(sql!(
        "SELECT message, resent FROM outbox WHERE id = $1 AND message IS NOT NULL"
    ))
    .bind(id)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the live message of a turn that went out, or may have: that one has no `message`.
pub async fn live_message(tx: &mut Tx, turn: TurnId) -> Result<Option<OutboxRow>, StoreError> {
    query(sql!("SELECT id, channel, address, turn_id, purpose, subject, edits, part, state, resent, message,
                created_ms, detour
         FROM outbox WHERE turn_id = $1 AND purpose = 'live' AND state IN ('sent', 'doubted')
         ORDER BY id DESC LIMIT 1"))
    .bind(turn)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the question or card (by purpose) that one of Sayso's messages in a chat shows.
pub async fn subject_of_message(
    tx: &mut Tx,
    at: MessageAt<'_>,
    purpose: Purpose,
) -> Result<Option<i64>, StoreError> {
    Ok(query(sql!(
        "SELECT subject FROM outbox
         WHERE channel = $1 AND message = $3 AND purpose = $4 AND chat = $2"
    ))
    .bind(at.channel)
    .bind(at.chat)
    .bind(at.message)
    .bind(purpose)
    .fetch_optional(tx.connection())
    .await?
    .flatten())
}

/// Returns the turns that a message of Sayso's in a chat belongs to: `None` for one that belongs to
/// no turn. Nothing, where the message is not known.
pub async fn turns_of_message(
    tx: &mut Tx,
    at: MessageAt<'_>,
) -> Result<Vec<Option<TurnId>>, StoreError> {
    query(sql!(
        "SELECT DISTINCT turn_id FROM outbox
         WHERE channel = $1 AND message = $3 AND chat = $2 AND edits IS NULL"
    ))
    .bind(at.channel)
    .bind(at.chat)
    .bind(at.message)
    .fetch_all(tx.connection())
    .await
}

/// Returns whether this message shows this subject, as far as is known: its row says so, or the row
/// is still being sent and no other row has that message.
pub async fn may_show(tx: &mut Tx, shown: Shown, at: MessageAt<'_>) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (
             SELECT 1 FROM outbox
             WHERE purpose = $1 AND subject = $2 AND channel = $3 AND chat = $4
               AND (message = $5 OR state = 'sending' AND message IS NULL AND NOT EXISTS (
                        SELECT 1 FROM outbox
                        WHERE channel = $3 AND message = $5 AND chat = $4)))"
    ))
    .bind(shown.purpose)
    .bind(shown.subject)
    .bind(at.channel)
    .bind(at.chat)
    .bind(at.message)
    .fetch_one(tx.connection())
    .await
}

async fn set_state(tx: &mut Tx, id: OutboxId, state: OutboxState) -> Result<(), StoreError> {
    query(sql!("UPDATE outbox SET state = $2 WHERE id = $1"))
        .bind(id)
        .bind(state)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns whether the outcome of a turn is written already.
pub async fn turn_has_spoken(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE turn_id = $1 AND state <> 'superseded'
                          AND purpose IN ('final', 'question'))
             OR EXISTS (SELECT 1 FROM turns WHERE id = $1 AND state = 'ended')"
    ))
    .bind(turn)
    .fetch_one(tx.connection())
    .await
}

/// Returns whether something was said below a live message in its chat.
pub async fn said_below(tx: &mut Tx, live: &OutboxRow) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE id > $1 AND state = 'sent' AND edits IS NULL
                          AND purpose NOT IN ('edit', 'delete') AND channel = $2
                          AND chat = $3 ->> 'chat')
             OR EXISTS (SELECT 1 FROM inbox WHERE id > $1 AND kind = 'message' AND channel = $2
                          AND address ->> 'chat' = $3 ->> 'chat')"
    ))
    .bind(live.id)
    .bind(&live.channel)
    .bind(&live.address)
    .fetch_one(tx.connection())
    .await
}

#[cfg(test)]
mod tests {
    use super::{DOUBT_LIVE, EDIT_AGAIN, OPEN_ROWS, SEND_AGAIN};
    use crate::{Store, query_plans};

    #[tokio::test]
    async fn what_is_open_is_found_without_reading_what_was_said() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        let by_index = "SCAN outbox USING INDEX outbox_open";
        for query in [OPEN_ROWS, DOUBT_LIVE, EDIT_AGAIN, SEND_AGAIN] {
            let steps = query_plans::plan(store.reader(), query).await;
            let of_outbox = |step: &&String| step.contains(" outbox ");
            let mut walked: Vec<&String> = steps.iter().filter(of_outbox).collect();
            walked.sort();
            let by_number = "SEARCH outbox USING INTEGER PRIMARY KEY (rowid=?)";
            let expected: &[&str] = if query == OPEN_ROWS {
                &[by_index, by_number]
            } else {
                &[by_index]
            };
            assert_eq!(walked, expected, "{query}: {steps:?}");
        }
    }
}
