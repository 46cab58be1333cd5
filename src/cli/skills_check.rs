//! `sayso skills check`: what is wrong with skills on disk, one line each.

use std::io::{self, Write};
use std::path::Path;

use sayso_channel::Language;
use serde::Serialize;

use super::exit::Exit;
use super::messages;
use super::output_style::{Form, OutputStyle, print_json};
use crate::skills::{self, Checked, Host, Weight};

/// Prints every finding as `path:line: what is wrong, what is allowed`, and a count.
pub(super) fn check(
    place: &Path,
    style: OutputStyle,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let language = style.language;
    let host = Host::new(std::env::vars_os());
    let shown = place.display();
    let checked = match skills::check(place, &host) {
        Ok(checked) => checked,
        Err(error) => {
            let error = messages::skills_unreadable(language, &shown, &error);
            writeln!(io::stderr(), "error: {error}")?;
            return Ok(Exit::BadConfiguration);
        }
    };
    if checked.is_empty() {
        let error = messages::no_skills(language, &shown);
        writeln!(io::stderr(), "error: {error}")?;
        return Ok(Exit::Failed);
    }
    let worst = |skill: &Checked| skill.findings.iter().map(|one| one.problem.weight()).max();
    let count = |is: &dyn Fn(Weight) -> bool| {
        checked
            .iter()
            .filter(|skill| worst(skill).is_some_and(is))
            .count()
    };
    let faulty = count(&|weight| weight > Weight::Advice);
    match style.form {
        Form::Json => {
            let skills = checked.iter().map(JsonSkill::of).collect();
            let ok = faulty == 0;
            print_json(output, &JsonReport { ok, skills })?;
        }
        Form::Plain => {
            for skill in &checked {
                print(skill, language, output)?;
            }
            let warned = count(&|weight| weight == Weight::Advice);
            let sum = messages::skills_checked(language, &checked.len(), &faulty, &warned);
            writeln!(output, "{sum}")?;
        }
    }
    Ok(if faulty == 0 {
        Exit::Fine
    } else {
        Exit::Failed
    })
}

/// What was checked, as scripts read it.
#[derive(Serialize)]
struct JsonReport {
    /// Whether no skill has an error.
    ok: bool,
    /// The skills.
    skills: Vec<JsonSkill>,
}

/// One skill.
#[derive(Serialize)]
struct JsonSkill {
    /// Its `SKILL.md`.
    file: String,
    /// What was found, in the order of the lines.
    findings: Vec<JsonFinding>,
}

/// What was found in a skill.
#[derive(Serialize)]
struct JsonFinding {
    /// The line of `SKILL.md`, from 1.
    line: u64,
    /// `warning` or `error`.
    level: &'static str,
    /// What is wrong.
    text: String,
}

impl JsonSkill {
    fn of(skill: &Checked) -> Self {
        let finding = |finding: &skills::Finding| JsonFinding {
            line: finding.line,
            level: match finding.problem.weight() {
                Weight::Advice => "warning",
                Weight::Wrong | Weight::Refused => "error",
            },
            text: skills::messages::problem(&finding.problem, Language::English),
        };
        Self {
            file: shown_file(skill),
            findings: skill.findings.iter().map(finding).collect(),
        }
    }
}

/// Returns the path of a skill, without a leading `./`.
fn shown_file(skill: &Checked) -> String {
    let file = skill.file.strip_prefix(".").unwrap_or(&skill.file);
    file.display().to_string()
}

fn print(skill: &Checked, language: Language, output: &mut impl Write) -> io::Result<()> {
    let file = shown_file(skill);
    for finding in &skill.findings {
        let what = skills::messages::problem(&finding.problem, language);
        let what = match finding.problem.weight() {
            Weight::Advice => messages::skill_warning(language, &what),
            Weight::Wrong | Weight::Refused => what,
        };
        writeln!(output, "{file}:{}: {what}", finding.line)?;
    }
    Ok(())
}
