//! What files were before calls changed them, and the wishes to have that put back.
//!
//! Changes that an undo settled are set aside (`undone_by`) while the undo can be redone; what the
//! files were before it is in [`crate::undone_files`].

use sayso_core::ChatKind;
use sayso_core::transcript::{CallId, ChatId, FileBefore, SessionId, TurnId, UserId};
use serde::Deserialize;

use crate::of_person;
use crate::sql;
use crate::sql::{named, parsed, query};
use crate::turns::TurnStatus;
use crate::{Readers, StoreError, Tx, new_id};

/// Of how many turns of a session the changes are kept, and of how many those that were undone.
const TURNS_KEPT: i64 = 10;

/// Keeps what files were before a call, and lets go of what is too old to be put back.
pub async fn keep(
    tx: &mut Tx,
    session: SessionId,
    turn: TurnId,
    call: &CallId,
    files: &[FileBefore],
) -> Result<(), StoreError> {
    for before in files {
        insert(tx, turn, call, before).await?;
    }
    if files.is_empty() {
        return Ok(());
    }
    trim(tx, session).await
}

async fn insert(
    tx: &mut Tx,
    turn: TurnId,
    call: &CallId,
    before: &FileBefore,
) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO file_changes (id, turn_id, call_id, path, was, content, mode, becomes, own)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
    ))
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
    Ok(())
}

/// Lets go of the changes of all but the newest turns of a session.
async fn trim(tx: &mut Tx, session: SessionId) -> Result<(), StoreError> {
    for in_force in [true, false] {
        query(sql!(
            "DELETE FROM file_changes WHERE (undone_by IS NULL) = $3 AND turn_id IN
                 (SELECT DISTINCT c.turn_id FROM file_changes c JOIN turns t ON t.id = c.turn_id
                  WHERE t.session_id = $1 AND (c.undone_by IS NULL) = $3
                  ORDER BY c.turn_id DESC LIMIT -1 OFFSET $2)"
        ))
        .bind(session)
        .bind(TURNS_KEPT)
        .bind(in_force)
        .execute(tx.connection())
        .await?;
    }
    query(sql!(
        "DELETE FROM undone_files
         WHERE NOT EXISTS (SELECT 1 FROM file_changes c WHERE c.undone_by = undo_id)
           AND EXISTS (SELECT 1 FROM undos u WHERE u.id = undo_id AND u.state = 'over')"
    ))
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// A turn whose changes can be put back.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ChangedTurn {
    /// The turn.
    pub id: TurnId,
    /// The user that it acted for.
    pub user_id: UserId,
    /// How far it is.
    pub state: TurnStatus,
}

/// Returns the newest turn of a session that changed files.
pub async fn newest(tx: &mut Tx, session: SessionId) -> Result<Option<ChangedTurn>, StoreError> {
    query(sql!(
        "SELECT t.id, t.user_id, t.state FROM file_changes c JOIN turns t ON t.id = c.turn_id
         WHERE t.session_id = $1 AND c.undone_by IS NULL ORDER BY t.id DESC LIMIT 1"
    ))
    .bind(session)
    .fetch_optional(tx.connection())
    .await
}

/// A file in the columns of a table.
#[derive(Deserialize)]
pub(crate) struct FileRow {
    path: String,
    was: Option<String>,
    content: Option<Vec<u8>>,
    mode: Option<u32>,
    becomes: String,
    own: bool,
}

impl From<FileRow> for FileBefore {
    fn from(row: FileRow) -> Self {
        Self {
            path: row.path,
            was: row.was,
            content: row.content,
            mode: row.mode,
            becomes: row.becomes,
            own: row.own,
        }
    }
}

/// Returns what a turn changed and no undo settled, in its order.
pub async fn of_turn(readers: &Readers, turn: TurnId) -> Result<Vec<FileBefore>, StoreError> {
    let rows: Vec<FileRow> = query(sql!(
        "SELECT path, was, content, mode, becomes, own FROM file_changes
         WHERE turn_id = $1 AND undone_by IS NULL ORDER BY id"
    ))
    .bind(turn)
    .fetch_all(readers)
    .await?;
    Ok(rows.into_iter().map(FileBefore::from).collect())
}

/// Returns what a call changed, in its order.
pub async fn of_call(
    readers: &Readers,
    turn: TurnId,
    call: &CallId,
) -> Result<Vec<FileBefore>, StoreError> {
    let rows: Vec<FileRow> = query(sql!(
        "SELECT path, was, content, mode, becomes, own FROM file_changes
         WHERE turn_id = $1 AND call_id = $2 AND undone_by IS NULL ORDER BY id"
    ))
    .bind(turn)
    .bind(&call.0)
    .fetch_all(readers)
    .await?;
    Ok(rows.into_iter().map(FileBefore::from).collect())
}

/// A change of a file, and the call that made it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallChange {
    /// The turn of the call.
    pub turn: TurnId,
    /// The call.
    pub call: CallId,
    /// The file before it.
    pub before: FileBefore,
}

/// A row of [`CallChange`].
#[derive(Deserialize)]
struct CallChangeRow {
    turn_id: TurnId,
    call_id: String,
    path: String,
    was: Option<String>,
    content: Option<Vec<u8>>,
    mode: Option<u32>,
    becomes: String,
    own: bool,
}

/// A change of a file without its content, to tell how far back changes are read.
#[derive(Deserialize)]
struct ChangeSize {
    id: i64,
    turn_id: TurnId,
    call_id: String,
    bytes: i64,
}

/// How many changes of files are read at most, and how many bytes of what the files were: those of the
/// newest calls, each call whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChangeLimits {
    /// Changes of one file each.
    pub files: usize,
    /// Bytes.
    pub bytes: u64,
}

/// Returns what the newest calls of a session changed in a project and no undo settled, the oldest
/// first.
pub async fn in_project(
    readers: &Readers,
    session: SessionId,
    project: &str,
    limits: ChangeLimits,
) -> Result<Vec<CallChange>, StoreError> {
    let sizes: Vec<ChangeSize> = query(sql!(
        "SELECT c.id, c.turn_id, c.call_id, coalesce(length(c.content), 0) AS bytes
         FROM file_changes c JOIN turns t ON t.id = c.turn_id
         WHERE t.session_id = $1 AND t.project = $2 AND c.undone_by IS NULL
         ORDER BY c.id DESC LIMIT $3"
    ))
    .bind(session)
    .bind(project)
    // One more tells whether the oldest call is whole.
    .bind(limits.files as i64 + 1)
    .fetch_all(readers)
    .await?;
    let Some(oldest) = oldest_within(&sizes, limits) else {
        return Ok(Vec::new());
    };
    let rows: Vec<CallChangeRow> = query(sql!(
        "SELECT c.turn_id, c.call_id, c.path, c.was, c.content, c.mode, c.becomes, c.own
         FROM file_changes c JOIN turns t ON t.id = c.turn_id
         WHERE t.session_id = $1 AND t.project = $2 AND c.undone_by IS NULL AND c.id >= $3
         ORDER BY c.id"
    ))
    .bind(session)
    .bind(project)
    .bind(oldest)
    .fetch_all(readers)
    .await?;
    let change = |row: CallChangeRow| CallChange {
        turn: row.turn_id,
        call: CallId(row.call_id),
        before: FileBefore {
            path: row.path,
            was: row.was,
            content: row.content,
            mode: row.mode,
            becomes: row.becomes,
            own: row.own,
        },
    };
    Ok(rows.into_iter().map(change).collect())
}

/// Returns the first change of the oldest call that is within the limits with all newer ones.
fn oldest_within(newest_first: &[ChangeSize], limits: ChangeLimits) -> Option<i64> {
    let (mut files, mut bytes, mut oldest) = (0, 0_u64, None);
    let calls = newest_first
        .chunk_by(|one, other| (one.turn_id, &one.call_id) == (other.turn_id, &other.call_id));
    for call in calls {
        files += call.len();
        bytes += call.iter().map(|one| one.bytes.unsigned_abs()).sum::<u64>();
        if files > limits.files || bytes > limits.bytes {
            break;
        }
        oldest = call.last().map(|first| first.id);
    }
    oldest
}

/// Returns the changes that an undo settled, in their order.
pub async fn set_aside_by(readers: &Readers, undo: i64) -> Result<Vec<FileBefore>, StoreError> {
    let rows: Vec<FileRow> = query(sql!(
        "SELECT path, was, content, mode, becomes, own FROM file_changes
         WHERE undone_by = $1 ORDER BY id"
    ))
    .bind(undo)
    .fetch_all(readers)
    .await?;
    Ok(rows.into_iter().map(FileBefore::from).collect())
}

/// Sets aside what a turn changed in these files, for the redo of an undo.
pub async fn set_aside(tx: &mut Tx, undo: &UndoRow, paths: &[&str]) -> Result<(), StoreError> {
    query(sql!(
        sqlite: "UPDATE file_changes SET undone_by = $3
         WHERE turn_id = $1 AND undone_by IS NULL AND path IN (SELECT value FROM json_each($2))"
    ))
    .bind(undo.turn_id)
    .bind(serde_json::to_string(paths)?)
    .bind(undo.id)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Puts the changes that an undo had set aside in force again, but for those of these files.
pub async fn bring_back(tx: &mut Tx, undo: i64, but_for: &[&str]) -> Result<(), StoreError> {
    query(sql!(
        sqlite: "UPDATE file_changes SET undone_by = NULL
         WHERE undone_by = $1 AND path NOT IN (SELECT value FROM json_each($2))"
    ))
    .bind(undo)
    .bind(serde_json::to_string(but_for)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Lets go of the changes that an undo had set aside.
pub async fn forget_set_aside(tx: &mut Tx, undo: i64) -> Result<(), StoreError> {
    query(sql!("DELETE FROM file_changes WHERE undone_by = $1"))
        .bind(undo)
        .execute(tx.connection())
        .await?;
    Ok(())
}

/// Lets go of what a turn changed in these files and no undo settled.
pub async fn forget(tx: &mut Tx, turn: TurnId, paths: &[&str]) -> Result<(), StoreError> {
    query(sql!(
        sqlite: "DELETE FROM file_changes
         WHERE turn_id = $1 AND undone_by IS NULL AND path IN (SELECT value FROM json_each($2))"
    ))
    .bind(turn)
    .bind(serde_json::to_string(paths)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

named! {
    /// How far a wish to have changes put back is.
    pub enum UndoState {
        /// It is to be looked at.
        Wanted = "wanted",
        /// Its person is asked.
        Open = "open",
        /// They said yes.
        Confirmed = "confirmed",
        /// It was done, or given up.
        Over = "over",
        /// It is to be reversed.
        Redo = "redo",
    }
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
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
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
    /// How far it is.
    pub state: UndoState,
    /// Who wants it reversed, in the state [`UndoState::Redo`].
    pub redo_by: Option<UserId>,
    /// What the message about it says, in the same state.
    pub notice: Option<String>,
    /// The user that the turn acted for.
    pub turn_user: UserId,
    /// The project that the turn worked in.
    pub project: Option<String>,
    /// The session of the turn.
    pub session_id: SessionId,
    /// Its chat.
    pub chat_id: ChatId,
    /// Who may read and answer in it.
    #[serde(deserialize_with = "parsed")]
    pub chat_kind: ChatKind,
    /// The language of who wants it, or wants it reversed; else that of the chat.
    pub language: String,
}

const ROWS: &str = "
    SELECT u.id, u.turn_id, u.user_id, u.address, u.reply_to, u.state, u.redo_by, u.notice,
           t.user_id AS turn_user, t.project, t.session_id, c.id AS chat_id, c.kind AS chat_kind,
           coalesce((SELECT language FROM users WHERE id = coalesce(u.redo_by, u.user_id)),
                    c.language) AS language
    FROM undos u JOIN turns t ON t.id = u.turn_id JOIN sessions s ON s.id = t.session_id
         JOIN chats c ON c.id = s.chat_id";

/// Notes that somebody wants the changes of a turn put back.
pub async fn want(tx: &mut Tx, new: &NewUndo<'_>) -> Result<(), StoreError> {
    query(sql!(
        "INSERT INTO undos (id, turn_id, user_id, address, reply_to, state)
         VALUES ($1, $2, $3, $4, $5, 'wanted')"
    ))
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
    query(sql!(
        ROWS,
        " WHERE u.state IN ('wanted', 'confirmed', 'redo') ORDER BY u.id"
    ))
    .fetch_all(readers)
    .await
}

/// Returns a wish.
pub async fn wish(tx: &mut Tx, id: i64) -> Result<Option<UndoRow>, StoreError> {
    query(sql!(ROWS, " WHERE u.id = $1"))
        .bind(id)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the wishes about a turn that are not over.
pub async fn about(tx: &mut Tx, turn: TurnId) -> Result<Vec<UndoRow>, StoreError> {
    query(sql!(
        ROWS,
        " WHERE u.turn_id = $1 AND u.state <> 'over' ORDER BY u.id"
    ))
    .bind(turn)
    .fetch_all(tx.connection())
    .await
}

/// Moves a wish on from the state that it was found in; returns whether it was still in it.
pub async fn advance(tx: &mut Tx, undo: &UndoRow, state: UndoState) -> Result<bool, StoreError> {
    let advanced = query(sql!(
        "UPDATE undos SET state = $3 WHERE id = $1 AND state = $2"
    ))
    .bind(undo.id)
    .bind(undo.state)
    .bind(state)
    .execute(tx.connection())
    .await?;
    Ok(advanced == 1)
}

/// Notes that an undo is to be reversed; returns whether that is still possible.
pub async fn want_redo(
    tx: &mut Tx,
    id: i64,
    user: UserId,
    notice: &str,
) -> Result<bool, StoreError> {
    let wanted = query(sql!(
        "UPDATE undos SET state = 'redo', redo_by = $2, notice = $3
         WHERE id = $1 AND state = 'over'
           AND EXISTS (SELECT 1 FROM undone_files WHERE undo_id = $1)
           AND EXISTS (SELECT 1 FROM file_changes WHERE undone_by = $1)"
    ))
    .bind(id)
    .bind(user)
    .bind(notice)
    .execute(tx.connection())
    .await?;
    Ok(wanted == 1)
}

/// Ends the wish to reverse an undo; returns whether this call did.
pub async fn end_redo(tx: &mut Tx, id: i64) -> Result<bool, StoreError> {
    let ended = query(sql!(
        "UPDATE undos SET state = 'over', redo_by = NULL, notice = NULL
         WHERE id = $1 AND state = 'redo'"
    ))
    .bind(id)
    .execute(tx.connection())
    .await?;
    Ok(ended == 1)
}

/// Erases a person (`of_person`): what files were before their turns.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    of_person::run(
        tx,
        users,
        [sql!(
            "DELETE FROM file_changes WHERE turn_id IN
         (SELECT id FROM turns WHERE user_id IN (SELECT value FROM json_each($1)))"
        )],
    )
    .await
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::TurnId;

    use super::{ChangeLimits, ChangeSize, oldest_within};

    fn oldest(newest_first: &[(i64, &str, i64)], files: usize, bytes: u64) -> Option<i64> {
        let sizes = newest_first.iter().map(|(id, call, bytes)| ChangeSize {
            id: *id,
            turn_id: TurnId(1),
            call_id: (*call).to_owned(),
            bytes: *bytes,
        });
        let sizes: Vec<ChangeSize> = sizes.collect();
        oldest_within(&sizes, ChangeLimits { files, bytes })
    }

    #[test]
    fn the_newest_calls_are_read_each_whole() {
        let changes = [(5, "c", 10), (4, "b", 10), (3, "b", 10), (2, "a", 10)];
        assert_eq!(oldest(&changes, 4, 100), Some(2));
        assert_eq!(oldest(&changes, 3, 100), Some(3));
        assert_eq!(oldest(&changes, 2, 100), Some(5), "not half of a call");
        assert_eq!(oldest(&changes, 4, 30), Some(3));
        assert_eq!(oldest(&changes, 4, 5), None);
    }
}
