//! What the operator chose for one Discord channel: account, server, shards, and how long answers
//! are said.
//!
//! Reading the file and the environment is left to the creator of a [`DiscordConfig`].

use std::time::Duration;

use sayso_channel::ChannelName;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

/// How many parts a token has: the account, a time, a signature.
const TOKEN_PARTS: usize = 3;

/// One Discord bot account and how it is connected.
///
/// It has no `Debug`: it holds the token.
#[derive(Clone)]
pub struct DiscordConfig {
    /// The channel's name in the configuration.
    pub name: ChannelName,
    /// The token that the Developer Portal gave, without the word `Bot`.
    pub token: SecretString,
    /// The REST API with its version: `https://discord.com/api/v10`.
    pub api_url: Url,
    /// How many connections share what is heard.
    pub shards: Shards,
    /// How an answer of many parts is said in a server.
    pub long_answers: LongAnswers,
    /// How long this channel waits when something does not work.
    pub timeouts: Timeouts,
}

/// How many gateway connections share the servers of an account
/// (<https://docs.discord.com/developers/events/gateway#sharding>).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shards {
    /// As many as Discord recommends; one below some thousand servers.
    #[default]
    Auto,
    /// This many, at least 1.
    Count(u16),
}

/// How an answer of many parts is said in a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LongAnswers {
    /// As messages, one below the other.
    #[default]
    Messages,
    /// In a thread that starts at the message that is answered.
    Thread,
}

/// How long this channel waits when something does not work; tests make it small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The first pause after a fault of the connection; it doubles up to `longest_pause`.
    pub first_pause: Duration,
    /// The longest pause between two attempts.
    pub longest_pause: Duration,
    /// How long a press may wait for its notice before it is acknowledged plainly. Discord forgets
    /// an interaction that was not answered within 3 seconds.
    pub answer_press_within: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_pause: Duration::from_secs(1),
            longest_pause: Duration::from_mins(1),
            answer_press_within: Duration::from_millis(1500),
        }
    }
}

/// Why a configuration cannot be used. The text names the value and what is allowed, never a
/// secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The token cannot be one of Discord's.
    #[error(
        "the Discord token must be three parts of `A-Z a-z 0-9 _ -` with dots between them, without the word `Bot`"
    )]
    Token,
    /// The server's address is not one for HTTP.
    #[error("the address of Discord's API must begin with `http://` or `https://`")]
    ApiUrl,
    /// The number of shards is out of range.
    #[error("the number of shards must be `auto` or 1-65535, not 0")]
    Shards,
    /// The HTTP client could not be made.
    #[error("cannot make an HTTP client: {0}")]
    Client(String),
}

impl DiscordConfig {
    /// Returns the configuration of an account with defaults for everything else.
    pub fn new(name: ChannelName, token: SecretString, api_url: Url) -> Self {
        Self {
            name,
            token,
            api_url,
            shards: Shards::default(),
            long_answers: LongAnswers::default(),
            timeouts: Timeouts::default(),
        }
    }

    /// Checks every value against Discord's rules.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !is_token(self.token.expose_secret()) {
            return Err(ConfigError::Token);
        }
        if !matches!(self.api_url.scheme(), "http" | "https") {
            return Err(ConfigError::ApiUrl);
        }
        if self.shards == Shards::Count(0) {
            return Err(ConfigError::Shards);
        }
        Ok(())
    }
}

fn is_token(token: &str) -> bool {
    let parts = token.split('.');
    parts.clone().count() == TOKEN_PARTS && parts.into_iter().all(is_base64url)
}

fn is_base64url(part: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    !part.is_empty() && part.bytes().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(token: &str) -> DiscordConfig {
        DiscordConfig::new(
            ChannelName::from("discord"),
            SecretString::from(token),
            Url::parse("https://discord.com/api/v10").unwrap(),
        )
    }

    #[track_caller]
    fn check_token(token: &str, expected: &Result<(), ConfigError>) {
        assert_eq!(&config(token).validate(), expected, "{token:?}");
    }

    #[test]
    fn token_has_three_parts_that_a_header_can_carry() {
        check_token("MTIz.Gx-_9a.abcDEF", &Ok(()));
        check_token("", &Err(ConfigError::Token));
        check_token("MTIz.Gx", &Err(ConfigError::Token));
        check_token("MTIz.Gx.abc.def", &Err(ConfigError::Token));
        check_token("MTIz..abc", &Err(ConfigError::Token));
        check_token("Bot MTIz.Gx.abc", &Err(ConfigError::Token));
        check_token("MTIz.Gx.abc\n", &Err(ConfigError::Token));
        check_token("MTIz.Gx.秘密", &Err(ConfigError::Token));
    }

    #[test]
    fn error_never_shows_the_token() {
        let error = config("secret.but not a token.x").validate().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret.but"));
    }

    #[test]
    fn no_shards_at_all_are_refused() {
        let mut none = config("a.b.c");
        none.shards = Shards::Count(0);
        assert_eq!(none.validate(), Err(ConfigError::Shards));
        none.shards = Shards::Count(2);
        assert_eq!(none.validate(), Ok(()));
    }

    #[test]
    fn address_is_one_for_http() {
        let mut config = config("a.b.c");
        config.api_url = Url::parse("wss://discord.com").unwrap();
        assert_eq!(config.validate(), Err(ConfigError::ApiUrl));
    }
}
