//! Erasing a person: the rows of `erasures`, and everything in the other tables that is in their
//! words.
//!
//! Only numbers are kept: the account with its permissions, its chats, its usage, the keys of
//! received events (so that none is processed twice), and the audit rows without their payloads.

use sayso_core::transcript::{ChatId, SessionId, TurnId, UserId};
use serde::{Deserialize, Serialize};

use super::erased_words::without;
use super::people::USERS_OF_PERSON;
use super::sql::{Statement, named, query};
use super::{Readers, StoreError, Tx, audit, compactions, new_id, now_ms, tombstones};
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
    let unsaid: bool = query(sql!(
        "SELECT EXISTS (SELECT 1 FROM outbox WHERE state IN ('pending', 'sending', 'unknown') AND ",
        SAID_TO_THEM,
        ")"
    ))
    .bind(&erasure.users)
    .fetch_one(tx.connection())
    .await?;
    Ok(had_time || !unsaid)
}

/// The rows of the outbox that are the person's: by their turns, their cards and questions, and
/// their direct chats.
const SAID_TO_THEM: &str = "
    (turn_id IN (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))
     OR subject IN (SELECT id FROM cards WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT o.id FROM owner_copies o JOIN cards c ON c.id = o.card_id
                    WHERE c.user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM questions WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM prompts WHERE user_id IN (SELECT value FROM json_each($1))
                    UNION ALL
                    SELECT id FROM skill_reviews WHERE user_id IN (SELECT value FROM json_each($1)))
     OR EXISTS (SELECT 1 FROM senders s
                WHERE s.user_id IN (SELECT value FROM json_each($1)) AND s.direct IS NOT NULL
                  AND outbox.channel = s.channel
                  AND outbox.chat = s.direct ->> 'chat'))";

/// Where else in the outbox their requests may be named: our own notices in chats of their turns.
const NOTICES_AROUND: &str = "
    DELETE FROM outbox
    WHERE turn_id IS NULL AND purpose IN ('notice', 'more')
      AND state NOT IN ('pending', 'sending', 'unknown')
      AND EXISTS (SELECT 1 FROM turns t
                  JOIN sessions s ON s.id = t.session_id JOIN chats c ON c.id = s.chat_id
                  WHERE t.user_id IN (SELECT value FROM json_each($1))
                    AND c.channel = outbox.channel AND c.chat = outbox.chat)";

/// What goes with the person, in an order that leaves no row without its parent.
const CLEAR: [Statement; 30] = [
    sql!(NOTICES_AROUND),
    sql!(
        "DELETE FROM chat_names WHERE EXISTS
         (SELECT 1 FROM senders s WHERE s.user_id IN (SELECT value FROM json_each($1))
            AND s.channel = chat_names.channel AND s.sender = chat_names.sender)"
    ),
    // Those of others in a group are made again without the person.
    sql!(
        "DELETE FROM compactions WHERE session_id IN
         (SELECT session_id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM compacting WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "UPDATE compacting SET version = version + 1 WHERE session_id IN
         (SELECT session_id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM profiles WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM held_calls WHERE turn_id IN
         (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM cards WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM file_changes WHERE turn_id IN
         (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!(
        "DELETE FROM undone_files WHERE undo_id IN
         (SELECT u.id FROM undos u JOIN turns t ON t.id = u.turn_id
          WHERE t.user_id IN (SELECT value FROM json_each($1)))"
    ),
    // The changes that it set aside, and what can be redone, go with it.
    sql!(
        "DELETE FROM undos WHERE user_id IN (SELECT value FROM json_each($1))
         OR redo_by IN (SELECT value FROM json_each($1))"
    ),
    // Messages that were said since are answered.
    sql!(
        "DELETE FROM jobs WHERE origin <> 'message'
         AND user_id IN (SELECT value FROM json_each($1))"
    ),
    sql!("DELETE FROM queued_notices WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM skipped_messages WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM questions WHERE user_id IN (SELECT value FROM json_each($1))"),
    // A request to link accounts is about another account too, and holds no words.
    sql!(
        "DELETE FROM prompts WHERE user_id IN (SELECT value FROM json_each($1)) AND kind <> 'link'"
    ),
    sql!("DELETE FROM grants WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM link_codes WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM lessons WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM workspaces WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM skill_reviews WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM processes WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!("DELETE FROM routines WHERE user_id IN (SELECT value FROM json_each($1))"),
    // What holds for everybody stays; who said so goes.
    sql!(
        "UPDATE changed_settings SET user_id = NULL
         WHERE user_id IN (SELECT value FROM json_each($1))"
    ),
    sql!(
        "UPDATE changed_settings SET undone_by = NULL
         WHERE undone_by IN (SELECT value FROM json_each($1))"
    ),
    sql!(
        "DELETE FROM skill_pins WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))"
    ),
    sql!(
        "DELETE FROM skills_off WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))"
    ),
    sql!(
        "DELETE FROM journal WHERE turn_id IN
         (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
    ),
    sql!("DELETE FROM turns WHERE user_id IN (SELECT value FROM json_each($1))"),
    sql!(
        "DELETE FROM stretches WHERE owner_kind = 'user'
         AND owner_id IN (SELECT value FROM json_each($1))
         AND NOT EXISTS (SELECT 1 FROM lines WHERE stretch_id = stretches.id)"
    ),
];

/// Clears the tables: everything at once, or nothing.
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
    let turns: Vec<TurnId> = changed.iter().map(|(_, turn)| *turn).collect();
    clear_memories(tx, users, &turns).await?;
    compactions::drop_of_turns(tx, &turns).await?;
    clear_outbox(tx, erasure).await?;
    for statement in CLEAR {
        query(statement)
            .bind(users)
            .execute(tx.connection())
            .await?;
    }
    blank_inbox(tx, erasure).await?;
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

/// Erases the person's words from the journals of others: what was overheard in a group, and why
/// they denied a call. Returns the rows that changed, with their turns.
async fn erase_from_others(tx: &mut Tx, users: &str) -> Result<Vec<(i64, TurnId)>, StoreError> {
    // What is overheard goes to the next turn that begins in its session.
    let overheard: Vec<(Option<TurnId>, String)> = query(sql!(
        "SELECT (SELECT min(t.id) FROM turns t WHERE t.id > i.id AND t.session_id = i.session_id),
                replace(i.said, $2, $2 || '  ')
         FROM inbox i JOIN senders s ON s.channel = i.channel AND s.sender = i.sender
         WHERE s.user_id IN (SELECT value FROM json_each($1))
           AND i.user_id IS NULL AND i.said <> ''"
    ))
    .bind(users)
    .bind("\n")
    .fetch_all(tx.connection())
    .await?;
    let denials: Vec<(Option<TurnId>, String)> = query(sql!(
        "SELECT turn_id, verdict_why FROM held_calls
         WHERE verdict_by IN (SELECT value FROM json_each($1)) AND verdict_why IS NOT NULL"
    ))
    .bind(users)
    .fetch_all(tx.connection())
    .await?;
    for statement in [
        sql!(
            "DELETE FROM audit_payloads WHERE (chain, seq) IN
             (SELECT a.chain, a.seq FROM audit a JOIN held_calls h ON h.turn_id = a.turn_id
              WHERE h.verdict_why IS NOT NULL AND a.event = 'decided'
                AND a.decided_by = 'user ' || h.verdict_by
                AND h.verdict_by IN (SELECT value FROM json_each($1)))"
        ),
        sql!(
            "UPDATE held_calls SET verdict_why = NULL
         WHERE verdict_by IN (SELECT value FROM json_each($1))"
        ),
    ] {
        query(statement)
            .bind(users)
            .execute(tx.connection())
            .await?;
    }
    let mut changed = Vec::new();
    for (turn, words) in overheard.into_iter().chain(denials) {
        let Some(turn) = turn.filter(|_| !words.is_empty()) else {
            continue;
        };
        changed.extend(erase_from_turn(tx, turn, &words).await?);
    }
    Ok(changed)
}

/// Takes words out of the journal of a turn; returns the rows that changed.
async fn erase_from_turn(
    tx: &mut Tx,
    turn: TurnId,
    words: &str,
) -> Result<Vec<(i64, TurnId)>, StoreError> {
    let entries: Vec<(i64, String)> =
        query(sql!("SELECT row, body FROM journal WHERE turn_id = $1"))
            .bind(turn)
            .fetch_all(tx.connection())
            .await?;
    let mut changed = Vec::new();
    for (row, body) in entries {
        let Some(rest) = without(&body, words)? else {
            continue;
        };
        query(sql!("UPDATE journal SET body = $2 WHERE row = $1"))
            .bind(row)
            .bind(rest)
            .execute(tx.connection())
            .await?;
        changed.push((row, turn));
    }
    Ok(changed)
}

/// Deletes the memories of the person, those that a group has from them, and what a group has of
/// turns in which they were overheard.
async fn clear_memories(tx: &mut Tx, users: &str, changed: &[TurnId]) -> Result<(), StoreError> {
    let ids: Vec<i64> = query(sql!(
        "DELETE FROM memories
         WHERE (owner_kind = 'user' AND owner_id IN (SELECT value FROM json_each($1)))
            OR turn_id IN (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))
            OR turn_id IN (SELECT value FROM json_each($2))
            OR id IN (SELECT episode_id FROM turns
                      WHERE user_id IN (SELECT value FROM json_each($1))
                         OR id IN (SELECT value FROM json_each($2)))
         RETURNING id"
    ))
    .bind(users)
    .bind(serde_json::to_string(changed)?)
    .fetch_all(tx.connection())
    .await?;
    query(sql!(
        sqlite: "DELETE FROM memory_words WHERE rowid IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(&ids)?)
    .execute(tx.connection())
    .await?;
    // Their own lines go with their turns. What others were answered may repeat what was overheard.
    query(sql!(
        "DELETE FROM lines WHERE id = turn_id AND turn_id IN (SELECT value FROM json_each($1))"
    ))
    .bind(serde_json::to_string(changed)?)
    .execute(tx.connection())
    .await?;
    tombstones::erase(tx, users).await
}

/// Deletes what was said to the person. What is being said since they asked stays.
async fn clear_outbox(tx: &mut Tx, erasure: &ErasureRow) -> Result<(), StoreError> {
    query(sql!(
        "DELETE FROM outbox WHERE ",
        SAID_TO_THEM,
        "
           AND (state NOT IN ('pending', 'sending', 'unknown') OR created_ms <= $2
                OR turn_id IS NOT NULL)"
    ))
    .bind(&erasure.users)
    .bind(erasure.wanted_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Empties the rows of what the person said until they asked; that it was heard stays known.
async fn blank_inbox(tx: &mut Tx, erasure: &ErasureRow) -> Result<(), StoreError> {
    query(sql!(
        "UPDATE inbox SET said = '', files = NULL, album = NULL, answers = NULL, turn_id = NULL,
                state = 'settled'
         WHERE stored_ms <= $2
           AND (user_id IN (SELECT value FROM json_each($1))
                OR EXISTS (SELECT 1 FROM senders s
                           WHERE s.user_id IN (SELECT value FROM json_each($1))
                             AND s.channel = inbox.channel AND s.sender = inbox.sender))"
    ))
    .bind(&erasure.users)
    .bind(erasure.wanted_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
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
