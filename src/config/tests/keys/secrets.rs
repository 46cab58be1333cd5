//! The keys of `[secrets.NAME]`.

use secrecy::ExposeSecret;

use super::Case;
use crate::config::{Config, SecretConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "secrets.github.value",
        default: None,
        good: ("'hush-hush-2'", "hush-hush-2", "hush-hush-2"),
        bad: ("7", "env:NO_SUCH"),
        read: |config| github(config).value.expose_secret().to_owned(),
    },
    Case {
        key: "secrets.github.purpose",
        default: Some(""),
        good: ("'reads issues'", "reads issues", "reads issues"),
        bad: ("7", "one\ttwo"),
        read: |config| github(config).purpose.clone().unwrap_or_default(),
    },
    Case {
        key: "secrets.github.hosts",
        default: Some(""),
        good: (
            "['api.github.com', 'nas.local:5000']",
            "api.github.com,nas.local:5000",
            "github: api.github.com, nas.local:5000",
        ),
        bad: ("['*.github.com']", "*.github.com"),
        read: |config| listed(config.policy.secrets.for_hosts()),
    },
    Case {
        key: "secrets.github.commands",
        default: Some(""),
        good: ("['gh', 'git']", "gh,git", "github: gh, git"),
        bad: ("['sh']", "python3"),
        read: |config| listed(config.policy.secrets.for_commands()),
    },
];

fn github(config: &Config) -> &SecretConfig {
    config.secrets.first().unwrap()
}

fn listed<'c>(places: impl Iterator<Item = (&'c str, String)>) -> String {
    let places: Vec<_> = places
        .map(|(name, places)| format!("{name}: {places}"))
        .collect();
    places.join(" ")
}
