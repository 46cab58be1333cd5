//! Putting an entry into the vault: its name and all its passages in one transaction.

use std::collections::HashSet;

use sayso_core::transcript::{Owner, Taint, TurnId};
use sayso_store::memories::MemoryKind;
use sayso_store::memories::{self, FactToKeep, MemoryToKeep};
use sayso_store::{StoreError, Tx, learned_facts};

use super::bigrams::index_words;
use super::tombstones;

/// Where entries are, in the words of a memory.
pub(super) const PLACE: &str = "vault/";
/// How many entries of one name there are at most.
pub(super) const SAME_NAME: usize = 50;

/// An entry on its way into the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// Its name, unless that is taken; letters, digits and `-`.
    pub name: String,
    /// Its passages, each with what stands above it.
    pub passages: Vec<(String, String)>,
    /// The turn that it comes from.
    pub turn: TurnId,
    /// Where the untrusted text came from that the turn had in view.
    pub taint: Taint,
}

/// An entry of the vault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filed {
    /// The name that it got.
    pub name: String,
    /// How many passages were written.
    pub passages: usize,
}

impl NewEntry {
    /// Returns the text under which a passage is remembered.
    fn written(name: &str, above: &str, text: &str) -> String {
        format!("{PLACE}{name}, {above}: {text}")
    }
}

/// Keeps an entry whole, under a name that no other entry of the owner has; `None` when all names
/// are taken. No passage is compared with anything: a text that is nearly another one is not that
/// one.
pub(super) async fn file(
    tx: &mut Tx,
    owner: Owner,
    entry: &NewEntry,
) -> Result<Option<Filed>, StoreError> {
    let Some(name) = free_name(tx, owner, &entry.name).await? else {
        return Ok(None);
    };
    let mut written = HashSet::new();
    for (above, text) in &entry.passages {
        let text = NewEntry::written(&name, above, text);
        tombstones::lift(tx, owner, &text).await?;
        let memory = MemoryToKeep {
            kind: MemoryKind::Fact,
            words: index_words(&text),
            text,
            turn: entry.turn,
            taint: entry.taint.clone(),
            fact: Some(FactToKeep::TOLD),
        };
        written.insert(memories::keep(tx, owner, &memory).await?);
    }
    let passages = written.len();
    Ok(Some(Filed { name, passages }))
}

async fn free_name(tx: &mut Tx, owner: Owner, name: &str) -> Result<Option<String>, StoreError> {
    for number in 1..=SAME_NAME {
        let candidate = match number {
            1 => format!("{name}.md"),
            _ => format!("{name}-{number}.md"),
        };
        // The comma ends the name: `tea.md` is not `tea.md.old`.
        if !learned_facts::any_begins_with(tx, owner, &format!("{PLACE}{candidate},")).await? {
            return Ok(Some(candidate));
        }
    }
    Ok(None)
}
