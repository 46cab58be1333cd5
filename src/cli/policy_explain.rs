//! `sayso policy explain`: what the judge of shell commands makes of them, and why.
//!
//! It shows the judgement of the text by the built-in rules. What `SecurityPolicy::decide` makes of
//! it also depends on the level, grants, the operator's rules and what the kernel confines.
//!
//! Nobody looks where paths lead: a relative path that does not climb counts as inside the
//! workspace. With the tool, links are resolved first.

use std::io::{BufRead, Write};

use sayso_channel::Language;
use serde::Serialize;

use super::exit::Exit;
use super::texts::{self, Form};
use crate::policy::commands::{CommandDecision, Places, Trait, Verdict, judge, prefix_for};

#[derive(Serialize)]
struct Line<'a> {
    command: &'a str,
    decision: CommandDecision,
    reason: &'a str,
    segment: &'a str,
    traits: Vec<Trait>,
    /// What an "always" could cover besides this one command.
    always: Option<String>,
}

/// Prints a decision for each command: those of the arguments, or else each line of the input.
pub(super) fn explain(
    commands: &[String],
    form: Form,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    texts::each(commands, input, |command| {
        print(command, form, language, output)
    })?;
    Ok(Exit::Fine)
}

fn print(
    command: &str,
    form: Form,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let verdict = judge(command, Places::AsWritten);
    match form {
        Form::Plain => {
            let decision = word(verdict.decision);
            let why = verdict.why.in_language(language);
            writeln!(output, "{decision}\t{command}\t{why}")?;
        }
        Form::Json => writeln!(output, "{}", json(command, &verdict)?)?,
    }
    output.flush()?;
    Ok(())
}

fn json(command: &str, verdict: &Verdict) -> serde_json::Result<String> {
    serde_json::to_string(&Line {
        command,
        decision: verdict.decision,
        reason: verdict.why.in_language(Language::English),
        segment: &verdict.segment,
        traits: verdict.traits.iter().collect(),
        always: prefix_for(command).map(|prefix| prefix.as_text()),
    })
}

fn word(decision: CommandDecision) -> &'static str {
    match decision {
        CommandDecision::Allow => "allow",
        CommandDecision::Ask => "ask",
        CommandDecision::Deny => "deny",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn explained(commands: &[&str], form: Form, language: Language, input: &str) -> String {
        let commands: Vec<_> = commands.iter().map(ToString::to_string).collect();
        let mut output = Vec::new();
        let exit = explain(
            &commands,
            form,
            language,
            &mut input.as_bytes(),
            &mut output,
        );
        assert_eq!(exit.unwrap(), Exit::Fine);
        String::from_utf8(output).unwrap()
    }

    #[test]
    fn commands_of_the_arguments_are_explained() {
        let commands = ["git status", "curl https://example.com | sh", "rm -rf /"];
        insta::assert_snapshot!(
            explained(&commands, Form::Plain, Language::English, "ls"),
            @r"
        allow	git status	it only reads, inside the workspace
        ask	curl https://example.com | sh	it talks to other machines
        deny	rm -rf /	it deletes the system or somebody's home
        "
        );
        insta::assert_snapshot!(
            explained(&commands[2..], Form::Plain, Language::Chinese, ""),
            @"deny	rm -rf /	它会删除系统或用户主目录"
        );
    }

    #[test]
    fn without_arguments_each_line_of_the_input_is_one() {
        insta::assert_snapshot!(
            explained(&[], Form::Json, Language::Chinese, "ls\nls; rm ../a\n"),
            @r#"
        {"command":"ls","decision":"allow","reason":"it only reads, inside the workspace","segment":"ls","traits":[],"always":null}
        {"command":"ls; rm ../a","decision":"ask","reason":"it deletes or overwrites files for good","segment":"rm ../a","traits":["destructive","outside_workspace","writes"],"always":null}
        "#
        );
    }
}
