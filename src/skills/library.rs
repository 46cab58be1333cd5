//! The library: the skills of this instance, and which of them a person or a group uses.
//!
//! Whoever shows, chooses or loads skills for a turn asks here for the skills of its scope, so what is
//! switched off is nowhere: not in a catalogue, not in a guess, not behind the `skill` tool.

use std::collections::HashSet;
use std::sync::Arc;

use super::Skills;
use crate::store::{Store, StoreError, Tx, skills_off};
use crate::transcript::Owner;

/// The skills of this instance.
#[derive(Debug, Clone)]
pub struct Library {
    all: Arc<Skills>,
    /// Where choices are; none where there are none to make.
    store: Option<Store>,
}

impl Library {
    /// Returns the library of these skills; what is switched off is in the store.
    pub fn new(all: Skills, store: Store) -> Self {
        Self {
            all: Arc::new(all),
            store: Some(store),
        }
    }

    /// Returns a library in which nothing can be switched off.
    #[cfg(test)]
    pub fn without_choices(all: Skills) -> Self {
        Self {
            all: Arc::new(all),
            store: None,
        }
    }

    /// Returns all skills, also those that somebody has switched off.
    pub fn all(&self) -> &Skills {
        &self.all
    }

    /// Returns the skills that are used for a person, or for a group.
    pub async fn of(&self, owner: Owner) -> Result<Arc<Skills>, StoreError> {
        match &self.store {
            Some(store) => Ok(self.without(skills_off::of(store.reader(), owner).await?)),
            None => Ok(Arc::clone(&self.all)),
        }
    }

    /// Returns the same inside a transaction.
    pub async fn of_in(&self, tx: &mut Tx, owner: Owner) -> Result<Arc<Skills>, StoreError> {
        Ok(self.without(skills_off::of_in(tx, owner).await?))
    }

    fn without(&self, off: Vec<skills_off::SkillOff>) -> Arc<Skills> {
        if off.is_empty() {
            return Arc::clone(&self.all);
        }
        let off: HashSet<String> = off.into_iter().map(|off| off.name).collect();
        Arc::new(self.all.without(&off))
    }
}
