//! How Discord says no: status, code and words, in its own form.

use serde_json::{Value, json};

/// An answer with an error code of Discord.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) status: u16,
    pub(crate) code: i64,
    pub(crate) message: String,
    /// What is wrong with the form, by field.
    pub(crate) errors: Option<Value>,
    /// Whether no state of the world could have made the request right.
    pub(crate) is_violation: bool,
}

impl Refusal {
    pub(crate) fn new(status: u16, code: i64, message: impl Into<String>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            errors: None,
            is_violation: false,
        }
    }

    /// 400 with code 50035 for a form whose `field` can never be right; it goes on the list of violations.
    pub(crate) fn form(field: &str, why: impl AsRef<str>) -> Self {
        Self {
            is_violation: true,
            ..Self::form_now(field, "FORM_FIELD_INVALID", why.as_ref())
        }
    }

    /// 400 with code 50035 for a form that only the present state makes wrong.
    pub(crate) fn form_now(field: &str, kind: &str, why: &str) -> Self {
        let complaint = json!({ "_errors": [{ "code": kind, "message": why }] });
        let errors = field
            .rsplit('.')
            .fold(complaint, |inner, name| json!({ name: inner }));
        Self {
            errors: Some(errors),
            ..Self::new(400, 50035, "Invalid Form Body")
        }
    }

    /// The same refusal as a violation.
    pub(crate) fn violating(self) -> Self {
        Self {
            is_violation: true,
            ..self
        }
    }

    pub(crate) fn empty_message() -> Self {
        Self::new(400, 50006, "Cannot send an empty message").violating()
    }

    pub(crate) fn unknown_channel() -> Self {
        Self::new(404, 10003, "Unknown Channel")
    }

    pub(crate) fn unknown_message() -> Self {
        Self::new(404, 10008, "Unknown Message")
    }

    pub(crate) fn unknown_interaction() -> Self {
        Self::new(404, 10062, "Unknown interaction")
    }

    pub(crate) fn missing_access() -> Self {
        Self::new(403, 50001, "Missing Access")
    }

    pub(crate) fn missing_permissions() -> Self {
        Self::new(403, 50013, "Missing Permissions")
    }

    pub(crate) fn not_found() -> Self {
        Self::new(404, 0, "404: Not Found")
    }

    pub(crate) fn unauthorized() -> Self {
        Self::new(401, 0, "401: Unauthorized")
    }

    pub(crate) fn body(&self) -> Value {
        let mut body = json!({ "message": self.message, "code": self.code });
        if let Some(errors) = &self.errors {
            body["errors"] = errors.clone();
        }
        body
    }

    /// The refusal in one line, with what is wrong with the form.
    pub(crate) fn story(&self) -> String {
        match &self.errors {
            Some(errors) => format!("{} {errors}", self.message),
            None => self.message.clone(),
        }
    }
}
