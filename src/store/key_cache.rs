//! The keys of what was forgotten, as this process knows them: they are asked for with each line and
//! each summary that is kept, and most owners have none.
//!
//! It belongs to the one writer and holds for one version of its transactions (`Tx::version`). What
//! writes a key, links users or parts them outdates it (`Tx::outdates_caches`).

use std::collections::HashMap;

use sayso_core::transcript::Owner;

/// How many owners are kept at most. With more of them all are read again.
const MOST_KEPT: usize = 1024;

/// The keys of an owner: of each account of a person that has one, or of the group.
pub(crate) type Keys = Vec<(Owner, Vec<u8>)>;

/// The cache of one writer. It shows nothing of the keys.
#[derive(Default)]
pub(crate) struct KeyCache {
    /// The version of the transactions for which this holds.
    version: u64,
    by_owner: HashMap<Owner, Keys>,
}

impl std::fmt::Debug for KeyCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KeyCache").finish_non_exhaustive()
    }
}

impl KeyCache {
    /// Returns the keys of an owner, where they were read in this version.
    pub(crate) fn of(&self, version: u64, owner: Owner) -> Option<Keys> {
        let is_same = self.version == version;
        self.by_owner.get(&owner).filter(|_| is_same).cloned()
    }

    /// Notes keys that were read in this version.
    pub(crate) fn note(&mut self, version: u64, owner: Owner, keys: Keys) {
        if self.version != version || self.by_owner.len() >= MOST_KEPT {
            self.by_owner.clear();
            self.version = version;
        }
        self.by_owner.insert(owner, keys);
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{Owner, UserId};

    use super::KeyCache;

    #[test]
    fn keys_of_another_version_are_not_known() {
        let (owner, other) = (Owner::User(UserId(1)), Owner::User(UserId(2)));
        let mut cache = KeyCache::default();
        assert_eq!(cache.of(0, owner), None);
        cache.note(0, owner, vec![(owner, vec![7])]);
        assert_eq!(cache.of(0, owner), Some(vec![(owner, vec![7])]));
        assert_eq!((cache.of(1, owner), cache.of(0, other)), (None, None));
        cache.note(1, other, Vec::new());
        assert_eq!(
            (cache.of(1, owner), cache.of(1, other)),
            (None, Some(vec![]))
        );
    }
}
