//! What files were before calls changed them, and the wishes to have that put back.

use sayso_channel::ChatKind;
use sqlx::FromRow;

use super::{Readers, StoreError, Tx, new_id};
use crate::transcript::{CallId, ChatId, FileBefore, SessionId, TurnId, UserId};

/// Of how many turns of a session the changes are kept.
const TURNS_KEPT: i64 = 10;

/// Keeps what a file was before a call, and lets go of what is too old to be put back.
pub async fn keep(
    tx: &mut Tx,
    (session, turn): (SessionId, TurnId),
    call: &CallId,
    before: &FileBefore,
) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO file_changes (id, turn_id, call_id, path, was, content, mode, becomes, own)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new_id())
    .bind(turn)
    .bind(&call.0)
    .bind(&before.path)
    .bind(&before.was)
    .bind(&before.content)
    .bind(before.mode)
    .bind(&before.becomes)
    .bind(before.own)
    .execute(tx.connection())
    .await?;
    sqlx::query(
        "DELETE FROM file_changes WHERE turn_id IN
             (SELECT DISTINCT c.turn_id FROM file_changes c JOIN turns t ON t.id = c.turn_id
              WHERE t.session_id = $1 ORDER BY c.turn_id DESC LIMIT -1 OFFSET $2)",
    )
    .bind(session)
    .bind(TURNS_KEPT)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A turn whose changes can be put back.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct ChangedTurn {
    /// The turn.
    pub id: TurnId,
    /// The user that it acted for.
    pub user_id: UserId,
    /// `running`, `parked` or `ended`.
    pub state: String,
}

/// Returns the newest turn of a session that changed files.
pub async fn newest(tx: &mut Tx, session: SessionId) -> Result<Option<ChangedTurn>, StoreError> {
    Ok(sqlx::query_as(
        "SELECT t.id, t.user_id, t.state FROM file_changes c JOIN turns t ON t.id = c.turn_id
         WHERE t.session_id = $1 ORDER BY t.id DESC LIMIT 1",
    )
    .bind(session)
    .fetch_optional(tx.connection())
    .await?)
}

/// Returns what a turn changed, in its order.
pub async fn of_turn(readers: &Readers, turn: TurnId) -> Result<Vec<FileBefore>, StoreError> {
    #[derive(FromRow)]
    struct Row {
        path: String,
        was: Option<String>,
        content: Option<Vec<u8>>,
        mode: Option<u32>,
        becomes: String,
        own: bool,
    }
    let rows: Vec<Row> = sqlx::query_as(
        "SELECT path, was, content, mode, becomes, own FROM file_changes WHERE turn_id = $1
         ORDER BY id",
    )
    .bind(turn)
    .fetch_all(readers)
    .await?;
    let rows = rows.into_iter();
    Ok(rows
        .map(|row| FileBefore {
            path: row.path,
            was: row.was,
            content: row.content,
            mode: row.mode,
            becomes: row.becomes,
            own: row.own,
        })
        .collect())
}

/// Lets go of what a turn changed in these files.
pub async fn forget(tx: &mut Tx, turn: TurnId, paths: &[&str]) -> Result<(), StoreError> {
    sqlx::query(
        "DELETE FROM file_changes WHERE turn_id = $1 AND path IN (SELECT value FROM json_each($2))",
    )
    .bind(turn)
    .bind(serde_json::to_string(paths)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A wish to have the changes of a turn put back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewUndo<'a> {
    /// The turn.
    pub turn: TurnId,
    /// Who wants it.
    pub user: UserId,
    /// Where that was said, as JSON.
    pub address: &'a str,
    /// The message that said it, where the answer names it.
    pub reply_to: Option<&'a str>,
}

/// Such a wish, and what is known of its turn.
#[derive(Debug, Clone, PartialEq, Eq, FromRow)]
pub struct UndoRow {
    /// Names it.
    pub id: i64,
    /// The turn.
    pub turn_id: TurnId,
    /// Who wants it.
    pub user_id: UserId,
    /// Where that was said, as JSON.
    pub address: String,
    /// The message that said it, where the answer names it.
    pub reply_to: Option<String>,
    /// `wanted`, `open` (asked), `confirmed`, or `over`.
    pub state: String,
    /// The user that the turn acted for.
    pub turn_user: UserId,
    /// The session of the turn.
    pub session_id: SessionId,
    /// Its chat.
    pub chat_id: ChatId,
    /// Who may read and answer in it.
    #[sqlx(try_from = "String")]
    pub chat_kind: ChatKind,
    /// The language of its person, or of the chat.
    pub language: String,
}

const ROWS: &str = "
    SELECT u.id, u.turn_id, u.user_id, u.address, u.reply_to, u.state,
           t.user_id AS turn_user, t.session_id, c.id AS chat_id, c.kind AS chat_kind,
           coalesce((SELECT language FROM users WHERE id = u.user_id), c.language) AS language
    FROM undos u JOIN turns t ON t.id = u.turn_id JOIN sessions s ON s.id = t.session_id
         JOIN chats c ON c.id = s.chat_id";

/// Notes that somebody wants the changes of a turn put back.
pub async fn want(tx: &mut Tx, new: &NewUndo<'_>) -> Result<(), StoreError> {
    sqlx::query(
        "INSERT INTO undos (id, turn_id, user_id, address, reply_to, state)
         VALUES ($1, $2, $3, $4, $5, 'wanted')",
    )
    .bind(new_id())
    .bind(new.turn)
    .bind(new.user)
    .bind(new.address)
    .bind(new.reply_to)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Returns the wishes that can be done now.
pub async fn due(readers: &Readers) -> Result<Vec<UndoRow>, StoreError> {
    let query = format!("{ROWS} WHERE u.state IN ('wanted', 'confirmed') ORDER BY u.id");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(query))
        .fetch_all(readers)
        .await?)
}

/// Returns a wish.
pub async fn wish(tx: &mut Tx, id: i64) -> Result<Option<UndoRow>, StoreError> {
    let query = format!("{ROWS} WHERE u.id = $1");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(query))
        .bind(id)
        .fetch_optional(tx.connection())
        .await?)
}

/// Returns the wishes about a turn that are not over.
pub async fn about(tx: &mut Tx, turn: TurnId) -> Result<Vec<UndoRow>, StoreError> {
    let query = format!("{ROWS} WHERE u.turn_id = $1 AND u.state <> 'over' ORDER BY u.id");
    Ok(sqlx::query_as(sqlx::AssertSqlSafe(query))
        .bind(turn)
        .fetch_all(tx.connection())
        .await?)
}

/// Moves a wish on from the state that it was found in; returns whether it was still in it.
pub async fn advance(tx: &mut Tx, undo: &UndoRow, state: &str) -> Result<bool, StoreError> {
    let advanced = sqlx::query("UPDATE undos SET state = $3 WHERE id = $1 AND state = $2")
        .bind(undo.id)
        .bind(&undo.state)
        .bind(state)
        .execute(tx.connection())
        .await?;
    Ok(advanced.rows_affected() == 1)
}
