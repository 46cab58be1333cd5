//! The keys of `[agent]`.

use super::Case;

pub(super) const CASES: &[Case] = &[
    Case {
        key: "agent.autonomy",
        default: Some("supervised"),
        good: ("'read_only'", "read_only", "read_only"),
        bad: ("'god'", "Full"),
        read: |config| config.policy.autonomy.as_str().to_owned(),
    },
    Case {
        key: "agent.routing",
        default: Some("Parallel"),
        good: ("'auto'", "auto", "Auto"),
        bad: ("'sometimes'", "sometimes"),
        read: |config| format!("{:?}", config.agent.routing),
    },
    Case {
        key: "agent.parallel_prompt_tokens",
        default: Some("16000"),
        good: ("0", "0", "0"),
        bad: ("-1", "1000001"),
        read: |config| config.agent.parallel_prompt_tokens.to_string(),
    },
    Case {
        key: "agent.routing_messages",
        default: Some("6"),
        good: ("50", "50", "50"),
        bad: ("51", "-1"),
        read: |config| config.agent.routing_messages.to_string(),
    },
    Case {
        key: "agent.planning",
        default: Some("Auto"),
        good: ("'off'", "off", "Off"),
        bad: ("'always'", "always"),
        read: |config| format!("{:?}", config.agent.planning),
    },
    Case {
        key: "agent.plan_approval",
        default: Some("Never"),
        good: ("'ask'", "ask", "Ask"),
        bad: ("'always'", "always"),
        read: |config| format!("{:?}", config.agent.plan_approval),
    },
    Case {
        key: "agent.map_tokens",
        default: Some("1024"),
        good: ("0", "0", "0"),
        bad: ("-1", "8193"),
        read: |config| config.agent.map_tokens.to_string(),
    },
    Case {
        key: "agent.max_steps",
        default: Some("10"),
        good: ("30", "30", "30"),
        bad: ("31", "0"),
        read: |config| config.agent.max_steps.to_string(),
    },
    Case {
        key: "agent.turn_timeout_secs",
        default: Some("1800"),
        good: ("60", "60", "60"),
        bad: ("0", "86401"),
        read: |config| config.agent.turn_timeout.as_secs().to_string(),
    },
    Case {
        key: "agent.while_busy",
        default: Some("Steer"),
        good: ("'queue'", "queue", "Queue"),
        bad: ("'ignore'", "ignore"),
        read: |config| format!("{:?}", config.agent.while_busy),
    },
    Case {
        key: "agent.history_messages",
        default: Some("50"),
        good: ("0x10", "16", "16"),
        bad: ("1", "1001"),
        read: |config| config.agent.history_messages.to_string(),
    },
    Case {
        key: "agent.concurrent_turns",
        default: Some("64"),
        good: ("4_096", "4096", "4096"),
        bad: ("0", "4097"),
        read: |config| config.agent.concurrent_turns.to_string(),
    },
];
