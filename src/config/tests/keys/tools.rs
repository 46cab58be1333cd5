//! The keys of `[tools]`.

use super::{Case, joined};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "tools.shell_timeout_secs",
        default: Some("120"),
        good: ("1", "1", "1"),
        bad: ("0", "1.5"),
        read: |config| config.tools.shell_timeout.as_secs().to_string(),
    },
    Case {
        key: "tools.max_file_read_bytes",
        default: Some("262144"),
        good: ("1024", "1024", "1024"),
        bad: ("1023", "16777217"),
        read: |config| config.tools.max_file_read_bytes.to_string(),
    },
    Case {
        key: "tools.max_output_bytes",
        default: Some("32768"),
        good: ("1048576", "1048576", "1048576"),
        bad: ("1048577", "1k"),
        read: |config| config.tools.max_output_bytes.to_string(),
    },
    Case {
        key: "tools.fetch_timeout_secs",
        default: Some("30"),
        good: ("600", "600", "600"),
        bad: ("0", "601"),
        read: |config| config.tools.fetch_timeout.as_secs().to_string(),
    },
    Case {
        key: "tools.max_fetch_bytes",
        default: Some("2097152"),
        good: ("1024", "1024", "1024"),
        bad: ("1023", "67108865"),
        read: |config| config.tools.max_fetch_bytes.to_string(),
    },
    Case {
        key: "tools.allow_private_hosts",
        default: Some(""),
        good: ("['nas.local:5000']", "nas.local:5000", "nas.local:5000"),
        bad: ("['nas.local']", "*.local:80"),
        read: |config| joined(&config.policy.hosts.private),
    },
];
