//! What every model service has in common when it does not answer.

use std::error::Error;
use std::time::Duration;

use reqwest::header::HeaderMap;
use secrecy::{ExposeSecret, SecretString};

use super::error_kinds::{self, Meaning};
use crate::ProviderError;

/// What a server of something else answers.
pub(crate) const WEB_PAGE: &str =
    "a web page instead of an answer: `base_url` may lack its version, such as `/v1`";

/// How the failure begins of an answer whose service says in its middle that it goes no further.
pub(crate) const GAVE_UP: &str = "the service gave the answer up";

/// The longest message that is passed on, in characters.
const MAX_MESSAGE_CHARS: usize = 300;

/// Words by which a fault of the server is one for good.
const FOR_GOOD: [&str; 9] = [
    "requires --",
    "not supported",
    "does not support",
    "doesn't support",
    "unsupported",
    "not implemented",
    "must alternate",
    "parse grammar",
    "only one of",
];

impl ProviderError {
    /// Returns whether the server loads its model, and will answer later.
    pub(crate) fn is_loading(&self) -> bool {
        let Self::Broken {
            status: 503,
            message,
        } = self
        else {
            return false;
        };
        let message = message.to_lowercase();
        message.contains("loading") && message.contains("model")
    }

    /// Returns whether the server takes no tools as it was started, or for its model: llama.cpp, Ollama
    /// and vLLM say so in these words. Tools can still stand in the prompt.
    pub(crate) fn is_about_tools(&self) -> bool {
        let Self::Refused {
            status: 400 | 404 | 422 | 500 | 501,
            message,
        } = self
        else {
            return false;
        };
        let message = message.to_lowercase();
        let is_about_tools = message.contains("tool") || message.contains("function call");
        is_about_tools
            && ["support", "requires --", "enable-auto-tool-choice"]
                .iter()
                .any(|words| message.contains(words))
    }
}

/// Returns the error of an answer that cannot be read.
pub(crate) fn garbage(what: &str) -> ProviderError {
    ProviderError::Garbage(what.to_owned())
}

/// Returns the error for a request that failed on its way.
pub(crate) fn on_the_way(error: reqwest::Error, connect: Duration) -> ProviderError {
    if error.is_connect() && error.is_timeout() {
        return ProviderError::TimedOut {
            stage: "connect",
            after: connect,
        };
    }
    let error = error.without_url();
    let mut cause: &dyn Error = &error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    ProviderError::Unreachable(cause.to_string())
}

/// Takes the key out of whatever the server said, and then what is too long: in this order, so
/// that no half of a key stays at the cut.
pub(crate) fn without_key(error: ProviderError, key: Option<&SecretString>) -> ProviderError {
    let key = key.map(ExposeSecret::expose_secret).unwrap_or_default();
    let clean = |text: String| {
        if key.is_empty() {
            shorten(&text)
        } else {
            shorten(&text.replace(key, "[key]"))
        }
    };
    match error {
        ProviderError::Unreachable(why) => ProviderError::Unreachable(clean(why)),
        ProviderError::Garbage(what) => ProviderError::Garbage(clean(what)),
        ProviderError::Refused { status, message } => ProviderError::Refused {
            status,
            message: clean(message),
        },
        ProviderError::Broken { status, message } => ProviderError::Broken {
            status,
            message: clean(message),
        },
        other @ (ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Repeating(_)
        | ProviderError::Missing) => other,
    }
}

/// Returns the error that a status means.
///
/// Time-outs and conflicts (408, 409, 425) are the service's affair, as is everything from 500 on
/// that is not said to be for good. An error inside an answer with status 200 is, too. Where the message
/// says that the conversation is too long or the account used up, it is refused with the status that HTTP
/// has for that.
pub(crate) fn classify(status: u16, message: String) -> ProviderError {
    let status = error_kinds::of_message(status, &message).map_or(status, Meaning::status);
    match status {
        300..=407 | 410..=424 | 426..=499 | 501 => ProviderError::Refused { status, message },
        500 if is_for_good(&message) => ProviderError::Refused { status, message },
        _ => ProviderError::Broken { status, message },
    }
}

/// Returns whether a fault stays whatever is asked again: servers such as llama.cpp's report what they
/// were not started for, or what their model cannot do, as an inner fault (500).
fn is_for_good(message: &str) -> bool {
    let message = message.to_lowercase();
    FOR_GOOD.iter().any(|words| message.contains(words))
}

/// Returns what a body says that is not of the protocol.
pub(crate) fn plain_message(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let text = text.trim();
    if text.is_empty() {
        return "no reason given".to_owned();
    }
    if text.starts_with('<') {
        return WEB_PAGE.to_owned();
    }
    text.to_owned()
}

/// Reads how long to wait: milliseconds where a server says them, else seconds. Dates are not read.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let number = |name: &str| headers.get(name)?.to_str().ok()?.trim().parse::<f64>().ok();
    let seconds = number("retry-after-ms")
        .map(|milliseconds| milliseconds / 1000.0)
        .or_else(|| number("retry-after"))?;
    Duration::try_from_secs_f64(seconds).ok()
}

fn shorten(text: &str) -> String {
    text.chars().take(MAX_MESSAGE_CHARS).collect()
}
