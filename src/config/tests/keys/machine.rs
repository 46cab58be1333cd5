//! Keys without a section, and those of `[retention]`, `[store]`, `[http]` and `[log]`.

use super::Case;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "data_dir",
        default: Some("/home/mia/.local/share/sayso"),
        good: ("'/srv/sayso'", "/srv/sayso", "/srv/sayso"),
        bad: ("7", " "),
        read: |config| config.data_dir.display().to_string(),
    },
    Case {
        key: "language",
        default: Some("None"),
        good: ("'zh-CN'", "zh-CN", "Some(Chinese)"),
        bad: ("'klingon'", "klingon"),
        read: |config| format!("{:?}", config.language),
    },
    Case {
        key: "retention.turns_days",
        default: Some("Some(31536000s)"),
        good: ("0", "0", "None"),
        bad: ("-1", "36501"),
        read: |config| format!("{:?}", config.retention.turns),
    },
    Case {
        key: "retention.messages_days",
        default: Some("7776000s"),
        good: ("7", "7", "604800s"),
        bad: ("6", "36501"),
        read: |config| format!("{:?}", config.retention.messages),
    },
    Case {
        key: "store.url",
        default: Some("/home/mia/.local/share/sayso/sayso.db"),
        good: (
            "'sqlite:mine.db'",
            "sqlite:mine.db",
            "/home/mia/.local/share/sayso/mine.db",
        ),
        bad: ("'postgres://localhost/sayso'", "sqlite:../mine.db"),
        read: |config| config.store_path.display().to_string(),
    },
    Case {
        key: "http.listen",
        default: Some("None"),
        good: ("'127.0.0.1:9'", "127.0.0.1:9", "Some(127.0.0.1:9)"),
        bad: ("'localhost'", "9090"),
        read: |config| format!("{:?}", config.http_listen),
    },
    Case {
        key: "log.level",
        default: Some("debug"),
        good: ("'warn'", "warn", "warn"),
        bad: ("'off'", "trace"),
        read: |config| config.log_level.as_str().to_owned(),
    },
    Case {
        key: "log.format",
        default: Some("Text"),
        good: ("'json'", "json", "Json"),
        bad: ("'xml'", "pretty"),
        read: |config| format!("{:?}", config.log_format),
    },
    Case {
        key: "log.traces",
        default: Some("none"),
        good: (
            "'http://127.0.0.1:4318'",
            "http://127.0.0.1:4318",
            "http://127.0.0.1:4318/",
        ),
        bad: ("'127.0.0.1:4318'", "http://me:secret@127.0.0.1:4318"),
        read: |config| {
            let collector = config.traces.as_ref();
            collector.map_or_else(|| "none".to_owned(), ToString::to_string)
        },
    },
];
