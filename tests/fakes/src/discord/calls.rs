//! One REST request of the bot, as it was read.

use std::time::Instant;

use serde_json::{Map, Value};

use crate::calls::Named;

/// One request of the bot, whatever came of it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The operation by its published id, as in `create_message`.
    pub method: String,
    /// The path below `/api/v10`.
    pub path: String,
    /// Path, query and body in one; a body that is a list is the field `body`.
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

    /// Returns an integer parameter; snowflakes, which are text on the wire, count as such.
    pub fn integer(&self, name: &str) -> Option<i64> {
        let value = self.params.get(name)?;
        value
            .as_i64()
            .or_else(|| value.as_str().and_then(|text| text.parse().ok()))
    }
}

impl Named for Call {
    fn name(&self) -> &str {
        &self.method
    }
}
