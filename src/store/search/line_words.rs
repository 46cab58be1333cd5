//! The index of the words of lines, as a whole: emptied when it is damaged, and filled again from
//! the lines, as that of memories is (`memory_words.rs`).

use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx};

/// What one look found.
#[derive(Debug, Default)]
pub struct Looked {
    /// The last line that was looked at; `None` behind the last of all.
    pub last: Option<i64>,
    /// Those that are missing.
    pub missing: Vec<i64>,
}

/// Looks at the next lines behind `after`, at most `limit`.
pub async fn unindexed(readers: &Readers, after: i64, limit: usize) -> Result<Looked, StoreError> {
    let rows: Vec<(i64, bool)> = query(sql!(
        sqlite: "SELECT l.id, d.id IS NULL FROM lines l LEFT JOIN line_words_docsize d ON d.id = l.id
         WHERE l.id > $1 ORDER BY l.id LIMIT $2"
    ))
    .bind(after)
    .bind(limit as i64)
    .fetch_all(readers)
    .await?;
    Ok(Looked {
        last: rows.last().map(|(id, _)| *id),
        missing: rows
            .into_iter()
            .filter_map(|(id, missing)| missing.then_some(id))
            .collect(),
    })
}

/// Looks through the index, and returns whether it is damaged.
pub async fn is_damaged(tx: &mut Tx) -> Result<bool, StoreError> {
    let looked = query(
        sql!(sqlite: "INSERT INTO line_words (line_words) VALUES ('integrity-check')"
        ),
    )
    .execute(tx.connection())
    .await;
    match looked {
        Err(StoreError::Corrupt(_)) => Ok(true),
        looked => looked.map(|_| false),
    }
}

/// Empties the index, whatever state it is in.
pub async fn clear(tx: &mut Tx) -> Result<(), StoreError> {
    query(
        sql!(sqlite: "INSERT INTO line_words (line_words) VALUES ('delete-all')"
        ),
    )
    .execute(tx.connection())
    .await?;
    Ok(())
}
