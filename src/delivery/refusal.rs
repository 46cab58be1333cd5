//! Why the platform does not take a message, for good.

/// Why the platform does not take a message, for good.
#[derive(Debug, Clone)]
pub(super) struct Refused {
    pub(super) why: String,
    /// Whether only the thread refuses it, and not the chat around it.
    pub(super) of_thread: bool,
}

impl Refused {
    /// It is the chat that refuses it.
    pub(super) fn of_chat(why: String) -> Self {
        Self {
            why,
            of_thread: false,
        }
    }
}
