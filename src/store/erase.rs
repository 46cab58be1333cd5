//! Erasing a person: the rows of `erasures`, and everything in the other tables that is in their
//! words.
//!
//! Only numbers are kept: the account with its permissions, its chats, its usage, the keys of
//! received events (so that none is processed twice), and the audit rows without their payloads.

use sayso_core::transcript::{ChatId, SessionId, TurnId, UserId};
use serde::{Deserialize, Serialize};

use super::people::USERS_OF_PERSON;
use super::sql::{named, query};
use super::tables::{denials, grants, journal, said_to, stretches};
use super::{
    Readers, StoreError, Tx, audit, cards, changed_settings, chat_names, compactions, file_changes,
    inbox, jobs, lessons, links, memories, new_id, now_ms, personal_times, processes, profiles,
    prompts, questions, queued, routine_events, routines, seen_files, skill_pins, skill_reviews,
    skills_off, skipped, tombstones, turns, undone_files, workspaces,
};
use crate::sql;

/// How long what is still to be said may take to go out before it is erased too, in milliseconds.
const SAID_WITHIN_MS: i64 = 5_000;

named! {
    /// What became of an erasure.
    pub enum ErasureState {
        /// The person is asked once more.
        Open = "open",
        /// They said no.
        Refused = "refused",
        /// They did not answer in time, or asked again.
        Expired = "expired",
        /// It waits until none of the person's turns goes on.
        Wanted = "wanted",
        /// The tables are clear, the files are not yet.
        Cleared = "cleared",
        /// Nothing is left.
        Done = "done",
    }
}

/// A person who asked to be erased.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ErasureRow {
    /// Names the erasure.
    pub id: i64,
    /// Who asked.
    pub user_id: UserId,
    /// Where.
    pub chat_id: ChatId,
    /// The language of its person, or of the chat.
    pub language: String,
    /// Where the outcome is said, as JSON.
    pub address: String,
    /// What became of it.
    pub state: ErasureState,
    /// Every account of the person, as a JSON array.
    users: String,
    /// Since when it is wanted.
    wanted_ms: Option<i64>,
    /// What the trace still has to lose, as JSON.
    traces: Option<String>,
}

impl ErasureRow {
    /// Returns the users of the person.
    pub fn users(&self) -> Result<Vec<UserId>, StoreError> {
        let ids: Vec<i64> = serde_json::from_str(&self.users)?;
        Ok(ids.into_iter().map(UserId).collect())
    }

    /// Returns what the trace still has to lose.
    pub fn traces(&self) -> Result<Option<LostTraces>, StoreError> {
        let traces = self.traces.as_deref().map(serde_json::from_str);
        Ok(traces.transpose()?)
    }
}

/// What a trace loses: turns, and rows of other people's journals in which something was erased.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LostTraces {
    /// The turns of the person.
    pub turns: Vec<i64>,
    /// The rows.
    pub rows: Vec<i64>,
}

const ERASURE: &str = "
    SELECT e.id, e.user_id, e.chat_id, e.address,
           coalesce((SELECT language FROM users WHERE id = e.user_id), c.language) AS language, e.state, e.users,
           e.wanted_ms, e.traces
    FROM erasures e JOIN chats c ON c.id = e.chat_id";

/// Adds an erasure that waits for a yes and returns its id.
pub async fn ask(
    tx: &mut Tx,
    user: UserId,
    chat: ChatId,
    address: &str,
) -> Result<i64, StoreError> {
    let id = new_id();
    query(sql!(
        "INSERT INTO erasures (id, user_id, chat_id, address, state, users)
         VALUES ($1, $2, $3, $4, 'open', '[]')"
    ))
    .bind(id)
    .bind(user)
    .bind(chat)
    .bind(address)
    .execute(tx.connection())
    .await?;
    Ok(id)
}

/// Returns an erasure.
pub async fn erasure(tx: &mut Tx, id: i64) -> Result<Option<ErasureRow>, StoreError> {
    query(sql!(ERASURE, " WHERE e.id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the open erasures that a user asked for.
pub async fn open_of(tx: &mut Tx, user: UserId) -> Result<Vec<ErasureRow>, StoreError> {
    query(sql!(ERASURE, " WHERE e.state = 'open' AND e.user_id = $1"))
        .bind(user)
        .fetch_all(tx.connection())
        .await
}

/// Closes an open erasure without a yes, once; returns whether this call did it.
pub async fn close(tx: &mut Tx, id: i64, state: ErasureState) -> Result<bool, StoreError> {
    let closed = query(sql!(
        "UPDATE erasures SET state = $2 WHERE id = $1 AND state = 'open'"
    ))
    .bind(id)
    .bind(state)
    .execute(tx.connection())
    .await?;
    Ok(closed == 1)
}

/// Notes the yes, once, for every account that the person has now, and takes their waiting messages
/// out of the line. Returns the sessions in which a turn of theirs has not ended, each with its
/// user; `None` when it was answered before.
pub async fn want(
    tx: &mut Tx,
    erasure: &ErasureRow,
) -> Result<Option<Vec<(SessionId, UserId)>>, StoreError> {
    let users: Vec<i64> = query(sql!(USERS_OF_PERSON))
        .bind(erasure.user_id)
        .fetch_all(tx.connection())
        .await?;
    let users = serde_json::to_string(&users)?;
    let wanted = query(sql!(
        "UPDATE erasures SET state = 'wanted', users = $2, wanted_ms = $3
         WHERE id = $1 AND state = 'open'"
    ))
    .bind(erasure.id)
    .bind(&users)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    if wanted == 0 {
        return Ok(None);
    }
    query(sql!(
        "UPDATE inbox SET state = 'settled' WHERE id IN
             (SELECT id FROM jobs WHERE user_id IN (SELECT value FROM json_each($1)))"
    ))
    .bind(&users)
    .execute(tx.connection())
    .await?;
    query(sql!(
        "DELETE FROM jobs WHERE origin <> 'message'
           AND user_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(&users)
    .execute(tx.connection())
    .await?;
    // What falls due from now on is not begun.
    routines::erase(tx, &users).await?;
    query(sql!(
        "UPDATE processes SET stop_ms = $2 WHERE ended_ms IS NULL AND stop_ms IS NULL
           AND user_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(&users)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    let open = query(sql!(
        "SELECT DISTINCT session_id, user_id FROM turns
         WHERE state <> 'ended' AND user_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(&users)
    .fetch_all(tx.connection())
    .await?;
    Ok(Some(open))
}

/// Returns whether a user is to be erased first, before a turn begins for them.
pub async fn is_wanted(tx: &mut Tx, user: UserId) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM erasures e, json_each(e.users) one
                        WHERE e.state = 'wanted' AND one.value = $1)"
    ))
    .bind(user)
    .fetch_one(tx.connection())
    .await
}

/// Returns the erasures that have to be finished, oldest first.
pub async fn unfinished(readers: &Readers) -> Result<Vec<ErasureRow>, StoreError> {
    // The first condition is the one of the partial index.
    query(sql!(
        ERASURE,
        " WHERE e.state IN ('open', 'wanted', 'cleared')
           AND e.state IN ('wanted', 'cleared') ORDER BY e.id"
    ))
    .fetch_all(readers)
    .await
}

/// Returns whether the tables can be cleared: no turn of the person goes on or has just ended, and
/// what was to be said to them is said, or had time for it.
pub async fn is_ready(tx: &mut Tx, erasure: &ErasureRow) -> Result<bool, StoreError> {
    // A session is worked on without a running turn while what its turn left is written down.
    let busy: bool = query(sql!(
        "SELECT EXISTS (SELECT 1 FROM turns WHERE state <> 'ended'
                          AND user_id IN (SELECT value FROM json_each($1)))
             OR EXISTS (SELECT 1 FROM processes WHERE ended_ms IS NULL
                          AND user_id IN (SELECT value FROM json_each($1)))
             OR EXISTS (SELECT 1 FROM sessions s
                        WHERE s.lease_owner IS NOT NULL AND s.lease_until_ms >= $2
                          AND NOT EXISTS (SELECT 1 FROM turns t
                                          WHERE t.session_id = s.id AND t.state = 'running')
                          AND EXISTS (SELECT 1 FROM turns t
                                      WHERE t.session_id = s.id
                                        AND t.user_id IN (SELECT value FROM json_each($1))))"
    ))
    .bind(&erasure.users)
    .bind(now_ms())
    .fetch_one(tx.connection())
    .await?;
    if busy {
        return Ok(false);
    }
    let had_time = erasure.wanted_ms.unwrap_or_default() + SAID_WITHIN_MS < now_ms();
    let unsaid = said_to::has_unsaid(tx, &erasure.users).await?;
    Ok(had_time || !unsaid)
}

/// Clears the tables: everything at once, or nothing. No row is left without its parent in between.
pub async fn clear(tx: &mut Tx, erasure: &ErasureRow) -> Result<(), StoreError> {
    let users = erasure.users.as_str();
    let changed = erase_from_others(tx, users).await?;
    let traces = LostTraces {
        turns: query(sql!(
            "SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1))"
        ))
        .bind(users)
        .fetch_all(tx.connection())
        .await?,
        rows: changed.iter().map(|(row, _)| *row).collect(),
    };
    let overheard: Vec<TurnId> = changed.iter().map(|(_, turn)| *turn).collect();
    memories::erase(tx, users, &overheard).await?;
    stretches::erase_answers(tx, &overheard).await?;
    tombstones::erase(tx, users).await?;
    compactions::drop_of_turns(tx, &overheard).await?;
    said_to::erase(tx, users, erasure.wanted_ms).await?;
    clear_what_turns_left(tx, users).await?;
    clear_what_they_set(tx, users).await?;
    turns::erase(tx, users).await?;
    stretches::erase(tx, users).await?;
    inbox::erase(tx, users, erasure.wanted_ms).await?;
    for user in erasure.users()? {
        audit::forget(tx, user).await?;
    }
    query(sql!(
        "UPDATE erasures SET state = 'cleared', traces = $2 WHERE id = $1"
    ))
    .bind(erasure.id)
    .bind(serde_json::to_string(&traces)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Clears what the person's turns left behind, and what waits for them.
async fn clear_what_turns_left(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    compactions::erase(tx, users).await?;
    cards::erase(tx, users).await?;
    file_changes::erase(tx, users).await?;
    undone_files::erase(tx, users).await?;
    seen_files::erase(tx, users).await?;
    jobs::erase(tx, users).await?;
    queued::erase(tx, users).await?;
    skipped::erase(tx, users).await?;
    questions::erase(tx, users).await?;
    prompts::erase(tx, users).await?;
    lessons::erase(tx, users).await?;
    skill_reviews::erase(tx, users).await?;
    processes::erase(tx, users).await
}

/// Clears what the person set, or is known by.
async fn clear_what_they_set(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    tx.outdates_caches();
    chat_names::erase(tx, users).await?;
    profiles::erase(tx, users).await?;
    grants::erase(tx, users).await?;
    links::erase(tx, users).await?;
    workspaces::erase(tx, users).await?;
    routines::erase(tx, users).await?;
    personal_times::erase(tx, users).await?;
    changed_settings::erase(tx, users).await?;
    skill_pins::erase(tx, users).await?;
    skills_off::erase(tx, users).await
}

/// Erases the person's words from the journals of others: what was overheard in a group, and why
/// they denied a call. Returns the rows that changed, with their turns.
async fn erase_from_others(tx: &mut Tx, users: &str) -> Result<Vec<(i64, TurnId)>, StoreError> {
    let overheard = inbox::overheard(tx, users).await?;
    let events = routine_events::take_overheard(tx, users).await?;
    let denials = denials::take(tx, users).await?;
    let mut changed = Vec::new();
    for (turn, words) in overheard.into_iter().chain(events).chain(denials) {
        let Some(turn) = turn.filter(|_| !words.is_empty()) else {
            continue;
        };
        changed.extend(journal::erase_words(tx, turn, &words).await?);
    }
    Ok(changed)
}

/// Notes that the trace has lost what it had to.
pub async fn traces_lost(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE erasures SET traces = NULL WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Notes that nothing is left.
pub async fn finish(tx: &mut Tx, id: i64) -> Result<(), StoreError> {
    query(sql!("UPDATE erasures SET state = 'done' WHERE id = $1"))
        .bind(id)
        .execute(tx.connection())
        .await?;
    Ok(())
}
