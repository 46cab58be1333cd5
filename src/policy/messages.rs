//! What the policy says: refusals to the model, in English, and reasons for asking to people.

use sayso_channel::Language;

use super::facts::AutonomyLevel;
use crate::transcript::{Origin, Taint, TaintSource, Way};

/// How many sources of untrusted text a card names.
const NAMED_SOURCES: usize = 4;

/// Why a person is asked about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AskReason {
    /// It runs a command.
    RunsCommand,
    /// It changes a file.
    WritesFile,
    /// It reads or replaces a file that keeps secrets, as its name says.
    KeepsSecrets,
    /// It asks a server of the internet for something.
    Fetches,
    /// The same, after text from outside that may have chosen the address.
    FetchesAfterOutsideText,
    /// It sends a request that may change something at a server.
    SendsRequest,
    /// It would run unasked, were no untrusted text in view.
    OutsideText,
    /// It would be remembered, and reads like instructions to a model.
    ReadsLikeInstructions,
    /// An equal call was interrupted, and nobody knows whether it took effect.
    RepeatsUnknown,
    /// It was approved, and is no longer what was shown.
    ChangedSinceShown,
}

impl AskReason {
    /// Returns the reason as the card says it.
    pub fn for_people(self, language: Language) -> &'static str {
        match language {
            Language::English => self.in_english(),
            Language::Chinese => self.in_chinese(),
        }
    }

    fn in_english(self) -> &'static str {
        match self {
            Self::RunsCommand => "It runs a command on the machine where Sayso lives.",
            Self::WritesFile => "It changes a file in the workspace.",
            Self::KeepsSecrets => {
                "By its name, this file keeps secrets such as keys or passwords. What is read \
                 goes to the model."
            }
            Self::Fetches => {
                "It asks a server on the internet. What stands in the address is told to that \
                 server."
            }
            Self::FetchesAfterOutsideText => {
                "Text from outside was read in this turn and may have chosen this address, which \
                 can carry away what was read."
            }
            Self::SendsRequest => {
                "It sends a request that may change something at a server on the internet."
            }
            Self::OutsideText => {
                "It is allowed, but text from outside is in view, which may be what asks for it. \
                 So you decide."
            }
            Self::ReadsLikeInstructions => {
                "It would be remembered, and it reads like instructions to me."
            }
            Self::RepeatsUnknown => {
                "The same call was interrupted before, and nobody knows whether it took effect. \
                 Approving it may do it twice."
            }
            Self::ChangedSinceShown => {
                "It was approved, but the call or a file that it uses has changed since. This is \
                 how it looks now."
            }
        }
    }

    fn in_chinese(self) -> &'static str {
        match self {
            Self::RunsCommand => "它会在 Sayso 所在的机器上执行命令。",
            Self::WritesFile => "它会修改工作区里的文件。",
            Self::KeepsSecrets => {
                "从名字看，这个文件保存着密钥或密码之类的机密；读到的内容会交给模型。"
            }
            Self::Fetches => "它会访问互联网上的服务器；地址里的内容会告诉对方。",
            Self::FetchesAfterOutsideText => {
                "本轮读入了外部文本，这个地址可能由它指定，并可能带走读到的内容。"
            }
            Self::SendsRequest => "它会向互联网上的服务器发送可能改变其内容的请求。",
            Self::OutsideText => {
                "它本来无需询问，但对话中有来自外部的文本，可能正是这些文本要求执行它，因此由你决定。"
            }
            Self::ReadsLikeInstructions => "它会被记住，而它读起来像是对我的指令。",
            Self::RepeatsUnknown => "同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。",
            Self::ChangedSinceShown => {
                "它已被批准，但调用或它使用的文件此后有了变化。这是现在的内容。"
            }
        }
    }
}

/// Names where the untrusted text in view came from; `None` where there is none.
pub fn in_view(taint: &Taint, language: Language) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for source in taint.sources() {
        let name = source_name(source, language);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED_SOURCES);
    names.truncate(NAMED_SOURCES);
    Some(match (language, more) {
        (Language::English, 0) => format!("In view: {}.", names.join(", ")),
        (Language::English, _) => format!("In view: {}, and {more} more.", names.join(", ")),
        (Language::Chinese, 0) => format!("对话中有：{}。", names.join("、")),
        (Language::Chinese, _) => format!("对话中有：{}，另有 {more} 处。", names.join("、")),
    })
}

fn source_name(source: &TaintSource, language: Language) -> String {
    let origin = match (&source.origin, language) {
        (Origin::Others, Language::English) => "words of others".to_owned(),
        (Origin::Others, Language::Chinese) => "他人的话".to_owned(),
        (Origin::Tool { name, .. }, Language::English) => format!("text from `{name}`"),
        (Origin::Tool { name, .. }, Language::Chinese) => format!("来自 `{name}` 的文本"),
        (Origin::Many, Language::English) => "text from many places".to_owned(),
        (Origin::Many, Language::Chinese) => "多处来源的文本".to_owned(),
    };
    match (source.way, language) {
        (Way::Here, Language::English | Language::Chinese) => origin,
        (Way::Earlier, Language::English) => format!("{origin} (an earlier turn)"),
        (Way::Earlier, Language::Chinese) => format!("{origin}（此前的对话）"),
        (Way::Memory, Language::English) => format!("{origin} (a memory)"),
        (Way::Memory, Language::Chinese) => format!("{origin}（记忆）"),
    }
}

/// Why a call may not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The level forbids everything that changes something.
    ChangesNothingAt(AutonomyLevel),
    /// The path is not in the workspace.
    OutsideTheWorkspace(String),
    /// Several commands, or something that a shell would expand.
    NotOnePlainCommand,
    /// The program is not listed.
    NotOnTheList {
        /// The program.
        program: String,
        /// What is listed.
        allowed: Vec<String>,
    },
    /// The host is on `policy.deny_hosts`.
    HostIsDenied(String),
    /// The host, with its port, is on no list and nobody is asked.
    HostIsNotListed(String),
    /// The port is not one of the web, and no rule opens it.
    PortIsNotOpen(String),
    /// The program is listed and starts others.
    HidesWhatItRuns(String),
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
            Self::OutsideTheWorkspace(path) => {
                format!("`{path}` is outside the workspace, and tools are confined to it")
            }
            Self::NotOnePlainCommand => {
                "without asking, only one plain command is run: no pipes, redirections, \
                 expansions, globs or several commands. Call each program of \
                 `policy.allow_commands` by itself"
                    .to_owned()
            }
            Self::NotOnTheList { program, allowed } if allowed.is_empty() => {
                format!("`{program}` is not allowed: `policy.allow_commands` is empty")
            }
            Self::NotOnTheList { program, allowed } => format!(
                "`{program}` is not in `policy.allow_commands`, which has {}",
                listed(allowed, ", ")
            ),
            Self::HostIsDenied(host) => {
                format!("`{host}` is on `policy.deny_hosts`: it is never asked for anything")
            }
            Self::HostIsNotListed(server) => format!(
                "`{server}` is not on `policy.allow_hosts`, and at the level `full` nobody is asked"
            ),
            Self::PortIsNotOpen(server) => format!(
                "`{server}`: only the ports 80 and 443 are open, unless a rule such as \
                 `policy.allow_hosts` names host and port"
            ),
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
            Self::OutsideTheWorkspace(path) => {
                format!("`{path}` 在工作区之外，工具只能在工作区内使用")
            }
            Self::NotOnePlainCommand => {
                "不经询问时只执行单个普通命令：不含管道、重定向、展开、通配符或多条命令".to_owned()
            }
            Self::NotOnTheList { program, allowed } if allowed.is_empty() => {
                format!("不允许 `{program}`：`policy.allow_commands` 为空")
            }
            Self::NotOnTheList { program, allowed } => format!(
                "`{program}` 不在 `policy.allow_commands` 之中，其中有 {}",
                listed(allowed, "、")
            ),
            Self::HostIsDenied(host) => {
                format!("`{host}` 在 `policy.deny_hosts` 之中，从不访问")
            }
            Self::HostIsNotListed(server) => {
                format!("`{server}` 不在 `policy.allow_hosts` 之中，而 `full` 级别不会询问任何人")
            }
            Self::PortIsNotOpen(server) => {
                format!(
                    "`{server}`：只开放 80 和 443 端口，其他端口要在 `policy.allow_hosts` 等规则里写明"
                )
            }
            Self::HidesWhatItRuns(program) => {
                format!("`{program}` 会启动其他程序，`policy.allow_commands` 无法判断")
            }
        }
    }
}

fn listed(allowed: &[String], between: &str) -> String {
    let listed: Vec<_> = allowed.iter().map(|name| format!("`{name}`")).collect();
    listed.join(between)
}

#[cfg(test)]
mod tests {
    use super::{AskReason, Refusal, in_view};
    use crate::policy::AutonomyLevel;
    use crate::transcript::{CallId, Taint, ToolCall, Way};
    use sayso_channel::Language;

    #[test]
    fn reasons_exist_in_both_languages() {
        use AskReason::{
            ChangedSinceShown, Fetches, FetchesAfterOutsideText, KeepsSecrets, OutsideText,
            ReadsLikeInstructions, RepeatsUnknown, RunsCommand, SendsRequest, WritesFile,
        };
        let reasons = [
            RunsCommand,
            WritesFile,
            KeepsSecrets,
            Fetches,
            FetchesAfterOutsideText,
            SendsRequest,
            OutsideText,
            ReadsLikeInstructions,
            RepeatsUnknown,
            ChangedSinceShown,
        ];
        let page: Vec<_> = reasons
            .iter()
            .flat_map(|reason| {
                [Language::English, Language::Chinese].map(|language| reason.for_people(language))
            })
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        It runs a command on the machine where Sayso lives.
        它会在 Sayso 所在的机器上执行命令。
        It changes a file in the workspace.
        它会修改工作区里的文件。
        By its name, this file keeps secrets such as keys or passwords. What is read goes to the model.
        从名字看，这个文件保存着密钥或密码之类的机密；读到的内容会交给模型。
        It asks a server on the internet. What stands in the address is told to that server.
        它会访问互联网上的服务器；地址里的内容会告诉对方。
        Text from outside was read in this turn and may have chosen this address, which can carry away what was read.
        本轮读入了外部文本，这个地址可能由它指定，并可能带走读到的内容。
        It sends a request that may change something at a server on the internet.
        它会向互联网上的服务器发送可能改变其内容的请求。
        It is allowed, but text from outside is in view, which may be what asks for it. So you decide.
        它本来无需询问，但对话中有来自外部的文本，可能正是这些文本要求执行它，因此由你决定。
        It would be remembered, and it reads like instructions to me.
        它会被记住，而它读起来像是对我的指令。
        The same call was interrupted before, and nobody knows whether it took effect. Approving it may do it twice.
        同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。
        It was approved, but the call or a file that it uses has changed since. This is how it looks now.
        它已被批准，但调用或它使用的文件此后有了变化。这是现在的内容。
        ");
    }

    #[test]
    fn a_card_names_where_the_text_in_view_came_from() {
        let shell = |command: &str| ToolCall {
            id: CallId("1".into()),
            name: "shell".into(),
            arguments: serde_json::json!({ "command": command }),
        };
        assert_eq!(in_view(&Taint::default(), Language::English), None);
        let mut taint = Taint::default();
        taint.add_result_of(&shell("ls"));
        taint.add_result_of(&shell("cat x"));
        let earlier = taint.by(Way::Earlier);
        taint.merge(&earlier);
        taint.add_others();
        let page = [Language::English, Language::Chinese].map(|language| in_view(&taint, language));
        insta::assert_snapshot!(page.map(Option::unwrap).join("\n"), @r"
        In view: words of others, text from `shell`, text from `shell` (an earlier turn).
        对话中有：他人的话、来自 `shell` 的文本、来自 `shell` 的文本（此前的对话）。
        ");
        taint.merge(&taint.by(Way::Memory));
        let many = in_view(&taint, Language::English).unwrap();
        assert!(many.ends_with(", and 1 more."), "{many}");
    }

    #[test]
    fn a_refusal_names_the_key_and_what_it_allows() {
        let refusals = [
            Refusal::ChangesNothingAt(AutonomyLevel::ReadOnly),
            Refusal::OutsideTheWorkspace("/etc".into()),
            Refusal::NotOnePlainCommand,
            Refusal::NotOnTheList {
                program: "rm".into(),
                allowed: vec![],
            },
            Refusal::NotOnTheList {
                program: "rm".into(),
                allowed: vec!["git".into(), "ls".into()],
            },
            Refusal::HostIsDenied("evil.example".into()),
            Refusal::HostIsNotListed("example.org:443".into()),
            Refusal::PortIsNotOpen("example.org:22".into()),
            Refusal::HidesWhatItRuns("env".into()),
        ];
        let page: Vec<_> = refusals
            .iter()
            .flat_map(|refusal| [refusal.for_model(), refusal.in_chinese()])
            .collect();
        insta::assert_snapshot!(page.join("\n"), @r"
        the autonomy level is `read_only`: nothing may be changed or executed. Answer from what can be read, or say that the level must be raised with `/autonomy`
        自主级别为 `read_only`：不能修改或执行任何东西；可用 `/autonomy` 查看级别
        `/etc` is outside the workspace, and tools are confined to it
        `/etc` 在工作区之外，工具只能在工作区内使用
        without asking, only one plain command is run: no pipes, redirections, expansions, globs or several commands. Call each program of `policy.allow_commands` by itself
        不经询问时只执行单个普通命令：不含管道、重定向、展开、通配符或多条命令
        `rm` is not allowed: `policy.allow_commands` is empty
        不允许 `rm`：`policy.allow_commands` 为空
        `rm` is not in `policy.allow_commands`, which has `git`, `ls`
        `rm` 不在 `policy.allow_commands` 之中，其中有 `git`、`ls`
        `evil.example` is on `policy.deny_hosts`: it is never asked for anything
        `evil.example` 在 `policy.deny_hosts` 之中，从不访问
        `example.org:443` is not on `policy.allow_hosts`, and at the level `full` nobody is asked
        `example.org:443` 不在 `policy.allow_hosts` 之中，而 `full` 级别不会询问任何人
        `example.org:22`: only the ports 80 and 443 are open, unless a rule such as `policy.allow_hosts` names host and port
        `example.org:22`：只开放 80 和 443 端口，其他端口要在 `policy.allow_hosts` 等规则里写明
        `env` starts other programs, which `policy.allow_commands` cannot judge. Call the program itself
        `env` 会启动其他程序，`policy.allow_commands` 无法判断
        ");
    }
}
