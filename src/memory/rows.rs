//! Rows of memories as what is ranked, and as what is recalled.

use sayso_store::memories::{Candidates, MemoryRow};

use super::learned_facts::weight;
use super::rank::{Entry, Said, Statistics};
use super::{MemoryKind, Recalled, Speaker};

/// Returns what is known of all memories of the owner.
pub(super) fn statistics(found: &Candidates) -> Statistics {
    Statistics {
        entries: found.owned,
        holding: found.held.clone(),
        ..Statistics::default()
    }
}

/// Returns from when to when a fact holds; what else is remembered is of the moment of its saying.
fn holds(row: &MemoryRow) -> Option<(i64, i64)> {
    (row.kind == MemoryKind::Fact).then(|| {
        let from = row.valid_from_ms.unwrap_or(row.created_ms);
        (from, row.valid_until_ms.unwrap_or(i64::MAX))
    })
}

/// What is no line was said in no stretch: it stands for itself.
pub(super) fn entry(row: &MemoryRow) -> Entry<'_> {
    Entry {
        text: &row.text,
        at_ms: row.touched_ms,
        kind: row.kind,
        said: row.said.as_ref().map(|said| Said {
            stretch: said.stretch,
            place: said.place,
            speaker: &said.speaker,
        }),
        holds: holds(row),
        importance: importance(row),
    }
}

/// Returns a row in the form in which it is recalled.
pub(super) fn recalled(row: MemoryRow) -> Recalled {
    Recalled {
        id: row.id,
        kind: row.kind,
        text: row.text,
        at_ms: row.touched_ms,
        by: row.by,
        taint: row.taint.0,
        topic: row.topic,
        source: row.source,
        confidence: row.confidence,
        valid_from_ms: row.valid_from_ms,
        valid_until_ms: row.valid_until_ms,
        speaker: row.said.map(|said| match (said.is_answer, said.in_group) {
            (true, _) => Speaker::Agent,
            (false, true) => Speaker::Member,
            (false, false) => Speaker::User,
        }),
    }
}

/// Returns how much it counts that it is a fact: what is less sure, less.
fn importance(row: &MemoryRow) -> f64 {
    f64::from(row.confidence) / 100.0 * row.topic.map_or(1.0, weight)
}
