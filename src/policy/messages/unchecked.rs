//! What is said of a command whose files cannot all be checked between the card and the run.

use sayso_core::{Language, text};

/// Returns that what a command runs may change until it runs, as its card says it.
pub(crate) fn unchecked(language: Language) -> &'static str {
    text!(language, "policy-unchecked")
}
