//! `sayso config show`: the values in force, each with where it comes from.

use std::io::Write;

use sayso_channel::Language;

use super::exit::Exit;
use super::{config_check, messages};
use crate::config::{Config, Line};

/// Longer assignments do not push the places of the others to the right.
const ALIGNED_CHARACTERS: usize = 56;

/// Prints the keys that begin with `beginning`, as they are after the next start.
pub(super) async fn show(
    config: &Config,
    beginning: &str,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let changes = config_check::changes(config).await;
    let mut lines = config.written.lines(&changes);
    lines.retain(|line| begins(&line.key, beginning));
    if lines.is_empty() {
        writeln!(output, "{}", messages::no_such_key(language, &beginning))?;
        return Ok(Exit::BadConfiguration);
    }
    writeln!(output, "# {}", config_check::source(config, language))?;
    let hidden = messages::hidden_value(language);
    let assigned: Vec<String> = lines
        .iter()
        .map(|Line { key, value, .. }| format!("{key} = {}", value.as_ref().unwrap_or(&hidden)))
        .collect();
    let lengths = assigned.iter().map(|text| text.chars().count());
    let width = lengths
        .filter(|length| *length <= ALIGNED_CHARACTERS)
        .max()
        .unwrap_or_default();
    for (text, line) in assigned.iter().zip(&lines) {
        let place = line.origin.in_words(language);
        writeln!(output, "{text:width$} # {place}")?;
    }
    Ok(Exit::Fine)
}

/// Returns whether a key is that one, or stands below it.
fn begins(key: &str, beginning: &str) -> bool {
    key.strip_prefix(beginning)
        .is_some_and(|rest| beginning.is_empty() || rest.is_empty() || rest.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Environment;

    async fn shown(beginning: &str, language: Language) -> (Exit, String) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        let text = "[agent]\nmax_steps = 12\n[[providers]]\nkind = 'anthropic'\nmodel = 'm'\n\
                    api_key = 'sk-canary'\n";
        std::fs::write(&path, text).unwrap();
        let variables = [("HOME", "/home/mia"), ("SAYSO__AGENT__ROUTING", "off")];
        let environment = Environment::from_iter(variables);
        let config = crate::config::load(Some(&path), &environment).unwrap();
        let mut output = Vec::new();
        let exit = show(&config, beginning, language, &mut output)
            .await
            .unwrap();
        let output = String::from_utf8(output).unwrap();
        (
            exit,
            output.replace(&format!("{}/", place.path().display()), ""),
        )
    }

    #[tokio::test]
    async fn each_value_is_shown_with_its_place_and_no_secret() {
        let (exit, agent) = shown("agent", Language::English).await;
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(agent, @r#"
        # configuration: sayso.toml
        agent.autonomy = "supervised"        # default
        agent.concurrent_turns = 64          # default
        agent.history_messages = 50          # default
        agent.max_steps = 12                 # sayso.toml:2
        agent.parallel_prompt_tokens = 16000 # default
        agent.routing = "off"                # environment variable SAYSO__AGENT__ROUTING
        agent.routing_messages = 6           # default
        agent.turn_timeout_secs = 1800       # default
        agent.while_busy = "steer"           # default
        "#);
        let (_, all) = shown("", Language::English).await;
        assert!(!all.contains("sk-canary"), "{all}");
        assert!(all.contains("providers.0.api_key = (hidden)"), "{all}");
        let base = r#"providers.0.base_url = "https://api.anthropic.com""#;
        assert!(all.contains(base), "the default of its kind: {all}");
    }

    #[tokio::test]
    async fn what_is_not_set_is_not_shown() {
        let (exit, said) = shown("agents", Language::Chinese).await;
        assert_eq!(exit, Exit::BadConfiguration);
        insta::assert_snapshot!(said, @"没有以 `agents` 开头且已设置的键");
    }
}
