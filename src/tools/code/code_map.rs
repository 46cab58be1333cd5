//! The map of a project as prompts show it.

use sayso_injection::{Treatment, check_tool_result};

/// What a map of a project is wanted for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CodeMapRequest {
    /// What the person asks for.
    pub message: String,
    /// Paths of the files that are already in the conversation, from the root of the project.
    pub in_view: Vec<String>,
    /// The most tokens of the map.
    pub tokens: usize,
}

/// A map of a project, checked for orders to the model. Its names and lines are text from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeMap {
    /// The text.
    pub text: String,
    /// Whether the injection check finds it suspicious.
    pub is_suspected: bool,
}

impl CodeMap {
    /// Checks a map; `None` where there is nothing to show, or it is taken for an attack.
    pub fn checked(text: String) -> Option<Self> {
        if text.is_empty() {
            return None;
        }
        let treatment = check_tool_result(&text).treatment;
        if treatment == Treatment::Block {
            tracing::warn!(
                "the map of a project was left out: it contains instructions of an attack"
            );
            return None;
        }
        Some(Self {
            text,
            is_suspected: treatment == Treatment::Review,
        })
    }
}
