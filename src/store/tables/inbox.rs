//! What was heard. A message that waits for a turn is a job too (`jobs`), with the same id.
//!
//! The job follows the state of its row by triggers of the schema: nothing here writes it.

use sayso_core::transcript::{AnnouncedFile, InboxId, QuestionId, Role, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::joining::JOINING;
pub use crate::joining::{absorb, first_joining, is_queued, let_interrupt};
use crate::sql;
use crate::sql::{named, parsed, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// The kind of events that a platform holds open until they are answered: its own commands.
pub const AWAITED: &str = "command";

/// The kind of presses.
const PRESS: &str = "press";

named! {
    /// What becomes of an event.
    pub enum InboxState {
        /// It waits for a turn.
        Waiting = "waiting",
        /// A turn has it.
        Heard = "heard",
        /// No turn is needed.
        Settled = "settled",
        /// It was said in a group, but not to us.
        Overheard = "overheard",
    }
}

named! {
    /// What is done with a message that is said while its person's turn runs.
    #[derive(Default)]
    pub enum WhileBusy {
        /// It joins the turn at its next step; calls that were not started give way to it.
        #[default]
        Steer = "steer",
        /// It waits for a turn of its own.
        Queue = "queue",
        /// It ends the turn, and begins the next one.
        Interrupt = "interrupt",
    }
}

/// An event on its way in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewInbox {
    /// The channel that heard it.
    pub channel: String,
    /// The kind of its key.
    pub kind: String,
    /// The id of its key.
    pub event: String,
    /// The version of its key.
    pub version: i64,
    /// The session that it belongs to.
    pub session: Option<SessionId>,
    /// Who did it.
    pub user: Option<UserId>,
    /// The account that did it, also if it belongs to no known user.
    pub sender: Option<String>,
    /// Where, as JSON.
    pub address: String,
    /// The platform's name of the message.
    pub message: Option<String>,
    /// The text as a model is shown it.
    pub said: String,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// The files that it announces.
    pub files: Vec<AnnouncedFile>,
    /// The album that it is a piece of.
    pub album: Option<String>,
    /// The question that it answers by a button or a reply.
    pub answers: Option<QuestionId>,
    /// What the one who said it may do.
    pub role: Role,
    /// What it does while a turn of its person runs.
    pub while_busy: Option<WhileBusy>,
    /// Not to be taken before.
    pub ready_ms: i64,
    /// When it happened, by the platform's clock.
    pub happened_ms: i64,
    /// What becomes of it.
    pub state: InboxState,
}

/// A message that waits for a turn, or was said around one.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct InboxRow {
    /// Names the row.
    pub id: InboxId,
    /// The kind of the event.
    pub kind: String,
    /// Who said it.
    pub user_id: Option<UserId>,
    /// Where, as JSON.
    pub address: String,
    /// The platform's name of the message.
    pub message: Option<String>,
    /// The text as a model is shown it.
    pub said: String,
    /// Whether words of others are in it.
    pub untrusted: bool,
    /// The files that it announces, as JSON.
    pub files: Option<String>,
    /// The pieces that belong together.
    pub album: Option<String>,
    /// The question that it answers by a button or a reply.
    pub answers: Option<QuestionId>,
    /// What the one who said it may do.
    #[serde(deserialize_with = "parsed")]
    pub role: Role,
    /// Not to be taken before.
    pub ready_ms: i64,
    /// What it does while a turn of its person runs; `None` joins it.
    pub while_busy: Option<WhileBusy>,
}

impl InboxRow {
    /// Returns whether it waits for a turn of its own.
    pub fn is_queued(&self) -> bool {
        self.while_busy == Some(WhileBusy::Queue)
    }

    /// Returns whether it comes before whatever else its person has waiting.
    pub fn interrupts(&self) -> bool {
        self.while_busy == Some(WhileBusy::Interrupt)
    }

    /// Returns whether the platform holds the event open until it is answered.
    pub fn is_awaited(&self) -> bool {
        self.kind == AWAITED
    }

    /// Returns the files that it announces.
    pub fn files(&self) -> Result<Vec<AnnouncedFile>, StoreError> {
        let files = self.files.as_deref();
        Ok(files.map_or_else(|| Ok(Vec::new()), serde_json::from_str)?)
    }

    /// Returns whether a button said it.
    pub fn is_press(&self) -> bool {
        self.kind == PRESS
    }
}

/// Stores an event; `None` when it was stored before.
pub async fn insert(tx: &mut Tx, new: &NewInbox) -> Result<Option<InboxId>, StoreError> {
    let id = InboxId(new_id());
    let inserted = query(sql!(
        "INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address,
                            message, said, untrusted, album, answers, role, ready_ms,
                            state, stored_ms, sender, files, while_busy, happened_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18, $19, $20, $21)
         ON CONFLICT DO NOTHING"
    ))
    .bind(id)
    .bind(&new.channel)
    .bind(&new.kind)
    .bind(&new.event)
    .bind(new.version)
    .bind(new.session)
    .bind(new.user)
    .bind(&new.address)
    .bind(&new.message)
    .bind(&new.said)
    .bind(new.untrusted)
    .bind(&new.album)
    .bind(new.answers)
    .bind(new.role.as_str())
    .bind(new.ready_ms)
    .bind(new.state)
    .bind(now_ms())
    .bind(&new.sender)
    .bind(files_as_text(&new.files)?)
    .bind(new.while_busy)
    .bind(new.happened_ms)
    .execute(tx.connection())
    .await?;
    Ok((inserted == 1).then_some(id))
}

fn files_as_text(files: &[AnnouncedFile]) -> Result<Option<String>, StoreError> {
    let text = (!files.is_empty()).then(|| serde_json::to_string(files));
    Ok(text.transpose()?)
}

/// Returns the state and text of a stored form of an event: the one that waits, else the newest.
pub async fn earlier_form(
    tx: &mut Tx,
    channel: &str,
    kind: &str,
    event: &str,
) -> Result<Option<(InboxId, InboxState, String)>, StoreError> {
    query(sql!(
        "SELECT id, state, said FROM inbox WHERE channel = $1 AND kind = $2 AND event = $3
         ORDER BY state = 'waiting' DESC, id DESC LIMIT 1"
    ))
    .bind(channel)
    .bind(kind)
    .bind(event)
    .fetch_optional(tx.connection())
    .await
}

/// Returns the open turn of a user that has taken this form of an event, or an earlier one, and
/// nothing else.
pub async fn answered_alone_by(
    tx: &mut Tx,
    user: UserId,
    channel: &str,
    kind: &str,
    event: &str,
) -> Result<Option<TurnId>, StoreError> {
    query(sql!(
        "SELECT t.id FROM inbox i JOIN turns t ON t.id = i.turn_id
         WHERE i.channel = $2 AND i.kind = $3 AND i.event = $4 AND i.state = 'heard'
           AND t.user_id = $1 AND t.state <> 'ended' AND t.stop_by IS NULL
           AND NOT EXISTS (SELECT 1 FROM inbox other
                           WHERE other.turn_id = t.id AND other.event <> i.event)
         ORDER BY t.id DESC LIMIT 1"
    ))
    .bind(user)
    .bind(channel)
    .bind(kind)
    .bind(event)
    .fetch_optional(tx.connection())
    .await
}

/// Replaces what a message says that no turn has taken yet.
pub async fn replace_said(
    tx: &mut Tx,
    id: InboxId,
    said: &str,
    files: &[AnnouncedFile],
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET said = $2, files = $3 WHERE id = $1 AND state = 'waiting'"
    ))
    .bind(id)
    .bind(said)
    .bind(files_as_text(files)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether a piece of this album is already a job of the session.
pub async fn album_is_job(
    tx: &mut Tx,
    session: SessionId,
    album: &str,
) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT count(*) > 0 FROM inbox
         WHERE session_id = $1 AND album = $2 AND state IN ('waiting', 'heard')"
    ))
    .bind(session)
    .bind(album)
    .fetch_one(tx.connection())
    .await
}

/// Returns the state of the first piece of what belongs together and was to be answered, and what
/// it does while a turn runs.
pub async fn first_piece(
    tx: &mut Tx,
    session: SessionId,
    album: &str,
) -> Result<Option<(InboxState, Option<WhileBusy>)>, StoreError> {
    query(sql!("SELECT state, while_busy FROM inbox
         WHERE session_id = $1 AND album = $2 AND state IN ('waiting', 'heard') ORDER BY id LIMIT 1"))
    .bind(session)
    .bind(album)
    .fetch_optional(tx.connection())
    .await
}

/// Makes the pieces that were only overheard of what `piece` belongs to part of its job, and has
/// those that wait do so for as long as it does.
pub async fn join_album(tx: &mut Tx, piece: &NewInbox) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET state = 'waiting', user_id = $3, role = $4, while_busy = $5
         WHERE session_id = $1 AND album = $2 AND state = 'overheard'"
    ))
    .bind(piece.session)
    .bind(&piece.album)
    .bind(piece.user)
    .bind(piece.role.as_str())
    .bind(piece.while_busy)
    .execute(tx.connection())
    .await?;
    query(sql!(
        "UPDATE inbox SET ready_ms = $3
         WHERE id IN (SELECT id FROM jobs WHERE session_id = $1) AND album = $2"
    ))
    .bind(piece.session)
    .bind(&piece.album)
    .bind(piece.ready_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the jobs of a user in a session, oldest first, at most `limit`.
pub async fn waiting_of(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    limit: i64,
) -> Result<Vec<InboxRow>, StoreError> {
    query(sql!("SELECT i.id, i.kind, i.user_id, i.address, i.message, i.said, i.untrusted, i.files, i.album,
                i.answers, i.role, i.ready_ms, i.while_busy
         FROM jobs j CROSS JOIN inbox i
         WHERE i.id = j.id AND j.session_id = $1 AND j.user_id = $2 AND j.origin = 'message'
         ORDER BY j.id LIMIT $3"))
    .bind(session)
    .bind(user)
    .bind(limit)
    .fetch_all(tx.connection())
    .await
}

/// Returns how many jobs of a user wait in a session.
pub async fn count_waiting(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
) -> Result<i64, StoreError> {
    query(sql!(
        "SELECT count(*) FROM jobs
         WHERE session_id = $1 AND user_id = $2 AND origin = 'message'"
    ))
    .bind(session)
    .bind(user)
    .fetch_one(tx.connection())
    .await
}

/// Takes what was said in a session around us since this was last done: the newest `limit`
/// messages, newest last; older ones are let go of.
pub async fn take_overheard(
    tx: &mut Tx,
    session: SessionId,
    limit: usize,
) -> Result<Vec<InboxRow>, StoreError> {
    let mut rows: Vec<InboxRow> = query(sql!(
        "UPDATE inbox SET state = 'settled' WHERE session_id = $1 AND state = 'overheard'
         RETURNING id, kind, user_id, address, message, said, untrusted, files, album, answers,
                   role, ready_ms, while_busy"
    ))
    .bind(session)
    .fetch_all(tx.connection())
    .await?;
    rows.sort_by_key(|row| row.id);
    let older = rows.len().saturating_sub(limit);
    Ok(rows.split_off(older))
}

/// Returns what was overheard in a session as a message of this name.
pub async fn overheard_as(
    tx: &mut Tx,
    session: SessionId,
    message: &str,
) -> Result<Option<(InboxId, String)>, StoreError> {
    query(sql!(
        "SELECT id, said FROM inbox
         WHERE session_id = $1 AND state = 'overheard' AND message = $2"
    ))
    .bind(session)
    .bind(message)
    .fetch_optional(tx.connection())
    .await
}

/// Gives a job to a turn.
pub async fn hear(tx: &mut Tx, id: InboxId, turn: TurnId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET state = 'heard', turn_id = $2 WHERE id = $1 AND state = 'waiting'"
    ))
    .bind(id)
    .bind(turn)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns what joins a turn of this user, oldest first, at most `limit`.
pub async fn pending_messages(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    limit: i64,
) -> Result<Vec<InboxRow>, StoreError> {
    query(sql!(
        "SELECT i.id, i.kind, i.user_id, i.address, i.message, i.said, i.untrusted, i.files, i.album,
                i.answers, i.role, i.ready_ms, i.while_busy ", JOINING, " ORDER BY j.id LIMIT $3"
    ))
        .bind(session)
        .bind(user)
        .bind(limit)
        .fetch_all(tx.connection())
        .await
}

/// Has the messages of a turn that has ended wait for a turn again, together; returns how many.
pub async fn put_back(tx: &mut Tx, turn: TurnId) -> Result<u64, StoreError> {
    let waiting = query(sql!(
        "UPDATE inbox SET state = 'waiting', turn_id = NULL, ready_ms = $2, while_busy = 'queue',
                          album = coalesce(album, 'turn ' || $1)
         WHERE turn_id = $1 AND state = 'heard'"
    ))
    .bind(turn)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(waiting)
}

/// Drops the jobs of a user that no turn has taken; returns their texts. `reported_by` is the
/// stopped turn that says it, if one does.
pub async fn drop_waiting(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    reported_by: Option<TurnId>,
) -> Result<Vec<String>, StoreError> {
    query(sql!(
        "UPDATE inbox SET state = 'settled', dropped_by = $3
         WHERE id IN (SELECT id FROM jobs WHERE session_id = $1 AND user_id = $2)
         RETURNING said"
    ))
    .bind(session)
    .bind(user)
    .bind(reported_by)
    .fetch_all(tx.connection())
    .await
}

/// Returns the texts of the messages that were dropped by the stop of a turn, oldest first.
pub async fn dropped_by(tx: &mut Tx, turn: TurnId) -> Result<Vec<String>, StoreError> {
    query(sql!(
        "SELECT said FROM inbox WHERE dropped_by = $1 ORDER BY id"
    ))
    .bind(turn)
    .fetch_all(tx.connection())
    .await
}

/// Returns whether words of others are in what a turn was begun for.
pub async fn has_words_of_others(tx: &mut Tx, turn: TurnId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM inbox WHERE turn_id = $1 AND untrusted)"
    ))
    .bind(turn)
    .fetch_one(tx.connection())
    .await
}

/// Returns what a person said to a turn, oldest first.
pub async fn said_to(tx: &mut Tx, turn: TurnId, user: UserId) -> Result<Vec<InboxRow>, StoreError> {
    query(sql!(
        "SELECT id, kind, user_id, address, message, said, untrusted, files, album, answers, role,
                ready_ms, while_busy
         FROM inbox WHERE turn_id = $1 AND user_id = $2 ORDER BY id"
    ))
    .bind(turn)
    .bind(user)
    .fetch_all(tx.connection())
    .await
}

/// Returns the mark of a long text of this user that waits for its further pieces.
pub async fn unfinished_text(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    now_ms: i64,
) -> Result<Option<String>, StoreError> {
    query(sql!(
        "SELECT i.album FROM jobs j CROSS JOIN inbox i
         WHERE i.id = j.id AND j.session_id = $1 AND j.user_id = $2 AND j.due_ms > $3 AND i.album LIKE 'split-%'
         ORDER BY j.id DESC LIMIT 1"
    ))
    .bind(session)
    .bind(user)
    .bind(now_ms)
    .fetch_optional(tx.connection())
    .await
}

/// Marks a job as one that needs no turn.
pub async fn settle(tx: &mut Tx, id: InboxId) -> Result<(), StoreError> {
    query(sql!("UPDATE inbox SET state = 'settled' WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// How much of what was said around us is kept for the next turn, in messages.
const OVERHEARD_KEPT: i64 = 50;

/// Lets go of what was said around us long ago.
pub async fn forget_old_overheard(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET state = 'settled', said = '', files = NULL
         WHERE session_id = $1 AND state = 'overheard' AND id NOT IN
             (SELECT id FROM inbox WHERE session_id = $1 AND state = 'overheard'
              ORDER BY id DESC LIMIT $2)"
    ))
    .bind(session)
    .bind(OVERHEARD_KEPT)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the newest message of every chat and thread of a channel: address as JSON, and the
/// platform's name of the message.
///
/// Newest is what has the greatest number: an older message that was edited is stored later.
pub async fn last_heard(
    readers: &Readers,
    channel: &str,
) -> Result<Vec<(String, String)>, StoreError> {
    query(sql!(
        "SELECT address, message FROM
             (SELECT address, message, row_number() OVER
                  (PARTITION BY address ORDER BY length(message) DESC, message DESC) AS place
              FROM inbox WHERE channel = $1 AND kind = 'message' AND message IS NOT NULL) AS heard
         WHERE place = 1"
    ))
    .bind(channel)
    .fetch_all(readers)
    .await
}

/// Returns what others overheard of a person (`of_person`), each with the turn that it went to: the next
/// that began in its session.
pub(crate) async fn overheard(
    tx: &mut Tx,
    users: &str,
) -> Result<Vec<(Option<TurnId>, String)>, StoreError> {
    query(sql!(
        "SELECT (SELECT min(t.id) FROM turns t WHERE t.id > i.id AND t.session_id = i.session_id),
                replace(i.said, $2, $2 || '  ')
         FROM inbox i JOIN senders s ON s.channel = i.channel AND s.sender = i.sender
         WHERE s.user_id IN (SELECT value FROM json_each($1))
           AND i.user_id IS NULL AND i.said <> ''"
    ))
    .bind(users)
    .bind("\n")
    .fetch_all(tx.connection())
    .await
}

/// Empties the rows of what a person (`of_person`) said until they asked to be erased; that it was heard
/// stays known.
pub(crate) async fn erase(
    tx: &mut Tx,
    users: &str,
    asked_ms: Option<i64>,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET said = '', files = NULL, album = NULL, answers = NULL, turn_id = NULL,
                state = 'settled'
         WHERE stored_ms <= $2
           AND (user_id IN (SELECT value FROM json_each($1))
                OR EXISTS (SELECT 1 FROM senders s
                           WHERE s.user_id IN (SELECT value FROM json_each($1))
                             AND s.channel = inbox.channel AND s.sender = inbox.sender))"
    ))
    .bind(users)
    .bind(asked_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}
