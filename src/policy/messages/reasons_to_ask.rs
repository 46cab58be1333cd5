//! Why a person is asked about a call, as its card says it.

use sayso_core::{Language, text};

use super::command_reason::{CommandReason, bullet};

/// Why a person is asked about a call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AskReason {
    /// It runs a command, and nothing frees that of asking.
    RunsCommand(CommandReason),
    /// It changes a file.
    WritesFile,
    /// It changes the configuration.
    ChangesSettings,
    /// It has something done later, again and again.
    SchedulesTurns,
    /// It reads or replaces a file that keeps secrets, as its name says.
    KeepsSecrets,
    /// It asks a server of the internet for something.
    Fetches,
    /// The same, after text from outside that may have chosen the address.
    FetchesAfterOutsideText,
    /// It sends a request that may change something at a server.
    SendsRequest,
    /// It has this MCP server do something.
    UsesMcp(String),
    /// It uses these secrets.
    UsesSecrets(Vec<String>),
    /// It keeps running when the call is over, and would run unasked if it did not.
    KeepsRunning,
    /// It would run unasked, were no untrusted text in view.
    OutsideText,
    /// It would be remembered, and reads like instructions to a model.
    ReadsLikeInstructions,
    /// An equal call was interrupted, and it is unknown whether it took effect.
    RepeatsUnknown,
    /// It was approved, and is no longer what was shown.
    ChangedSinceShown,
}

/// Says of a command that it goes on when its call is over, as a bullet of its card.
pub(crate) fn keeps_running(language: Language) -> String {
    AskReason::KeepsRunning.in_fixed_words(language)
}

impl AskReason {
    /// Returns the reason as bullets of the card.
    pub fn for_people(&self, language: Language) -> String {
        match self {
            Self::RunsCommand(reason) => reason.for_card(language),
            Self::UsesMcp(server) => self.bullet(&text!(
                language,
                "policy-ask-reason-for-people-uses-mcp",
                server
            )),
            Self::UsesSecrets(names) => self.bullet(&text!(
                language,
                "policy-ask-reason-for-people-uses-secrets",
                names = names.join(text!(language, "policy-ask-reason-between-secrets"))
            )),
            reason => reason.in_fixed_words(language),
        }
    }

    /// Returns the reason as a bullet without a word of the call itself.
    pub fn in_fixed_words(&self, language: Language) -> String {
        let said = match self {
            Self::RunsCommand(_) => {
                text!(language, "policy-ask-reason-in-fixed-words-runs-command")
            }
            Self::WritesFile => text!(language, "policy-ask-reason-in-fixed-words-writes-file"),
            Self::ChangesSettings => text!(
                language,
                "policy-ask-reason-in-fixed-words-changes-settings"
            ),
            Self::SchedulesTurns => {
                text!(language, "policy-ask-reason-in-fixed-words-schedules-turns")
            }
            Self::KeepsRunning => text!(language, "policy-ask-reason-in-fixed-words-keeps-running"),
            Self::KeepsSecrets => text!(language, "policy-ask-reason-in-fixed-words-keeps-secrets"),
            Self::Fetches => text!(language, "policy-ask-reason-in-fixed-words-fetches"),
            Self::FetchesAfterOutsideText => text!(
                language,
                "policy-ask-reason-in-fixed-words-fetches-after-outside-text"
            ),
            Self::SendsRequest => text!(language, "policy-ask-reason-in-fixed-words-sends-request"),
            Self::UsesMcp(_) => text!(language, "policy-ask-reason-in-fixed-words-uses-mcp"),
            Self::UsesSecrets(_) => {
                text!(language, "policy-ask-reason-in-fixed-words-uses-secrets")
            }
            Self::OutsideText => text!(language, "policy-ask-reason-in-fixed-words-outside-text"),
            Self::ReadsLikeInstructions => text!(
                language,
                "policy-ask-reason-in-fixed-words-reads-like-instructions"
            ),
            Self::RepeatsUnknown => {
                text!(language, "policy-ask-reason-in-fixed-words-repeats-unknown")
            }
            Self::ChangedSinceShown => text!(
                language,
                "policy-ask-reason-in-fixed-words-changed-since-shown"
            ),
        };
        self.bullet(said)
    }

    /// Writes the reason as a bullet, marked where what it says is grave.
    fn bullet(&self, reason: &str) -> String {
        let is_grave = match self {
            Self::FetchesAfterOutsideText | Self::ReadsLikeInstructions => true,
            Self::RunsCommand(_)
            | Self::WritesFile
            | Self::ChangesSettings
            | Self::SchedulesTurns
            | Self::KeepsSecrets
            | Self::Fetches
            | Self::SendsRequest
            | Self::UsesMcp(_)
            | Self::UsesSecrets(_)
            | Self::KeepsRunning
            | Self::OutsideText
            | Self::RepeatsUnknown
            | Self::ChangedSinceShown => false,
        };
        bullet(reason, is_grave)
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;

    use super::AskReason::{
        ChangedSinceShown, ChangesSettings, Fetches, FetchesAfterOutsideText, KeepsRunning,
        KeepsSecrets, OutsideText, ReadsLikeInstructions, RepeatsUnknown, RunsCommand,
        SchedulesTurns, SendsRequest, UsesMcp, UsesSecrets, WritesFile,
    };
    use super::CommandReason;
    use crate::commands::{Gravity, Justification, Reason};

    fn deletes(segment: Option<&str>) -> CommandReason {
        let why = Justification {
            en: "it deletes files".to_owned(),
            zh: "它会删除文件".to_owned(),
        };
        let reason = Reason {
            parts: segment.map(str::to_owned).into_iter().collect(),
            ..Reason::new(Gravity::Destroys, why)
        };
        CommandReason::new(vec![reason], false)
    }

    #[test]
    fn reasons_exist_in_both_languages() {
        let reasons = [
            RunsCommand(deletes(None)),
            RunsCommand(deletes(Some("rm `x`\n**y**"))),
            WritesFile,
            ChangesSettings,
            SchedulesTurns,
            KeepsSecrets,
            Fetches,
            FetchesAfterOutsideText,
            SendsRequest,
            UsesMcp("memory".into()),
            UsesSecrets(vec!["github".into(), "npm".into()]),
            KeepsRunning,
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
        • ⚠️ deletes files
        • ⚠️ 删除文件
        • ⚠️ deletes files (`rm 'x'\n**y**`)
        • ⚠️ 删除文件（`rm 'x'\n**y**`）
        • changes a file in your folder
        • 会修改你文件夹里的文件
        • changes how I work for everybody, from my next start on; it can be undone
        • 会改变我对所有人的工作方式，下次启动后生效，可以撤销
        • runs at these times in your name, when you may not be there
        • 会在这些时间以你的名义运行，届时你可能不在场
        • by its name, this file keeps secrets such as keys or passwords, and what is read goes to the model
        • 从名字看，这个文件保存着密钥或密码之类的机密，读到的内容会交给模型
        • asks a server on the internet, which learns what stands in the address
        • 会访问互联网上的服务器，对方会知道地址里的内容
        • ⚠️ text from outside may have chosen this address, which can carry away what I read
        • ⚠️ 这个地址可能由外部文本指定，并可能带走我读到的内容
        • sends a request that may change something at a server on the internet
        • 会向互联网上的服务器发送可能改变其内容的请求
        • the service `memory` does it: nothing confines it, and it gets what stands here
        • 由外部服务 `memory` 执行：它不受限制，并会得到这里的内容
        • uses what is not shown here: `github`, `npm`, filled in when it runs
        • 会使用这里不显示的机密 `github`、`npm`，执行时才填入
        • keeps running in the background until it ends, `/stop` ends it or its time is up
        • 会在后台继续运行，直到自行结束、被 `/stop` 停止或超时
        • I have text from outside in view, so I ask to be safe
        • 对话中有来自外部的文本，所以先确认一下
        • ⚠️ would be remembered, and reads like instructions to me
        • ⚠️ 会被记住，而它读起来像是对我的指令
        • the same was interrupted before, and I do not know whether it took effect: this may do it twice
        • 同样的操作曾被中断，不知道是否已经生效：批准可能会重复执行
        • you approved it before, but it, a file that it may run or its limits changed since: this is how it looks now
        • 之前批准过，但它本身、它可能运行的文件或对它的限制此后有了变化：这是现在的内容
        ");
    }
}
