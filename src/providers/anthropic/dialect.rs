//! What one server would not take: learned from its refusals, kept while the process lives.
//!
//! Models differ in two fields, and in which schemas of tools they take. Newer ones word at one temperature, and some choose by themselves how
//! long they think; each says so when it refuses. Every other refusal stands.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value};

use crate::ProviderError;
use crate::wire::refused_tools::RefusedTools;

/// Words by which a refusal means the field itself and not its value.
const NO_SUCH_FIELD: [&str; 3] = ["deprecated", "support", "not permitted"];

/// What a server refused so far.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    temperature: AtomicBool,
    thinking_budget: AtomicBool,
    /// The tools that are refused by themselves, for their schemas.
    pub(super) refused_tools: RefusedTools,
}

impl Dialect {
    /// Returns whether a temperature is taken.
    pub(super) fn takes_temperature(&self) -> bool {
        !self.temperature.load(Ordering::Relaxed)
    }

    /// Returns whether the model chooses by itself how long it thinks.
    pub(super) fn thinks_by_itself(&self) -> bool {
        self.thinking_budget.load(Ordering::Relaxed)
    }

    /// Learns from a refusal and returns whether asking again can help.
    pub(super) fn learn(&self, sent: &Map<String, Value>, error: &ProviderError) -> bool {
        let ProviderError::Refused {
            status: 400,
            message,
        } = error
        else {
            return false;
        };
        if self.refused_tools.learn(sent, message) {
            return true;
        }
        if !NO_SUCH_FIELD.iter().any(|word| message.contains(word)) {
            return false;
        }
        let has_budget = sent
            .get("thinking")
            .is_some_and(|thinking| thinking.get("budget_tokens").is_some());
        if has_budget && message.contains("thinking") {
            return !self.thinking_budget.swap(true, Ordering::Relaxed);
        }
        sent.contains_key("temperature")
            && message.contains("temperature")
            && !self.temperature.swap(true, Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::Dialect;
    use crate::ProviderError;

    fn learns(dialect: &Dialect, sent: Value, status: u16, message: &str) -> bool {
        let Value::Object(sent) = sent else {
            panic!("an object")
        };
        let message = message.to_owned();
        dialect.learn(&sent, &ProviderError::Refused { status, message })
    }

    #[test]
    fn a_temperature_that_is_not_taken_is_left_out_from_then_on() {
        let dialect = Dialect::default();
        let sent = || json!({"temperature": 0.7});
        let deprecated = "`temperature` is deprecated for this model.";
        assert!(dialect.takes_temperature());
        assert!(learns(&dialect, sent(), 400, deprecated));
        assert!(!dialect.takes_temperature());
        assert!(!learns(&dialect, sent(), 400, deprecated), "it is known");
    }

    #[test]
    fn a_model_that_wants_no_budget_thinks_as_long_as_it_likes() {
        let dialect = Dialect::default();
        let sent = json!({"thinking": {"type": "enabled", "budget_tokens": 1024}});
        let refusal = "\"thinking.type.enabled\" is not supported for this model. Use \
                       \"thinking.type.adaptive\".";
        assert!(learns(&dialect, sent, 400, refusal));
        assert!(dialect.thinks_by_itself());
        let adaptive = json!({"thinking": {"type": "adaptive"}});
        assert!(!learns(
            &dialect,
            adaptive,
            400,
            "adaptive thinking is not supported"
        ));
    }

    #[test]
    fn every_other_refusal_stands() {
        let dialect = Dialect::default();
        let sent = || json!({"temperature": 0.7});
        assert!(!learns(&dialect, sent(), 400, "temperature: range: 0..1"));
        assert!(!learns(
            &dialect,
            sent(),
            401,
            "temperature is not supported"
        ));
        assert!(!learns(
            &dialect,
            json!({}),
            400,
            "temperature is not supported"
        ));
    }
}
