//! The keys of `[projects.NAME]`.

use super::Case;
use crate::config::{Config, ProjectConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "projects.site.path",
        default: None,
        good: ("'/usr/bin'", "/usr/bin", "/usr/bin"),
        bad: ("7", "/no/such/folder"),
        read: |config| site(config).path.display().to_string(),
    },
    Case {
        key: "projects.site.people",
        default: Some(""),
        good: (
            "['telegram:7', 'discord.work:8']",
            "telegram:7,discord.work:8",
            "telegram:7 discord.work:8",
        ),
        bad: ("['@mia']", "discord:role:7"),
        read: |config| {
            let people = site(config).people.iter();
            people
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(" ")
        },
    },
    Case {
        key: "projects.site.write",
        default: Some("false"),
        good: ("true", "true", "true"),
        bad: ("7", "perhaps"),
        read: |config| site(config).write.to_string(),
    },
    Case {
        key: "projects.site.checks",
        default: Some(""),
        good: (
            "['tests=make check', 'lint=']",
            "tests=make check,lint=",
            "lint= tests=make check",
        ),
        bad: ("['speed=make fast']", "tests"),
        read: |config| {
            let commands = site(config).checks.commands.iter();
            let mut written: Vec<String> = commands
                .map(|(strategy, command)| format!("{}={command}", strategy.as_str()))
                .collect();
            written.sort();
            written.join(" ")
        },
    },
    Case {
        key: "projects.site.description",
        default: Some(""),
        good: ("'the site'", "the site", "the site"),
        bad: ("7", "one\ttwo"),
        read: |config| site(config).description.clone().unwrap_or_default(),
    },
];

fn site(config: &Config) -> &ProjectConfig {
    config.projects.first().unwrap()
}
