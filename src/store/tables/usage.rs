//! What model calls cost, per user, day and session, and what was said and allowed about a day's
//! limits.

use sayso_core::transcript::{MemoryId, Owner, SessionId, TurnId, UserId};
use serde::{Deserialize, Serialize};

use crate::sql;
use crate::sql::{Assembled, query};
use crate::{Readers, StoreError, Tx, now_ms};

/// Who a model call is for, and on which day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spender {
    /// The user.
    pub user: UserId,
    /// The session.
    pub session: SessionId,
    /// The turn; `None` where the call is part of none.
    pub turn: Option<TurnId>,
    /// The routine that the turn is a run of, or [`LEARNING`]; empty where a person asked.
    pub routine: String,
    /// The day, as `2026-11-22`.
    pub day: String,
    /// The fence of the lease under which it is; `None` where it is under none.
    pub fence: Option<i64>,
}

/// Stands where a routine would for calls that learn from what was said. They are made beside turns
/// of their session, so what is set aside for them is kept apart. No routine has this name.
pub const LEARNING: &str = "#learning";
/// What is booked in place of a routine when older turns are summed up.
pub const COMPACTION: &str = "#compaction";

/// What a model call cost. Money is in millionths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Booking {
    /// Tokens of the prompt, cached ones included.
    pub prompt_tokens: i64,
    /// Those that came from the provider's cache.
    pub cached_tokens: i64,
    /// Tokens of the answer.
    pub completion_tokens: i64,
    /// Whether the count is our own estimate, not the provider's.
    pub is_estimated: bool,
    /// The money; `None` where no price is known.
    pub micros: Option<i64>,
}

/// What is set aside, or may be; or what a turn has spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenAmount {
    /// Tokens.
    pub tokens: i64,
    /// Money, in millionths.
    pub micros: i64,
}

/// What was spent, with what is set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub struct Spent {
    /// Calls that were booked.
    pub calls: i64,
    /// Tokens.
    pub tokens: i64,
    /// Tokens of models without a price.
    pub unpriced_tokens: i64,
    /// Money, in millionths.
    pub micros: i64,
}

/// Whose spending is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpentBy<'a> {
    /// A turn's, on whatever day.
    Turn(TurnId),
    /// A user's in a session on a day.
    Session(UserId, SessionId, &'a str),
    /// A user's on a day.
    User(UserId, &'a str),
    /// A routine's on a day.
    Routine(&'a str, &'a str),
    /// Everybody's from one day to another, both included.
    All(&'a str, &'a str),
}

/// A limit of a day: whose, and which.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DayKey {
    /// The user; 0 for a limit that belongs to no user.
    pub user_id: UserId,
    /// The day.
    pub day: String,
    /// `user`, `routine`, `instance` or `month`.
    pub scope: String,
    /// The routine; empty where it is none's.
    pub routine: String,
}

/// What was spent of a limit, and how high it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Standing {
    /// How high it is, in percent of its configured height.
    pub percent: i64,
    /// What was spent of it.
    #[serde(flatten)]
    pub spent: Spent,
}

/// What was set aside before, and is neither booked nor for a call in flight, is an estimate that
/// stays.
const RESERVE: &str = "
    INSERT INTO usage
    SELECT $1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0, $5, $6
    WHERE $7 IS NULL OR $7 = (SELECT lease_fence FROM sessions WHERE id = $3)
    ON CONFLICT (user_id, day, session_id, routine) DO UPDATE SET
        calls = usage.calls + CASE WHEN usage.open_tokens > $8 THEN 1 ELSE 0 END,
        prompt_tokens = usage.prompt_tokens + max(usage.open_tokens - $8, 0),
        estimated_tokens = usage.estimated_tokens + max(usage.open_tokens - $8, 0),
        micros = usage.micros + max(usage.open_micros - $9, 0),
        open_tokens = min(usage.open_tokens, $8) + excluded.open_tokens,
        open_micros = min(usage.open_micros, $9) + excluded.open_micros";

const ADD_TO_TURN: &str = "
    UPDATE turns SET spent_tokens = spent_tokens + $1, spent_micros = spent_micros + $2
    WHERE id = $3";

const SETTLE: &str = "
    INSERT INTO usage
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0
    WHERE $12 IS NULL OR $12 = (SELECT lease_fence FROM sessions WHERE id = $3)
    ON CONFLICT (user_id, day, session_id, routine) DO UPDATE SET
        calls = usage.calls + excluded.calls,
        prompt_tokens = usage.prompt_tokens + excluded.prompt_tokens,
        cached_tokens = usage.cached_tokens + excluded.cached_tokens,
        completion_tokens = usage.completion_tokens + excluded.completion_tokens,
        estimated_tokens = usage.estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = usage.unpriced_tokens + excluded.unpriced_tokens,
        micros = usage.micros + excluded.micros,
        open_tokens = max(usage.open_tokens - $13, 0),
        open_micros = max(usage.open_micros - $14, 0)";

/// Leaves alone what is set aside: it is for a call of the session that is under way.
const ADD: &str = "
    INSERT INTO usage VALUES ($1, $2, $3, $4, 0, $5, 0, 0, $6, $7, $8, 0, 0)
    ON CONFLICT (user_id, day, session_id, routine) DO UPDATE SET
        prompt_tokens = usage.prompt_tokens + excluded.prompt_tokens,
        estimated_tokens = usage.estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = usage.unpriced_tokens + excluded.unpriced_tokens,
        micros = usage.micros + excluded.micros";

const TURN_OF_MEMORY: &str = "
    SELECT t.user_id, t.session_id, t.id FROM memories m JOIN turns t ON t.id = m.turn_id
    WHERE m.id = $1";

/// The condition is that of the index of open turns, which are few.
const TURN_OF_USER: &str = "
    SELECT user_id, session_id, id FROM turns
    WHERE state <> 'ended' AND state = 'running' AND user_id = $1 ORDER BY id DESC LIMIT 1";

const TURN_OF_CHAT: &str = "
    SELECT t.user_id, t.session_id, t.id FROM turns t JOIN sessions s ON s.id = t.session_id
    WHERE t.state <> 'ended' AND t.state = 'running' AND s.chat_id = $1
    ORDER BY t.id DESC LIMIT 1";

/// What is selected of a turn.
const OF_TURN: &str = "
           0 AS calls, spent_tokens AS tokens, 0 AS unpriced_tokens, spent_micros AS micros
    FROM turns WHERE id = ";

/// The columns of a query over all users: a row for each day.
const TOTAL: &str = "
           coalesce(sum(calls), 0) AS calls, coalesce(sum(tokens), 0) AS tokens,
           coalesce(sum(unpriced_tokens), 0) AS unpriced_tokens, coalesce(sum(micros), 0) AS micros
    FROM usage_totals WHERE day BETWEEN ";

/// What is selected of all others.
const SUM: &str = "
           coalesce(sum(calls), 0) AS calls,
           coalesce(sum(prompt_tokens + completion_tokens + open_tokens), 0) AS tokens,
           coalesce(sum(unpriced_tokens), 0) AS unpriced_tokens,
           coalesce(sum(micros + open_micros), 0) AS micros
    FROM usage WHERE ";

/// Sets tokens and money aside for a call; `beside` is what is set aside there for other calls in
/// flight.
///
/// # Errors
/// Fails with [`StoreError::Fenced`] when the lease under which it is made is another's.
pub async fn reserve(
    tx: &mut Tx,
    spender: &Spender,
    call: OpenAmount,
    beside: OpenAmount,
) -> Result<(), StoreError> {
    let reserved = query(sql!(RESERVE))
        .bind(spender.user)
        .bind(&spender.day)
        .bind(spender.session)
        .bind(&spender.routine)
        .bind(call.tokens)
        .bind(call.micros)
        .bind(spender.fence)
        .bind(beside.tokens)
        .bind(beside.micros)
        .execute(tx.connection())
        .await?;
    written(reserved)
}

/// Adds to what a turn has spent. What its calls cost is added where it ends or waits, not with
/// each of them.
pub async fn add_to_turn(tx: &mut Tx, turn: TurnId, spent: OpenAmount) -> Result<(), StoreError> {
    query(sql!(ADD_TO_TURN))
        .bind(spent.tokens)
        .bind(spent.micros)
        .bind(turn)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Has a turn have spent at least this much: what its journal says, after a crash.
pub async fn raise_turn(tx: &mut Tx, turn: TurnId, spent: OpenAmount) -> Result<(), StoreError> {
    tx.outdates_caches();
    query(sql!(
        "UPDATE turns SET spent_tokens = max(spent_tokens, $1), spent_micros = max(spent_micros, $2)
         WHERE id = $3"
    ))
    .bind(spent.tokens)
    .bind(spent.micros)
    .bind(turn)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A row is written unless the fence is not the newest.
fn written(changed: u64) -> Result<(), StoreError> {
    match changed {
        0 => Err(StoreError::Fenced),
        _ => Ok(()),
    }
}

/// Returns the tokens that are set aside for a call of a turn of a user in a session; 0 when none
/// is under way.
pub async fn open_tokens(
    readers: &Readers,
    user: UserId,
    session: SessionId,
) -> Result<i64, StoreError> {
    let open: Option<i64> = query(sql!("SELECT open_tokens FROM usage WHERE user_id = $1 AND session_id = $2 AND routine NOT IN ($3, $4)
         ORDER BY day DESC LIMIT 1"))
    .bind(user)
    .bind(session)
    .bind(LEARNING)
    .bind(COMPACTION)
    .fetch_optional(readers)
    .await?;
    Ok(open.unwrap_or_default())
}

/// Books what a call cost, in place of what was set aside for it.
///
/// # Errors
/// Fails with [`StoreError::Fenced`] when the lease under which it was made is another's by now.
pub async fn settle(
    tx: &mut Tx,
    spender: &Spender,
    booking: &Booking,
    set_aside: OpenAmount,
) -> Result<(), StoreError> {
    let tokens = booking.prompt_tokens + booking.completion_tokens;
    let micros = booking.micros.unwrap_or_default();
    let booked = query(sql!(SETTLE))
        .bind(spender.user)
        .bind(&spender.day)
        .bind(spender.session)
        .bind(&spender.routine)
        .bind(i64::from(tokens > 0))
        .bind(booking.prompt_tokens)
        .bind(booking.cached_tokens)
        .bind(booking.completion_tokens)
        .bind(if booking.is_estimated { tokens } else { 0 })
        .bind(if booking.micros.is_none() { tokens } else { 0 })
        .bind(micros)
        .bind(spender.fence)
        .bind(set_aside.tokens)
        .bind(set_aside.micros)
        .execute(tx.connection())
        .await?;
    written(booked)
}

/// Adds what was spent beside the model calls of a turn: it is no call of the model.
pub async fn add(tx: &mut Tx, spender: &Spender, booking: &Booking) -> Result<(), StoreError> {
    let tokens = booking.prompt_tokens;
    let micros = booking.micros.unwrap_or_default();
    query(sql!(ADD))
        .bind(spender.user)
        .bind(&spender.day)
        .bind(spender.session)
        .bind(&spender.routine)
        .bind(tokens)
        .bind(if booking.is_estimated { tokens } else { 0 })
        .bind(if booking.micros.is_none() { tokens } else { 0 })
        .bind(micros)
        .execute(tx.connection())
        .await?;
    match spender.turn {
        Some(turn) => add_to_turn(tx, turn, OpenAmount { tokens, micros }).await,
        None => Ok(()),
    }
}

/// Returns whose turn a memory comes from, where that is still known.
pub async fn turn_of_memory(
    tx: &mut Tx,
    memory: MemoryId,
) -> Result<Option<(UserId, SessionId, TurnId)>, StoreError> {
    let turn = query(sql!(TURN_OF_MEMORY)).bind(memory);
    turn.fetch_optional(tx.connection()).await
}

/// Returns the turn that acts for an owner now; of several the newest.
pub async fn turn_of_owner(
    tx: &mut Tx,
    owner: Owner,
) -> Result<Option<(UserId, SessionId, TurnId)>, StoreError> {
    let turn = match owner {
        Owner::User(user) => query(sql!(TURN_OF_USER)).bind(user),
        Owner::Chat(chat) => query(sql!(TURN_OF_CHAT)).bind(chat),
    };
    turn.fetch_optional(tx.connection()).await
}

/// Returns what was spent. Of a turn, calls and prices are not known.
pub async fn spent(tx: &mut Tx, by: SpentBy<'_>) -> Result<Spent, StoreError> {
    of_one(by).query().fetch_one(tx.connection()).await
}

fn of_one(by: SpentBy<'_>) -> Assembled<'static> {
    let mut query = Assembled::default();
    query.push("SELECT ");
    by.push_to(&mut query);
    query
}

/// Returns how limits stand, in the order in which they are asked for. One without a row of a day
/// is as high as configured.
pub async fn standings(
    tx: &mut Tx,
    limits: &[(Option<DayKey>, SpentBy<'_>)],
) -> Result<Vec<Standing>, StoreError> {
    if limits.is_empty() {
        return Ok(Vec::new());
    }
    let standings: Vec<Standing> = of_all(limits).query().fetch_all(tx.connection()).await?;
    if standings.len() == limits.len() {
        Ok(standings)
    } else {
        Err(StoreError::Broken("the turn of a limit is gone".to_owned()))
    }
}

fn of_all(limits: &[(Option<DayKey>, SpentBy<'_>)]) -> Assembled<'static> {
    let mut query = Assembled::default();
    for (place, (key, by)) in limits.iter().enumerate() {
        if place > 0 {
            query.push(" UNION ALL ");
        }
        query
            .push("SELECT ")
            .push(&place.to_string())
            .push(" AS place, ");
        match key {
            Some(key) => key.push_percent_to(&mut query),
            None => _ = query.push("100 AS percent, "),
        }
        by.push_to(&mut query);
    }
    query.push(" ORDER BY place");
    query
}

impl SpentBy<'_> {
    /// Writes what is selected, from where.
    fn push_to(self, query: &mut Assembled<'_>) {
        match self {
            Self::Turn(turn) => {
                query.push(OF_TURN).push_bind(turn);
            }
            Self::Session(user, session, day) => {
                query.push(SUM).push("user_id = ").push_bind(user);
                query.push(" AND day = ").push_bind(day.to_owned());
                query.push(" AND session_id = ").push_bind(session);
            }
            Self::User(user, day) => {
                query.push(SUM).push("user_id = ").push_bind(user);
                query.push(" AND day = ").push_bind(day.to_owned());
            }
            Self::Routine(routine, day) => {
                query
                    .push(SUM)
                    .push("routine <> '' AND routine = ")
                    .push_bind(routine.to_owned());
                query.push(" AND day = ").push_bind(day.to_owned());
            }
            Self::All(from, to) => {
                query.push(TOTAL).push_bind(from.to_owned());
                query.push(" AND ").push_bind(to.to_owned());
            }
        }
    }
}

impl DayKey {
    /// Writes how high the limit is.
    fn push_percent_to(&self, query: &mut Assembled<'_>) {
        query.push("coalesce((SELECT percent FROM budget_days WHERE user_id = ");
        query.push_bind(self.user_id);
        query.push(" AND day = ").push_bind(self.day.clone());
        query.push(" AND scope = ").push_bind(self.scope.clone());
        query
            .push(" AND routine = ")
            .push_bind(self.routine.clone());
        query.push("), 100) AS percent, ");
    }
}

/// Returns who spent most on a day: how people see them, and what they spent.
pub async fn most_spent(
    tx: &mut Tx,
    day: &str,
    limit: i64,
) -> Result<Vec<(String, Spent)>, StoreError> {
    #[derive(Deserialize)]
    struct Row {
        name: String,
        #[serde(flatten)]
        spent: Spent,
    }
    let rows: Vec<Row> = query(sql!("SELECT coalesce((SELECT name FROM senders WHERE senders.user_id = usage.user_id), '?') AS name,
                sum(calls) AS calls,
                sum(prompt_tokens + completion_tokens + open_tokens) AS tokens,
                sum(unpriced_tokens) AS unpriced_tokens,
                sum(micros + open_micros) AS micros
         FROM usage WHERE day = $1 GROUP BY user_id ORDER BY tokens DESC, user_id LIMIT $2"))
    .bind(day)
    .bind(limit)
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (row.name, row.spent)).collect())
}

/// Returns the name that people see of a user.
pub async fn name_of(tx: &mut Tx, user: UserId) -> Result<Option<String>, StoreError> {
    query(sql!("SELECT name FROM senders WHERE user_id = $1"))
        .bind(user)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the latest day on which anything was spent.
pub async fn latest_day(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    query(sql!("SELECT max(day) FROM usage_totals"))
        .fetch_one(tx.connection())
        .await
}

/// Returns how many percent of its configured height a limit has on its day.
pub async fn percent(tx: &mut Tx, key: &DayKey) -> Result<i64, StoreError> {
    let percent: Option<i64> = query(sql!(
        "SELECT percent FROM budget_days
         WHERE user_id = $1 AND day = $2 AND scope = $3 AND routine = $4"
    ))
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .fetch_optional(tx.connection())
    .await?;
    Ok(percent.unwrap_or(100))
}

/// Changes how high a limit is on its day, in percent of its configured height.
pub async fn set_percent(tx: &mut Tx, key: &DayKey, percent: i64) -> Result<(), StoreError> {
    tx.outdates_caches();
    query(sql!(
        "INSERT INTO budget_days VALUES ($1, $2, $3, $4, $5, NULL, NULL)
         ON CONFLICT (user_id, day, scope, routine) DO UPDATE SET percent = excluded.percent"
    ))
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .bind(percent)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that the user is warned of a low budget; returns whether this call was the first.
pub async fn tell_once(tx: &mut Tx, key: &DayKey) -> Result<bool, StoreError> {
    let told = query(sql!(
        "INSERT INTO budget_days VALUES ($1, $2, $3, $4, 100, $5, NULL)
         ON CONFLICT (user_id, day, scope, routine) DO UPDATE SET told_ms = excluded.told_ms
         WHERE budget_days.told_ms IS NULL"
    ))
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(told == 1)
}

/// Notes that an owner refused to raise a limit.
pub async fn refuse_raise(tx: &mut Tx, key: &DayKey) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO budget_days VALUES ($1, $2, $3, $4, 100, NULL, $5)
         ON CONFLICT (user_id, day, scope, routine) DO UPDATE SET refused_ms = excluded.refused_ms"
    ))
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns whether an owner refused to raise a limit.
pub async fn is_raise_refused(tx: &mut Tx, key: &DayKey) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM budget_days
                        WHERE user_id = $1 AND day = $2 AND scope = $3 AND routine = $4
                          AND refused_ms IS NOT NULL)"
    ))
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .fetch_one(tx.connection())
    .await
}

/// Returns every statement that is put together here.
#[cfg(test)]
pub(crate) fn texts() -> Vec<String> {
    let key = DayKey {
        user_id: UserId(1),
        day: String::new(),
        scope: String::new(),
        routine: String::new(),
    };
    let limits = [
        SpentBy::Turn(TurnId(1)),
        SpentBy::Session(UserId(1), SessionId(1), ""),
        SpentBy::User(UserId(1), ""),
        SpentBy::Routine("", ""),
        SpentBy::All("", ""),
    ];
    let spent = limits.map(|by| of_one(by).text().to_owned());
    let standings = limits.map(|by| [(None, by), (Some(key.clone()), by)]);
    let standings = standings.map(|limits| of_all(&limits).text().to_owned());
    spent.into_iter().chain(standings).collect()
}
