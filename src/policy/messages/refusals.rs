//! Why a call may not run, in words that the model can act on.

use sayso_core::{Language, text};

use super::command_reason::CommandReason;
use super::mcp::McpRefusal;
use super::member::MemberRefusal;
use super::secret::SecretRefusal;
use super::server::HostRefusal;
use crate::access::Enforced;
use crate::autonomy_level::AutonomyLevel;

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The level forbids everything that changes something.
    ChangesNothingAt(AutonomyLevel),
    /// The person may chat and nothing else.
    ChatOnly,
    /// Only who operates this Sayso may do it.
    OwnersAlone,
    /// The path is not in the workspace.
    OutsideTheWorkspace(String),
    /// The level forbids every command that does not provably only read.
    OnlyReadsAt(AutonomyLevel, CommandReason),
    /// It is forbidden, even with approval.
    Forbidden(CommandReason),
    /// Commands must be confined, and this machine cannot do that.
    NotConfined(Enforced),
    /// It reaches past the sandbox, and no approval can be requested at this level.
    ReachesTheSystem(CommandReason),
    /// It uses the network, and no approval can be requested at this level.
    NetworkIsOff(CommandReason),
    /// Something that a shell would expand or go on with, or a redirection out of the workspace.
    NotPlainCommands,
    /// The program is not listed.
    NotOnTheList {
        /// The program.
        program: String,
        /// What is listed.
        allowed: Vec<String>,
    },
    /// A server may not be asked.
    Host(HostRefusal),
    /// A secret may not be used so.
    Secret(SecretRefusal),
    /// An MCP server may not be had do it.
    Mcp(McpRefusal),
    /// A member may not have it.
    Member(MemberRefusal),
    /// The program is listed and starts others.
    HidesWhatItRuns(String),
}

impl From<SecretRefusal> for Refusal {
    fn from(refusal: SecretRefusal) -> Self {
        Self::Secret(refusal)
    }
}

impl Refusal {
    /// Returns it for the model, which reads English.
    pub fn for_model(&self) -> String {
        self.in_language(Language::English)
    }

    /// Returns it for people; in English it is what the model reads.
    pub fn in_language(&self, language: Language) -> String {
        match self {
            Self::ChangesNothingAt(level) => {
                text!(language, "refusals-changes-nothing", level = level.as_str())
            }
            Self::OnlyReadsAt(level, reason) => text!(
                language,
                "refusals-only-reads",
                level = level.as_str(),
                reason = reason.in_language(language)
            ),
            Self::Forbidden(reason) => {
                text!(
                    language,
                    "refusals-forbidden",
                    reason = reason.in_language(language)
                )
            }
            Self::NotConfined(Enforced::Nothing) => {
                text!(language, "refusals-not-confined").to_owned()
            }
            Self::NotConfined(Enforced::Partly | Enforced::Wholly) => {
                text!(language, "refusals-partly-confined").to_owned()
            }
            Self::ReachesTheSystem(reason) => text!(
                language,
                "refusals-reaches-the-system",
                reason = reason.in_language(language)
            ),
            Self::NetworkIsOff(reason) => {
                text!(
                    language,
                    "refusals-network-is-off",
                    reason = reason.in_language(language)
                )
            }
            Self::ChatOnly => text!(language, "refusals-chat-only").to_owned(),
            Self::OwnersAlone => text!(language, "refusals-owners-alone").to_owned(),
            Self::OutsideTheWorkspace(path) => {
                text!(language, "refusals-outside-the-workspace", path)
            }
            Self::NotPlainCommands => text!(language, "refusals-not-plain-commands").to_owned(),
            Self::NotOnTheList { program, allowed } if allowed.is_empty() => {
                text!(language, "refusals-no-list", program)
            }
            Self::NotOnTheList { program, allowed } => text!(
                language,
                "refusals-not-on-the-list",
                program,
                allowed = listed(allowed, text!(language, "list-names"))
            ),
            Self::Host(refusal) => refusal.in_language(language),
            Self::Secret(refusal) => refusal.in_language(language),
            Self::Mcp(refusal) => refusal.in_language(language),
            Self::Member(refusal) => refusal.in_language(language).to_owned(),
            Self::HidesWhatItRuns(program) => {
                text!(language, "refusals-hides-what-it-runs", program)
            }
        }
    }
}

/// Names what is allowed.
fn listed(allowed: &[String], between: &str) -> String {
    let listed: Vec<_> = allowed.iter().map(|name| format!("`{name}`")).collect();
    listed.join(between)
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::{CommandReason, Refusal};
    use crate::commands::{Gravity, Justification, Reason};
    use crate::{AutonomyLevel, Enforced};

    fn deletes() -> CommandReason {
        let why = Justification {
            en: "it deletes files".to_owned(),
            zh: "它会删除文件".to_owned(),
        };
        let reason = Reason {
            parts: vec!["rm x".to_owned()],
            ..Reason::new(Gravity::Destroys, why)
        };
        CommandReason::new(vec![reason], false)
    }

    #[test]
    fn a_refusal_names_the_key_and_what_it_allows() {
        let deletes = deletes();
        let refusals = [
            Refusal::ChangesNothingAt(AutonomyLevel::ReadOnly),
            Refusal::OnlyReadsAt(AutonomyLevel::ReadOnly, deletes.clone()),
            Refusal::Forbidden(deletes.clone()),
            Refusal::NotConfined(Enforced::Nothing),
            Refusal::NotConfined(Enforced::Partly),
            Refusal::ReachesTheSystem(deletes.clone()),
            Refusal::NetworkIsOff(deletes),
            Refusal::OutsideTheWorkspace("/etc".into()),
            Refusal::NotPlainCommands,
            Refusal::NotOnTheList {
                program: "rm".into(),
                allowed: vec![],
            },
            Refusal::NotOnTheList {
                program: "rm".into(),
                allowed: vec!["git".into(), "ls".into()],
            },
            Refusal::HidesWhatItRuns("env".into()),
        ];
        let page: Vec<_> = refusals
            .iter()
            .flat_map(|refusal| [refusal.for_model(), refusal.in_language(Language::Chinese)])
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        the autonomy level is `read_only`: nothing may be changed or executed. Answer from what can be read, or say that the level must be raised with `/autonomy`
        自主级别为 `read_only`：不能修改或执行任何东西；可用 `/autonomy` 查看级别
        the autonomy level is `read_only`: only commands run that provably only read in the workspace, and this one does not: `rm x`: it deletes files. Answer from what can be read, or say that the level must be raised with `/autonomy`
        自主级别为 `read_only`：只执行确定只在工作区内读取的命令；`rm x`：它会删除文件；可用 `/autonomy` 查看级别
        it is forbidden: `rm x`: it deletes files. Nobody can approve it; do not try it in other words
        这是被禁止的：`rm x`：它会删除文件；任何人都无法批准
        `policy.sandbox` is `require`, and this machine cannot confine commands. No command runs until the operator has looked at `sayso doctor`; files can be read and written with the file tools
        `policy.sandbox` 为 `require`，而这台机器无法限制命令；在管理者查看 `sayso doctor` 之前不会执行命令
        `policy.sandbox` is `require`, and this machine confines commands only in part. No command runs until the operator has looked at `sayso doctor`; files can be read and written with the file tools
        `policy.sandbox` 为 `require`，而这台机器只能部分限制命令；在管理者查看 `sayso doctor` 之前不会执行命令
        at the level `full` nobody is asked, and nothing runs unconfined: `rm x`: it deletes files. Stay in the workspace and call it without `access`, or say that the level must be lowered to `supervised`, where a person can approve it
        级别 `full` 不作询问，也不执行不受限制的命令：`rm x`：它会删除文件；在 `supervised` 级别可以由人批准
        it needs the network, and `policy.allow_network` is `false`: `rm x`: it deletes files. Do it without the network, or say that the operator can allow it
        它需要联网，而 `policy.allow_network` 为 `false`：`rm x`：它会删除文件
        `/etc` is outside the workspace, and tools are confined to it
        `/etc` 在工作区之外，工具只能在工作区内使用
        without asking, only plain commands of `policy.allow_commands` are run: no expansions, globs, variables, groups, loops or background, and no redirections out of the workspace
        不经询问时只执行 `policy.allow_commands` 中的普通命令：不含展开、通配符、变量、分组、循环或后台运行，也不重定向到工作区之外
        `rm` is not allowed: `policy.allow_commands` is empty
        不允许 `rm`：`policy.allow_commands` 为空
        `rm` is not in `policy.allow_commands`, which has `git`, `ls`
        `rm` 不在 `policy.allow_commands` 之中，其中有 `git`、`ls`
        `env` starts other programs, which `policy.allow_commands` cannot judge. Call the program itself
        `env` 会启动其他程序，`policy.allow_commands` 无法判断
        ");
    }
}
