//! How the server says no: code, description and parameters, in its own words.

use serde_json::{Value, json};

/// An answer with `"ok": false`.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) code: u16,
    pub(crate) description: String,
    pub(crate) parameters: Option<Value>,
    /// Whether no state of the world could have made the call right.
    pub(crate) is_violation: bool,
}

impl Refusal {
    pub(crate) fn new(code: u16, description: impl Into<String>) -> Self {
        Self {
            code,
            description: description.into(),
            parameters: None,
            is_violation: false,
        }
    }

    /// 400 for a call that was right in form, but not in the present state.
    pub(crate) fn bad_request(why: &str) -> Self {
        Self::new(400, format!("Bad Request: {why}"))
    }

    /// 400 for a call that can never be right; it goes on the list of violations.
    pub(crate) fn violation(why: impl AsRef<str>) -> Self {
        Self {
            is_violation: true,
            ..Self::bad_request(why.as_ref())
        }
    }

    pub(crate) fn forbidden(why: &str) -> Self {
        Self::new(403, format!("Forbidden: {why}"))
    }

    pub(crate) fn conflict(why: &str) -> Self {
        Self::new(409, format!("Conflict: {why}"))
    }

    /// 429: `seconds` must pass before the next try.
    pub(crate) fn too_many(seconds: u64) -> Self {
        Self {
            parameters: Some(json!({ "retry_after": seconds })),
            ..Self::new(429, format!("Too Many Requests: retry after {seconds}"))
        }
    }

    /// 400 for a group that lives on as the supergroup `new_id`.
    pub(crate) fn migrated(new_id: i64) -> Self {
        Self {
            parameters: Some(json!({ "migrate_to_chat_id": new_id })),
            ..Self::bad_request("group chat was upgraded to a supergroup chat")
        }
    }

    pub(crate) fn body(&self) -> Value {
        let mut body = json!({
            "ok": false,
            "error_code": self.code,
            "description": self.description,
        });
        if let Some(parameters) = &self.parameters {
            body["parameters"] = parameters.clone();
        }
        body
    }
}
