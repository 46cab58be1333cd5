//! One line of the report.

use std::fmt;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::cli) enum Finding {
    /// All is well with it.
    Fine(String),
    /// Something is wrong.
    Problem {
        /// What.
        what: String,
        /// What the operator can do about it.
        fix: String,
    },
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Further lines stand below the text of the first one.
        let below = |text: &str| text.replace('\n', "\n    ");
        match self {
            Self::Fine(text) => write!(f, "ok  {}", below(text)),
            Self::Problem { what, fix } => {
                write!(f, "!!  {}\n    fix: {}", below(what), below(fix))
            }
        }
    }
}
