//! Why a person is asked about a call, as its card says it.

use sayso_channel::Language;

use crate::policy::commands::{Justification, Reason, quoted};

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

/// What is said of a command that is asked about or refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandReason {
    /// Why, the gravest first; each with the parts that it is about, where that is not all of it.
    reasons: Vec<Reason>,
    /// Whether there are more than these.
    has_more: bool,
}

/// How many reasons a card says of one command.
const CARD_REASONS: usize = 6;
/// How many reasons stand in one sentence.
const CLAUSES: usize = 3;
/// How many parts are quoted for one reason.
const QUOTED_PARTS: usize = 3;

impl CommandReason {
    /// Takes the reasons, which are in order.
    pub fn new(reasons: Vec<Reason>, has_more: bool) -> Self {
        Self { reasons, has_more }
    }

    /// Returns it as a clause, in one language: the gravest reasons, and how many more there are.
    pub fn in_language(&self, language: Language) -> String {
        let mut clauses = self.clauses(CLAUSES, language);
        clauses.extend(self.rest(CLAUSES, language));
        clauses.join(match language {
            Language::English => "; ",
            Language::Chinese => "；",
        })
    }

    /// Returns it as the lines of a card: one sentence, or a list.
    pub fn for_card(&self, language: Language) -> String {
        let mark = if self.is_grave() { "⚠️ " } else { "" };
        let one = self.reasons.len() == 1 && !self.has_more;
        match language {
            Language::English if one => {
                format!("{mark}Why it asks: {}.", self.in_language(language))
            }
            Language::Chinese if one => {
                format!("{mark}询问原因：{}。", self.in_language(language))
            }
            Language::English => format!("Why it asks:{}", self.bullets(language)),
            Language::Chinese => format!("询问原因：{}", self.bullets(language)),
        }
    }

    /// Returns the same without a word of the command.
    pub fn for_card_unquoted(&self, language: Language) -> String {
        let mut plain: Vec<Reason> = Vec::new();
        for reason in &self.reasons {
            if plain
                .last()
                .is_none_or(|last| last.gravity != reason.gravity)
            {
                let why = Justification {
                    en: reason.gravity.in_words(Language::English).to_owned(),
                    zh: reason.gravity.in_words(Language::Chinese).to_owned(),
                };
                plain.push(Reason::new(reason.gravity, why));
            }
        }
        Self::new(plain, self.has_more).for_card(language)
    }

    fn is_grave(&self) -> bool {
        let gravest = self.reasons.first();
        gravest.is_some_and(|reason| reason.gravity.is_marked())
    }

    fn bullets(&self, language: Language) -> String {
        let shown = self
            .reasons
            .iter()
            .zip(self.clauses(CARD_REASONS, language));
        let mut lines: Vec<String> = shown
            .map(|(reason, clause)| {
                let mark = if reason.gravity.is_marked() {
                    "⚠️ "
                } else {
                    ""
                };
                format!("\n• {mark}{clause}")
            })
            .collect();
        let rest = self.rest(CARD_REASONS, language);
        lines.extend(rest.map(|rest| format!("\n• {rest}")));
        lines.concat()
    }

    fn clauses(&self, most: usize, language: Language) -> Vec<String> {
        let shown = self.reasons.iter().take(most);
        shown.map(|reason| clause(reason, language)).collect()
    }

    /// Says how many reasons are not said.
    fn rest(&self, most: usize, language: Language) -> Option<String> {
        let rest = self.reasons.len().saturating_sub(most);
        match (rest, self.has_more, language) {
            (0, false, _) => None,
            (0, true, Language::English) => Some("and more".to_owned()),
            (0, true, Language::Chinese) => Some("还有更多".to_owned()),
            (_, false, Language::English) => Some(format!("and {rest} more")),
            (_, true, Language::English) => Some(format!("and more than {rest} more")),
            (_, false, Language::Chinese) => Some(format!("另有 {rest} 项")),
            (_, true, Language::Chinese) => Some(format!("另有 {rest} 项以上")),
        }
    }
}

fn clause(reason: &Reason, language: Language) -> String {
    let why = reason.why.in_language(language);
    if reason.parts.is_empty() {
        return why.to_owned();
    }
    let shown = reason.parts.iter().take(QUOTED_PARTS);
    let shown: Vec<String> = shown.map(|part| quoted(part)).collect();
    let rest = reason.parts.len().saturating_sub(QUOTED_PARTS);
    match (rest, language) {
        (0, Language::English) => format!("{}: {why}", shown.join(", ")),
        (_, Language::English) => format!("{} and {rest} more: {why}", shown.join(", ")),
        (0, Language::Chinese) => format!("{}：{why}", shown.join("、")),
        (_, Language::Chinese) => format!("{} 等另外 {rest} 处：{why}", shown.join("、")),
    }
}

/// Says of a command that it goes on when its call is over.
pub fn keeps_running(language: Language) -> &'static str {
    match language {
        Language::English => {
            "It keeps running in the background after this, until it ends by itself, `/stop` ends \
             it or its time is up."
        }
        Language::Chinese => "它会在此后继续在后台运行，直到自行结束、被 `/stop` 停止或超时。",
    }
}

impl AskReason {
    /// Returns the reason as the card says it.
    pub fn for_people(&self, language: Language) -> String {
        match (self, language) {
            (Self::RunsCommand(reason), _) => reason.for_card(language),
            (Self::UsesMcp(server), Language::English) => format!(
                "The MCP server `{server}` does it, a program of its own: what it does there is not \
                 confined, and what stands here is told to it."
            ),
            (Self::UsesMcp(server), Language::Chinese) => {
                format!(
                    "由 MCP 服务器 `{server}` 这一独立程序执行：它做什么不受限制，这里的内容会告诉它。"
                )
            }
            (Self::UsesSecrets(names), Language::English) => format!(
                "It uses what nobody sees here: `{}`, filled in when it runs.",
                names.join("`, `")
            ),
            (Self::UsesSecrets(names), Language::Chinese) => format!(
                "它会使用这里不显示的机密 `{}`，执行时才填入。",
                names.join("`、`")
            ),
            (reason, _) => reason.in_fixed_words(language).to_owned(),
        }
    }

    /// Returns the reason without a word of the call itself.
    pub fn in_fixed_words(&self, language: Language) -> &'static str {
        let [english, chinese] = match self {
            Self::RunsCommand(_) => ["It runs a command.", "它会执行一条命令。"],
            Self::WritesFile => [
                "It changes a file in the workspace.",
                "它会修改工作区里的文件。",
            ],
            Self::ChangesSettings | Self::SchedulesTurns => {
                return self.of_what_lasts(language);
            }
            Self::KeepsRunning => return keeps_running(language),
            Self::KeepsSecrets => [
                "By its name, this file keeps secrets such as keys or passwords. What is read \
                 goes to the model.",
                "从名字看，这个文件保存着密钥或密码之类的机密；读到的内容会交给模型。",
            ],
            Self::Fetches => [
                "It asks a server on the internet. What stands in the address is told to that \
                 server.",
                "它会访问互联网上的服务器；地址里的内容会告诉对方。",
            ],
            Self::FetchesAfterOutsideText => [
                "Text from outside was read in this turn and may have chosen this address, which \
                 can carry away what was read.",
                "本轮读入了外部文本，这个地址可能由它指定，并可能带走读到的内容。",
            ],
            Self::SendsRequest => [
                "It sends a request that may change something at a server on the internet.",
                "它会向互联网上的服务器发送可能改变其内容的请求。",
            ],
            Self::UsesMcp(_) => [
                "An MCP server does it, a program of its own.",
                "由 MCP 服务器这一独立程序执行。",
            ],
            Self::UsesSecrets(_) => ["It uses a secret.", "它会使用一项机密。"],
            Self::OutsideText => [
                "I would do it without asking, but I have read something that is not from you, so I \
                 ask to be safe.",
                "本来不用问，但我读过不是你写的内容，所以先确认一下。",
            ],
            Self::ReadsLikeInstructions => [
                "It would be remembered, and it reads like instructions to me.",
                "它会被记住，而它读起来像是对我的指令。",
            ],
            Self::RepeatsUnknown => [
                "The same call was interrupted before, and nobody knows whether it took effect. \
                 Approving it may do it twice.",
                "同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。",
            ],
            Self::ChangedSinceShown => return changed_since_shown(language),
        };
        match language {
            Language::English => english,
            Language::Chinese => chinese,
        }
    }

    fn of_what_lasts(&self, language: Language) -> &'static str {
        match (self, language) {
            (Self::SchedulesTurns, Language::English) => {
                "It is kept, to be done at these times in your name; this version does not run it yet."
            }
            (Self::SchedulesTurns, Language::Chinese) => {
                "它会被保存，以便在这些时间以你的名义执行；此版本还不会运行它。"
            }
            (_, Language::English) => {
                "It changes how this Sayso works for everybody, from its next start on. It can be undone."
            }
            (_, Language::Chinese) => {
                "它会改变这个 Sayso 对所有人的工作方式，下次启动后生效，可以撤销。"
            }
        }
    }
}

fn changed_since_shown(language: Language) -> &'static str {
    match language {
        Language::English => {
            "It was approved, but a file that it may run, the call itself or what confines it \
             has changed since. An earlier step of the same work may have changed the files. \
             This is how it looks now."
        }
        Language::Chinese => {
            "它已被批准，但它可能运行的文件、调用本身或对它的限制此后有了变化；文件可能是同一任务中\
             前面的步骤改动的。这是现在的内容。"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{AskReason, CommandReason};
    use crate::policy::commands::{Gravity, Justification, Reason};
    use sayso_channel::Language;

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
        use AskReason::{
            ChangedSinceShown, Fetches, FetchesAfterOutsideText, KeepsSecrets, OutsideText,
            ReadsLikeInstructions, RepeatsUnknown, RunsCommand, SendsRequest, UsesSecrets,
            WritesFile,
        };
        let reasons = [
            RunsCommand(deletes(None)),
            RunsCommand(deletes(Some("rm `x`\n**y**"))),
            WritesFile,
            KeepsSecrets,
            Fetches,
            FetchesAfterOutsideText,
            SendsRequest,
            UsesSecrets(vec!["github".into(), "npm".into()]),
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
        ⚠️ Why it asks: it deletes files.
        ⚠️ 询问原因：它会删除文件。
        ⚠️ Why it asks: `rm 'x'\n**y**`: it deletes files.
        ⚠️ 询问原因：`rm 'x'\n**y**`：它会删除文件。
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
        It uses what nobody sees here: `github`, `npm`, filled in when it runs.
        它会使用这里不显示的机密 `github`、`npm`，执行时才填入。
        I would do it without asking, but I have read something that is not from you, so I ask to be safe.
        本来不用问，但我读过不是你写的内容，所以先确认一下。
        It would be remembered, and it reads like instructions to me.
        它会被记住，而它读起来像是对我的指令。
        The same call was interrupted before, and nobody knows whether it took effect. Approving it may do it twice.
        同样的调用曾被中断，不知道是否已经生效；批准可能会重复执行。
        It was approved, but a file that it may run, the call itself or what confines it has changed since. An earlier step of the same work may have changed the files. This is how it looks now.
        它已被批准，但它可能运行的文件、调用本身或对它的限制此后有了变化；文件可能是同一任务中前面的步骤改动的。这是现在的内容。
        ");
    }

    #[test]
    fn a_change_of_settings_says_from_when() {
        let reason = AskReason::ChangesSettings;
        let page = [Language::English, Language::Chinese].map(|it| reason.for_people(it));
        insta::assert_snapshot!(page.join("\n"), @r"
        It changes how this Sayso works for everybody, from its next start on. It can be undone.
        它会改变这个 Sayso 对所有人的工作方式，下次启动后生效，可以撤销。
        ");
    }

    #[test]
    fn an_mcp_server_is_named() {
        let reason = AskReason::UsesMcp("memory".to_owned());
        let page = [Language::English, Language::Chinese].map(|it| reason.for_people(it));
        insta::assert_snapshot!(page.join("\n"), @r"
        The MCP server `memory` does it, a program of its own: what it does there is not confined, and what stands here is told to it.
        由 MCP 服务器 `memory` 这一独立程序执行：它做什么不受限制，这里的内容会告诉它。
        ");
    }
}
