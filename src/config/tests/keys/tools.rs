//! The keys of `[tools]`.

use secrecy::ExposeSecret;

use super::{Case, joined};
use crate::config::{Config, WebSearchConfig};

pub(super) const CASES: &[Case] = &[
    Case {
        key: "tools.shell_timeout_secs",
        default: Some("120"),
        good: ("1", "1", "1"),
        bad: ("0", "1.5"),
        read: |config| config.tools.shell_timeout.as_secs().to_string(),
    },
    Case {
        key: "tools.background_timeout_secs",
        default: Some("3600"),
        good: ("86400", "86400", "86400"),
        bad: ("86401", "1h"),
        read: |config| {
            let timeout = config.tools.background_timeout;
            timeout.map_or(0, |timeout| timeout.as_secs()).to_string()
        },
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
        key: "tools.max_inbox_files",
        default: Some("500"),
        good: ("0", "0", "0"),
        bad: ("100001", "many"),
        read: |config| config.tools.max_inbox_files.to_string(),
    },
    Case {
        key: "tools.max_inbox_bytes",
        default: Some("536870912"),
        good: ("1048576", "1048576", "1048576"),
        bad: ("1099511627777", "1G"),
        read: |config| config.tools.max_inbox_bytes.to_string(),
    },
    Case {
        key: "tools.allow_private_hosts",
        default: Some(""),
        good: ("['nas.local:5000']", "nas.local:5000", "nas.local:5000"),
        bad: ("['nas.local']", "*.local:80"),
        read: |config| joined(&config.policy.hosts.private),
    },
    Case {
        key: "tools.web_search.kind",
        default: Some("Searxng"),
        good: ("'brave'", "brave", "Brave"),
        bad: ("'google'", "google"),
        read: |config| searching(config, |search| format!("{:?}", search.kind)),
    },
    Case {
        key: "tools.web_search.base_url",
        default: None,
        good: (
            "'http://127.0.0.1:8888'",
            "http://127.0.0.1:8888",
            "http://127.0.0.1:8888/",
        ),
        bad: ("'ftp://x'", "x"),
        read: |config| searching(config, |search| search.base_url.to_string()),
    },
    Case {
        key: "tools.web_search.api_key",
        default: Some(""),
        good: ("'k-1'", "k-1", "k-1"),
        bad: ("'env:NOT_THERE'", "env:NOT_THERE"),
        read: |config| {
            searching(config, |search| {
                let key = search.api_key.as_ref();
                key.map_or("", |key| key.expose_secret()).to_owned()
            })
        },
    },
    Case {
        key: "tools.web_search.results",
        default: Some("5"),
        good: ("20", "20", "20"),
        bad: ("0", "21"),
        read: |config| searching(config, |search| search.results.to_string()),
    },
];

/// Reads something of the search service, which must be there.
fn searching(config: &Config, read: impl Fn(&WebSearchConfig) -> String) -> String {
    config
        .web_search
        .as_ref()
        .map_or_else(|| "no search".to_owned(), read)
}
