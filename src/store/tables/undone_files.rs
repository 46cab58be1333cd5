//! What files were before an undo put them back, for its redo.

use sayso_core::transcript::FileBefore;

use crate::file_changes::{FileRow, UndoRow};
use crate::of_person;
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// Keeps what files are before an undo puts them back; returns whether it is still to be done.
///
/// A file of which the same is kept stays as it was kept: the undo is done again after a kill.
pub async fn keep(tx: &mut Tx, undo: &UndoRow, files: &[FileBefore]) -> Result<bool, StoreError> {
    let is_due: bool = query(sql!(
        "SELECT EXISTS (SELECT 1 FROM undos WHERE id = $1 AND state = $2)"
    ))
    .bind(undo.id)
    .bind(undo.state)
    .fetch_one(tx.connection())
    .await?;
    if !is_due {
        return Ok(false);
    }
    for file in files {
        query(sql!(
            "INSERT INTO undone_files (undo_id, path, was, content, mode, own)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (undo_id, path) DO UPDATE
             SET was = excluded.was, content = excluded.content, mode = excluded.mode,
                 own = excluded.own
             WHERE undone_files.was IS DISTINCT FROM excluded.was"
        ))
        .bind(undo.id)
        .bind(&file.path)
        .bind(&file.was)
        .bind(&file.content)
        .bind(file.mode)
        .bind(file.own)
        .execute(tx.connection())
        .await?;
    }
    Ok(true)
}

/// Returns what is kept for the redo of an undo, by path. What the undo left of them is not in it:
/// the changes that it set aside say what was before them.
pub async fn of(readers: &Readers, undo: i64) -> Result<Vec<FileBefore>, StoreError> {
    let rows: Vec<FileRow> = query(sql!(
        "SELECT path, was, content, mode, '' AS becomes, own FROM undone_files
         WHERE undo_id = $1 ORDER BY path"
    ))
    .bind(undo)
    .fetch_all(readers)
    .await?;
    Ok(rows.into_iter().map(FileBefore::from).collect())
}

/// Lets go of what is kept for the redo of an undo, but for these files.
pub async fn drop_but(tx: &mut Tx, undo: i64, paths: &[&str]) -> Result<(), StoreError> {
    query(sql!(
        sqlite: "DELETE FROM undone_files
         WHERE undo_id = $1 AND path NOT IN (SELECT value FROM json_each($2))"
    ))
    .bind(undo)
    .bind(serde_json::to_string(paths)?)
    .execute(tx.connection())
    .await?;
    Ok(())
}

/// Erases a person (`of_person`): their undos, with the changes that these set aside, and what they can
/// redo.
pub(crate) async fn erase(tx: &mut Tx, users: &str) -> Result<(), StoreError> {
    let statements = [
        sql!(
            "DELETE FROM undone_files WHERE undo_id IN
             (SELECT u.id FROM undos u JOIN turns t ON t.id = u.turn_id
              WHERE t.user_id IN (SELECT value FROM json_each($1)))"
        ),
        sql!(
            "DELETE FROM undos WHERE user_id IN (SELECT value FROM json_each($1))
             OR redo_by IN (SELECT value FROM json_each($1))"
        ),
    ];
    of_person::run(tx, users, statements).await
}
