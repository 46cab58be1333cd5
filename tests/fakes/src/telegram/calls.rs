//! One call of the bot, as it was read.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::calls::Named;

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

impl Named for Call {
    fn name(&self) -> &str {
        &self.method
    }
}
