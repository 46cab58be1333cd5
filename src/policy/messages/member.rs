//! Why a call of somebody who is only let in is refused.

use sayso_core::{Language, text};

/// Why a member's call is refused where it would be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberRefusal {
    /// It reaches past the member's own space.
    System,
    /// It uses the network.
    Network,
}

impl MemberRefusal {
    /// Returns it for people; in English it is what the model reads.
    pub(super) fn in_language(self, language: Language) -> &'static str {
        match self {
            Self::System => text!(language, "refusals-member-system"),
            Self::Network => text!(language, "refusals-member-network"),
        }
    }
}
