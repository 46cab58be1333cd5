//! Why a call may not run, in words that the model can act on.

use sayso_core::Language;

use super::command_reason::CommandReason;
use super::mcp::McpRefusal;
use super::member::MemberRefusal;
use super::secret::SecretRefusal;
use super::server::HostRefusal;
use crate::access::Enforced;
use crate::autonomy_level::AutonomyLevel;

/// What is run without asking, where something else is wanted.
const NOT_PLAIN: &str = "without asking, only plain commands of `policy.allow_commands` are run: no \
    expansions, globs, variables, groups, loops or background, and no redirections out of the \
    workspace";

/// Nothing runs for a guest.
const CHAT_ONLY: &str = "the person may only chat with you, and no tool runs for them. Answer \
    without tools; if they need one, say that an owner can let them in fully";

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
    /// Returns the reason in words that the model can act on, on one line.
    pub fn for_model(&self) -> String {
        match self {
            Self::ChangesNothingAt(level) => format!(
                "the autonomy level is `{}`: nothing may be changed or executed. Answer from what \
                 can be read, or say that the level must be raised with `/autonomy`",
                level.as_str()
            ),
            Self::OnlyReadsAt(level, reason) => format!(
                "the autonomy level is `{}`: only commands run that provably only read in the \
                 workspace, and this one does not: {}. Answer from what can be read, or say that \
                 the level must be raised with `/autonomy`",
                level.as_str(),
                reason.in_language(Language::English)
            ),
            Self::Forbidden(reason) => format!(
                "it is forbidden: {}. Nobody can approve it; do not try it in other words",
                reason.in_language(Language::English)
            ),
            Self::NotConfined(enforced) => format!(
                "`policy.sandbox` is `require`, and this machine {}. No command runs until the \
                 operator has looked at `sayso doctor`; files can be read and written with the \
                 file tools",
                shortfall(*enforced)
            ),
            Self::ReachesTheSystem(reason) => format!(
                "at the level `full` nobody is asked, and nothing runs unconfined: {}. Stay in \
                 the workspace and call it without `access`, or say that the level must be \
                 lowered to `supervised`, where a person can approve it",
                reason.in_language(Language::English)
            ),
            Self::NetworkIsOff(reason) => format!(
                "it needs the network, and `policy.allow_network` is `false`: {}. Do it without \
                 the network, or say that the operator can allow it",
                reason.in_language(Language::English)
            ),
            Self::ChatOnly => CHAT_ONLY.to_owned(),
            Self::OwnersAlone => "only an owner may change the configuration".to_owned(),
            Self::OutsideTheWorkspace(path) => {
                format!("`{path}` is outside the workspace, and tools are confined to it")
            }
            Self::NotPlainCommands => NOT_PLAIN.to_owned(),
            Self::NotOnTheList { program, allowed } if allowed.is_empty() => {
                format!("`{program}` is not allowed: `policy.allow_commands` is empty")
            }
            Self::NotOnTheList { program, allowed } => format!(
                "`{program}` is not in `policy.allow_commands`, which has {}",
                listed(allowed, ", ")
            ),
            Self::Host(refusal) => refusal.for_model(),
            Self::Secret(refusal) => refusal.for_model(),
            Self::Mcp(refusal) => refusal.for_model(),
            Self::Member(refusal) => refusal.for_model().to_owned(),
            Self::HidesWhatItRuns(program) => format!(
                "`{program}` starts other programs, which `policy.allow_commands` cannot judge. \
                 Call the program itself"
            ),
        }
    }

    /// Returns the reason for people of a Chinese chat, on one line.
    pub fn in_chinese(&self) -> String {
        match self {
            Self::ChangesNothingAt(level) => format!(
                "自主级别为 `{}`：不能修改或执行任何东西；可用 `/autonomy` 查看级别",
                level.as_str()
            ),
            Self::OnlyReadsAt(level, reason) => format!(
                "自主级别为 `{}`：只执行确定只在工作区内读取的命令；{}；可用 `/autonomy` 查看级别",
                level.as_str(),
                reason.in_language(Language::Chinese)
            ),
            Self::Forbidden(reason) => format!(
                "这是被禁止的：{}；任何人都无法批准",
                reason.in_language(Language::Chinese)
            ),
            Self::NotConfined(enforced) => format!(
                "`policy.sandbox` 为 `require`，而这台机器{}；在管理者查看 `sayso doctor` 之前不会执行命令",
                match enforced {
                    Enforced::Nothing => "无法限制命令",
                    Enforced::Partly | Enforced::Wholly => "只能部分限制命令",
                }
            ),
            Self::ReachesTheSystem(reason) => format!(
                "级别 `full` 不作询问，也不执行不受限制的命令：{}；在 `supervised` 级别可以由人批准",
                reason.in_language(Language::Chinese)
            ),
            Self::NetworkIsOff(reason) => format!(
                "它需要联网，而 `policy.allow_network` 为 `false`：{}",
                reason.in_language(Language::Chinese)
            ),
            Self::ChatOnly => "对方只能聊天，不能使用工具".to_owned(),
            Self::OwnersAlone => "只有这个 Sayso 的管理者可以修改配置".to_owned(),
            Self::OutsideTheWorkspace(path) => {
                format!("`{path}` 在工作区之外，工具只能在工作区内使用")
            }
            Self::NotPlainCommands => {
                "不经询问时只执行 `policy.allow_commands` 中的普通命令：不含展开、通配符、变量、分组、循环或后台运行，也不重定向到工作区之外".to_owned()
            }
            Self::NotOnTheList { program, allowed } if allowed.is_empty() => {
                format!("不允许 `{program}`：`policy.allow_commands` 为空")
            }
            Self::NotOnTheList { program, allowed } => format!(
                "`{program}` 不在 `policy.allow_commands` 之中，其中有 {}",
                listed(allowed, "、")
            ),
            Self::Host(refusal) => refusal.in_chinese(),
            Self::Secret(refusal) => refusal.in_chinese(),
            Self::Mcp(refusal) => refusal.in_chinese(),
            Self::Member(refusal) => refusal.in_chinese().to_owned(),
            Self::HidesWhatItRuns(program) => {
                format!("`{program}` 会启动其他程序，`policy.allow_commands` 无法判断")
            }
        }
    }
}

fn shortfall(enforced: Enforced) -> &'static str {
    match enforced {
        Enforced::Nothing => "cannot confine commands",
        Enforced::Partly | Enforced::Wholly => "confines commands only in part",
    }
}

fn listed(allowed: &[String], between: &str) -> String {
    let listed: Vec<_> = allowed.iter().map(|name| format!("`{name}`")).collect();
    listed.join(between)
}

#[cfg(test)]
mod tests {
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
            .flat_map(|refusal| [refusal.for_model(), refusal.in_chinese()])
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
