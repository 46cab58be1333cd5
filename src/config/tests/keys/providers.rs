//! The keys of `[[providers]]`.

use secrecy::ExposeSecret;

use super::Case;
use crate::config::{Config, OpenAiServer, ProviderConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "providers.0.name",
        default: Some("main"),
        good: ("'big'", "big", "big"),
        bad: ("' '", " "),
        read: |config| config.providers[0].name().to_owned(),
    },
    Case {
        key: "providers.0.kind",
        default: Some("openai"),
        good: ("'offline'", "offline", "offline"),
        bad: ("'anthropic'", "llama"),
        read: |config| match &config.providers[0] {
            ProviderConfig::OpenAi(_) => "openai".to_owned(),
            ProviderConfig::Offline { .. } => "offline".to_owned(),
        },
    },
    Case {
        key: "providers.0.base_url",
        default: Some("https://api.openai.com/v1"),
        good: (
            "'http://127.0.0.1:9/v1'",
            "http://127.0.0.1:9/v1",
            "http://127.0.0.1:9/v1",
        ),
        bad: ("'unix:/tmp/x'", "https://mia:word@example.org"),
        read: |config| server(config).base_url.to_string(),
    },
    Case {
        key: "providers.0.api_key",
        default: Some("none"),
        good: ("'sk-1'", "sk-1", "sk-1"),
        bad: ("false", "file:/no/such/file"),
        read: |config| match &server(config).api_key {
            Some(key) => key.expose_secret().to_owned(),
            None => "none".to_owned(),
        },
    },
    Case {
        key: "providers.0.model",
        default: None,
        good: ("'small'", "small", "small"),
        bad: ("''", " "),
        read: |config| server(config).model.clone(),
    },
    Case {
        key: "providers.0.temperature",
        default: Some("0.7"),
        good: ("2", "2.0", "2"),
        bad: ("2.1", "nan"),
        read: |config| server(config).temperature.to_string(),
    },
    Case {
        key: "providers.0.max_tokens",
        default: Some("4096"),
        good: ("1", "1", "1"),
        bad: ("0", "many"),
        read: |config| server(config).max_tokens.to_string(),
    },
    Case {
        key: "providers.0.timeout_secs",
        default: Some("120"),
        good: ("3600", "3600", "3600"),
        bad: ("0", "3601"),
        read: |config| server(config).timeout.as_secs().to_string(),
    },
];

fn server(config: &Config) -> &OpenAiServer {
    match &config.providers[0] {
        ProviderConfig::OpenAi(server) => server,
        ProviderConfig::Offline { .. } => panic!("offline"),
    }
}
