//! What model calls cost, per user, day and session, and what was said and allowed about a day's limits.

use sqlx::FromRow;

use super::{Readers, StoreError, Tx, new_id, now_ms};
use crate::transcript::{MemoryId, Owner, SessionId, TurnId, UserId};

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
}

/// Stands where a routine would for calls that learn from what was said. They are made beside turns of
/// their session, so what is set aside for them is kept apart. No routine has this name.
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
    /// Whether nobody but us has counted them.
    pub is_estimated: bool,
    /// The money; `None` where no price is known.
    pub micros: Option<i64>,
}

/// What was spent, with what is set aside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, FromRow)]
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
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct DayKey {
    /// The user; 0 where it is nobody's own.
    pub user_id: UserId,
    /// The day.
    pub day: String,
    /// `user`, `routine`, `instance` or `month`.
    pub scope: String,
    /// The routine; empty where it is none's.
    pub routine: String,
}

/// A card that asks owners to raise a limit.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct RaiseRow {
    /// Names the card.
    pub id: i64,
    /// What its buttons carry.
    pub token: String,
    /// The limit.
    #[sqlx(flatten)]
    pub key: DayKey,
    /// Who waits for the answer, as a JSON array of addresses.
    pub addresses: String,
    /// Until when it may be answered.
    pub expires_ms: i64,
    /// `open`, `raised`, `refused` or `expired`.
    pub state: String,
}

/// What was set aside before and never booked is an estimate that stays.
const SET_ASIDE: &str = "
    INSERT INTO usage VALUES ($1, $2, $3, $4, 0, 0, 0, 0, 0, 0, 0, $5, $6)
    ON CONFLICT DO UPDATE SET
        calls = calls + (open_tokens > 0),
        prompt_tokens = prompt_tokens + open_tokens,
        estimated_tokens = estimated_tokens + open_tokens,
        micros = micros + open_micros,
        open_tokens = excluded.open_tokens,
        open_micros = excluded.open_micros";

/// Answers how the turn's figures change: what was set aside is in them already.
const BOOK: &str = "
    INSERT INTO usage VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, 0)
    ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls,
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        cached_tokens = cached_tokens + excluded.cached_tokens,
        completion_tokens = completion_tokens + excluded.completion_tokens,
        estimated_tokens = estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens,
        micros = micros + excluded.micros,
        open_tokens = 0,
        open_micros = 0";

/// Leaves alone what is set aside: it is for a call of the session that is under way.
const ADD: &str = "
    INSERT INTO usage VALUES ($1, $2, $3, $4, 0, $5, 0, 0, $6, $7, $8, 0, 0)
    ON CONFLICT DO UPDATE SET
        prompt_tokens = prompt_tokens + excluded.prompt_tokens,
        estimated_tokens = estimated_tokens + excluded.estimated_tokens,
        unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens,
        micros = micros + excluded.micros";

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

const SUM: &str = "
    SELECT coalesce(sum(calls), 0) AS calls,
           coalesce(sum(prompt_tokens + completion_tokens + open_tokens), 0) AS tokens,
           coalesce(sum(unpriced_tokens), 0) AS unpriced_tokens,
           coalesce(sum(micros + open_micros), 0) AS micros
    FROM usage WHERE ";

const RAISE: &str = "SELECT id, token, user_id, day, scope, routine, addresses, expires_ms, state
    FROM budget_cards WHERE ";

/// Sets tokens and money aside for a call.
pub async fn set_aside(
    tx: &mut Tx,
    spender: &Spender,
    tokens: i64,
    micros: i64,
) -> Result<(), StoreError> {
    sqlx::query(SET_ASIDE)
        .bind(spender.user)
        .bind(&spender.day)
        .bind(spender.session)
        .bind(&spender.routine)
        .bind(tokens)
        .bind(micros)
        .execute(tx.connection())
        .await?;
    add_to_turn(tx, spender, tokens, micros).await
}

/// Returns the tokens that are set aside for a call of a turn of a user in a session; 0 when none is under
/// way.
pub async fn open_tokens(
    readers: &Readers,
    user: UserId,
    session: SessionId,
) -> Result<i64, StoreError> {
    let open: Option<i64> = sqlx::query_scalar(
        "SELECT open_tokens FROM usage WHERE user_id = $1 AND session_id = $2 AND routine NOT IN ($3, $4)
         ORDER BY day DESC LIMIT 1",
    )
    .bind(user)
    .bind(session)
    .bind(LEARNING)
    .bind(COMPACTION)
    .fetch_optional(readers)
    .await?;
    Ok(open.unwrap_or_default())
}

/// Books what a call cost, in place of what is set aside.
pub async fn book(tx: &mut Tx, spender: &Spender, booking: &Booking) -> Result<(), StoreError> {
    let (open_tokens, open_micros): (i64, i64) = sqlx::query_as(
        "SELECT open_tokens, open_micros FROM usage
         WHERE user_id = $1 AND day = $2 AND session_id = $3 AND routine = $4",
    )
    .bind(spender.user)
    .bind(&spender.day)
    .bind(spender.session)
    .bind(&spender.routine)
    .fetch_optional(tx.connection())
    .await?
    .unwrap_or_default();
    let tokens = booking.prompt_tokens + booking.completion_tokens;
    let micros = booking.micros.unwrap_or_default();
    sqlx::query(BOOK)
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
        .execute(tx.connection())
        .await?;
    add_to_turn(tx, spender, tokens - open_tokens, micros - open_micros).await
}

/// Adds what was spent beside the model calls of a turn: it is no call of the model.
pub async fn add(tx: &mut Tx, spender: &Spender, booking: &Booking) -> Result<(), StoreError> {
    let tokens = booking.prompt_tokens;
    let micros = booking.micros.unwrap_or_default();
    sqlx::query(ADD)
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
    add_to_turn(tx, spender, tokens, micros).await
}

/// Returns whose turn a memory comes from, where that is still known.
pub async fn turn_of_memory(
    tx: &mut Tx,
    memory: MemoryId,
) -> Result<Option<(UserId, SessionId, TurnId)>, StoreError> {
    let turn = sqlx::query_as(TURN_OF_MEMORY).bind(memory);
    Ok(turn.fetch_optional(tx.connection()).await?)
}

/// Returns the turn that acts for an owner now; of several the newest.
pub async fn turn_of_owner(
    tx: &mut Tx,
    owner: Owner,
) -> Result<Option<(UserId, SessionId, TurnId)>, StoreError> {
    let turn = match owner {
        Owner::User(user) => sqlx::query_as(TURN_OF_USER).bind(user),
        Owner::Chat(chat) => sqlx::query_as(TURN_OF_CHAT).bind(chat),
    };
    Ok(turn.fetch_optional(tx.connection()).await?)
}

async fn add_to_turn(
    tx: &mut Tx,
    spender: &Spender,
    tokens: i64,
    micros: i64,
) -> Result<(), StoreError> {
    let Some(turn) = spender.turn else {
        return Ok(());
    };
    sqlx::query(
        "UPDATE turns SET spent_tokens = spent_tokens + $2, spent_micros = spent_micros + $3
         WHERE id = $1",
    )
    .bind(turn)
    .bind(tokens)
    .bind(micros)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns what was spent. Of a turn, calls and prices are not known.
pub async fn spent(tx: &mut Tx, by: SpentBy<'_>) -> Result<Spent, StoreError> {
    let sum = |of: &str| sqlx::AssertSqlSafe(format!("{SUM}{of}"));
    let query = match by {
        SpentBy::Turn(turn) => sqlx::query_as(
            "SELECT 0 AS calls, spent_tokens AS tokens, 0 AS unpriced_tokens, spent_micros AS micros
             FROM turns WHERE id = $1",
        )
        .bind(turn),
        SpentBy::Session(user, session, day) => {
            let of = sum("user_id = $1 AND day = $2 AND session_id = $3");
            sqlx::query_as(of).bind(user).bind(day).bind(session)
        }
        SpentBy::User(user, day) => {
            let of = sum("user_id = $1 AND day = $2");
            sqlx::query_as(of).bind(user).bind(day)
        }
        SpentBy::Routine(routine, day) => {
            let of = sum("routine = $1 AND routine <> '' AND day = $2");
            sqlx::query_as(of).bind(routine).bind(day)
        }
        SpentBy::All(from, to) => {
            let of = sum("day BETWEEN $1 AND $2");
            sqlx::query_as(of).bind(from).bind(to)
        }
    };
    Ok(query.fetch_one(tx.connection()).await?)
}

/// Returns who spent most on a day: how people see them, and what they spent.
pub async fn most_spent(
    tx: &mut Tx,
    day: &str,
    limit: i64,
) -> Result<Vec<(String, Spent)>, StoreError> {
    #[derive(FromRow)]
    struct Row {
        name: String,
        #[sqlx(flatten)]
        spent: Spent,
    }
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT coalesce((SELECT name FROM senders WHERE senders.user_id = usage.user_id), '?') AS name,
                sum(calls) AS calls,
                sum(prompt_tokens + completion_tokens + open_tokens) AS tokens,
                sum(unpriced_tokens) AS unpriced_tokens,
                sum(micros + open_micros) AS micros
         FROM usage WHERE day = $1 GROUP BY user_id ORDER BY tokens DESC, user_id LIMIT $2",
    )
    .bind(day)
    .bind(limit)
    .fetch_all(tx.connection())
    .await?;
    Ok(rows.into_iter().map(|row| (row.name, row.spent)).collect())
}

/// Returns the name that people see of a user.
pub async fn name_of(tx: &mut Tx, user: UserId) -> Result<Option<String>, StoreError> {
    Ok(
        sqlx::query_scalar("SELECT name FROM senders WHERE user_id = $1")
            .bind(user)
            .fetch_optional(tx.connection())
            .await?,
    )
}

/// Returns the latest day on which anything was spent.
pub async fn latest_day(tx: &mut Tx) -> Result<Option<String>, StoreError> {
    Ok(sqlx::query_scalar("SELECT max(day) FROM usage")
        .fetch_one(tx.connection())
        .await?)
}

/// Returns how many percent of its configured height a limit has on its day.
pub async fn percent(tx: &mut Tx, key: &DayKey) -> Result<i64, StoreError> {
    let percent: Option<i64> = sqlx::query_scalar(
        "SELECT percent FROM budget_days
         WHERE user_id = $1 AND day = $2 AND scope = $3 AND routine = $4",
    )
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
    sqlx::query(
        "INSERT INTO budget_days VALUES ($1, $2, $3, $4, $5, NULL)
         ON CONFLICT DO UPDATE SET percent = excluded.percent",
    )
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .bind(percent)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Notes that somebody is told that little is left; says whether this call was the first.
pub async fn tell_once(tx: &mut Tx, key: &DayKey) -> Result<bool, StoreError> {
    let told = sqlx::query(
        "INSERT INTO budget_days VALUES ($1, $2, $3, $4, 100, $5)
         ON CONFLICT DO UPDATE SET told_ms = excluded.told_ms WHERE told_ms IS NULL",
    )
    .bind(key.user_id)
    .bind(&key.day)
    .bind(&key.scope)
    .bind(&key.routine)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(told.rows_affected() == 1)
}

/// Adds an open card and returns it.
pub async fn add_raise(
    tx: &mut Tx,
    token: &str,
    key: DayKey,
    addresses: &str,
    expires_ms: i64,
) -> Result<RaiseRow, StoreError> {
    let row = RaiseRow {
        id: new_id(),
        token: token.to_owned(),
        key,
        addresses: addresses.to_owned(),
        expires_ms,
        state: "open".to_owned(),
    };
    sqlx::query("INSERT INTO budget_cards VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)")
        .bind(row.id)
        .bind(&row.token)
        .bind(row.key.user_id)
        .bind(&row.key.day)
        .bind(&row.key.scope)
        .bind(&row.key.routine)
        .bind(&row.addresses)
        .bind(row.expires_ms)
        .bind(&row.state)
        .execute(tx.connection())
        .await?;
    Ok(row)
}

/// Returns the newest card about a limit.
pub async fn newest_raise(tx: &mut Tx, key: &DayKey) -> Result<Option<RaiseRow>, StoreError> {
    let of = "user_id = $1 AND day = $2 AND scope = $3 AND routine = $4 ORDER BY id DESC LIMIT 1";
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(format!("{RAISE}{of}")))
        .bind(key.user_id)
        .bind(&key.day)
        .bind(&key.scope)
        .bind(&key.routine)
        .fetch_optional(tx.connection())
        .await?)
}

/// Returns the card that a token stands for.
pub async fn raise(tx: &mut Tx, token: &str) -> Result<Option<RaiseRow>, StoreError> {
    Ok(
        sqlx::query_as(sqlx::AssertSqlSafe(format!("{RAISE}token = $1")))
            .bind(token)
            .fetch_optional(tx.connection())
            .await?,
    )
}

/// Changes who waits for the answer to a card.
pub async fn set_addresses(tx: &mut Tx, id: i64, addresses: &str) -> Result<(), StoreError> {
    sqlx::query("UPDATE budget_cards SET addresses = $2 WHERE id = $1")
        .bind(id)
        .bind(addresses)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Closes a card, once: says whether this call was the one.
pub async fn close_raise(tx: &mut Tx, id: i64, state: &str) -> Result<bool, StoreError> {
    let closed = sqlx::query("UPDATE budget_cards SET state = $2 WHERE id = $1 AND state = 'open'")
        .bind(id)
        .bind(state)
        .execute(tx.connection())
        .await?;
    Ok(closed.rows_affected() == 1)
}

/// Returns when the next open card expires, if there is one.
pub async fn next_expiry(readers: &sqlx::SqlitePool) -> Result<Option<i64>, StoreError> {
    Ok(
        sqlx::query_scalar("SELECT min(expires_ms) FROM budget_cards WHERE state = 'open'")
            .fetch_one(readers)
            .await?,
    )
}

/// Returns the open cards that have expired by now, oldest first.
pub async fn expired(tx: &mut Tx, now_ms: i64) -> Result<Vec<RaiseRow>, StoreError> {
    let of = "state = 'open' AND expires_ms <= $1 ORDER BY id";
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(format!("{RAISE}{of}")))
        .bind(now_ms)
        .fetch_all(tx.connection())
        .await?)
}
