//! What the operator chose for one Telegram channel: account, server, and how updates arrive.
//!
//! Reading the file and the environment is left to the creator of a [`TelegramConfig`].

use std::net::SocketAddr;
use std::time::Duration;

use sayso_channel::ChannelName;
use secrecy::{ExposeSecret, SecretString};
use thiserror::Error;
use url::Url;

/// The most updates that one getUpdates may bring
/// (<https://core.telegram.org/bots/api#getupdates>).
const POLL_LIMIT: u8 = 100;
/// The host of Telegram's own Bot API server.
const TELEGRAM: &str = "api.telegram.org";
/// How long Telegram holds a getUpdates open while nothing happens, unless configured.
const POLL_TIMEOUT: Duration = Duration::from_secs(50);
/// The longest secret of a webhook (<https://core.telegram.org/bots/api#setwebhook>).
const SECRET_CHARACTERS: usize = 256;

/// One Telegram bot account and how it is connected.
///
/// It has no `Debug`: it holds the token.
#[derive(Clone)]
pub struct TelegramConfig {
    /// The channel's name in the configuration.
    pub name: ChannelName,
    /// The token that BotFather gave.
    pub token: SecretString,
    /// The Bot API server; Telegram's own unless a local one is run.
    pub api_url: Url,
    /// How updates arrive.
    pub mode: Mode,
    /// The most updates that one poll may bring, 1-100.
    pub poll_limit: u8,
    /// How long this channel waits when something does not work.
    pub timeouts: Timeouts,
    /// What the bot says of itself before a chat with it begins; `None` leaves that alone.
    pub introduction: Option<Introduction>,
}

/// What a bot says of itself to people who have not written to it yet. Texts that its operator
/// wrote at BotFather stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Introduction {
    /// What an empty chat shows: at most 512 characters
    /// (<https://core.telegram.org/bots/api#setmydescription>).
    pub description: Bilingual,
    /// What the profile and shared links show: at most 120 characters
    /// (<https://core.telegram.org/bots/api#setmyshortdescription>).
    pub short: Bilingual,
}

/// A text in both languages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bilingual {
    /// In English, for every other language too.
    pub english: &'static str,
    /// In 简体中文.
    pub chinese: &'static str,
}

/// How updates arrive.
#[derive(Clone)]
pub enum Mode {
    /// We ask Telegram, and it holds the question open for `timeout`.
    Polling {
        /// How long one question stays open while nothing happens; whole seconds, 1-50.
        timeout: Duration,
    },
    /// Telegram calls us.
    Webhook {
        /// The public address that Telegram calls: `https`, on port 443, 80, 88 or 8443.
        url: Url,
        /// Where we listen for these calls, behind the operator's proxy.
        listen: SocketAddr,
        /// What Telegram sends with each call to prove itself: 1-256 of `A-Z a-z 0-9 _ -`.
        secret: SecretString,
    },
}

/// How long this channel waits when something does not work; tests make it small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// The first pause after a network error or a 5xx; it doubles up to `longest_pause`.
    pub first_pause: Duration,
    /// The first pause while another program polls with the same token.
    pub conflict_pause: Duration,
    /// The longest pause between two attempts.
    pub longest_pause: Duration,
    /// How long a press may wait for its notice before it is acknowledged plainly.
    pub answer_press_within: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            first_pause: Duration::from_secs(1),
            conflict_pause: Duration::from_secs(5),
            longest_pause: Duration::from_secs(30),
            answer_press_within: Duration::from_secs(2),
        }
    }
}

/// Why a configuration cannot be used. The text names the value and what is allowed, never a
/// secret.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// The token cannot be one of Telegram's.
    #[error(
        "the Telegram token must look like `123456:ABC-def`: digits, a colon, then `A-Z a-z 0-9 _ -`"
    )]
    Token,
    /// The server's address is not one for HTTP.
    #[error("the address of the Bot API server must begin with `http://` or `https://`")]
    ApiUrl,
    /// The secret of the webhook breaks Telegram's rule.
    #[error("the webhook secret must be 1-256 characters of `A-Z a-z 0-9 _ -`")]
    WebhookSecret,
    /// Telegram calls webhooks by `https` only; a local Bot API server also by `http`.
    #[error("the webhook address must begin with `https://`")]
    WebhookUrl,
    /// The number of updates per poll is out of Telegram's range.
    #[error("the number of updates per poll must be 1-100, not {0}")]
    PollLimit(u8),
    /// The HTTP client could not be made.
    #[error("cannot make an HTTP client: {0}")]
    Client(String),
}

impl TelegramConfig {
    /// Returns the configuration of an account that polls Telegram's own server.
    pub fn new(name: ChannelName, token: SecretString, api_url: Url) -> Self {
        Self {
            name,
            token,
            api_url,
            mode: Mode::Polling {
                timeout: POLL_TIMEOUT,
            },
            poll_limit: POLL_LIMIT,
            timeouts: Timeouts::default(),
            introduction: None,
        }
    }

    /// Checks every value against Telegram's rules.
    pub fn validate(&self) -> Result<(), ConfigError> {
        if !is_token(self.token.expose_secret()) {
            return Err(ConfigError::Token);
        }
        if !matches!(self.api_url.scheme(), "http" | "https") {
            return Err(ConfigError::ApiUrl);
        }
        if !(1..=POLL_LIMIT).contains(&self.poll_limit) {
            return Err(ConfigError::PollLimit(self.poll_limit));
        }
        match &self.mode {
            Mode::Polling { .. } => Ok(()),
            Mode::Webhook { url, secret, .. } => {
                let may_be_http = self.api_url.host_str() != Some(TELEGRAM);
                check_webhook(url, may_be_http, secret.expose_secret())
            }
        }
    }
}

fn check_webhook(url: &Url, may_be_http: bool, secret: &str) -> Result<(), ConfigError> {
    let is_right = url.scheme() == "https" || (may_be_http && url.scheme() == "http");
    if !is_right {
        return Err(ConfigError::WebhookUrl);
    }
    let well_formed = (1..=SECRET_CHARACTERS).contains(&secret.len()) && is_plain(secret);
    if well_formed {
        Ok(())
    } else {
        Err(ConfigError::WebhookSecret)
    }
}

fn is_token(token: &str) -> bool {
    token.split_once(':').is_some_and(|(account, secret)| {
        !account.is_empty()
            && account.bytes().all(|byte| byte.is_ascii_digit())
            && !secret.is_empty()
            && is_plain(secret)
    })
}

fn is_plain(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config() -> TelegramConfig {
        TelegramConfig::new(
            ChannelName::from("telegram"),
            SecretString::from("123456:ABC-def_1"),
            Url::parse("https://api.telegram.org").unwrap(),
        )
    }

    fn webhook(url: &str, secret: &str) -> TelegramConfig {
        TelegramConfig {
            mode: Mode::Webhook {
                url: Url::parse(url).unwrap(),
                listen: SocketAddr::from(([127, 0, 0, 1], 0)),
                secret: SecretString::from(secret),
            },
            ..config()
        }
    }

    #[track_caller]
    fn check_secret(secret: &str, expected: &Result<(), ConfigError>) {
        assert_eq!(
            &webhook("https://sayso.example/t", secret).validate(),
            expected,
            "{secret:?}"
        );
    }

    #[test]
    fn webhook_secret_follows_telegrams_rule() {
        check_secret("a", &Ok(()));
        check_secret(&"Az09_-".repeat(42), &Ok(()));
        check_secret(&"a".repeat(256), &Ok(()));
        check_secret(&"a".repeat(257), &Err(ConfigError::WebhookSecret));
        check_secret("", &Err(ConfigError::WebhookSecret));
        check_secret("with space", &Err(ConfigError::WebhookSecret));
        check_secret("秘密", &Err(ConfigError::WebhookSecret));
    }

    #[test]
    fn webhook_needs_https_except_from_a_local_server() {
        let plain = webhook("http://sayso.example/t", "secret");
        assert_eq!(plain.validate(), Err(ConfigError::WebhookUrl));

        let local = TelegramConfig {
            api_url: Url::parse("http://127.0.0.1:8081").unwrap(),
            ..plain
        };
        assert_eq!(local.validate(), Ok(()));
    }

    #[track_caller]
    fn check_token(token: &str, expected: &Result<(), ConfigError>) {
        let config = TelegramConfig {
            token: SecretString::from(token),
            ..config()
        };
        assert_eq!(&config.validate(), expected, "{token:?}");
    }

    #[test]
    fn token_has_an_account_and_a_secret() {
        check_token("123456:AAE-x_9", &Ok(()));
        check_token("", &Err(ConfigError::Token));
        check_token("123456", &Err(ConfigError::Token));
        check_token("123456:", &Err(ConfigError::Token));
        check_token("name:AAE", &Err(ConfigError::Token));
        check_token("123456:a/../b", &Err(ConfigError::Token));
    }

    #[test]
    fn error_never_shows_the_token() {
        let config = TelegramConfig {
            token: SecretString::from("not-a-token-but-secret"),
            ..config()
        };
        let error = config.validate().unwrap_err();
        assert!(!format!("{error} {error:?}").contains("not-a-token"));
    }
}
