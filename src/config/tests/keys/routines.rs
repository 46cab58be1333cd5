//! The keys of `[routines]`.

use super::Case;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "routines.enabled",
        default: Some("true"),
        good: ("false", "false", "false"),
        bad: ("\"yes\"", "yes"),
        read: |config| config.routines.enabled.to_string(),
    },
    Case {
        key: "routines.zone",
        default: Some("local"),
        good: ("\"Asia/Shanghai\"", "Asia/Shanghai", "Asia/Shanghai"),
        bad: ("\"Mars/Olympus\"", "CST"),
        read: |config| {
            let zone = config.routines.zone;
            zone.map_or("local", |zone| zone.name()).to_owned()
        },
    },
    Case {
        key: "routines.shortest_minutes",
        default: Some("15"),
        good: ("1", "1", "1"),
        bad: ("0", "10081"),
        read: |config| config.routines.shortest_minutes.to_string(),
    },
    Case {
        key: "routines.most",
        default: Some("20"),
        good: ("0", "0", "0"),
        bad: ("1001", "many"),
        read: |config| config.routines.most.to_string(),
    },
    Case {
        key: "routines.concurrent",
        default: Some("8"),
        good: ("1", "1", "1"),
        bad: ("0", "257"),
        read: |config| config.routines.concurrent.to_string(),
    },
    Case {
        key: "routines.spread_secs",
        default: Some("60"),
        good: ("0", "0", "0"),
        bad: ("601", "1m"),
        read: |config| config.routines.spread.as_secs().to_string(),
    },
    Case {
        key: "routines.late",
        default: Some("half"),
        good: ("\"6h\"", "6h", "6h"),
        bad: ("\"later\"", "0h"),
        read: |config| config.routines.late.as_text(),
    },
    Case {
        key: "routines.quiet_hours",
        default: Some("22:30-07:30"),
        good: ("\"off\"", "off", "off"),
        bad: ("\"night\"", "25-7"),
        read: |config| config.routines.quiet_hours.to_string(),
    },
    Case {
        key: "routines.triggered_per_hour",
        default: Some("6"),
        good: ("60", "60", "60"),
        bad: ("0", "61"),
        read: |config| config.routines.triggered_per_hour.to_string(),
    },
    Case {
        key: "routines.keep_runs_days",
        default: Some("30"),
        good: ("0", "0", "0"),
        bad: ("-1", "month"),
        read: |config| {
            let kept = config.routines.keep_runs;
            kept.map_or(0, |kept| kept.as_secs() / 86_400).to_string()
        },
    },
];
