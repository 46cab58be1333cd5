//! Why a call of somebody who is only let in is refused.

/// Why a member's call is refused where it would be asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberRefusal {
    /// It reaches past the member's own space.
    System,
    /// It uses the network.
    Network,
}

impl MemberRefusal {
    /// Returns the reason in words that the model can act on, on one line.
    pub(super) fn for_model(self) -> &'static str {
        match self {
            Self::System => {
                "it reaches past the workspace of this user, who does not own this Sayso, and \
                 `policy.members_system` is `deny`. Stay in the workspace and call it without more \
                 `access`, or say that the operator does not allow it"
            }
            Self::Network => {
                "it uses the network, this user does not own this Sayso, and \
                 `policy.members_network` is `deny`. Use `http_request`, or say that the operator \
                 does not allow it"
            }
        }
    }

    /// Returns the reason for people of a Chinese chat, on one line.
    pub(super) fn in_chinese(self) -> &'static str {
        match self {
            Self::System => {
                "它超出了你自己的工作区，你不是这个 Sayso 的管理者，而 `policy.members_system` 为 `deny`"
            }
            Self::Network => {
                "它需要联网，你不是这个 Sayso 的管理者，而 `policy.members_network` 为 `deny`"
            }
        }
    }
}
