//! Codes that name an account to another one, and requests to join or part accounts.

use sayso_core::transcript::{ChatId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::people::AccountStanding;
use crate::sql;
use crate::sql::{named, query};
use crate::{StoreError, Tx, new_id, now_ms};

named! {
    /// What is to become of the accounts of a request.
    pub enum Wish {
        /// They become one person's.
        Join = "join",
        /// The one account becomes a person alone.
        Part = "part",
    }
}

named! {
    /// What became of a request.
    pub enum RequestState {
        /// It waits for those who must confirm.
        Open = "open",
        /// All have confirmed, and it was done.
        Done = "done",
        /// One refused.
        Refused = "refused",
        /// Somebody came too late.
        Expired = "expired",
        /// What it was about has changed, or a newer one took its place.
        Dropped = "dropped",
    }
}

/// A code that an account was given.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CodeRow {
    /// The account's user.
    pub user_id: UserId,
    /// The code.
    pub code: String,
    /// How people see the account.
    pub name: String,
    /// Its direct chat, as JSON.
    pub address: String,
    /// Until when the code holds.
    pub expires_ms: i64,
}

/// Accounts that are to be joined, or one that is to be parted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct RequestRow {
    /// Names the request.
    pub id: i64,
    /// What for.
    pub wish: Wish,
    /// What became of it.
    pub state: RequestState,
}

/// One card about a request.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SideRow {
    /// Names the card.
    pub id: i64,
    /// What it is about.
    pub request_id: i64,
    /// Who must confirm.
    pub user_id: UserId,
    /// Where.
    pub chat_id: ChatId,
    /// The language of its person, or of the chat.
    pub language: String,
    /// How people see the account.
    pub name: String,
    /// Where the account is.
    pub channel: String,
    /// The account.
    pub sender: String,
    /// What is stored of what it may do.
    pub standing: AccountStanding,
    /// When it confirmed.
    pub confirmed_ms: Option<i64>,
}

/// A card to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSide {
    /// Who must confirm.
    pub user: UserId,
    /// Where.
    pub chat: ChatId,
    /// How people see the account.
    pub name: String,
}

const SIDE: &str = "
    SELECT l.id, l.request_id, l.user_id, l.chat_id, l.name, s.channel,
           coalesce((SELECT language FROM users WHERE id = l.user_id), c.language) AS language,
           s.sender, s.standing, l.confirmed_ms
    FROM link_sides l JOIN chats c ON c.id = l.chat_id JOIN senders s ON s.user_id = l.user_id";

/// Keeps a code in place of an earlier one of the same account.
pub async fn put_code(tx: &mut Tx, code: &CodeRow) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO link_codes (user_id, code, name, address, expires_ms)
         VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (user_id) DO UPDATE SET
             code = excluded.code, name = excluded.name, address = excluded.address,
             expires_ms = excluded.expires_ms"
    ))
    .bind(code.user_id)
    .bind(&code.code)
    .bind(&code.name)
    .bind(&code.address)
    .bind(code.expires_ms)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the code with these letters, if it still holds.
pub async fn find_code(tx: &mut Tx, code: &str) -> Result<Option<CodeRow>, StoreError> {
    query(sql!(
        "SELECT user_id, code, name, address, expires_ms FROM link_codes
         WHERE code = $1 AND expires_ms > $2"
    ))
    .bind(code)
    .bind(now_ms())
    .fetch_optional(tx.connection())
    .await
}

/// Uses up a code.
pub async fn drop_code(tx: &mut Tx, code: &str) -> Result<(), StoreError> {
    query(sql!("DELETE FROM link_codes WHERE code = $1"))
        .bind(code)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Returns how many wrong codes an account has sent since a time.
pub async fn wrong_tries(tx: &mut Tx, user: UserId, since_ms: i64) -> Result<i64, StoreError> {
    let wrong: Option<i64> = query(sql!(
        "SELECT wrong FROM link_tries WHERE user_id = $1 AND since_ms > $2"
    ))
    .bind(user)
    .bind(since_ms)
    .fetch_optional(tx.connection())
    .await?;
    Ok(wrong.unwrap_or_default())
}

/// Counts a wrong code; what was counted before `since_ms` is forgotten.
pub async fn count_wrong_try(tx: &mut Tx, user: UserId, since_ms: i64) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO link_tries (user_id, wrong, since_ms) VALUES ($1, 1, $3)
         ON CONFLICT (user_id) DO UPDATE SET
             wrong = CASE WHEN link_tries.since_ms > $2 THEN link_tries.wrong + 1 ELSE 1 END,
             since_ms = CASE WHEN link_tries.since_ms > $2 THEN link_tries.since_ms ELSE $3 END"
    ))
    .bind(user)
    .bind(since_ms)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Adds a request with its cards and returns its id.
pub async fn add(tx: &mut Tx, wish: Wish, sides: &[NewSide]) -> Result<i64, StoreError> {
    let request = new_id();
    query(sql!(
        "INSERT INTO link_requests (id, wish, state) VALUES ($1, $2, 'open')"
    ))
    .bind(request)
    .bind(wish)
    .execute(tx.connection())
    .await?;
    for side in sides {
        query(sql!(
            "INSERT INTO link_sides (id, request_id, user_id, chat_id, name)
             VALUES ($1, $2, $3, $4, $5)"
        ))
        .bind(new_id())
        .bind(request)
        .bind(side.user)
        .bind(side.chat)
        .bind(&side.name)
        .execute(tx.connection())
        .await?;
    }
    Ok(request)
}

/// Returns a card.
pub async fn side(tx: &mut Tx, id: i64) -> Result<Option<SideRow>, StoreError> {
    query(sql!(SIDE, " WHERE l.id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the cards of a request, in their order.
pub async fn sides_of(tx: &mut Tx, request: i64) -> Result<Vec<SideRow>, StoreError> {
    query(sql!(SIDE, " WHERE l.request_id = $1 ORDER BY l.id"))
        .bind(request)
        .fetch_all(tx.connection())
        .await
}

/// Returns a request.
pub async fn request(tx: &mut Tx, id: i64) -> Result<RequestRow, StoreError> {
    query(sql!(
        "SELECT id, wish, state FROM link_requests WHERE id = $1"
    ))
    .bind(id)
    .fetch_one(tx.connection())
    .await
}

/// Returns the open requests that one of these users is asked about.
pub async fn open_requests(tx: &mut Tx, users: &[UserId]) -> Result<Vec<RequestRow>, StoreError> {
    let users = serde_json::to_string(users)?;
    query(sql!(
        "SELECT DISTINCT r.id, r.wish, r.state
         FROM link_sides l JOIN link_requests r ON r.id = l.request_id
         WHERE l.user_id IN (SELECT value FROM json_each($1)) AND r.state = 'open' ORDER BY r.id"
    ))
    .bind(users)
    .fetch_all(tx.connection())
    .await
}

/// Notes that a side has confirmed, once; returns whether this call did it.
pub async fn confirm(tx: &mut Tx, side: i64) -> Result<bool, StoreError> {
    let confirmed = query(sql!(
        "UPDATE link_sides SET confirmed_ms = $2 WHERE id = $1 AND confirmed_ms IS NULL"
    ))
    .bind(side)
    .bind(now_ms())
    .execute(tx.connection())
    .await?;
    Ok(confirmed == 1)
}

/// Closes a request, once; returns whether this call did it.
pub async fn close(tx: &mut Tx, request: i64, state: RequestState) -> Result<bool, StoreError> {
    let closed = query(sql!(
        "UPDATE link_requests SET state = $2 WHERE id = $1 AND state = 'open'"
    ))
    .bind(request)
    .bind(state)
    .execute(tx.connection())
    .await?;
    Ok(closed == 1)
}

/// Erases a person (`of_person`): codes to link their accounts.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM link_codes WHERE user_id IN (SELECT value FROM json_each($1))"
        )],
    )
    .await
}
