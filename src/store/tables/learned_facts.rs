//! The rows of `memories` as facts that change: one takes the place of others, goes with what it
//! replaced, or gives it back. Every query is keyed by owner first.

use sayso_core::transcript::{MemoryId, Owner, Taint, TurnId, UserId};
use serde::Deserialize;

use crate::memories::{MemoryToKeep, Span, Topic, delete_rows, keep_as};
use crate::owners::{Owners, owner_of};
use crate::sql;
use crate::sql::query;
use crate::{Readers, StoreError, Tx, new_id, now_ms};

/// A memory whose words matter to tombstones, too.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SaidRow {
    /// Its name.
    pub id: MemoryId,
    owner_kind: String,
    owner_id: i64,
    /// What it says.
    pub text: String,
    topic: Option<Topic>,
    /// The turn that it comes from.
    #[serde(rename = "turn_id")]
    pub turn: TurnId,
    /// The user of the turn that it comes from.
    #[serde(rename = "by_user")]
    pub by: Option<UserId>,
}

impl SaidRow {
    /// Returns the account or group that it belongs to.
    pub fn owner(&self) -> Owner {
        owner_of(&self.owner_kind, self.owner_id)
    }
}

/// What is selected of `memories m` and its turns `t` for a [`SaidRow`].
macro_rules! said_columns {
    () => {
        "m.id, m.owner_kind, m.owner_id, m.text, m.topic, m.turn_id, t.user_id AS by_user"
    };
}

const NAMED: &str = concat!(
    "SELECT ",
    said_columns!(),
    " FROM memories m LEFT JOIN turns t ON t.id = m.turn_id
    WHERE m.id = $3 AND +m.owner_kind = $1 AND +m.owner_id IN (SELECT value FROM json_each($2))
      AND ($4 OR +m.superseded_by IS NULL)"
);

const SAYING: &str = concat!(
    "SELECT ",
    said_columns!(),
    " FROM memories m LEFT JOIN turns t ON t.id = m.turn_id
    WHERE m.owner_kind = $1 AND m.owner_id IN (SELECT value FROM json_each($2))
      AND m.text = $3 AND m.superseded_by IS NULL"
);

/// What two accounts of a person both remember goes from both, and so does what it superseded.
const WITH_THE_PAST: &str = concat!(
    "WITH RECURSIVE
    named (id, text, superseded_by) AS (
        SELECT id, text, superseded_by FROM memories
        WHERE id = $3 AND +owner_kind = $1 AND +owner_id IN (SELECT value FROM json_each($2))),
    gone (id) AS (
        SELECT id FROM named
        UNION
        SELECT o.id FROM named JOIN memories o ON o.owner_kind = $1
            AND o.owner_id IN (SELECT value FROM json_each($2))
            AND o.text = named.text AND o.superseded_by IS NULL
        UNION
        SELECT o.id FROM named JOIN memories o ON o.superseded_by = named.superseded_by
            AND +o.text = named.text
        UNION
        SELECT m.id FROM gone JOIN memories m ON m.superseded_by = gone.id)
    SELECT ",
    said_columns!(),
    " FROM gone CROSS JOIN memories m LEFT JOIN turns t ON t.id = m.turn_id
    WHERE m.id = gone.id AND +m.owner_kind = $1 AND +m.owner_id IN (SELECT value FROM json_each($2))
    ORDER BY m.id"
);

/// What a memory superseded and what was said again meanwhile: the row of that stands already.
const SAID_AGAIN: &str = "
    SELECT o.id FROM memories o
    WHERE o.superseded_by = $3
      AND +o.owner_kind = $1 AND +o.owner_id IN (SELECT value FROM json_each($2))
      AND EXISTS (SELECT 1 FROM memories c
                  WHERE c.owner_kind = o.owner_kind AND c.owner_id = o.owner_id
                    AND c.text = o.text AND c.id <> $3 AND c.superseded_by IS NULL)";

const SUPERSEDE: &str = "
    UPDATE memories SET superseded_by = $3, superseded_ms = $4
    WHERE owner_kind = $1 AND owner_id IN (SELECT value FROM json_each($2))
      AND text IN ($5, $6) AND superseded_by IS NULL";

/// Returns the memory of this name if it belongs to the owner and nothing took its place.
pub async fn current(
    tx: &mut Tx,
    owner: Owner,
    memory: MemoryId,
) -> Result<Option<SaidRow>, StoreError> {
    named(tx, owner, memory, Span::Now).await
}

async fn named(
    tx: &mut Tx,
    owner: Owner,
    memory: MemoryId,
    span: Span,
) -> Result<Option<SaidRow>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    query(sql!(NAMED))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(memory)
        .bind(span == Span::Ever)
        .fetch_optional(tx.connection())
        .await
}

/// Returns the memory that says exactly this, of this account before those of others of the person.
pub async fn saying(tx: &mut Tx, owner: Owner, text: &str) -> Result<Option<SaidRow>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let mut rows: Vec<SaidRow> = query(sql!(SAYING))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(text)
        .fetch_all(tx.connection())
        .await?;
    rows.sort_by_key(|row| (row.owner() != owner, row.id));
    Ok(rows.into_iter().next())
}

/// Returns whether anything that an owner remembers begins with exactly this. The range is one of
/// an index; behind the greatest letter nothing is left out.
pub async fn any_begins_with(
    tx: &mut Tx,
    owner: Owner,
    beginning: &str,
) -> Result<bool, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    query(sql!(
        "SELECT EXISTS (
             SELECT 1 FROM memories
             WHERE owner_kind = $1 AND owner_id IN (SELECT value FROM json_each($2))
               AND superseded_by IS NULL AND text >= $3 AND text < $3 || $4)"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(beginning)
    .bind(char::MAX.to_string())
    .fetch_one(tx.connection())
    .await
}

/// Keeps a memory in the place of another one, which stays with the time until when it held, and so
/// does an equal text. Returns the id of the new one.
pub async fn supersede(
    tx: &mut Tx,
    owner: Owner,
    old: &SaidRow,
    new: &MemoryToKeep,
) -> Result<MemoryId, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let id = MemoryId(new_id());
    let mut new = new.clone();
    if !new.taint.is_empty() && is_said_without_taint(tx, &owners, &new.text).await? {
        new.taint = Taint::default();
    }
    if let Some(fact) = &mut new.fact {
        fact.topic = fact.topic.or(old.topic);
    }
    query(sql!(SUPERSEDE))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(id)
        .bind(now_ms())
        .bind(&old.text)
        .bind(&new.text)
        .execute(tx.connection())
        .await?;
    keep_as(tx, owner, id, &new).await
}

/// Returns whether a text was once written with no untrusted text in view.
async fn is_said_without_taint(
    tx: &mut Tx,
    owners: &Owners,
    text: &str,
) -> Result<bool, StoreError> {
    query(sql!(
        "SELECT EXISTS (SELECT 1 FROM memories
                        WHERE owner_kind = $1 AND owner_id IN (SELECT value FROM json_each($2))
                          AND text = $3 AND superseded_by IS NULL AND taint IS NULL)"
    ))
    .bind(owners.kind)
    .bind(owners.as_json()?)
    .bind(text)
    .fetch_one(tx.connection())
    .await
}

/// Deletes a memory, and what it had superseded holds again: until it is superseded by what took
/// the place of the deleted one, if something did. Returns the deleted row; `None`: there was none.
pub async fn take_back(
    tx: &mut Tx,
    owner: Owner,
    memory: MemoryId,
) -> Result<Option<SaidRow>, StoreError> {
    let gone = named(tx, owner, memory, Span::Ever).await?;
    let Some(gone) = gone else { return Ok(None) };
    // Of a person whose accounts were parted since, only what is still theirs holds again.
    let owners = Owners::of(tx.connection(), owner).await?;
    let ids = owners.as_json()?;
    let next: (Option<MemoryId>, Option<i64>) = query(sql!(
        "SELECT superseded_by, superseded_ms FROM memories WHERE id = $1"
    ))
    .bind(memory)
    .fetch_one(tx.connection())
    .await?;
    if next.0.is_none() {
        let doubled: Vec<MemoryId> = query(sql!(SAID_AGAIN))
            .bind(owners.kind)
            .bind(&ids)
            .bind(memory)
            .fetch_all(tx.connection())
            .await?;
        delete_rows(tx, &doubled).await?;
    }
    delete_rows(tx, &[memory]).await?;
    query(sql!(
        "UPDATE memories SET superseded_by = $4, superseded_ms = $5
         WHERE superseded_by = $3
           AND +owner_kind = $1 AND +owner_id IN (SELECT value FROM json_each($2))"
    ))
    .bind(owners.kind)
    .bind(&ids)
    .bind(memory)
    .bind(next.0)
    .bind(next.1)
    .execute(tx.connection())
    .await?;
    Ok(Some(gone))
}

/// Deletes a memory with everything that it superseded, and returns what is gone.
pub async fn delete_with_the_past(
    tx: &mut Tx,
    owner: Owner,
    memory: MemoryId,
) -> Result<Vec<SaidRow>, StoreError> {
    let owners = Owners::of(tx.connection(), owner).await?;
    let gone: Vec<SaidRow> = query(sql!(WITH_THE_PAST))
        .bind(owners.kind)
        .bind(owners.as_json()?)
        .bind(memory)
        .fetch_all(tx.connection())
        .await?;
    let ids: Vec<_> = gone.iter().map(|row| row.id).collect();
    delete_rows(tx, &ids).await?;
    Ok(gone)
}

/// Returns the turns that a memory comes from: the several of a summary that was merged.
pub async fn turns_of(tx: &mut Tx, memory: &SaidRow) -> Result<Vec<TurnId>, StoreError> {
    let mut turns: Vec<TurnId> = query(sql!("SELECT id FROM turns WHERE episode_id = $1"))
        .bind(memory.id)
        .fetch_all(tx.connection())
        .await?;
    if turns.is_empty() {
        turns.push(memory.turn);
    }
    Ok(turns)
}

/// What outlived its time: what was last said before these, in milliseconds since 1970.
#[derive(Debug, Clone, Copy)]
pub struct Expired {
    /// Episodes.
    pub episodes_ms: Option<i64>,
    /// Facts that were learned.
    pub learned_ms: Option<i64>,
    /// Facts that a person stated.
    pub told_ms: Option<i64>,
    /// Learned facts that were never recalled and are not sure.
    pub faded_ms: Option<i64>,
    /// Below this many percent a fact is not sure.
    pub unsure_below: u8,
}

/// A time that is NULL is before nothing.
macro_rules! is_outlived {
    () => {
        "((kind = 'episode' AND touched_ms < $1)
          OR (source = 'learned' AND touched_ms < $2)
          OR (source = 'told' AND touched_ms < $3)
          OR (source = 'learned' AND touched_ms < $4 AND recalls = 0 AND confidence < $5))"
    };
}

/// Returns expired memories of all owners. For the retention sweep only.
pub async fn expired(
    readers: &Readers,
    than: Expired,
    limit: usize,
) -> Result<Vec<MemoryId>, StoreError> {
    query(sql!(concat!(
        "SELECT id FROM memories WHERE ",
        is_outlived!(),
        " LIMIT $6"
    )))
    .bind(than.episodes_ms)
    .bind(than.learned_ms)
    .bind(than.told_ms)
    .bind(than.faded_ms)
    .bind(than.unsure_below)
    .bind(limit as i64)
    .fetch_all(readers)
    .await
}

/// Deletes those of these memories that still outlived their time, and returns how many.
pub async fn delete_expired(
    tx: &mut Tx,
    than: Expired,
    memories: &[MemoryId],
) -> Result<usize, StoreError> {
    let still: Vec<MemoryId> = query(sql!(concat!(
        "SELECT id FROM memories WHERE id IN (SELECT value FROM json_each($6)) AND ",
        is_outlived!()
    )))
    .bind(than.episodes_ms)
    .bind(than.learned_ms)
    .bind(than.told_ms)
    .bind(than.faded_ms)
    .bind(than.unsure_below)
    .bind(serde_json::to_string(memories)?)
    .fetch_all(tx.connection())
    .await?;
    delete_rows(tx, &still).await?;
    Ok(still.len())
}

#[cfg(test)]
mod tests {
    use super::{NAMED, SAID_AGAIN, SAYING, SUPERSEDE, WITH_THE_PAST};
    use crate::{Store, query_plans};

    #[tokio::test]
    async fn no_query_looks_at_every_memory() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::open(&directory.path().join("sayso.db"))
            .await
            .unwrap();
        for query in [NAMED, SAYING, SAID_AGAIN, SUPERSEDE, WITH_THE_PAST] {
            let steps = query_plans::plan(store.reader(), query).await;
            let whole = ["SCAN m", "SCAN o", "SCAN memories"];
            let reads_all = |step: &String| whole.iter().any(|start| step.starts_with(start));
            assert!(!steps.iter().any(reads_all), "{query}\n{steps:#?}");
        }
    }
}
