//! What is done about each failure: whom it concerns, whether asking again helps, and who rests how
//! long.

use std::time::Duration;

use crate::ProviderError;

/// How often the same service is asked again.
pub(super) const RETRIES: u32 = 2;

/// The longest pause that a service may ask for; who asks for more is not asked again.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// How long a key or a service rests whose key, credit or model is refused: nothing but a person
/// changes that.
const REFUSED_REST: Duration = Duration::from_mins(5);

/// The longest rest that a service may ask for.
const LONGEST_REST: Duration = Duration::from_hours(1);

/// Words by which a 403 is about the question: it is refused with any key.
const ABOUT_THE_QUESTION: [&str; 6] = [
    "flagged",
    "moderation",
    "content_filter",
    "content filter",
    "content policy",
    "safety",
];

/// Words by which a 403 is about who asks; a bare `Forbidden` is how one service answers a wrong
/// key.
const ABOUT_THE_KEY: [&str; 7] = [
    "forbidden",
    "key",
    "token",
    "credential",
    "account",
    "permission",
    "access",
];

/// What to do about a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Remedy {
    /// The same again.
    AskAgain {
        /// After this pause.
        after: Duration,
    },
    /// The next service in the order of the configuration.
    AskTheNext,
}

/// Whom a failure concerns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Concerns {
    /// Another key may be of use at once.
    Key,
    /// All keys of this service fail the same way.
    Service,
    /// This one question; another may be answered.
    Question,
}

/// Returns whom a failure concerns.
pub(super) fn concerns(error: &ProviderError) -> Concerns {
    if is_about_pictures(error) {
        return Concerns::Question;
    }
    match error {
        ProviderError::RateLimited { .. }
        | ProviderError::Refused {
            status: 401 | 402 | 429,
            ..
        } => Concerns::Key,
        ProviderError::Refused {
            status: 403,
            message,
        } if is_about_the_key(message) => Concerns::Key,
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Refused { status: 404, .. } => Concerns::Service,
        ProviderError::Refused { .. } | ProviderError::Repeating(_) | ProviderError::Missing => {
            Concerns::Question
        }
    }
}

/// Returns whether the same question may be taken without its pictures.
pub(super) fn minds_pictures(error: &ProviderError) -> bool {
    let is_about_size_or_form = matches!(
        error,
        ProviderError::Refused {
            status: 400 | 413 | 415 | 422,
            ..
        }
    );
    is_about_size_or_form || is_about_pictures(error)
}

/// Returns whether a model takes no pictures, by what its service says: llama.cpp reports that as a
/// fault of its own (500), OpenRouter as a model that is not there (404).
fn is_about_pictures(error: &ProviderError) -> bool {
    let (ProviderError::Refused { message, .. } | ProviderError::Broken { message, .. }) = error
    else {
        return false;
    };
    let message = message.to_lowercase();
    message.contains("image") && message.contains("support")
}

/// Returns whether a key was revoked, or never was one.
pub(super) fn is_revoked(error: &ProviderError) -> bool {
    match error {
        ProviderError::Refused { status: 401, .. } => true,
        ProviderError::Refused {
            status: 403,
            message,
        } => is_about_the_key(message),
        _ => false,
    }
}

/// Returns whether a 403 means the key. Services answer 403 to a key without rights, and just so to
/// a question that their moderation or a firewall does not like: such a one is no reason to put a
/// key aside, and one that gives no reason is taken for it.
fn is_about_the_key(message: &str) -> bool {
    let message = message.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    says(&ABOUT_THE_KEY) && !says(&ABOUT_THE_QUESTION)
}

/// Returns what to do, given the number of retries so far.
pub(super) fn remedy(error: &ProviderError, retries: u32, first_pause: Duration) -> Remedy {
    // One that loads its model was waited for already.
    if retries >= RETRIES || is_about_pictures(error) || error.is_loading() {
        return Remedy::AskTheNext;
    }
    let pause = first_pause * 2_u32.pow(retries);
    match error {
        ProviderError::RateLimited {
            retry_after: Some(after),
        } if *after > LONGEST_PAUSE => Remedy::AskTheNext,
        ProviderError::RateLimited { retry_after } => Remedy::AskAgain {
            after: retry_after.unwrap_or(pause),
        },
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_) => Remedy::AskAgain { after: pause },
        ProviderError::Refused { .. } | ProviderError::Repeating(_) | ProviderError::Missing => {
            Remedy::AskTheNext
        }
    }
}

/// Returns for how long what the failure concerns stays unavailable, if it does.
///
/// A service that limits requests says for how long; no question is sent before then. A key that
/// was revoked is of no use to the next turn either. A fault of a single request does not affect
/// the next.
pub(super) fn rest(error: &ProviderError) -> Option<Duration> {
    if is_about_pictures(error) {
        return None;
    }
    match error {
        ProviderError::RateLimited { retry_after } => {
            retry_after.map(|after| after.min(LONGEST_REST))
        }
        ProviderError::Refused {
            status: 401 | 402 | 404 | 429,
            ..
        } => Some(REFUSED_REST),
        ProviderError::Refused { status: 403, .. } if is_revoked(error) => Some(REFUSED_REST),
        ProviderError::Refused { .. }
        | ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Repeating(_)
        | ProviderError::Missing => None,
    }
}

/// Who refuses has answered: it costs no time, and the next question may be to its liking.
pub(super) fn counts_against(error: &ProviderError) -> bool {
    if is_about_pictures(error) {
        return false;
    }
    match error {
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_) => true,
        ProviderError::Refused { .. } | ProviderError::Repeating(_) | ProviderError::Missing => {
            false
        }
    }
}

/// Makes a pause up to half as long again, so that turns which failed together do not return
/// together. It is never shorter than what a service asked for.
pub(super) fn spread(pause: Duration, dice: u64) -> Duration {
    pause + pause.mul_f64(dice as f64 / u64::MAX as f64 / 2.0)
}
