//! `sayso doctor`: every problem with its fix, one plain line each.
//!
//! It changes nothing, except that it creates the data directory and, when there is no owner yet,
//! the pairing code of the first owner. It may run beside a running Sayso, which locks the
//! directory; that is reported.

mod causes;
mod discord;
mod findings;
mod instance;
mod knowledge;
mod machine;
mod messages;
mod outside;
mod owner;

use std::io::Write;

#[cfg(any(feature = "telegram", feature = "discord"))]
use sayso_channel::ChannelName;
use sayso_channel::Language;
use serde::Serialize;

pub(super) use self::discord::discord;
pub(super) use self::findings::Finding;
pub(super) use self::instance::findings_of;
use self::machine::DirectoryState;
pub(super) use self::outside::{provider, telegram, telegram_link};
use super::columns::fitted;
use super::exit::Exit;
use super::log_file;
use super::output_style::{Form, OutputStyle, print_json};
use crate::config::{Config, ConfigError};

/// Looks at everything and prints what was found.
pub(super) async fn doctor(
    loaded: Result<Config, ConfigError>,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = style.language;
    let mut report = Report {
        output,
        style,
        findings: Vec::new(),
    };
    match loaded {
        Ok(config) => look(&config, language, &mut report).await?,
        Err(error) => report.add(Finding::Problem {
            what: messages::bad_configuration(language, &error.in_words(language)),
            fix: messages::correct_configuration(language),
        })?,
    }
    report.end()
}

async fn look<W: Write>(
    config: &Config,
    language: Language,
    report: &mut Report<'_, W>,
) -> anyhow::Result<()> {
    report.add(Finding::Fine(match &config.file {
        Some(file) => messages::configuration(language, &file.display()),
        None => messages::configuration_without_file(language),
    }))?;
    for finding in machine::changed_in_chat(config, language).await {
        report.add(finding)?;
    }
    report.add(machine::clock(sayso_store::now_ms(), language))?;
    let (directory, finding) = machine::data_directory(&config.data_dir, language);
    report.add(finding)?;
    match directory {
        DirectoryState::Usable => kept_in_directory(config, language, report).await?,
        // What is kept there, the database and the sandbox would fail for the same cause.
        DirectoryState::Unusable => {}
    }
    for finding in channels(config, language).await {
        report.add(finding)?;
    }
    report.add(owner::owner(config, language).await)?;
    if config.providers.is_empty() {
        report.add(Finding::Problem {
            what: messages::no_provider(language),
            fix: messages::set_provider(language),
        })?;
    }
    for configured in &config.providers {
        report.add(provider(configured, language).await)?;
    }
    report.add(outside::embedder(config.embedder.as_ref(), language).await)?;
    for server in &config.mcp {
        report.add(outside::mcp(config, server, language).await)?;
    }
    Ok(())
}

/// Looks at what is in the data directory, and at what needs it.
async fn kept_in_directory<W: Write>(
    config: &Config,
    language: Language,
    report: &mut Report<'_, W>,
) -> anyhow::Result<()> {
    if let Some(finding) = machine::space(&config.data_dir, language) {
        report.add(finding)?;
    }
    let log = log_file::path_in(&config.data_dir);
    report.add(Finding::Fine(messages::log_file(language, &log.display())))?;
    report.add(machine::database(&config.store_path, language).await)?;
    for finding in knowledge::knowledge(&config.data_dir, language).await {
        report.add(finding)?;
    }
    report.add(machine::sandbox(config, language).await)?;
    Ok(())
}

async fn channels(config: &Config, language: Language) -> Vec<Finding> {
    if config.channels.is_empty() {
        return vec![Finding::Fine(messages::no_channel(language))];
    }
    let mut findings = Vec::new();
    for account in &config.channels.telegram {
        findings.extend(telegram(account, language).await);
    }
    for account in &config.channels.discord {
        findings.extend(discord(account, language).await);
    }
    if let Some(listen) = config.http_listen {
        findings.extend(instance::running(listen, language).await);
    }
    findings
}

/// Returns how an account is called: by its platform, and by its own name if it has one.
#[cfg(any(feature = "telegram", feature = "discord"))]
fn label(platform: &str, channel: &ChannelName) -> String {
    match channel.as_str().split_once('.') {
        Some((_, account)) => format!("{platform} ({account})"),
        None => platform.to_owned(),
    }
}

/// What was found so far.
struct Report<'a, W> {
    output: &'a mut W,
    style: OutputStyle,
    findings: Vec<Finding>,
}

/// The report as scripts read it.
#[derive(Serialize)]
struct JsonReport<'a> {
    /// Whether there is no problem.
    ok: bool,
    /// How many problems there are.
    problems: usize,
    /// Everything that was checked, in order.
    findings: &'a [Finding],
}

impl<W: Write> Report<'_, W> {
    /// Prints a finding for people immediately: some checks take seconds.
    fn add(&mut self, finding: Finding) -> std::io::Result<()> {
        if self.style.form == Form::Plain {
            let text = finding.in_words(self.style.language);
            writeln!(self.output, "{}", fitted(&text, self.style.columns))?;
        }
        self.findings.push(finding);
        Ok(())
    }

    fn end(self) -> anyhow::Result<Exit> {
        let language = self.style.language;
        let is_problem = |finding: &&Finding| matches!(finding, Finding::Problem { .. });
        let problems = self.findings.iter().filter(is_problem).count();
        let ok = problems == 0;
        match self.style.form {
            Form::Json => print_json(
                self.output,
                &JsonReport {
                    ok,
                    problems,
                    findings: &self.findings,
                },
            )?,
            Form::Plain if ok => writeln!(self.output, "\n{}", messages::no_problems(language))?,
            Form::Plain => {
                let said = messages::problems(language, &problems);
                writeln!(self.output, "\n{said}")?;
            }
        }
        Ok(if ok { Exit::Fine } else { Exit::Failed })
    }
}

#[cfg(test)]
mod tests;
