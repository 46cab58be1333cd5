//! Faults that a test has the server commit.

use std::time::Duration;

use crate::Gate;

/// What goes wrong with a request.
#[derive(Clone, Debug)]
pub enum Fault {
    /// 429 with all headers, for this bucket alone; nothing is done.
    TooManyRequests {
        /// The `retry_after` of the response, in seconds.
        retry_after: u64,
    },
    /// 429 in any of its forms; nothing is done.
    Limited {
        /// The `retry_after` of the response.
        rest: Duration,
        /// Whose limit it is.
        scope: Scope,
        /// Whether the headers say so too; the body always does.
        headers: bool,
    },
    /// 429 with an HTML page, as Cloudflare answers who asked too often; nothing is done.
    CloudflareLimit {
        /// Seconds in the `Retry-After` header, where there is one.
        retry_after: Option<u64>,
    },
    /// 403 with an HTML page, as Cloudflare answers who is locked out; nothing is done.
    CloudflareBlock,
    /// 500; nothing is done.
    ServerError,
    /// 502 with an HTML page; nothing is done.
    BadGateway,
    /// 503 without a body; nothing is done.
    Unavailable,
    /// 504 with an HTML page; nothing is done.
    GatewayTimeout,
    /// Any other refusal; nothing is done.
    Refuse {
        /// The HTTP status.
        status: u16,
        /// Discord's code.
        code: i64,
        /// Discord's words.
        message: String,
    },
    /// The connection breaks and nothing is done.
    DropBefore,
    /// The request is done, then the connection breaks: the caller cannot know.
    DropAfter,
    /// The request is done after this long.
    Delay(Duration),
    /// The request is done once the gate is open.
    Hold(Gate),
    /// The request is done, its answer waits for the gate.
    HoldAnswer(Gate),
}

/// Whose limit a 429 speaks of, as in `X-RateLimit-Scope`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The bot's own, on this bucket.
    User,
    /// The bot's own, on everything.
    Global,
    /// That of all who use the resource.
    Shared,
}

impl Scope {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Global => "global",
            Self::Shared => "shared",
        }
    }
}
