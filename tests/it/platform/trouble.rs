//! What may go wrong when Sayso says something, whatever the platform calls it.

use sayso_fakes::{Gate, discord, telegram};

/// What becomes of a message on its way out.
#[derive(Clone, Debug)]
pub enum Trouble {
    /// It is rejected by a rate limit.
    TooMany {
        /// The `retry_after` that Sayso gets.
        seconds: u64,
    },
    /// A proxy in between fails, and Sayso cannot know whether the message arrived; it has not.
    BadGateway,
    /// It waits on its way until the gate opens.
    Held(Gate),
    /// It arrives, and Sayso learns of that when the gate opens.
    AnswerHeld(Gate),
    /// It arrives, and Sayso does not learn of that.
    AnswerLost,
}

impl From<Trouble> for telegram::Fault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::TooMany { seconds } => Self::TooManyRequests {
                retry_after: seconds,
            },
            Trouble::BadGateway => Self::BadGateway,
            Trouble::Held(gate) => Self::Hold(gate),
            Trouble::AnswerHeld(gate) => Self::HoldAnswer(gate),
            Trouble::AnswerLost => Self::DropAfter,
        }
    }
}

impl From<Trouble> for discord::Fault {
    fn from(trouble: Trouble) -> Self {
        match trouble {
            Trouble::TooMany { seconds } => Self::TooManyRequests {
                retry_after: seconds,
            },
            Trouble::BadGateway => Self::BadGateway,
            Trouble::Held(gate) => Self::Hold(gate),
            Trouble::AnswerHeld(gate) => Self::HoldAnswer(gate),
            Trouble::AnswerLost => Self::DropAfter,
        }
    }
}
