//! Why a command runs without approval, for previews of the policy.

use sayso_core::text;

use crate::commands::Justification;

/// Why a command runs unasked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AllowReason {
    /// What is said of its text: it only reads, or a rule of the operator lets it.
    Let(Justification),
    /// A grant covers it.
    Granted,
    /// The kernel confines it, and that is enough here.
    Sandboxed,
    /// Commands are not asked about here.
    NotConfirmed,
    /// Its programs are listed.
    Listed,
}

impl AllowReason {
    /// Returns it in both languages.
    pub(crate) fn in_words(self) -> Justification {
        match self {
            Self::Let(why) => why,
            Self::Granted => {
                Justification::said(|language| text!(language, "policy-grants-granted"))
            }
            Self::Sandboxed => {
                Justification::said(|language| text!(language, "policy-grants-sandboxed"))
            }
            Self::NotConfirmed => {
                Justification::said(|language| text!(language, "policy-grants-not-confirmed"))
            }
            Self::Listed => Justification::said(|language| text!(language, "policy-grants-listed")),
        }
    }
}
