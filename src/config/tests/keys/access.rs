//! The keys of `[access]`.

use sayso_policy::PersonalLevels;

use super::Case;
use crate::config::AccountPattern;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "access.owners",
        default: Some(""),
        good: (
            "['telegram:7', 'discord.work:8', 'terminal:mia']",
            "telegram:7, discord.work:8, terminal:mia",
            "telegram:7 discord.work:8 terminal:mia",
        ),
        bad: ("['telegram:*']", "telegram:@mia"),
        read: |config| accounts(&config.access.owners),
    },
    Case {
        key: "access.allow",
        default: Some(""),
        good: (
            "['telegram:*', 'discord:role:7']",
            "[\"telegram:*\", \"discord:role:7\"]",
            "telegram:* discord:role:7",
        ),
        bad: ("'telegram:7'", "telegram:role:7"),
        read: |config| accounts(&config.access.allow),
    },
    Case {
        key: "access.pairing",
        default: Some("true"),
        good: ("false", "false", "false"),
        bad: ("'no'", "no"),
        read: |config| config.access.pairing.to_string(),
    },
    Case {
        key: "access.autonomy",
        default: Some(""),
        good: (
            "['telegram:7=read_only', 'discord.work:8=full']",
            "telegram:7=read_only, discord.work:8=full",
            "telegram:7=read_only discord.work:8=full",
        ),
        bad: ("['telegram:7=full', 'telegram:7=full']", "telegram:*=full"),
        read: |config| levels(&config.policy.levels),
    },
    Case {
        key: "access.messages_per_minute",
        default: Some("30"),
        good: ("600", "600", "600"),
        bad: ("0", "601"),
        read: |config| config.access.messages_per_minute.to_string(),
    },
    Case {
        key: "access.commands_per_minute",
        default: Some("30"),
        good: ("1", "1", "1"),
        bad: ("601", "many"),
        read: |config| config.access.commands_per_minute.to_string(),
    },
];

fn accounts(patterns: &[AccountPattern]) -> String {
    let patterns: Vec<_> = patterns.iter().map(ToString::to_string).collect();
    patterns.join(" ")
}

fn levels(levels: &PersonalLevels) -> String {
    let written = levels.iter().map(|one| {
        let level = one.level.as_str();
        format!("{}:{}={level}", one.channel, one.account)
    });
    written.collect::<Vec<_>>().join(" ")
}
