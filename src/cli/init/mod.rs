//! `sayso init`: asks for token, owner, model and data directory, and writes the file.
//!
//! Answers come in as lines, so it works in a pipe as well; at a terminal secrets are not shown. An
//! empty answer, and the end of the input, take what stands in brackets. What was written is
//! checked against the outside afterwards; nothing that fails there is fatal.

mod answers;
mod dialogue;
mod messages;
mod presets;
mod qr_code;
mod write;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use sayso_channel::Language;

use self::answers::{Answers, Part};
use self::dialogue::Dialogue;
pub(super) use self::dialogue::Input;
use super::doctor;
use super::exit::Exit;
use super::language;
use crate::config::{self, Config, ConfigError, Environment, FILE_NAME};

/// Returns the file to write: the named one, else `sayso.toml` here.
pub(super) fn target(named: Option<&Path>, environment: &Environment) -> PathBuf {
    let by_variable = || environment.get("SAYSO_CONFIG").map(Path::new);
    named
        .or_else(by_variable)
        .unwrap_or(Path::new(FILE_NAME))
        .to_owned()
}

/// Asks, writes and checks.
pub(super) async fn init(
    target: &Path,
    environment: &Environment,
    input: Input<'_, impl BufRead>,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = language::of_terminal(environment);
    let mut dialogue = Dialogue {
        input,
        output,
        language,
    };
    dialogue.say(&messages::welcome(language, &target.display()))?;
    if target.exists() && !dialogue.agrees(&messages::overwrite(language, &target.display()))? {
        dialogue.say(&messages::nothing_changed(language))?;
        return Ok(Exit::Failed);
    }
    let mut answers = Answers::ask(&mut dialogue).context("nothing was written")?;
    let config = loop {
        write::write_file(target, &answers.to_toml())
            .with_context(|| format!("cannot write `{}`", target.display()))?;
        dialogue.say(&messages::written(language, &target.display()))?;
        let config = match config::load(Some(target), environment) {
            Ok(config) => config,
            Err(error) => {
                dialogue.say(&not_yet(&error, language).in_words(language))?;
                break None;
            }
        };
        let Some(failed) = check(&config, &mut dialogue).await? else {
            break Some(config);
        };
        if !dialogue.accepts(&messages::type_again(language))? {
            break Some(config);
        }
        answers.ask_again(failed, &mut dialogue)?;
    };
    let command = command(target, environment);
    dialogue.say(&messages::next_step(language, &command))?;
    if config.as_ref().is_some_and(is_to_pair) {
        dialogue.say(&messages::pairing(language))?;
    }
    dialogue.say(&messages::find_problems(language))?;
    for account in config.iter().flat_map(|config| &config.channels.telegram) {
        if let Some(link) = doctor::telegram_link(account).await {
            say_link(&link, &mut dialogue)?;
        }
    }
    Ok(Exit::Fine)
}

/// Returns whether there is a bot without an owner: it takes the one with the code.
fn is_to_pair(config: &Config) -> bool {
    let channels = &config.channels;
    let has_bot = !channels.telegram.is_empty() || !channels.discord.is_empty();
    has_bot && config.access.owners.is_empty()
}

/// Says where the bot is, at a terminal also as a code for a telephone.
fn say_link<I: BufRead, O: Write>(
    link: &str,
    dialogue: &mut Dialogue<'_, I, O>,
) -> std::io::Result<()> {
    let language = dialogue.language;
    dialogue.say(&messages::talk_to(language, &link))?;
    if dialogue.input.is_typed {
        for row in qr_code::qr_code(link).unwrap_or_default() {
            dialogue.say(&row)?;
        }
    }
    Ok(())
}

/// Says how what was set up behaves now, and returns the first part that does not answer; the network
/// may be down, and that is no reason to fail.
async fn check<I: BufRead, O: Write>(
    config: &Config,
    dialogue: &mut Dialogue<'_, I, O>,
) -> std::io::Result<Option<Part>> {
    let language = dialogue.language;
    let mut findings = Vec::new();
    for account in &config.channels.telegram {
        let found = doctor::telegram(account, language).await;
        findings.extend(found.into_iter().map(|finding| (Part::Telegram, finding)));
    }
    for account in &config.channels.discord {
        let found = doctor::discord(account, language).await;
        findings.extend(found.into_iter().map(|finding| (Part::Discord, finding)));
    }
    for configured in &config.providers {
        let finding = doctor::provider(configured, language).await;
        findings.push((Part::Model, finding));
    }
    let mut failed = None;
    for (part, finding) in findings {
        dialogue.say(&finding.in_words(language))?;
        if let doctor::Finding::Problem { .. } = finding {
            failed = failed.or(Some(part));
        }
    }
    Ok(failed)
}

/// A secret that is kept elsewhere may be set later; any other error is shown verbatim.
fn not_yet(error: &ConfigError, language: Language) -> doctor::Finding {
    doctor::Finding::Problem {
        what: error.in_words(language),
        fix: messages::correct_before_start(language),
    }
}

/// Returns the command that starts Sayso with this file.
fn command(target: &Path, environment: &Environment) -> String {
    let found_alone = target == Path::new(FILE_NAME)
        || environment.get("SAYSO_CONFIG").map(Path::new) == Some(target);
    if found_alone {
        "sayso".to_owned()
    } else {
        format!("sayso --config {}", target.display())
    }
}

#[cfg(test)]
mod tests;
