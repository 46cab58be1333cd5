//! The keys of `[checks]`.

use super::Case;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "checks.when",
        default: Some("AfterChange"),
        good: ("'asked'", "asked", "Asked"),
        bad: ("'always'", "always"),
        read: |config| format!("{:?}", config.checks.when),
    },
    Case {
        key: "checks.max_corrections",
        default: Some("2"),
        good: ("0", "0", "0"),
        bad: ("-1", "6"),
        read: |config| config.checks.max_corrections.to_string(),
    },
    Case {
        key: "checks.timeout_secs",
        default: Some("300"),
        good: ("60", "60", "60"),
        bad: ("0", "3601"),
        read: |config| config.checks.timeout.as_secs().to_string(),
    },
    Case {
        key: "checks.budget_secs",
        default: Some("900"),
        good: ("60", "60", "60"),
        bad: ("0", "86401"),
        read: |config| config.checks.budget.as_secs().to_string(),
    },
];
