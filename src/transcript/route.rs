//! The result of Phase 1.

use serde::{Deserialize, Serialize};

/// Why Phase 1 was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skipped {
    /// Routing is switched off.
    SwitchedOff,
    /// The whole message is a greeting, thanks, a goodbye or the like.
    SmallTalk,
    /// The message is clear without its surroundings, and no skill has a word in common with it.
    NothingMatches,
}

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
