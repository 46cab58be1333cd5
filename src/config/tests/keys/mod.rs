//! Every key: its default, a value in the file, the same in the environment, and a refusal.
//!
//! The cases of each part of the configuration stand in a file of their own.

mod access;
mod agent;
mod budget;
mod channels;
mod checks;
mod machine;
mod mcp;
mod memory;
mod policy;
mod projects;
mod providers;
mod routines;
mod secrets;
mod tools;

use sayso_policy::HostPattern;

use super::read;
use crate::config::Config;
use crate::config::keys;

/// One key, with what it becomes.
struct Case {
    key: &'static str,
    /// The default value; `None` when it must be set.
    default: Option<&'static str>,
    /// A value as TOML, as a variable, and as parsed.
    good: (&'static str, &'static str, &'static str),
    /// A value that is refused, as TOML and as a variable.
    bad: (&'static str, &'static str),
    read: fn(&Config) -> String,
}

/// Returns the cases of every part.
fn cases() -> impl Iterator<Item = &'static Case> {
    [
        machine::CASES,
        channels::CASES,
        access::CASES,
        providers::CASES,
        agent::CASES,
        policy::CASES,
        budget::CASES,
        tools::CASES,
        secrets::CASES,
        projects::CASES,
        checks::CASES,
        mcp::CASES,
        memory::CASES,
        routines::CASES,
    ]
    .into_iter()
    .flatten()
}

fn joined(patterns: &[HostPattern]) -> String {
    let texts: Vec<_> = patterns.iter().map(ToString::to_string).collect();
    texts.join(" ")
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
    if key.starts_with("secrets.") {
        lines.push(("secrets.github.value", "'hush-hush-1'"));
        lines.push(("secrets.github.purpose", "'issues'"));
    }
    if key.starts_with("projects.") {
        lines.push(("projects.site.path", "'/usr/lib'"));
        lines.push(("projects.site.description", "'programs'"));
    }
    if key.starts_with("mcp.") {
        lines.push(("mcp.0.name", "'files'"));
        match key {
            "mcp.0.url" => {}
            "mcp.0.client_secret" => lines.extend([mcp::SERVICE, ("mcp.0.client_id", "'me'")]),
            key if mcp::OF_SERVICES.contains(&key) => lines.push(mcp::SERVICE),
            _ => lines.push(("mcp.0.command", "'npx'")),
        }
    }
    if key.starts_with("tools.web_search.") {
        lines.push(("tools.web_search.base_url", "'http://127.0.0.1:1'"));
        lines.push(("tools.web_search.api_key", "'beside'"));
    }
    // A directory stands alone: no server is asked beside it.
    if key.starts_with("memory.embedder.") && !key.ends_with(".directory") {
        lines.push(("memory.embedder.model", "'tiny'"));
        lines.push(("memory.embedder.timeout_secs", "20"));
        if key.ends_with(".timeout_secs") {
            lines.push(("memory.embedder.min_similarity", "0.5"));
        }
    }
    if let Some(name) = key.strip_prefix("providers.0.") {
        lines.extend_from_slice(around_provider(name));
    }
    lines.retain(|(beside, _)| *beside != key);
    lines
}

fn around_provider(name: &str) -> &'static [(&'static str, &'static str)] {
    const MODEL: (&str, &str) = ("providers.0.model", "'tiny'");
    const TOKENS: (&str, &str) = ("providers.0.max_tokens", "100");
    const LLAMA: (&str, &str) = ("providers.0.kind", "'llama'");
    match name {
        "thinking_tokens" => &[MODEL, TOKENS, ("providers.0.kind", "'anthropic'")],
        "mode" => &[MODEL, TOKENS, LLAMA],
        "template" => &[MODEL, TOKENS, LLAMA, ("providers.0.mode", "'completion'")],
        _ => &[MODEL, TOKENS],
    }
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
        // There is a command, where there is no address.
        "mcp.0.url" => [beside.as_slice(), &[("mcp.0.command", "'npx'")]].concat(),
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
    for case in cases() {
        check(case);
    }
}

#[test]
fn every_key_has_a_case() {
    let written = |key: &str| {
        key.replace(".0.", ".*.")
            .replace("secrets.github.", "secrets.")
            .replace("projects.site.", "projects.")
    };
    let mut cases: Vec<_> = cases().map(|case| written(case.key)).collect();
    let mut keys: Vec<_> = keys::all().map(|key| key.path).collect();
    cases.sort();
    keys.sort_unstable();
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
