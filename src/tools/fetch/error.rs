//! Why a fetch came to nothing, in words that the model can act on.

use std::error::Error as _;
use std::time::Duration;

use sayso_core::visible::visible_line;

use super::addresses::Special;
use super::target::BadUrl;

/// The longest text of an outside error, in characters.
const MAX_WHY_CHARS: usize = 300;

/// Why a fetch came to nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// The name leads nowhere.
    #[error("the name `{0}` is not known")]
    UnknownName(String),
    /// The name leads to an address that is not public.
    #[error(
        "`{host}` leads to a {} address; only the public internet is fetched from",
        .special.as_str()
    )]
    NotPublic {
        /// The host.
        host: String,
        /// What the address is.
        special: Special,
    },
    /// What is asked for is not fetched.
    #[error("that is not fetched: {0}")]
    BadUrl(BadUrl),
    /// The operator does not want that host asked.
    #[error("`{0}` is on the list `policy.deny_hosts`")]
    Denied(String),
    /// The answer has no end that could be taken in.
    #[error("its answer is longer than {0} bytes")]
    TooLong(usize),
    /// A redirect names what is not fetched.
    #[error("it redirects to where nothing is fetched: {0}")]
    BadRedirect(BadUrl),
    /// A redirect from `https` to `http`.
    #[error("it redirects from `https` to `http`, which is not followed")]
    Downgrade,
    /// A redirect to another server, or of a request that changes something.
    #[error("it redirects to {0} , which was not part of this call; call again with that URL")]
    LeadsElsewhere(String),
    /// A chain of redirects.
    #[error("it redirects more than {0} times")]
    TooManyRedirects(usize),
    /// The connection or the conversation broke.
    #[error("the server cannot be asked: {0}")]
    Broken(String),
    /// It took too long.
    #[error("it was given up after {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The answer is packed in a way that was not asked for.
    #[error("its answer is packed as `{0}`, which is not unpacked")]
    Packed(String),
}

impl FetchError {
    /// Tells a fault of the connection without the URL, by its innermost cause.
    pub fn broken(error: &reqwest::Error) -> Self {
        let mut cause: &dyn std::error::Error = error;
        while let Some(deeper) = cause.source() {
            cause = deeper;
        }
        let is_outermost = error.source().is_none();
        let why = if is_outermost {
            "the answer cannot be read".to_owned()
        } else {
            cause.to_string()
        };
        Self::Broken(visible_line(&why).chars().take(MAX_WHY_CHARS).collect())
    }
}
