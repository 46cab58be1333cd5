//! What the bot called on a fake platform: every call as it was read, and how many of each kind.

use std::collections::HashMap;
use std::sync::Arc;

/// A call of either platform.
pub(crate) trait Named {
    /// Returns the method or operation that was called.
    fn name(&self) -> &str;
}

/// All calls in the order of arrival.
#[derive(Debug)]
pub(crate) struct Calls<C> {
    all: Vec<Arc<C>>,
    counts: HashMap<String, usize>,
}

impl<C> Default for Calls<C> {
    fn default() -> Self {
        Self {
            all: Vec::new(),
            counts: HashMap::new(),
        }
    }
}

impl<C: Named> Calls<C> {
    pub(crate) fn record(&mut self, call: Arc<C>) {
        // Looked up first: an owned key is needed only for the first call of a name.
        match self.counts.get_mut(call.name()) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(call.name().to_owned(), 1)),
        }
        self.all.push(call);
    }

    pub(crate) fn all(&self) -> &[Arc<C>] {
        &self.all
    }

    pub(crate) fn count(&self, name: &str) -> usize {
        self.counts.get(name).copied().unwrap_or(0)
    }

    pub(crate) fn forget(&mut self) {
        self.all.clear();
        self.counts.clear();
    }
}
