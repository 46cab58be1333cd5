//! Every key: its default, a value in the file, the same in the environment, and a refusal.

use secrecy::ExposeSecret;

use super::super::keys::KEYS;
use super::super::{AccountPattern, Config, OpenAiServer, ProviderConfig, TelegramMode};
use super::read;
use crate::policy::HostPattern;

/// One key, with what it becomes.
struct Case {
    key: &'static str,
    /// What it is when nobody sets it; `None` when it must be set.
    default: Option<&'static str>,
    /// A value as TOML, as a variable, and as it is read.
    good: (&'static str, &'static str, &'static str),
    /// A value that is refused, as TOML and as a variable.
    bad: (&'static str, &'static str),
    read: fn(&Config) -> String,
}

const CASES: &[Case] = &[
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
        key: "channels.telegram.token",
        default: None,
        good: ("'7:seven'", "7:seven", "7:seven"),
        bad: ("7", "env:NO_SUCH"),
        read: |config| telegram(config).token.expose_secret().to_owned(),
    },
    Case {
        key: "channels.telegram.api_url",
        default: Some("https://api.telegram.org/"),
        good: (
            "'http://127.0.0.1:9'",
            "http://127.0.0.1:9",
            "http://127.0.0.1:9/",
        ),
        bad: ("'ftp://example.org'", "example.org"),
        read: |config| telegram(config).api_url.to_string(),
    },
    Case {
        key: "channels.telegram.mode",
        default: Some("polling"),
        good: ("'webhook'", "webhook", "webhook"),
        bad: ("'pigeon'", "pigeon"),
        read: |config| match telegram(config).mode {
            TelegramMode::Polling => "polling".to_owned(),
            TelegramMode::Webhook { .. } => "webhook".to_owned(),
        },
    },
    Case {
        key: "channels.telegram.webhook_url",
        default: None,
        good: (
            "'https://b.example/x'",
            "https://b.example/x",
            "https://b.example/x",
        ),
        bad: ("'ftp://b.example/x'", "b.example"),
        read: |config| webhook(config).0,
    },
    Case {
        key: "channels.telegram.listen",
        default: None,
        good: ("'127.0.0.1:8443'", "127.0.0.1:8443", "127.0.0.1:8443"),
        bad: ("'localhost'", "8443"),
        read: |config| webhook(config).1,
    },
    Case {
        key: "channels.telegram.secret",
        default: None,
        good: ("'Az_-9'", "Az_-9", "Az_-9"),
        bad: ("'with space'", "with space"),
        read: |config| webhook(config).2,
    },
    Case {
        key: "channels.discord.token",
        default: None,
        good: ("'a.b.c'", "a.b.c", "a.b.c"),
        bad: ("7", "Bot a.b.c"),
        read: |config| discord(config).token.expose_secret().to_owned(),
    },
    Case {
        key: "channels.discord.api_url",
        default: Some("https://discord.com/api/v10"),
        good: (
            "'http://127.0.0.1:9/api/v10'",
            "http://127.0.0.1:9",
            "http://127.0.0.1:9/api/v10",
        ),
        bad: ("'wss://example.org'", "example.org"),
        read: |config| discord(config).api_url.to_string(),
    },
    Case {
        key: "channels.discord.shards",
        default: Some("None"),
        good: ("2", "2", "Some(2)"),
        bad: ("0", "many"),
        read: |config| format!("{:?}", discord(config).shards),
    },
    Case {
        key: "channels.discord.long_answers",
        default: Some("Messages"),
        good: ("'thread'", "thread", "Thread"),
        bad: ("'scroll'", "scroll"),
        read: |config| format!("{:?}", discord(config).long_answers),
    },
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
        key: "providers.0.name",
        default: Some("main"),
        good: ("'big'", "big", "big"),
        bad: ("' '", " "),
        read: |config| config.providers[0].name().to_owned(),
    },
    Case {
        key: "providers.0.kind",
        default: Some("openai"),
        good: ("'offline'", "offline", "offline"),
        bad: ("'anthropic'", "llama"),
        read: |config| match &config.providers[0] {
            ProviderConfig::OpenAi(_) => "openai".to_owned(),
            ProviderConfig::Offline { .. } => "offline".to_owned(),
        },
    },
    Case {
        key: "providers.0.base_url",
        default: Some("https://api.openai.com/v1"),
        good: (
            "'http://127.0.0.1:9/v1'",
            "http://127.0.0.1:9/v1",
            "http://127.0.0.1:9/v1",
        ),
        bad: ("'unix:/tmp/x'", "https://mia:word@example.org"),
        read: |config| server(config).base_url.to_string(),
    },
    Case {
        key: "providers.0.api_key",
        default: Some("none"),
        good: ("'sk-1'", "sk-1", "sk-1"),
        bad: ("false", "file:/no/such/file"),
        read: |config| match &server(config).api_key {
            Some(key) => key.expose_secret().to_owned(),
            None => "none".to_owned(),
        },
    },
    Case {
        key: "providers.0.model",
        default: None,
        good: ("'small'", "small", "small"),
        bad: ("''", " "),
        read: |config| server(config).model.clone(),
    },
    Case {
        key: "providers.0.temperature",
        default: Some("0.7"),
        good: ("2", "2.0", "2"),
        bad: ("2.1", "nan"),
        read: |config| server(config).temperature.to_string(),
    },
    Case {
        key: "providers.0.max_tokens",
        default: Some("4096"),
        good: ("1", "1", "1"),
        bad: ("0", "many"),
        read: |config| server(config).max_tokens.to_string(),
    },
    Case {
        key: "providers.0.timeout_secs",
        default: Some("120"),
        good: ("3600", "3600", "3600"),
        bad: ("0", "3601"),
        read: |config| server(config).timeout.as_secs().to_string(),
    },
    Case {
        key: "agent.autonomy",
        default: Some("supervised"),
        good: ("'read_only'", "read_only", "read_only"),
        bad: ("'god'", "Full"),
        read: |config| config.policy.autonomy.as_str().to_owned(),
    },
    Case {
        key: "agent.routing",
        default: Some("TwoPhase"),
        good: ("'auto'", "auto", "Auto"),
        bad: ("'sometimes'", "sometimes"),
        read: |config| format!("{:?}", config.agent.routing),
    },
    Case {
        key: "agent.routing_messages",
        default: Some("6"),
        good: ("50", "50", "50"),
        bad: ("51", "-1"),
        read: |config| config.agent.routing_messages.to_string(),
    },
    Case {
        key: "agent.max_steps",
        default: Some("10"),
        good: ("30", "30", "30"),
        bad: ("31", "0"),
        read: |config| config.agent.max_steps.to_string(),
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
];

fn joined(patterns: &[HostPattern]) -> String {
    let texts: Vec<_> = patterns.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

fn telegram(config: &Config) -> &super::super::TelegramAccount {
    &config.channels.telegram[0]
}

fn discord(config: &Config) -> &super::super::DiscordAccount {
    &config.channels.discord[0]
}

fn webhook(config: &Config) -> (String, String, String) {
    match &telegram(config).mode {
        TelegramMode::Polling => panic!("no webhook"),
        TelegramMode::Webhook {
            url,
            listen,
            secret,
        } => (
            url.to_string(),
            listen.to_string(),
            secret.expose_secret().to_owned(),
        ),
    }
}

fn server(config: &Config) -> &OpenAiServer {
    match &config.providers[0] {
        ProviderConfig::OpenAi(server) => server,
        ProviderConfig::Offline { .. } => panic!("offline"),
    }
}

fn price(config: &Config) -> crate::budget::Price {
    config.budget.prices.models[0].1
}

fn accounts(patterns: &[AccountPattern]) -> String {
    let patterns: Vec<_> = patterns.iter().map(ToString::to_string).collect();
    patterns.join(" ")
}

/// Returns what must stand beside a key so that it means something, without the key itself.
fn around(key: &str) -> Vec<(&'static str, &'static str)> {
    let mut lines = Vec::new();
    if key.starts_with("channels.telegram.") {
        lines.push(("channels.telegram.token", "'1:one'"));
        lines.push(("channels.telegram.api_url", "'http://127.0.0.1:1'"));
    }
    if key.starts_with("channels.discord.") {
        lines.push(("channels.discord.token", "'a.b.c'"));
        lines.push(("channels.discord.long_answers", "'messages'"));
        if key.ends_with(".long_answers") {
            lines.push(("channels.discord.shards", "'auto'"));
        }
    }
    let name = key.strip_prefix("channels.telegram.").unwrap_or_default();
    if ["mode", "webhook_url", "listen", "secret"].contains(&name) {
        lines.push(("channels.telegram.mode", "'webhook'"));
        lines.push(("channels.telegram.webhook_url", "'https://a.example/'"));
        lines.push(("channels.telegram.listen", "'127.0.0.1:1'"));
        lines.push(("channels.telegram.secret", "'abc'"));
    }
    if key.starts_with("prices.") {
        lines.push(("prices.0.model", "'tiny'"));
        lines.push(("prices.0.input", "0.5"));
        lines.push(("prices.0.output", "1"));
    }
    if key.starts_with("providers.") {
        lines.push(("providers.0.model", "'tiny'"));
        lines.push(("providers.0.max_tokens", "100"));
    }
    lines.retain(|(beside, _)| *beside != key);
    lines
}

/// Writes a file of `key = value` lines under their sections.
fn file(lines: &[(&str, &str)]) -> String {
    let section = |key: &str| {
        key.rsplit_once('.')
            .map_or("", |(section, _)| section)
            .to_owned()
    };
    let mut sections: Vec<String> = lines.iter().map(|(key, _)| section(key)).collect();
    sections.sort();
    sections.dedup();
    let mut text = Vec::new();
    for current in sections {
        match current.strip_suffix(".0") {
            _ if current.is_empty() => {}
            Some(list) => text.push(format!("[[{list}]]")),
            None => text.push(format!("[{current}]")),
        }
        for (key, value) in lines.iter().filter(|(key, _)| section(key) == current) {
            let name = key.rsplit('.').next().unwrap();
            text.push(format!("{name} = {value}"));
        }
    }
    text.join("\n")
}

#[track_caller]
fn check(case: &Case) {
    let key = case.key;
    let beside = around(key);
    let (toml, text, read_as) = case.good;
    let variable = format!("SAYSO__{}", key.replace('.', "__").to_ascii_uppercase());
    let with = |value| [beside.as_slice(), &[(key, value)]].concat();

    let bare: Vec<_> = match key {
        // Without its webhook the mode has nothing to say, and with its keys it must say it.
        "channels.telegram.mode" => beside[..2].to_vec(),
        _ => beside.clone(),
    };
    let by_default = read(&file(&bare), &[]);
    if let Some(default) = case.default {
        assert_eq!(
            (case.read)(&by_default.unwrap()),
            default,
            "{key} by default"
        );
    } else {
        let error = by_default.unwrap_err().to_string();
        assert!(
            error.contains(&format!(": `{key}` is not set, but ")),
            "{error}"
        );
    }
    let config = read(&file(&with(toml)), &[]).unwrap();
    assert_eq!((case.read)(&config), read_as, "{key} in the file");
    let config = read(&file(&beside), &[(&variable, text)]).unwrap();
    assert_eq!((case.read)(&config), read_as, "{key} as a variable");

    let (toml, text) = case.bad;
    let error = read(&file(&with(toml)), &[]).unwrap_err().to_string();
    assert!(
        error.contains(&format!("`{key}`")),
        "{key} = {toml}: {error}"
    );
    let error = read(&file(&beside), &[(&variable, text)])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains(&format!("`{key}`")),
        "{variable}={text}: {error}"
    );
}

#[test]
fn every_key_has_its_default_its_effect_and_its_refusal() {
    for case in CASES {
        check(case);
    }
}

#[test]
fn every_key_has_a_case() {
    let cases: Vec<_> = CASES
        .iter()
        .map(|case| case.key.replace(".0.", ".*."))
        .collect();
    let keys: Vec<_> = KEYS.iter().map(|key| key.path).collect();
    assert_eq!(cases, keys);
}

#[test]
fn variable_wins_over_the_file() {
    let config = read(
        "[agent]\nmax_steps = 5",
        &[("SAYSO__AGENT__MAX_STEPS", "6")],
    )
    .unwrap();
    assert_eq!(config.agent.max_steps, 6);
}
