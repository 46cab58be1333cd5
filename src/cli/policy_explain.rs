//! `sayso policy explain`: what is decided about shell commands, and why.
//!
//! With a configuration it is the policy's own judgement at a level and for a role, with the
//! operator's rules and what the kernel of this machine confines. Without one it is that of the
//! text by the built-in rules. No grant counts, and no text from outside is in view.
//!
//! Paths are not resolved: a relative path that does not climb out with `..` counts as inside the
//! workspace. With the tool, links are resolved first.

use std::io::{BufRead, Write};

use sayso_channel::Language;
use sayso_core::transcript::Role;
use sayso_policy::commands::{CommandDecision, Places, Trait, judge, prefix_for};
use sayso_policy::{AutonomyLevel, Explained, SandboxMode, SecurityPolicy};
use serde::Serialize;

use super::exit::Exit;
use super::messages;
use super::output_style::Form;
use super::texts;
use crate::app;
use crate::config::Config;

/// What commands are judged by where there is a configuration.
pub(super) struct By {
    policy: SecurityPolicy,
    file: Option<std::path::PathBuf>,
    level: AutonomyLevel,
    role: Role,
    /// What the kernel confines here, in words.
    sandbox: String,
}

impl By {
    /// Takes the policy of a configuration, and finds out what confines commands here.
    pub(super) async fn of(
        config: Config,
        level: Option<AutonomyLevel>,
        role: Option<Role>,
        language: Language,
    ) -> Self {
        let state = app::sandbox_state(&config).await;
        let mut policy = config.policy;
        policy.confinement.enforced = state.enforced;
        let sandbox = match policy.confinement.mode {
            SandboxMode::Off => messages::sandbox_is_off(language),
            SandboxMode::Require | SandboxMode::Prefer => state.in_words(language),
        };
        let level = level.unwrap_or(policy.autonomy);
        // Somebody could have it, by an entry of their own.
        policy.autonomy = policy.autonomy.max(level);
        Self {
            policy,
            file: config.file,
            level,
            role: role.unwrap_or(Role::Member),
            sandbox,
        }
    }

    /// Says what is judged by.
    pub(super) fn in_words(&self, language: Language) -> String {
        let from = match &self.file {
            Some(file) => file.display().to_string(),
            None => messages::the_defaults(language),
        };
        let rules = self.policy.rules.for_role(self.role).count();
        let role = self.role.as_str();
        messages::judged_by(
            language,
            &from,
            &self.level.as_str(),
            &role,
            &rules,
            &self.sandbox,
        )
    }

    fn judged(&self) -> Judged {
        Judged {
            level: self.level.as_str(),
            role: self.role.as_str(),
        }
    }
}

/// For whom a command was judged.
#[derive(Serialize)]
struct Judged {
    level: &'static str,
    role: &'static str,
}

#[derive(Serialize)]
struct Line<'a> {
    command: &'a str,
    decision: CommandDecision,
    reason: &'a str,
    segment: &'a str,
    traits: Vec<Trait>,
    /// What an "always" could cover besides this one command.
    always: Option<String>,
    /// Only where there is a configuration.
    #[serde(flatten)]
    judged: Option<Judged>,
}

/// Prints a decision for each command: those of the arguments, or else each line of the input.
pub(super) fn explain(
    commands: &[String],
    by: Option<&By>,
    form: Form,
    language: Language,
    input: &mut impl BufRead,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    texts::each(commands, input, |command| {
        print(command, by, form, language, output)
    })?;
    Ok(Exit::Fine)
}

fn print(
    command: &str,
    by: Option<&By>,
    form: Form,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<()> {
    let explained = match by {
        Some(by) => by.policy.explain(command, by.level, by.role),
        None => by_text(command),
    };
    match form {
        Form::Plain => {
            let decision = word(explained.decision);
            let why = explained.why.in_language(language);
            writeln!(output, "{decision}\t{command}\t{why}")?;
        }
        Form::Json => writeln!(output, "{}", json(command, by, &explained)?)?,
    }
    output.flush()?;
    Ok(())
}

/// Judges the text alone.
fn by_text(command: &str) -> Explained {
    let verdict = judge(command, Places::AsWritten);
    Explained {
        decision: verdict.decision,
        why: verdict.why.clone(),
        verdict,
    }
}

fn json(command: &str, by: Option<&By>, explained: &Explained) -> serde_json::Result<String> {
    serde_json::to_string(&Line {
        command,
        decision: explained.decision,
        reason: explained.why.in_language(Language::English),
        segment: &explained.verdict.segment,
        traits: explained.verdict.traits.iter().collect(),
        always: prefix_for(command).map(|prefix| prefix.as_text()),
        judged: by.map(By::judged),
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
            None,
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
