//! The keys of `[policy]`.

use super::{Case, joined};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "policy.allow_commands",
        default: Some(""),
        good: ("['git', 'ls']", "git,ls", "git ls"),
        bad: ("['git log']", "/bin/sh"),
        read: |config| config.policy.allow_commands.join(" "),
    },
    Case {
        key: "policy.allow_hosts",
        default: Some(""),
        good: (
            "['example.org', '*.Example.net']",
            "example.org,*.example.net",
            "example.org *.example.net",
        ),
        bad: ("['https://example.org']", "*"),
        read: |config| joined(&config.policy.hosts.allow),
    },
    Case {
        key: "policy.ask_hosts",
        default: Some(""),
        good: ("['a.org:8443']", "a.org:8443", "a.org:8443"),
        bad: ("['a.org/x']", "a.org:0"),
        read: |config| joined(&config.policy.hosts.ask),
    },
    Case {
        key: "policy.deny_hosts",
        default: Some(""),
        good: (
            "['0x7f.1', '[::1]:80']",
            "0x7f.1,[::1]:80",
            "127.0.0.1 [::1]:80",
        ),
        bad: ("[1]", "a b"),
        read: |config| joined(&config.policy.hosts.deny),
    },
    Case {
        key: "policy.allow_network",
        default: Some("false"),
        good: ("true", "true", "true"),
        bad: ("'yes'", "yes"),
        read: |config| config.policy.allow_network.to_string(),
    },
    Case {
        key: "policy.confirm_write",
        default: Some("true"),
        good: ("false", "false", "false"),
        bad: ("0", "0"),
        read: |config| config.policy.confirm_write.to_string(),
    },
    Case {
        key: "policy.confirm_exec",
        default: Some("true"),
        good: ("false", "false", "false"),
        bad: ("'false'", "off"),
        read: |config| config.policy.confirm_exec.to_string(),
    },
    Case {
        key: "policy.sandbox",
        default: Some("Require"),
        good: ("'prefer'", "prefer", "Prefer"),
        bad: ("true", "on"),
        read: |config| format!("{:?}", config.policy.confinement.mode),
    },
    Case {
        key: "policy.sandboxed_commands",
        default: Some("Ask"),
        good: ("'allow'", "allow", "Allow"),
        bad: ("true", "always"),
        read: |config| format!("{:?}", config.policy.sandboxed_commands),
    },
    Case {
        key: "policy.members_system",
        default: Some("Owner"),
        good: ("'deny'", "deny", "Deny"),
        bad: ("true", "ask"),
        read: |config| format!("{:?}", config.policy.members.system),
    },
    Case {
        key: "policy.members_network",
        default: Some("Owner"),
        good: ("'asker'", "asker", "Asker"),
        bad: ("true", "member"),
        read: |config| format!("{:?}", config.policy.members.network),
    },
    Case {
        key: "policy.rules",
        default: Some("0"),
        good: (
            "'deploy/rules.example.toml'",
            "deploy/rules.example.toml",
            "3",
        ),
        bad: ("'deploy/sayso.example.toml'", "nowhere.toml"),
        read: |config| config.policy.rules.len().to_string(),
    },
    Case {
        key: "policy.approval_expires_secs",
        default: Some("1800"),
        good: ("604800", "604800", "604800"),
        bad: ("9", "604801"),
        read: |config| config.approval_expires.as_secs().to_string(),
    },
];
