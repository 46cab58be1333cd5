//! Faults that a test has the server commit.

use std::time::Duration;

use crate::Gate;

/// What goes wrong with a call.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 429; nothing is done.
    TooManyRequests {
        /// The `retry_after` of the response, in seconds.
        retry_after: u64,
    },
    /// 500; nothing is done.
    ServerError,
    /// 502 with an HTML page, as a proxy in between answers; nothing is done.
    BadGateway,
    /// 409, as when another instance polls; nothing is done.
    Conflict,
    /// Any other refusal, with the full description; nothing is done.
    Refuse {
        /// The `error_code` and status.
        code: u16,
        /// The `description`.
        description: String,
    },
    /// The connection breaks and nothing is done.
    DropBefore,
    /// The call is done, then the connection breaks: the caller cannot know.
    DropAfter,
    /// The call is done after this long.
    Delay(Duration),
    /// The call is done once the gate is open.
    Hold(Gate),
    /// The call is done, its answer waits for the gate.
    HoldAnswer(Gate),
}
