//! Facts: what is known of them beside their text, and what becomes of one that is learned.

use sayso_core::transcript::{MemoryId, Owner, Taint, TurnId};
use sayso_store::learned_facts::{self, SaidRow};
use sayso_store::memories::{self, FactToKeep, MemoryKind, MemoryToKeep};
pub use sayso_store::memories::{FactSource as Source, Topic};
use sayso_store::{StoreError, Tx, turns};
use serde::{Deserialize, Serialize};

use super::bigrams::index_words;
use super::suppression::{unsay, unsay_lines};
use super::tombstones;

/// A fact to remember.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFact {
    /// The text, 1-2000 characters.
    pub text: String,
    /// What it is about.
    pub topic: Option<Topic>,
    /// How sure it is, in percent, 1-100.
    pub confidence: u8,
    /// Where it comes from.
    pub source: Source,
    /// The turn that it comes from.
    pub turn: TurnId,
    /// Where the untrusted text came from that the turn had in view.
    pub taint: Taint,
    /// Since when it holds; `None`: since it was first said.
    pub valid_from_ms: Option<i64>,
    /// Until when it holds; `None`: it holds on.
    pub valid_until_ms: Option<i64>,
    /// The fact that it changes.
    pub replaces: Option<MemoryId>,
}

/// What became of a fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Learned {
    /// It was known; there is nothing to take back.
    Same(MemoryId),
    /// It took the place of another one.
    Replaced {
        /// The fact.
        new: MemoryId,
        /// What it changed.
        old: MemoryId,
    },
    /// It is new.
    New(MemoryId),
    /// Nothing was written: it had been forgotten.
    Suppressed,
    /// Nothing was written: the owner has no such fact to change.
    Missing(MemoryId),
}

/// Returns what a fact about it counts beside one of which nothing is known: who somebody is stays, a
/// project comes to an end.
pub(super) fn weight(topic: Topic) -> f64 {
    match topic {
        Topic::Preference | Topic::Profile | Topic::Relation => 1.0,
        Topic::Procedure => 0.9,
        Topic::Project => 0.8,
    }
}

impl NewFact {
    /// The confidence of what somebody said himself, in percent.
    pub const SURE: u8 = 100;
}

impl From<&NewFact> for FactToKeep {
    fn from(new: &NewFact) -> Self {
        Self {
            source: new.source,
            topic: new.topic,
            confidence: new.confidence,
            valid_from_ms: new.valid_from_ms,
            valid_until_ms: new.valid_until_ms,
        }
    }
}

/// A fact on its way in, and what is known of what is there.
#[derive(Debug, Clone)]
pub(crate) struct Arriving {
    /// The fact.
    pub new: MemoryToKeep,
    /// Whether a tombstone keeps it out, or is lifted by it.
    pub is_learned: bool,
    /// What it changes.
    pub replaces: Option<MemoryId>,
    /// A memory that says the same in another spelling.
    pub alike: Option<MemoryId>,
}

impl Arriving {
    /// Returns a fact on its way in; the text must be one that may be remembered.
    pub(crate) fn of(new: &NewFact, alike: Option<MemoryId>) -> Self {
        let text = new.text.trim();
        Self {
            new: MemoryToKeep {
                kind: MemoryKind::Fact,
                text: text.to_owned(),
                words: index_words(text),
                turn: new.turn,
                taint: new.taint.clone(),
                fact: Some(FactToKeep::from(new)),
            },
            is_learned: new.source == Source::Learned,
            replaces: new.replaces,
            alike,
        }
    }
}

/// Remembers a fact within the caller's transaction. The caller must call
/// [`Memory::note_written`](super::Memory::note_written) after the commit.
pub async fn learn_in(tx: &mut Tx, owner: Owner, new: &NewFact) -> Result<Learned, StoreError> {
    learn(tx, owner, &Arriving::of(new, None)).await
}

/// Remembers a fact, in one transaction.
pub(crate) async fn learn(
    tx: &mut Tx,
    owner: Owner,
    arriving: &Arriving,
) -> Result<Learned, StoreError> {
    let new = &arriving.new;
    let old = match arriving.replaces {
        None => None,
        Some(id) => match learned_facts::current(tx, owner, id).await? {
            None => return Ok(Learned::Missing(id)),
            old => old,
        },
    };
    if !arriving.is_learned {
        tombstones::lift(tx, owner, &new.text).await?;
    }
    if let Some(same) = same(tx, owner, arriving, old.as_ref()).await? {
        let touched = MemoryToKeep {
            text: same.text.clone(),
            ..new.clone()
        };
        let id = memories::keep(tx, same.owner(), &touched).await?;
        return Ok(Learned::Same(id));
    }
    if arriving.is_learned && is_forgotten(tx, owner, new).await? {
        return Ok(Learned::Suppressed);
    }
    match old {
        Some(old) => {
            let new = learned_facts::supersede(tx, owner, &old, new).await?;
            Ok(Learned::Replaced { new, old: old.id })
        }
        None => memories::keep(tx, owner, new).await.map(Learned::New),
    }
}

/// Returns whether what is learned is forgotten, or something that was said where it comes from.
async fn is_forgotten(tx: &mut Tx, owner: Owner, new: &MemoryToKeep) -> Result<bool, StoreError> {
    Ok(turns::is_forgotten(tx, new.turn).await?
        || tombstones::is_buried(tx, owner, &new.text).await?)
}

/// Returns what is there and says the same. What is to be changed is compared with nothing else: an
/// equal text gives way to the new one together with it.
async fn same(
    tx: &mut Tx,
    owner: Owner,
    arriving: &Arriving,
    old: Option<&SaidRow>,
) -> Result<Option<SaidRow>, StoreError> {
    if let Some(old) = old {
        return Ok((old.text == arriving.new.text).then(|| old.clone()));
    }
    if let Some(row) = learned_facts::saying(tx, owner, &arriving.new.text).await? {
        return Ok(Some(row));
    }
    match arriving.alike {
        None => Ok(None),
        Some(id) => learned_facts::current(tx, owner, id).await,
    }
}

/// Takes a learning back, in one transaction.
pub async fn undo(tx: &mut Tx, owner: Owner, learned: &Learned) -> Result<bool, StoreError> {
    let id = match learned {
        Learned::New(id) | Learned::Replaced { new: id, .. } => *id,
        Learned::Same(_) | Learned::Suppressed | Learned::Missing(_) => return Ok(false),
    };
    let gone = learned_facts::take_back(tx, owner, id).await?;
    if let Some(gone) = &gone {
        bury(tx, owner, gone).await?;
    }
    Ok(gone.is_some())
}

/// Has what a deleted memory said come back in no way.
async fn bury(tx: &mut Tx, owner: Owner, gone: &SaidRow) -> Result<(), StoreError> {
    tombstones::bury(tx, gone).await?;
    unsay(tx, owner, gone).await
}

/// Deletes memories with what they superseded, and has what was said that says the same found no
/// more, in one transaction; lines go by their ids. Returns how many were there.
pub(crate) async fn forget(tx: &mut Tx, owner: Owner, ids: &[MemoryId]) -> Result<u64, StoreError> {
    let mut forgotten = unsay_lines(tx, owner, ids).await?;
    for id in ids {
        let gone = learned_facts::delete_with_the_past(tx, owner, *id).await?;
        for row in &gone {
            bury(tx, owner, row).await?;
        }
        forgotten += u64::from(!gone.is_empty());
    }
    Ok(forgotten)
}

#[cfg(test)]
#[path = "learned_facts_tests.rs"]
mod tests;
