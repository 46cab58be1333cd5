//! What a model asks the person before it goes on, and what was answered.

use serde::{Deserialize, Serialize};

/// A question with answers to choose from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inquiry {
    /// The question.
    pub question: String,
    /// The answers.
    pub choices: Vec<String>,
}

/// Returns the questions with their answers, each on a line of its own, as a model reads them.
pub fn answers_as_text<'t>(answers: impl IntoIterator<Item = (&'t str, &'t str)>) -> String {
    let lines = answers
        .into_iter()
        .map(|(question, answer)| format!("{question}\n→ {answer}"));
    lines.collect::<Vec<_>>().join("\n")
}
