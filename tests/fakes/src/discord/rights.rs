//! What the bot may do in a channel.

/// A permission, by Discord's bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Right {
    /// Sees the channel at all.
    View,
    /// Says something in the channel.
    Send,
    /// Says something in its threads.
    SendInThreads,
    /// Has links shown as embeds, and sends embeds.
    Embed,
    /// Sends files.
    Attach,
    /// Reads what was said before, which replies need too.
    ReadHistory,
    /// Starts public threads.
    StartThreads,
    /// Puts reactions below messages.
    AddReactions,
    /// Deletes messages of others. The one right that the bot does not have unless told.
    ManageMessages,
}

impl Right {
    pub(crate) const ALL: [Self; 9] = [
        Self::View,
        Self::Send,
        Self::SendInThreads,
        Self::Embed,
        Self::Attach,
        Self::ReadHistory,
        Self::StartThreads,
        Self::AddReactions,
        Self::ManageMessages,
    ];

    pub(crate) const fn bit(self) -> u64 {
        match self {
            Self::AddReactions => 1 << 6,
            Self::View => 1 << 10,
            Self::Send => 1 << 11,
            Self::ManageMessages => 1 << 13,
            Self::Embed => 1 << 14,
            Self::Attach => 1 << 15,
            Self::ReadHistory => 1 << 16,
            Self::StartThreads => 1 << 35,
            Self::SendInThreads => 1 << 38,
        }
    }
}
