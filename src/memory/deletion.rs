//! Finding the memories that a request to forget may mean, and forgetting them within one
//! transaction of the caller.

use sayso_core::transcript::{MemoryId, Owner};
use sayso_store::memories::{self, MemoryRow, Span};
use sayso_store::word_index::SearchTerms;
use sayso_store::{StoreError, Tx};

use super::learned_facts;
use super::query_time::asked;
use super::rank::{rank, worth};
use super::rows::{entry, statistics};

/// Returns the memories that hold at least half of the words of a text, also those that hold no
/// longer; best first.
pub async fn meant(tx: &mut Tx, owner: Owner, text: &str) -> Result<Vec<MemoryRow>, StoreError> {
    let asked = asked(text);
    let worth = worth(&asked);
    let search = SearchTerms {
        terms: asked.searches(),
        word_of: &|_| None,
        worth: &worth,
    };
    let found = memories::candidates_within(tx, owner, search, Span::Ever).await?;
    let entries: Vec<_> = found.rows.iter().map(entry).collect();
    let order = rank(&asked, &statistics(&found), &entries);
    let rows = order.into_iter().filter_map(|place| found.rows.get(place));
    Ok(rows
        .filter(|row| asked.is_half_in(&row.text))
        .cloned()
        .collect())
}

/// Deletes memories with what they superseded; returns how many were there. What they said is not
/// learned again.
pub async fn forget(tx: &mut Tx, owner: Owner, ids: &[MemoryId]) -> Result<u64, StoreError> {
    learned_facts::forget(tx, owner, ids).await
}
