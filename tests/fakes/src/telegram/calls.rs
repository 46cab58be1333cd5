//! What the bot called: every request as it was read, and how many of each method.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

use serde_json::{Map, Value};

/// One call of the bot, whatever came of it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The method as called.
    pub method: String,
    /// Its parameters; forms are read into the types that the method's fields have.
    pub params: Map<String, Value>,
    /// When it arrived.
    pub at: Instant,
}

impl Call {
    /// Returns a text parameter, empty where there is none.
    pub fn text(&self, name: &str) -> &str {
        self.params
            .get(name)
            .and_then(Value::as_str)
            .unwrap_or_default()
    }

    /// Returns an integer parameter.
    pub fn integer(&self, name: &str) -> Option<i64> {
        self.params.get(name).and_then(Value::as_i64)
    }
}

/// All calls in the order of arrival.
#[derive(Debug, Default)]
pub(crate) struct Calls {
    all: Vec<Arc<Call>>,
    counts: HashMap<String, usize>,
}

impl Calls {
    pub(crate) fn record(&mut self, call: Arc<Call>) {
        // Looked up first: an owned key is needed only for the first call of a method.
        match self.counts.get_mut(&call.method) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(call.method.clone(), 1)),
        }
        self.all.push(call);
    }

    pub(crate) fn all(&self) -> &[Arc<Call>] {
        &self.all
    }

    pub(crate) fn count(&self, method: &str) -> usize {
        self.counts.get(method).copied().unwrap_or(0)
    }

    pub(crate) fn forget(&mut self) {
        self.all.clear();
        self.counts.clear();
    }
}
