//! Why a press was refused, in words: one set for all prompts.

use sayso_channel::{Language, text};
use sayso_store::prompts::Audience;

use super::prompt::Refusal;

impl Refusal {
    /// Returns the notice to the presser.
    pub fn text(self, language: Language) -> &'static str {
        match self {
            Self::Unknown => text!(language, "prompts-refusal-unknown"),
            Self::NotYours(Audience::User) => text!(language, "prompts-refusal-not-yours-user"),
            Self::NotYours(Audience::Owner) => text!(language, "prompts-refusal-not-yours-owner"),
            Self::NotYours(Audience::UserOrOwner) => {
                text!(language, "prompts-refusal-not-yours-user-or-owner")
            }
            Self::AlreadyAnswered => text!(language, "prompts-refusal-already-answered"),
            Self::Expired => text!(language, "prompts-refusal-expired"),
        }
    }
}
