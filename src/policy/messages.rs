//! What the policy says: refusals to the model, in English, and reasons for asking to people.

use sayso_channel::Language;

use super::facts::AutonomyLevel;

/// Why a person is asked about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AskReason {
    /// It runs a command.
    RunsCommand,
    /// It changes a file.
    WritesFile,
    /// It is covered by a grant, which does not hold while untrusted text is in the turn.
    GrantIsSuspended,
    /// An equal call was interrupted, and nobody knows whether it took effect.
    RepeatsUnknown,
    /// It was approved, and is no longer what was shown.
    ChangedSinceShown,
}

impl AskReason {
    /// Returns the reason as the card says it.
    pub fn for_people(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::RunsCommand, Language::English) => {
                "It runs a command on the machine where Sayso lives."
            }
            (Self::RunsCommand, Language::Chinese) => "它会在 Sayso 所在的机器上执行命令。",
            (Self::WritesFile, Language::English) => "It changes a file in the workspace.",
            (Self::WritesFile, Language::Chinese) => "它会修改工作区里的文件。",
            (Self::GrantIsSuspended, Language::English) => {
                "You said \"always\" to it, but text from outside was read meanwhile, so it is \
                 asked about again."
            }
            (Self::GrantIsSuspended, Language::Chinese) => {
                "你曾选择“总是允许”，但其间读入了外部文本，因此再次确认。"
            }
            (Self::RepeatsUnknown, Language::English) => {
                "The same call was interrupted before, and nobody knows whether it took effect. \
                 Approving it may do it twice."
            }
            (Self::RepeatsUnknown, Language::Chinese) => {
                "同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。"
            }
            (Self::ChangedSinceShown, Language::English) => {
                "It was approved, but the call or a file that it uses has changed since. This is \
                 how it looks now."
            }
            (Self::ChangedSinceShown, Language::Chinese) => {
                "它已被批准，但调用或它使用的文件此后有了变化。这是现在的内容。"
            }
        }
    }
}

pub(super) fn changes_nothing_at(level: AutonomyLevel) -> String {
    format!(
        "the autonomy level is `{}`: nothing may be changed or executed. Answer from what can be \
         read, or say that the level must be raised with `/autonomy`",
        level.as_str()
    )
}

pub(super) fn outside_the_workspace(path: &str) -> String {
    format!("`{path}` is outside the workspace, and tools are confined to it")
}

pub(super) fn not_one_plain_command() -> String {
    "without asking, only one plain command is run: no pipes, redirections, expansions, globs or \
     several commands. Call each program of `policy.allow_commands` by itself"
        .to_owned()
}

pub(super) fn not_on_the_list(program: &str, allowed: &[String]) -> String {
    if allowed.is_empty() {
        return format!("`{program}` is not allowed: `policy.allow_commands` is empty");
    }
    let listed: Vec<_> = allowed.iter().map(|name| format!("`{name}`")).collect();
    format!(
        "`{program}` is not in `policy.allow_commands`, which has {}",
        listed.join(", ")
    )
}

pub(super) fn hides_what_it_runs(program: &str) -> String {
    format!(
        "`{program}` starts other programs, which `policy.allow_commands` cannot judge. Call the \
         program itself"
    )
}

#[cfg(test)]
mod tests {
    use super::{AskReason, not_on_the_list};
    use sayso_channel::Language;

    #[test]
    fn reasons_exist_in_both_languages() {
        use AskReason::{
            ChangedSinceShown, GrantIsSuspended, RepeatsUnknown, RunsCommand, WritesFile,
        };
        let reasons = [
            RunsCommand,
            WritesFile,
            GrantIsSuspended,
            RepeatsUnknown,
            ChangedSinceShown,
        ];
        let page: Vec<_> = reasons
            .iter()
            .flat_map(|reason| {
                [Language::English, Language::Chinese].map(|language| reason.for_people(language))
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r#"
        It runs a command on the machine where Sayso lives.
        它会在 Sayso 所在的机器上执行命令。
        It changes a file in the workspace.
        它会修改工作区里的文件。
        You said "always" to it, but text from outside was read meanwhile, so it is asked about again.
        你曾选择“总是允许”，但其间读入了外部文本，因此再次确认。
        The same call was interrupted before, and nobody knows whether it took effect. Approving it may do it twice.
        同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。
        It was approved, but the call or a file that it uses has changed since. This is how it looks now.
        它已被批准，但调用或它使用的文件此后有了变化。这是现在的内容。
        "#);
    }

    #[test]
    fn a_refusal_names_the_key_and_what_it_allows() {
        insta::assert_snapshot!(
            not_on_the_list("rm", &["git".into(), "ls".into()]),
            @"`rm` is not in `policy.allow_commands`, which has `git`, `ls`"
        );
    }
}
