//! Which users are one person, as far as this process has read it: asked by each search of the
//! memory and of the transcript, and hardly ever changed.
//!
//! It relies on this process being the only one that writes the database. What joins accounts, or
//! parts them, outdates it (`Tx::outdates_caches`) before its commit is known to any caller.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sayso_core::transcript::UserId;

use crate::owners::Owners;

/// How many users are kept at most. With more of them all are read again.
const MOST_KEPT: usize = 8192;

/// The users of persons. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Persons {
    /// Held for one look or change; all readers share it.
    known: Arc<Mutex<Known>>,
}

#[derive(Debug, Default)]
struct Known {
    version: u64,
    of_user: HashMap<UserId, Owners>,
}

impl Persons {
    /// Returns whose rows a user may read, where that is known at this version of the store.
    pub(crate) fn of(&self, version: u64, user: UserId) -> Option<Owners> {
        self.at(version).of_user.get(&user).cloned()
    }

    /// Notes it. The version is of before it was read.
    pub(crate) fn note(&self, version: u64, user: UserId, owners: Owners) {
        let mut known = self.at(version);
        if known.of_user.len() >= MOST_KEPT {
            known.of_user.clear();
        }
        known.of_user.insert(user, owners);
    }

    fn at(&self, version: u64) -> MutexGuard<'_, Known> {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.version != version {
            *known = Known {
                version,
                of_user: HashMap::new(),
            };
        }
        known
    }
}
