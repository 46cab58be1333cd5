//! What owners change in chat: every key that may be changed does what writing it would do, and
//! none goes further than what is written lets it.

use sayso_channel::Language;

use super::read;
use crate::config::{Change, Config, changeable};

const FILE: &str = r#"
[[providers]]
base_url = "http://127.0.0.1:1/v1"
model = "small"
models = ["large", "huge"]
[[prices]]
model = "small"
input = 1.0
output = 1.0
[[prices]]
model = "large"
input = 2.0
output = 2.0
[[prices]]
model = "huge"
input = 3.0
output = 3.0
[tools.web_search]
base_url = "http://127.0.0.1:2"
[budget]
turn_money = 1.0
user_day_money = 2.0
routine_day_money = 0.5
instance_day_money = 3.0
instance_month_tokens = 1000
instance_month_money = 4.0
"#;

/// Each key with a value that it may be changed to, and one that it may not.
const VALUES: [(&str, &str, &str); 20] = [
    ("language", "zh-CN", "fr"),
    ("providers.0.model", "large", "other"),
    ("agent.autonomy", "read_only", "full"),
    ("agent.routing", "off", "maybe"),
    ("agent.routing_messages", "9", "51"),
    ("agent.max_steps", "12", "31"),
    ("agent.history_messages", "80", "101"),
    ("budget.turn_tokens", "2000000", "2000001"),
    ("budget.turn_money", "0.5", "2.5"),
    ("budget.user_day_tokens", "5", "0"),
    ("budget.user_day_money", "4.0", "0"),
    ("budget.routine_day_tokens", "7", "2000001"),
    ("budget.routine_day_money", "1.0", "1.1"),
    ("budget.instance_day_tokens", "1", "100000001"),
    ("budget.instance_day_money", "6", "7"),
    ("budget.instance_month_tokens", "2000", "-1"),
    ("budget.instance_month_money", "0.1", "8.1"),
    ("tools.web_search.results", "7", "21"),
    ("memory.learning.enabled", "false", "perhaps"),
    ("memory.learning.note", "off", "loud"),
];

fn change(key: &str, value: &str) -> Change {
    (key.to_owned(), value.to_owned())
}

/// Everything that follows from a configuration.
fn all_of(config: &Config) -> String {
    let mut config = config.clone();
    config.changed.clear();
    format!("{config:#?}")
}

#[test]
fn every_key_that_may_be_changed_has_its_proof_here() {
    let proven: Vec<&str> = VALUES.iter().map(|(key, ..)| *key).collect();
    assert_eq!(proven, changeable().collect::<Vec<_>>());
}

#[test]
fn a_change_does_what_writing_it_would_do() {
    let plain = read(FILE, &[]).unwrap();
    for (key, value, _) in VALUES {
        let (changed, overlay) = plain.clone().covered_with(&[change(key, value)]);
        assert_eq!(overlay.dropped, [], "{key}");
        assert_eq!(changed.changed, [change(key, value)]);
        assert_ne!(all_of(&changed), all_of(&plain), "{key} has an effect");
        let variable = format!("SAYSO__{}", key.to_uppercase().replace('.', "__"));
        let mut more = vec![(variable.as_str(), value)];
        if key == "providers.0.model" {
            more.push(("SAYSO__PROVIDERS__0__MODELS", r#"["small", "huge"]"#));
        }
        let written = read(FILE, &more).unwrap();
        assert_eq!(all_of(&changed), all_of(&written), "{key}");
    }
}

#[test]
fn a_change_goes_no_further_than_what_is_written_lets_it() {
    let plain = read(FILE, &[]).unwrap();
    for (key, _, value) in VALUES {
        let refused = plain.written.judge(&[], key, value);
        assert!(refused.is_err(), "{key} = {value}");
        let (kept, overlay) = plain.clone().covered_with(&[change(key, value)]);
        assert_eq!(overlay.dropped.len(), 1, "{key}");
        assert_eq!(all_of(&kept), all_of(&plain), "{key}");
    }
}

#[test]
fn what_opens_something_is_not_changed_in_chat() {
    let plain = read(FILE, &[]).unwrap();
    for key in crate::config::key_names() {
        let may_be_changed = changeable().any(|changeable| changeable.replace(".0.", ".*.") == key);
        let opens = [
            "access.",
            "channels.",
            "policy.",
            "secrets.",
            "projects.",
            "mcp.",
            "http.",
            "store.",
        ];
        assert!(
            !(may_be_changed && opens.iter().any(|section| key.starts_with(section))),
            "{key}"
        );
        let key = key.replace(".*.", ".0.");
        if !may_be_changed {
            let refused = plain
                .written
                .judge(&[], &key, "true")
                .unwrap_err()
                .to_string();
            assert!(refused.contains("is not changed in chat"), "{refused}");
        }
    }
}

#[test]
fn the_newest_change_of_a_key_counts_alone() {
    let plain = read(FILE, &[]).unwrap();
    let changes = ["auto", "nonsense", "off"].map(|value| change("agent.routing", value));
    let (_, overlay) = plain.clone().covered_with(&changes);
    assert_eq!(overlay.in_force, [change("agent.routing", "off")]);
    assert_eq!(overlay.dropped, []);
}

#[test]
fn no_secret_is_shown() {
    let file = "[[providers]]\nmodel = \"m\"\napi_key = \"sk-canary\"\n";
    let config = read(file, &[]).unwrap();
    let lines = config.written.lines(&[]);
    let key = lines.iter().find(|line| line.key == "providers.0.api_key");
    assert_eq!(key.unwrap().value, None);
    assert!(!format!("{lines:?} {config:?}").contains("sk-canary"));
}

#[test]
fn why_a_change_is_refused_is_said_in_both_languages() {
    let plain = read(FILE, &[]).unwrap();
    let said = |key: &str, value: &str| {
        let refused = plain.written.judge(&[], key, value).unwrap_err();
        let languages = [Language::English, Language::Chinese];
        languages
            .map(|language| refused.in_words(language))
            .join("\n")
    };
    insta::assert_snapshot!(said("budget.turn_money", "2.5"), @r"
    `budget.turn_money` may be above 0 and at most 2, and not 2.5
    `budget.turn_money` 应大于 0 且不超过 2，不能是 2.5
    ");
    insta::assert_snapshot!(said("providers.0.model", "other"), @r#"
    `providers.0.model` may be one of `small`, `large`, `huge`, and not "other"
    `providers.0.model` 可以是 `small`、`large`、`huge` 之一，不能是 "other"
    "#);
    insta::assert_snapshot!(said("agent.max_steps", "31"), @r"
    changed in chat: `agent.max_steps` is `31`, but must be a whole number from 1 to 30
    在聊天中的修改：`agent.max_steps` 的值是 `31`，但应为整数，范围 1 至 30
    ");
}
