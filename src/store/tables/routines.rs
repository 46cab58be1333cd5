//! The rows of `routines`: what people want done, or to be reminded of, at set times.
//!
//! What a person sees and changes is keyed by the user first: it is their own, by whichever of their
//! accounts. The engine alone reads the rows of all, by when they are due.

use sayso_core::transcript::{ChatId, Owner, Role, RoutineId, SessionId, Taint, TurnId, UserId};
use serde::Deserialize;

use crate::Connection;
use crate::of_person;
use crate::owners::Owners;
use crate::sql;
use crate::sql::{Statement, named, parsed, query};
use crate::{Readers, StoreError, Tx, new_id, now_ms};

named! {
    /// What an occurrence does.
    pub enum RoutineKind {
        /// Its words are said.
        Remind = "remind",
        /// A turn is begun with its words.
        Turn = "turn",
    }
}

named! {
    /// When a routine reports.
    pub enum Notify {
        /// After each run.
        Always = "always",
        /// Only what a run hands to the tool `report`.
        News = "news",
    }
}

named! {
    /// Why the engine switched a routine off.
    pub enum OffReason {
        /// Too many occurrences in a row failed.
        Failures = "failures",
        /// What it reported could not be delivered.
        Undelivered = "undelivered",
        /// Its person may not use Sayso any more.
        Person = "person",
        /// When it is due cannot be read.
        Unreadable = "unreadable",
    }
}

/// A routine.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RoutineRow {
    /// Its number.
    pub id: RoutineId,
    /// Whose it is.
    pub user_id: UserId,
    /// What that user might do when it was made.
    #[serde(deserialize_with = "parsed")]
    pub role: Role,
    /// Where it was made.
    pub chat_id: ChatId,
    /// The conversation in which it was made.
    pub session_id: SessionId,
    /// Where it reports, as JSON.
    pub address: String,
    /// What an occurrence does.
    pub kind: RoutineKind,
    /// What people call it; empty where it goes by its words.
    pub name: String,
    /// When it is due, in the words of `routines::Schedule`; empty where events start it.
    pub schedule: String,
    /// By whose clock: the IANA name of a zone.
    pub zone: String,
    /// Whether that is the zone of its person, and changes with it.
    pub follows: bool,
    /// From where intervals are counted.
    pub anchor_ms: i64,
    /// What is to be done, or said.
    pub prompt: String,
    /// The untrusted text that was in view when it was written, as JSON.
    pub taint: Option<String>,
    /// When it reports.
    pub notify: Notify,
    /// What becomes of a run that is late: `half`, `skip`, a time; empty: what the configuration
    /// says.
    pub late: String,
    /// Whether it is on.
    pub enabled: bool,
    /// Why the engine switched it off.
    pub off_why: Option<OffReason>,
    /// How many occurrences in a row failed.
    pub failures: i64,
    /// When it was made.
    pub created_ms: i64,
    /// Its next occurrence; `None`: there is none any more.
    pub due_ms: Option<i64>,
    /// When that occurrence is started.
    pub next_ms: Option<i64>,
    /// When it last ran.
    pub last_ms: Option<i64>,
    /// What starts it besides the clock, as JSON; `None`: the clock alone does.
    pub source: Option<String>,
}

impl RoutineRow {
    /// Returns whether it can run again by itself.
    pub fn is_to_come(&self) -> bool {
        self.due_ms.is_some() || self.source.is_some()
    }

    /// Returns the untrusted text that was in view when it was written.
    pub fn taint(&self) -> Result<Taint, StoreError> {
        let taint = self.taint.as_deref().map(serde_json::from_str);
        Ok(taint.transpose()?.unwrap_or_default())
    }
}

/// A routine to keep.
#[derive(Debug, Clone)]
pub struct NewRoutine {
    /// Whose it is.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// Where it is made.
    pub chat: ChatId,
    /// The conversation.
    pub session: SessionId,
    /// Where it reports, as JSON.
    pub address: String,
    /// What an occurrence does.
    pub kind: RoutineKind,
    /// What people call it; empty where it goes by its words.
    pub name: String,
    /// When it is due.
    pub schedule: String,
    /// By whose clock.
    pub zone: String,
    /// Whether that is the zone of its person.
    pub follows: bool,
    /// From where intervals are counted.
    pub anchor_ms: i64,
    /// What is to be done, or said.
    pub prompt: String,
    /// The untrusted text that is in view.
    pub taint: Taint,
    /// When it reports.
    pub notify: Notify,
    /// What becomes of a run that is late.
    pub late: String,
    /// Its first occurrence; `None`: events start it.
    pub due_ms: Option<i64>,
    /// What starts it besides the clock, as JSON.
    pub source: Option<String>,
}

/// What became of a routine that was to be kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// It is new.
    New(RoutineId),
    /// The person has it already.
    Same(RoutineId),
    /// The person has as many as they may have.
    Full,
}

/// When a routine is due next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextDue {
    /// The occurrence.
    pub due_ms: i64,
    /// When it is started.
    pub next_ms: i64,
}

/// What is changed of a routine; `None` stays.
#[derive(Debug, Clone, Default)]
pub struct RoutineChange {
    /// When it is due.
    pub schedule: Option<String>,
    /// By whose clock, and whether that is its person's.
    pub zone: Option<(String, bool)>,
    /// What is to be done, and the untrusted text that is in view.
    pub prompt: Option<(String, Taint)>,
    /// What people call it.
    pub name: Option<String>,
    /// When it reports.
    pub notify: Option<Notify>,
    /// What becomes of a run that is late.
    pub late: Option<String>,
    /// Whether it is on. Switching it on forgets why it was off.
    pub enabled: Option<bool>,
    /// When it is due next, where that changes.
    pub next: Option<NextDue>,
}

const ROW: &str = "
    SELECT id, user_id, role, chat_id, session_id, address, kind, name, schedule, zone, follows,
           anchor_ms, prompt, taint, notify, late, enabled, off_why, failures, created_ms, due_ms,
           next_ms, last_ms, source
    FROM routines";

pub(crate) const ARE_DUE: Statement = sql!(
    ROW,
    " WHERE enabled AND next_ms IS NOT NULL AND next_ms <= $1 ORDER BY next_ms LIMIT $2"
);
pub(crate) const OF_EVENTS_IN: Statement = sql!(
    ROW,
    " WHERE source IS NOT NULL AND enabled AND chat_id = $1 ORDER BY id"
);
/// Every number of a row is above 0: that has SQLite search the index and not read the whole table.
pub(crate) const OF_EVENTS: Statement =
    sql!(ROW, " WHERE source IS NOT NULL AND enabled AND chat_id > 0");
pub(crate) const NEXT: Statement =
    sql!("SELECT min(next_ms) FROM routines WHERE enabled AND next_ms IS NOT NULL");

/// Where and when a turn was asked for something.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct AskedAt {
    /// Where its answer goes, as JSON.
    pub address: String,
    /// When its newest message was heard, or it began.
    pub at_ms: i64,
    /// Whether no person is there.
    pub background: bool,
}

/// Returns where and when a turn was asked for something.
pub async fn asked_at(readers: &Readers, turn: TurnId) -> Result<AskedAt, StoreError> {
    query(sql!(
        "SELECT t.address,
                coalesce((SELECT max(coalesce(happened_ms, stored_ms)) FROM inbox WHERE turn_id = t.id),
                         t.started_ms)
                    AS at_ms,
                s.background
         FROM turns t JOIN sessions s ON s.id = t.session_id WHERE t.id = $1"
    ))
    .bind(turn)
    .fetch_one(readers)
    .await
}

/// Keeps a routine, unless its person has `most` of its kind that are to come, or this very one.
/// `starts` says when its first occurrence is started, by its number.
pub async fn add(
    tx: &mut Tx,
    new: &NewRoutine,
    most: usize,
    starts: &(dyn Fn(RoutineId) -> i64 + Sync),
) -> Result<Added, StoreError> {
    let own = of_in(tx, new.user, None).await?.into_iter();
    let to_come: Vec<RoutineRow> = own
        .filter(|row| row.kind == new.kind && row.is_to_come())
        .collect();
    let is_same = |row: &&RoutineRow| {
        row.address == new.address
            && row.schedule == new.schedule
            && row.zone == new.zone
            && row.prompt == new.prompt
            && row.source == new.source
            && row.enabled
    };
    if let Some(same) = to_come.iter().find(is_same) {
        return Ok(Added::Same(same.id));
    }
    if to_come.len() >= most {
        return Ok(Added::Full);
    }
    let id = RoutineId(new_id());
    query(sql!(
        "INSERT INTO routines (id, user_id, role, chat_id, session_id, address, kind, name,
             schedule, zone, follows, anchor_ms, prompt, taint, notify, late, created_ms,
             changed_ms, due_ms, next_ms, source)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $19, $19,
             $17, $18, $20)"
    ))
    .bind(id)
    .bind(new.user)
    .bind(new.role.as_str())
    .bind(new.chat)
    .bind(new.session)
    .bind(&new.address)
    .bind(new.kind)
    .bind(&new.name)
    .bind(&new.schedule)
    .bind(&new.zone)
    .bind(new.follows)
    .bind(new.anchor_ms)
    .bind(&new.prompt)
    .bind(written(&new.taint)?)
    .bind(new.notify)
    .bind(&new.late)
    .bind(new.due_ms)
    .bind(new.due_ms.map(|_| starts(id)))
    .bind(now_ms())
    .bind(&new.source)
    .execute(tx.connection())
    .await?;
    Ok(Added::New(id))
}

/// Returns the routines of a person, the oldest first: all of them, or those of one chat.
pub async fn of(
    readers: &Readers,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    let mut connection = readers.acquire().await?;
    read(&mut connection, user, chat).await
}

/// Returns the same inside a transaction.
pub async fn of_in(
    tx: &mut Tx,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    read(tx.connection(), user, chat).await
}

async fn read(
    connection: &mut Connection,
    user: UserId,
    chat: Option<ChatId>,
) -> Result<Vec<RoutineRow>, StoreError> {
    let users = Owners::of(connection, Owner::User(user)).await?;
    query(sql!(
        ROW,
        " WHERE user_id IN (SELECT value FROM json_each($1)) AND ($2 IS NULL OR chat_id = $2)
          ORDER BY id"
    ))
    .bind(users.as_json()?)
    .bind(chat)
    .fetch_all(connection)
    .await
}

/// Returns a routine, whosever it is.
pub async fn routine(tx: &mut Tx, id: RoutineId) -> Result<Option<RoutineRow>, StoreError> {
    query(sql!(ROW, " WHERE id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the account that a user is, with its channel.
pub async fn account_of(
    readers: &Readers,
    user: UserId,
) -> Result<Option<(String, String)>, StoreError> {
    query(sql!(
        "SELECT channel, sender FROM senders WHERE user_id = $1"
    ))
    .bind(user)
    .fetch_optional(readers)
    .await
}

/// Returns the user that an account is.
pub async fn user_with_account(
    readers: &Readers,
    channel: &str,
    sender: &str,
) -> Result<Option<UserId>, StoreError> {
    query(sql!(
        "SELECT user_id FROM senders WHERE channel = $1 AND sender = $2"
    ))
    .bind(channel)
    .bind(sender)
    .fetch_optional(readers)
    .await
}

/// Returns every routine of the instance, the oldest first.
pub async fn all(readers: &Readers) -> Result<Vec<RoutineRow>, StoreError> {
    query(sql!(ROW, " ORDER BY id")).fetch_all(readers).await
}

/// Returns the routines that are to be started by now, those that waited longest first.
pub async fn due(tx: &mut Tx, now_ms: i64, most: i64) -> Result<Vec<RoutineRow>, StoreError> {
    query(ARE_DUE)
        .bind(now_ms)
        .bind(most)
        .fetch_all(tx.connection())
        .await
}

/// Returns the routines that are on and were made in a chat, and that events start.
pub async fn of_events_in(tx: &mut Tx, chat: ChatId) -> Result<Vec<RoutineRow>, StoreError> {
    query(OF_EVENTS_IN)
        .bind(chat)
        .fetch_all(tx.connection())
        .await
}

/// Returns the routines that are on and that events start.
pub async fn of_events(readers: &Readers) -> Result<Vec<RoutineRow>, StoreError> {
    query(OF_EVENTS).fetch_all(readers).await
}

/// Returns when the next one is to be started.
pub async fn next(readers: &Readers) -> Result<Option<i64>, StoreError> {
    query(NEXT).fetch_one(readers).await
}

/// Notes that a routine was started, and when it is due next; `None`: not any more.
pub async fn advance(
    tx: &mut Tx,
    id: RoutineId,
    next: Option<NextDue>,
    ran_ms: Option<i64>,
) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routines SET due_ms = $2, next_ms = $3, last_ms = coalesce($4, last_ms)
         WHERE id = $1"
    ))
    .bind(id)
    .bind(next.map(|next| next.due_ms))
    .bind(next.map(|next| next.next_ms))
    .bind(ran_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Switches a routine off, for a reason that its person is informed of.
pub async fn switch_off(tx: &mut Tx, id: RoutineId, why: OffReason) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE routines SET enabled = FALSE, off_why = $2 WHERE id = $1"
    ))
    .bind(id)
    .bind(why)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Counts the occurrences in a row that failed.
pub async fn set_failures(tx: &mut Tx, id: RoutineId, failures: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE routines SET failures = $2 WHERE id = $1"))
        .bind(id)
        .bind(failures)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Changes a routine of a person; returns whether there is such a one.
pub async fn change(
    tx: &mut Tx,
    user: UserId,
    id: RoutineId,
    change: &RoutineChange,
) -> Result<bool, StoreError> {
    let users = Owners::of(tx.connection(), Owner::User(user)).await?;
    let prompt = change.prompt.as_ref();
    let taint = prompt.map(|(_, taint)| written(taint)).transpose()?;
    let changed = query(sql!(
        "UPDATE routines SET schedule = coalesce($3, schedule), prompt = coalesce($4, prompt),
             taint = CASE WHEN $4 IS NULL THEN taint ELSE $5 END,
             enabled = coalesce($6, enabled), due_ms = coalesce($7, due_ms),
             next_ms = coalesce($8, next_ms), zone = coalesce($9, zone),
             follows = coalesce($10, follows), name = coalesce($11, name),
             notify = coalesce($12, notify), late = coalesce($13, late),
             anchor_ms = CASE WHEN $3 IS NULL THEN anchor_ms ELSE $14 END,
             off_why = CASE WHEN coalesce($6, FALSE) THEN NULL ELSE off_why END,
             failures = CASE WHEN coalesce($6, FALSE) THEN 0 ELSE failures END,
             looked_ms = CASE WHEN coalesce($6, FALSE) AND NOT enabled THEN NULL ELSE looked_ms END,
             changed_ms = $14
         WHERE id = $1 AND user_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(id)
    .bind(users.as_json()?)
    .bind(&change.schedule)
    .bind(prompt.map(|(text, _)| text))
    .bind(taint.flatten())
    .bind(change.enabled)
    .bind(change.next.map(|next| next.due_ms))
    .bind(change.next.map(|next| next.next_ms))
    .bind(change.zone.as_ref().map(|(zone, _)| zone))
    .bind(change.zone.as_ref().map(|(_, follows)| *follows))
    .bind(&change.name)
    .bind(change.notify)
    .bind(&change.late)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(changed == 1)
}

/// Deletes a routine of a person with its runs; returns whether there was such a one.
pub async fn delete(tx: &mut Tx, user: UserId, id: RoutineId) -> Result<bool, StoreError> {
    let users = Owners::of(tx.connection(), Owner::User(user)).await?;
    let deleted = query(sql!(
        "DELETE FROM routines WHERE id = $1 AND user_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(id)
    .bind(users.as_json()?)
    .execute(tx.connection())
    .await?;
    Ok(deleted == 1)
}

fn written(taint: &Taint) -> Result<Option<String>, StoreError> {
    let taint = (!taint.is_empty()).then(|| serde_json::to_string(taint));
    Ok(taint.transpose()?)
}

/// Erases a person (`of_person`): their routines with all runs.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM routines WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
