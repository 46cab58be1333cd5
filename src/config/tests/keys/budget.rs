//! The keys of `[budget]` and `[[prices]]`.

use super::Case;
use crate::config::Config;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "budget.turn_tokens",
        default: Some("Some(1000000)"),
        good: ("0", "0", "None"),
        bad: ("-1", "many"),
        read: |config| format!("{:?}", config.budget.turn.tokens),
    },
    Case {
        key: "budget.turn_money",
        default: Some("None"),
        good: ("0.25", "0.25", "Some(250000)"),
        bad: ("-0.1", "$1"),
        read: |config| format!("{:?}", config.budget.turn.micros),
    },
    Case {
        key: "budget.user_day_tokens",
        default: Some("Some(10000000)"),
        good: ("7", "7", "Some(7)"),
        bad: ("0.5", "-1"),
        read: |config| format!("{:?}", config.budget.user_day.tokens),
    },
    Case {
        key: "budget.user_day_money",
        default: Some("None"),
        good: ("2", "2", "Some(2000000)"),
        bad: ("'2'", "1000001"),
        read: |config| format!("{:?}", config.budget.user_day.micros),
    },
    Case {
        key: "budget.routine_day_tokens",
        default: Some("Some(1000000)"),
        good: ("5", "5", "Some(5)"),
        bad: ("-1", "few"),
        read: |config| format!("{:?}", config.budget.routine_day.tokens),
    },
    Case {
        key: "budget.routine_day_money",
        default: Some("None"),
        good: ("0.5", "0.5", "Some(500000)"),
        bad: ("-0.5", "x"),
        read: |config| format!("{:?}", config.budget.routine_day.micros),
    },
    Case {
        key: "budget.instance_day_tokens",
        default: Some("Some(50000000)"),
        good: ("1_000", "1000", "Some(1000)"),
        bad: ("1_000_000_000_001", "1e6"),
        read: |config| format!("{:?}", config.budget.instance_day.tokens),
    },
    Case {
        key: "budget.instance_day_money",
        default: Some("None"),
        good: ("0.000001", "0.000001", "Some(1)"),
        bad: ("nan", "nan"),
        read: |config| format!("{:?}", config.budget.instance_day.micros),
    },
    Case {
        key: "budget.instance_month_tokens",
        default: Some("None"),
        good: ("9", "9", "Some(9)"),
        bad: ("true", "x"),
        read: |config| format!("{:?}", config.budget.instance_month.tokens),
    },
    Case {
        key: "budget.instance_month_money",
        default: Some("None"),
        good: ("20.5", "20.5", "Some(20500000)"),
        bad: ("[1]", "inf"),
        read: |config| format!("{:?}", config.budget.instance_month.micros),
    },
    Case {
        key: "budget.currency",
        default: Some("USD"),
        good: ("'€'", "€", "€"),
        bad: ("'US dollars'", "1"),
        read: |config| config.budget.prices.currency.clone(),
    },
    Case {
        key: "prices.0.model",
        default: None,
        good: ("'small'", "small", "small"),
        bad: ("' '", " "),
        read: |config| config.budget.prices.models[0].0.clone(),
    },
    Case {
        key: "prices.0.input",
        default: None,
        good: ("0.15", "0.15", "150000"),
        bad: ("-1", "cheap"),
        read: |config| price(config).input.to_string(),
    },
    Case {
        key: "prices.0.cached_input",
        default: Some("500000"),
        good: ("0.075", "0.075", "75000"),
        bad: ("-1", "free"),
        read: |config| price(config).cached_input.to_string(),
    },
    Case {
        key: "prices.0.output",
        default: None,
        good: ("0", "0", "0"),
        bad: ("1000001", "1,5"),
        read: |config| price(config).output.to_string(),
    },
];

fn price(config: &Config) -> crate::budget::Price {
    config.budget.prices.models[0].1
}
