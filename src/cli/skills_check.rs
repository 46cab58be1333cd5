//! `sayso skills check`: what is wrong with skills on disk, one line each.

use std::io::{self, Write};
use std::path::Path;

use sayso_channel::Language;

use super::exit::Exit;
use super::messages;
use crate::skills::{self, Checked, Host, Weight};

/// Prints every finding as `path:line: what is wrong, what is allowed`, and a count.
pub(super) fn check(
    place: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
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
        writeln!(
            io::stderr(),
            "error: {}",
            messages::no_skills(language, &shown)
        )?;
        return Ok(Exit::Failed);
    }
    for skill in &checked {
        print(skill, language, output)?;
    }
    let worst = |skill: &Checked| skill.findings.iter().map(|one| one.problem.weight()).max();
    let count = |is: &dyn Fn(Weight) -> bool| {
        checked
            .iter()
            .filter(|skill| worst(skill).is_some_and(is))
            .count()
    };
    let faulty = count(&|weight| weight > Weight::Advice);
    let warned = count(&|weight| weight == Weight::Advice);
    let sum = messages::skills_checked(language, &checked.len(), &faulty, &warned);
    writeln!(output, "{sum}")?;
    Ok(if faulty == 0 {
        Exit::Fine
    } else {
        Exit::Failed
    })
}

fn print(skill: &Checked, language: Language, output: &mut impl Write) -> io::Result<()> {
    let file = skill
        .file
        .strip_prefix(".")
        .unwrap_or(&skill.file)
        .display();
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
