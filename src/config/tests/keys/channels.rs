//! The keys of `[channels.telegram]` and `[channels.discord]`.

use secrecy::ExposeSecret;

use super::Case;
use crate::config::{Config, DiscordAccount, TelegramAccount, TelegramMode};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "channels.telegram.token",
        default: None,
        good: ("'7:seven'", "7:seven", "7:seven"),
        bad: ("7", "env:NO_SUCH"),
        read: |config| telegram(config).token.expose_secret().to_owned(),
    },
    Case {
        key: "channels.telegram.api_url",
        default: Some("https://api.telegram.org/"),
        good: (
            "'http://127.0.0.1:9'",
            "http://127.0.0.1:9",
            "http://127.0.0.1:9/",
        ),
        bad: ("'ftp://example.org'", "example.org"),
        read: |config| telegram(config).api_url.to_string(),
    },
    Case {
        key: "channels.telegram.mode",
        default: Some("polling"),
        good: ("'webhook'", "webhook", "webhook"),
        bad: ("'pigeon'", "pigeon"),
        read: |config| match telegram(config).mode {
            TelegramMode::Polling => "polling".to_owned(),
            TelegramMode::Webhook { .. } => "webhook".to_owned(),
        },
    },
    Case {
        key: "channels.telegram.webhook_url",
        default: None,
        good: (
            "'https://b.example/x'",
            "https://b.example/x",
            "https://b.example/x",
        ),
        bad: ("'ftp://b.example/x'", "b.example"),
        read: |config| webhook(config).0,
    },
    Case {
        key: "channels.telegram.listen",
        default: None,
        good: ("'127.0.0.1:8443'", "127.0.0.1:8443", "127.0.0.1:8443"),
        bad: ("'localhost'", "8443"),
        read: |config| webhook(config).1,
    },
    Case {
        key: "channels.telegram.secret",
        default: None,
        good: ("'Az_-9'", "Az_-9", "Az_-9"),
        bad: ("'with space'", "with space"),
        read: |config| webhook(config).2,
    },
    Case {
        key: "channels.discord.token",
        default: None,
        good: ("'a.b.c'", "a.b.c", "a.b.c"),
        bad: ("7", "Bot a.b.c"),
        read: |config| discord(config).token.expose_secret().to_owned(),
    },
    Case {
        key: "channels.discord.api_url",
        default: Some("https://discord.com/api/v10"),
        good: (
            "'http://127.0.0.1:9/api/v10'",
            "http://127.0.0.1:9",
            "http://127.0.0.1:9/api/v10",
        ),
        bad: ("'wss://example.org'", "example.org"),
        read: |config| discord(config).api_url.to_string(),
    },
    Case {
        key: "channels.discord.shards",
        default: Some("None"),
        good: ("2", "2", "Some(2)"),
        bad: ("0", "many"),
        read: |config| format!("{:?}", discord(config).shards),
    },
    Case {
        key: "channels.discord.long_answers",
        default: Some("Messages"),
        good: ("'thread'", "thread", "Thread"),
        bad: ("'scroll'", "scroll"),
        read: |config| format!("{:?}", discord(config).long_answers),
    },
];

fn telegram(config: &Config) -> &TelegramAccount {
    &config.channels.telegram[0]
}

fn discord(config: &Config) -> &DiscordAccount {
    &config.channels.discord[0]
}

fn webhook(config: &Config) -> (String, String, String) {
    match &telegram(config).mode {
        TelegramMode::Polling => panic!("no webhook"),
        TelegramMode::Webhook {
            url,
            listen,
            secret,
        } => (
            url.to_string(),
            listen.to_string(),
            secret.expose_secret().to_owned(),
        ),
    }
}
