//! How a connection ended, and what that means for the next one.

use super::reasons;

/// How a connection ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It was asked to end.
    Shutdown,
    /// Discord wants the session to go on elsewhere, at once.
    Moved,
    /// It broke; the session can go on.
    Broken(String),
    /// The session is over, and another one may begin.
    SessionOver(String),
    /// More came than there was room for. What was not taken must be read back.
    Overrun,
    /// Discord refuses the token.
    TokenRefused,
    /// No further attempt can succeed; the reason is for people.
    Hopeless(String),
}

/// Returns what a close code of Discord's means
/// (<https://docs.discord.com/developers/topics/opcodes-and-status-codes#gateway-gateway-close-event-codes>).
pub(super) fn of_code(code: Option<u16>) -> Ending {
    match code {
        Some(4004) => Ending::TokenRefused,
        Some(4010) => Ending::Hopeless(reasons::bad_shard()),
        Some(4011) => Ending::Hopeless(reasons::too_few_shards()),
        Some(4012) => Ending::Hopeless(reasons::old_protocol()),
        Some(4013) => Ending::Hopeless(reasons::bad_intents()),
        Some(4014) => Ending::Hopeless(reasons::intents_not_allowed()),
        Some(code @ (4007 | 4009)) => Ending::SessionOver(reasons::closed(code)),
        Some(code) => Ending::Broken(reasons::closed(code)),
        None => Ending::Broken(reasons::cut()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_mean_what_discord_says() {
        for code in [1000, 1001, 1006, 4000, 4001, 4002, 4003, 4005, 4008, 4999] {
            assert!(matches!(of_code(Some(code)), Ending::Broken(_)), "{code}");
        }
        for code in [4007, 4009] {
            assert!(
                matches!(of_code(Some(code)), Ending::SessionOver(_)),
                "{code}"
            );
        }
        for code in 4010..=4014 {
            assert!(matches!(of_code(Some(code)), Ending::Hopeless(_)), "{code}");
        }
        assert_eq!(of_code(Some(4004)), Ending::TokenRefused);
        assert!(matches!(of_code(None), Ending::Broken(_)));
    }
}
