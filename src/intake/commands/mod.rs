//! Commands: one registry, which also fills the platforms' menus.

mod autonomy;
mod grants;
mod messages;
mod status;
mod stop;

use sayso_channel::{Argument, ArgumentKind, Command, CommandCall, Outbound};

use super::message::{Heard, say};
use super::{Door, Followed, linking};
use crate::approvals;
use crate::store::{StoreError, Tx, chats};

/// A command that Sayso knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    Start,
    Help,
    New,
    Stop,
    Status,
    WhoAmI,
    Link,
    Unlink,
    Autonomy,
    Grants,
}

impl Known {
    const ALL: [Self; 10] = [
        Self::Start,
        Self::Help,
        Self::New,
        Self::Stop,
        Self::Status,
        Self::WhoAmI,
        Self::Link,
        Self::Unlink,
        Self::Autonomy,
        Self::Grants,
    ];

    fn named(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|known| known.menu_entry().name == name)
    }

    /// A new command does not build without its line in menu and help.
    fn menu_entry(self) -> Command {
        let (name, english, chinese) = match self {
            Self::Start => (
                "start",
                "Say hello, or pair with a code",
                "打招呼，或用配对码配对",
            ),
            Self::Help => (
                "help",
                "What I can do, and the commands",
                "我能做什么，有哪些命令",
            ),
            Self::New => ("new", "Begin a new conversation", "开始新的对话"),
            Self::Stop => ("stop", "Stop what I am doing for you", "停止正在为你做的事"),
            Self::Status => (
                "status",
                "How I am, and what I am doing",
                "运行状态和正在做的事",
            ),
            Self::WhoAmI => ("whoami", "Who you are to me", "我所知道的你是谁"),
            Self::Link => (
                "link",
                "Join another account of yours, so that I know you on both",
                "关联你的另一个账号，让我在两边都认得你",
            ),
            Self::Unlink => (
                "unlink",
                "Part this account from your others",
                "将此账号与你的其他账号分开",
            ),
            Self::Autonomy => (
                "autonomy",
                "What I may do without asking",
                "哪些事我可以不询问就做",
            ),
            Self::Grants => (
                "grants",
                "List or revoke what you always allow",
                "查看或撤销“总是允许”",
            ),
        };
        Command {
            name,
            english,
            chinese,
            argument: self.argument(),
        }
    }

    /// What may be written behind the name.
    fn argument(self) -> Option<Argument> {
        match self {
            Self::Start => Some(Argument {
                name: "code",
                english: "The pairing code, if you have one",
                chinese: "配对码（如果有）",
                kind: ArgumentKind::Text,
            }),
            Self::Link => Some(Argument {
                name: "code",
                english: "The code from your other account; empty gives one",
                chinese: "另一个账号上得到的关联码；留空则生成一个",
                kind: ArgumentKind::Text,
            }),
            Self::Autonomy => Some(Argument {
                name: "level",
                english: "Show the level, or the one to lower it to",
                chinese: "查看级别，或要调低到的级别",
                kind: ArgumentKind::Choice(autonomy::CHOICES),
            }),
            Self::Grants => Some(Argument {
                name: "revoke",
                english: "`revoke 2` or `revoke all`; empty lists them",
                chinese: "`revoke 2` 或 `revoke all`；留空则列出",
                kind: ArgumentKind::Text,
            }),
            Self::Help | Self::New | Self::Stop | Self::Status | Self::WhoAmI | Self::Unlink => {
                None
            }
        }
    }
}

/// Returns the commands for a platform's menu.
pub fn menu() -> Vec<Command> {
    Known::ALL.into_iter().map(Known::menu_entry).collect()
}

/// Returns whether a command is ours; others are text like any other.
pub fn exists(name: &str) -> bool {
    Known::named(name).is_some()
}

/// Runs a command in the transaction that stores its message.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    call: &CommandCall,
) -> Result<Followed, StoreError> {
    let language = door.language(&heard.chat.language);
    let Some(known) = Known::named(&call.name) else {
        return Ok(Followed::default());
    };
    let text = match known {
        Known::Start | Known::Help => messages::help(&menu(), language),
        Known::New => {
            chats::begin_anew(tx, heard.session).await?;
            // History ends here for everybody, and so does what anybody allowed in view of it.
            approvals::revoke_session(tx, heard.session).await?;
            messages::begun_anew(language)
        }
        Known::Stop => return stop::run(tx, door, heard, language).await,
        Known::Status => status::status(tx, door, heard, language).await?,
        Known::WhoAmI => {
            let linked = linking::linked_accounts(tx, heard).await?;
            messages::who_am_i(heard.inbound, heard.role, &linked, language)
        }
        Known::Link => return linking::link(tx, door, heard, &call.arguments).await,
        Known::Unlink => return linking::unlink(tx, door, heard).await,
        Known::Autonomy => autonomy::run(tx, door, heard, &call.arguments, language).await?,
        Known::Grants => grants::run(tx, heard, &call.arguments, language).await?,
    };
    let said = say(tx, door, heard, &Outbound::markdown(text)).await?;
    Ok(Followed {
        said,
        ..Followed::default()
    })
}
