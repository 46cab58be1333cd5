//! The keys of `[memory]`, `[memory.embedder]` and `[memory.learning]`.

use sayso_providers::{EmbedderSource, EmbeddingsConfig};
use secrecy::ExposeSecret;

use super::Case;
use crate::config::{Config, EmbedderConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "memory.keep_episodes_days",
        default: Some("365"),
        good: ("30", "30", "30"),
        bad: ("-1", "36501"),
        read: |config| days(config.retention.episodes),
    },
    Case {
        key: "memory.keep_learned_days",
        default: Some("0"),
        good: ("30", "30", "30"),
        bad: ("-1", "long"),
        read: |config| days(config.retention.learned),
    },
    Case {
        key: "memory.keep_told_days",
        default: Some("0"),
        good: ("30", "30", "30"),
        bad: ("0.5", "36501"),
        read: |config| days(config.retention.told),
    },
    Case {
        key: "memory.keep_lines_days",
        default: Some("365"),
        good: ("30", "30", "30"),
        bad: ("-1", "36501"),
        read: |config| days(config.retention.lines),
    },
    Case {
        key: "memory.fade_after_days",
        default: Some("90"),
        good: ("30", "30", "30"),
        bad: ("-1", "36501"),
        read: |config| days(config.retention.fades),
    },
    Case {
        key: "memory.fade_below_confidence",
        default: Some("85"),
        good: ("100", "100", "100"),
        bad: ("-1", "101"),
        read: |config| config.retention.fades_below.to_string(),
    },
    Case {
        key: "memory.embedder.base_url",
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
        key: "memory.embedder.api_key",
        default: Some("none"),
        good: ("'sk-1'", "sk-1", "sk-1"),
        bad: ("false", "file:/no/such/file"),
        read: |config| match &server(config).api_key {
            Some(key) => key.expose_secret().to_owned(),
            None => "none".to_owned(),
        },
    },
    Case {
        key: "memory.embedder.model",
        default: None,
        good: ("'small'", "small", "small"),
        bad: ("''", " "),
        read: |config| server(config).model.clone(),
    },
    Case {
        key: "memory.embedder.directory",
        default: Some("none"),
        good: ("'/models/potion'", "/models/potion", "/models/potion"),
        bad: ("''", "potion"),
        read: |config| match config.embedder.as_ref().map(|it| &it.source) {
            Some(EmbedderSource::Directory { path, .. }) => path.display().to_string(),
            Some(EmbedderSource::Server(_)) | None => "none".to_owned(),
        },
    },
    Case {
        key: "memory.embedder.dimensions",
        default: Some("None"),
        good: ("256", "256", "Some(256)"),
        bad: ("0", "8193"),
        read: |config| format!("{:?}", server(config).dimensions),
    },
    Case {
        key: "memory.embedder.min_similarity",
        default: Some("0.25"),
        good: ("0.5", "0.5", "0.5"),
        bad: ("1.1", "near"),
        read: |config| embedder(config).min_similarity.to_string(),
    },
    Case {
        key: "memory.embedder.timeout_secs",
        default: Some("30"),
        good: ("600", "600", "600"),
        bad: ("0", "601"),
        read: |config| server(config).timeout.as_secs().to_string(),
    },
    Case {
        key: "memory.learning.enabled",
        default: Some("true"),
        good: ("false", "false", "false"),
        bad: ("'yes'", "yes"),
        read: |config| config.learning.is_some().to_string(),
    },
    Case {
        key: "memory.learning.idle_secs",
        default: Some("600"),
        good: ("60", "60", "60"),
        bad: ("0", "86401"),
        read: |config| config.learning.unwrap().idle.as_secs().to_string(),
    },
    Case {
        key: "memory.learning.note",
        default: Some("true"),
        good: ("'off'", "off", "false"),
        bad: ("'loud'", "on"),
        read: |config| config.learning.unwrap().says_so.to_string(),
    },
];

fn days(time: Option<std::time::Duration>) -> String {
    time.map_or(0, |time| time.as_secs() / 86_400).to_string()
}

fn embedder(config: &Config) -> &EmbedderConfig {
    config.embedder.as_ref().unwrap()
}

fn server(config: &Config) -> &EmbeddingsConfig {
    match &embedder(config).source {
        EmbedderSource::Server(server) => server,
        EmbedderSource::Directory { path, .. } => panic!("{} is no server", path.display()),
    }
}
