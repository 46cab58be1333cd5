//! Why a command runs without approval, for previews of the policy.

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
        let [en, zh] = match self {
            Self::Let(why) => return why,
            Self::Granted => ["it is always allowed", "它已被总是允许"],
            Self::Sandboxed => [
                "the kernel keeps it in the workspace, and `policy.sandboxed_commands` is `allow`",
                "内核把它限制在工作区内，且 `policy.sandboxed_commands` 为 `allow`",
            ],
            Self::NotConfirmed => [
                "`policy.confirm_exec` is `false`",
                "`policy.confirm_exec` 为 `false`",
            ],
            Self::Listed => [
                "its programs are on `policy.allow_commands`",
                "它的程序都在 `policy.allow_commands` 中",
            ],
        };
        Justification {
            en: en.to_owned(),
            zh: zh.to_owned(),
        }
    }
}
