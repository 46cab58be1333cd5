//! `sayso config show`: the values in force, each with where it comes from.

use std::io::{self, Write};
use std::path::PathBuf;

use sayso_channel::Language;
use serde::{Deserialize as _, Serialize};

use super::exit::Exit;
use super::output_style::{Form, OutputStyle, print_json};
use super::{config_check, messages};
use crate::config::{Config, Line};

/// Longer assignments do not push the places of the others to the right.
const ALIGNED_CHARACTERS: usize = 56;

/// Prints the keys that begin with `beginning`, as they are after the next start.
pub(super) async fn show(
    config: &Config,
    beginning: &str,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let changes = config_check::changes(config).await;
    let mut lines = config.written.lines(&changes);
    lines.retain(|line| begins(&line.key, beginning));
    if lines.is_empty() {
        let said = messages::no_such_key(style.language, &beginning);
        match style.form {
            Form::Plain => writeln!(output, "{said}")?,
            Form::Json => writeln!(io::stderr(), "error: {said}")?,
        }
        return Ok(Exit::BadConfiguration);
    }
    match style.form {
        Form::Plain => print_lines(config, &lines, style.language, output)?,
        Form::Json => print_json(output, &JsonPage::of(config, &lines)?)?,
    }
    Ok(Exit::Fine)
}

fn print_lines(
    config: &Config,
    lines: &[Line],
    language: Language,
    output: &mut impl Write,
) -> io::Result<()> {
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
    for (text, line) in assigned.iter().zip(lines) {
        let place = line.origin.in_words(language);
        writeln!(output, "{text:width$} # {place}")?;
    }
    Ok(())
}

/// The values in force as scripts read them.
#[derive(Serialize)]
struct JsonPage {
    /// The configuration file; `null` without one.
    file: Option<PathBuf>,
    /// The keys, by name.
    keys: Vec<JsonKey>,
}

/// One key in force.
#[derive(Serialize)]
struct JsonKey {
    /// The dotted key.
    key: String,
    /// The value; `null` when it is hidden.
    value: Option<toml::Value>,
    /// Whether it is a secret that is set.
    hidden: bool,
    /// Where it comes from, in words.
    source: String,
}

impl JsonPage {
    fn of(config: &Config, lines: &[Line]) -> anyhow::Result<Self> {
        let key = |line: &Line| -> anyhow::Result<JsonKey> {
            Ok(JsonKey {
                key: line.key.clone(),
                value: line.value.as_deref().map(read).transpose()?,
                hidden: line.value.is_none(),
                source: line.origin.in_words(Language::English),
            })
        };
        Ok(Self {
            file: config.file.clone(),
            keys: lines.iter().map(key).collect::<anyhow::Result<_>>()?,
        })
    }
}

/// Reads a value as the file has it.
fn read(value: &str) -> anyhow::Result<toml::Value> {
    let value = toml::de::ValueDeserializer::parse(value)?;
    Ok(toml::Value::deserialize(value)?)
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
        printed(beginning, OutputStyle::of(false, language)).await
    }

    async fn printed(beginning: &str, style: OutputStyle) -> (Exit, String) {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("sayso.toml");
        let text = "[agent]\nmax_steps = 12\n[[providers]]\nkind = 'anthropic'\nmodel = 'm'\n\
                    api_key = 'sk-canary'\n";
        std::fs::write(&path, text).unwrap();
        let variables = [("HOME", "/home/mia"), ("SAYSO__AGENT__ROUTING", "off")];
        let environment = Environment::from_iter(variables);
        let config = crate::config::load(Some(&path), &environment).unwrap();
        let mut output = Vec::new();
        let exit = show(&config, beginning, style, &mut output).await.unwrap();
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
        agent.map_tokens = 1024              # default
        agent.max_steps = 12                 # sayso.toml:2
        agent.parallel_prompt_tokens = 16000 # default
        agent.plan_approval = "never"        # default
        agent.planning = "auto"              # default
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

    #[tokio::test]
    async fn scripts_read_values_with_their_types() {
        let style = OutputStyle::of(true, Language::Chinese);
        let (exit, text) = printed("agent.max_steps", style).await;
        assert_eq!(exit, Exit::Fine);
        insta::assert_snapshot!(text, @r#"
        {
          "file": "sayso.toml",
          "keys": [
            {
              "key": "agent.max_steps",
              "value": 12,
              "hidden": false,
              "source": "sayso.toml:2"
            }
          ]
        }
        "#);
        let (_, secret) = printed("providers.0.api_key", style).await;
        assert!(!secret.contains("sk-canary"), "{secret}");
        assert!(secret.contains(r#""hidden": true"#), "{secret}");
    }
}
