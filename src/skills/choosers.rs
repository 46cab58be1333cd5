//! Who has chosen nothing about skills: has switched none off, and has none approved in a workspace.
//! That is nearly everybody, and it is asked for at the beginning of every turn.
//!
//! It relies on this process being the only one that writes the database, and holds until a choice
//! is written (`Store::version`).

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sayso_core::transcript::Owner;

/// How many owners are kept at most. With more of them all are read again.
const MOST_KEPT: usize = 8192;

/// Owners who have chosen nothing.
#[derive(Debug, Default)]
pub(super) struct WithoutChoices {
    /// Held for one look or change; all turns that begin share it.
    known: Mutex<Known>,
}

#[derive(Debug, Default)]
struct Known {
    version: u64,
    owners: HashSet<Owner>,
}

impl WithoutChoices {
    /// Returns whether an owner is known to have chosen nothing, at this version of the store.
    pub(super) fn has(&self, version: u64, owner: Owner) -> bool {
        self.at(version).owners.contains(&owner)
    }

    /// Notes that an owner has chosen nothing. The version is of before that was read: a choice
    /// that was written meanwhile has another one.
    pub(super) fn note(&self, version: u64, owner: Owner) {
        let mut known = self.at(version);
        if known.owners.len() >= MOST_KEPT {
            known.owners.clear();
        }
        known.owners.insert(owner);
    }

    fn at(&self, version: u64) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version != version {
            *known = Known {
                version,
                owners: HashSet::new(),
            };
        }
        known
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{ChatId, Owner, UserId};

    use super::WithoutChoices;

    #[test]
    fn what_is_known_holds_for_its_version() {
        let (ann, group) = (Owner::User(UserId(1)), Owner::Chat(ChatId(1)));
        let known = WithoutChoices::default();
        known.note(7, ann);
        assert!(known.has(7, ann) && !known.has(7, group));
        assert!(!known.has(8, ann));
        // It does not come back with a version that was read before.
        assert!(!known.has(7, ann));
    }
}
