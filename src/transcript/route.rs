//! The result of Phase 1.

use serde::{Deserialize, Serialize};

/// What Phase 1 decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteResult {
    /// One or more skills match; their names.
    Skills(Vec<String>),
    /// The intent is clear and needs no skill.
    Direct,
    /// The intent is unclear: a question for the user.
    NeedClarification {
        /// The question, in the user's language.
        question: String,
        /// Answers to choose from; may be empty.
        choices: Vec<String>,
    },
}
