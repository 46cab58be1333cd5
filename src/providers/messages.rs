//! What people read when a model did not answer: no status, no address, no key.

use std::time::Duration;

use sayso_core::transcript::Role;
use sayso_core::{Language, text};

use super::ProviderError;
use super::limits::TooLong;

/// Says what happened, what it means and what to do, in at most three lines.
pub fn for_user(error: &ProviderError, role: Role, language: Language) -> String {
    match error {
        ProviderError::Unreachable(_) => match role {
            Role::Owner => text!(language, "providers-unreachable-owner").to_owned(),
            Role::Member | Role::Guest => text!(language, "providers-unreachable").to_owned(),
        },
        ProviderError::TimedOut { .. } => text!(language, "providers-timed-out").to_owned(),
        ProviderError::RateLimited { retry_after } => {
            text!(
                language,
                "providers-busy",
                wait = wait(*retry_after, language)
            )
        }
        ProviderError::Refused { status, .. } => {
            let refusal = refused(Refusal::of(error, *status), role, language);
            match TooLong::of(error) {
                Some(too_long) => format!("{refusal}\n{}", lengths(too_long, language)),
                None => refusal.to_owned(),
            }
        }
        error if error.is_loading() => text!(language, "providers-starting").to_owned(),
        ProviderError::Broken { .. } => text!(language, "providers-broken").to_owned(),
        ProviderError::Garbage(_) => text!(language, "providers-garbage").to_owned(),
        ProviderError::Repeating(_) => text!(language, "providers-repeating").to_owned(),
        ProviderError::Missing => match role {
            Role::Owner => text!(language, "providers-missing-owner").to_owned(),
            Role::Member | Role::Guest => text!(language, "providers-missing").to_owned(),
        },
    }
}

/// Says whether the same request may be answered later, so that it is offered to run it again.
pub fn may_be_tried_again(error: &ProviderError) -> bool {
    match error {
        ProviderError::Refused { status, .. } => match Refusal::of(error, *status) {
            Refusal::Key | Refusal::Credit | Refusal::Model => true,
            Refusal::Length | Refusal::Else => error.is_loading(),
        },
        ProviderError::Missing => false,
        ProviderError::Unreachable(_)
        | ProviderError::TimedOut { .. }
        | ProviderError::RateLimited { .. }
        | ProviderError::Broken { .. }
        | ProviderError::Garbage(_)
        | ProviderError::Repeating(_) => true,
    }
}

/// What a refusal means for the person who waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refusal {
    Key,
    Credit,
    Model,
    Length,
    Else,
}

impl Refusal {
    fn of(error: &ProviderError, status: u16) -> Self {
        match status {
            401 | 403 => Self::Key,
            402 => Self::Credit,
            404 => Self::Model,
            _ if error.is_too_long() => Self::Length,
            _ => Self::Else,
        }
    }
}

fn refused(refusal: Refusal, role: Role, language: Language) -> &'static str {
    match (refusal, role) {
        (Refusal::Key | Refusal::Credit | Refusal::Model, Role::Member | Role::Guest) => {
            text!(language, "providers-out-of-order")
        }
        (Refusal::Key, Role::Owner) => text!(language, "providers-refused-key"),
        (Refusal::Credit, Role::Owner) => text!(language, "providers-refused-credit"),
        (Refusal::Model, Role::Owner) => text!(language, "providers-refused-model"),
        (Refusal::Length, _) => text!(language, "providers-refused-length"),
        (Refusal::Else, Role::Owner) => text!(language, "providers-refused-owner"),
        (Refusal::Else, Role::Member | Role::Guest) => text!(language, "providers-refused"),
    }
}

/// How long it is, and how long it may be.
fn lengths(too_long: TooLong, language: Language) -> String {
    let limit = too_long.limit_words();
    match too_long.asked_words() {
        Some(asked) => text!(language, "providers-tokens-of", asked, limit),
        None => text!(language, "providers-tokens-limit", limit),
    }
}

/// When to try again.
fn wait(wait: Option<Duration>, language: Language) -> String {
    let Some(wait) = wait else {
        return text!(language, "providers-wait-a-minute").to_owned();
    };
    let seconds = wait.as_secs().max(1);
    if seconds < 90 {
        return text!(language, "providers-wait-seconds", seconds);
    }
    text!(
        language,
        "providers-wait-minutes",
        minutes = seconds.div_ceil(60)
    )
}

#[cfg(test)]
#[path = "messages_tests.rs"]
mod tests;
