//! What strangers are told, and what owners are asked about them.

use sayso_channel::Language::{self, Chinese, English};

use super::plain;

/// Returns the text in the right language.
fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// A stranger wrote, and strangers cannot ask to come in (now).
pub fn closed(language: Language) -> String {
    pick(
        language,
        "I am a private assistant, and I do not know you yet. If you know my owner, ask them to let you in.",
        "我是一位私人助手，还不认识你。如果你认识我的管理者，请让对方允许你使用我。",
    )
}

/// A stranger wrote, and there is no owner yet.
pub fn unowned(language: Language) -> String {
    pick(
        language,
        "I have no owner yet. If you set me up: open the link shown in my terminal, or send me the code that stands there.",
        "我还没有管理者。如果是你部署的：请打开终端里显示的链接，或把那里的配对码发给我。",
    )
}

/// A stranger sent a code that does not hold, and there is no owner yet.
pub fn wrong_code(language: Language) -> String {
    pick(
        language,
        "That code is wrong or has expired. A code works for an hour; if yours is older, start me again and my terminal shows a new one.",
        "配对码不对或已过期。配对码一小时内有效，过期后请重新启动，终端会显示新的。",
    )
}

/// A stranger sent a code that does not hold, and the owners are asked.
pub fn asking_after_wrong_code(language: Language) -> String {
    pick(
        language,
        "That code is wrong, used or expired, so I have asked my owner whether I may talk with you. You will hear from me.",
        "配对码不对、已被使用或已过期，所以我已询问管理者是否可以和你对话，有结果会告诉你。",
    )
}

/// A stranger wrote, and no owner can be asked: those that are named have never written.
pub fn owner_is_unheard(language: Language) -> String {
    pick(
        language,
        "I do not know you yet, and I cannot ask my owner, who has not written to me so far. If you know them: ask them to send me a message, then write to me again.",
        "我还不认识你，也没法询问管理者：对方还没有给我发过消息。如果你认识管理者，请对方先给我发一条消息，然后你再写给我。",
    )
}

/// A stranger wrote, and the owners are asked.
pub fn asking(language: Language) -> String {
    pick(
        language,
        "Hello! I do not know you yet, so I have asked my owner whether I may talk with you. You will hear from me.",
        "你好！我还不认识你，所以已询问管理者是否可以和你对话，有结果会告诉你。",
    )
}

/// A stranger wrote again before the owners answered.
pub fn still_asking(language: Language) -> String {
    pick(
        language,
        "My owner has not answered yet.",
        "管理者还没有答复。",
    )
}

/// A stranger, as owners are shown one.
#[derive(Debug, Clone, Copy)]
pub struct Stranger<'a> {
    /// The name that people see.
    pub name: &'a str,
    /// The name that is the account's alone on its platform, without the `@`.
    pub handle: Option<&'a str>,
    /// Where the account is.
    pub channel: &'a str,
    /// The account.
    pub sender: &'a str,
    /// What was said.
    pub words: &'a str,
}

/// How much of a stranger's words owners are shown, in characters.
const STRANGERS_WORDS: usize = 160;

/// The card about a stranger: who it is, what was said, and what a yes means.
pub fn stranger(stranger: &Stranger<'_>, language: Language) -> String {
    let (name, channel, sender) = (plain(stranger.name), stranger.channel, stranger.sender);
    let handle = stranger.handle.map(harmless).filter(|it| !it.is_empty());
    let words = first_words(stranger.words);
    match language {
        English => {
            let handle = handle.map_or_else(String::new, |it| format!(" (`@{it}`)"));
            let words = words.map_or_else(String::new, |it| format!(" wrote: `{it}`"));
            format!(
                "**Let {name} in?**{handle}\n`{channel}:{sender}`{words}\n⚠️ Allow: {name} can use my tools and **approve actions on this computer without you**, in a folder of their own. What reaches past it asks an owner.\n💬 Chat only: {name} can talk with me, nothing else."
            )
        }
        Chinese => {
            let handle = handle.map_or_else(String::new, |it| format!("（`@{it}`）"));
            let words = words.map_or_else(String::new, |it| format!(" 写道：`{it}`"));
            format!(
                "**允许 {name} 使用我吗？**{handle}\n`{channel}:{sender}`{words}\n⚠️ 允许：{name} 可以使用我的工具，并**无需你同意就自行批准在这台电脑上的操作**，限于自己的文件夹；超出的会询问管理者。\n💬 仅聊天：{name} 只能和我对话。"
            )
        }
    }
}

/// Returns the beginning of somebody's words on one line, as plain letters for a code span: no
/// links, mentions, formatting or letters that change how others read. `None` where there are none.
fn first_words(text: &str) -> Option<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let line = harmless(&words.join(" "));
    let shown: String = line.chars().take(STRANGERS_WORDS).collect();
    let more = if shown.len() < line.len() { "…" } else { "" };
    (!shown.is_empty()).then(|| format!("{shown}{more}"))
}

/// Leaves out what could end a code span, and letters that are not seen.
fn harmless(text: &str) -> String {
    let is_unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let seen = text
        .chars()
        .filter(|letter| !is_unseen(*letter) && *letter != '`');
    seen.collect::<String>().trim().to_owned()
}

/// The card about a stranger who was let in.
pub fn stranger_let_in(name: &str, language: Language) -> String {
    let name = plain(name);
    match language {
        English => format!("✅ {name} was let in."),
        Chinese => format!("✅ 已允许 {name}。"),
    }
}

/// The card about a stranger who may only chat.
pub fn stranger_chats(name: &str, language: Language) -> String {
    let name = plain(name);
    match language {
        English => format!("💬 {name} may chat with me, without tools."),
        Chinese => format!("💬 {name} 可以和我聊天，不能使用工具。"),
    }
}

/// The card about a stranger who was blocked.
pub fn stranger_blocked(name: &str, language: Language) -> String {
    let name = plain(name);
    match language {
        English => format!("🚫 {name} was blocked."),
        Chinese => format!("🚫 已屏蔽 {name}。"),
    }
}

/// The card about a stranger that expired without an answer.
pub fn stranger_expired(name: &str, language: Language) -> String {
    let name = plain(name);
    match language {
        English => format!("⌛ {name} was neither let in nor blocked: not answered in time."),
        Chinese => format!("⌛ 未及时答复是否允许 {name}，没有任何改变。"),
    }
}

/// The button that lets a stranger in.
pub fn allow(language: Language) -> &'static str {
    match language {
        English => "Allow",
        Chinese => "允许",
    }
}

/// The button that lets a stranger chat and nothing else.
pub fn chat_only(language: Language) -> &'static str {
    match language {
        English => "Chat only",
        Chinese => "仅聊天",
    }
}

/// The button that lets somebody use tools who could only chat.
pub fn allow_fully(language: Language) -> &'static str {
    match language {
        English => "Allow tools too",
        Chinese => "也允许使用工具",
    }
}

/// The button that keeps a stranger out.
pub fn block(language: Language) -> &'static str {
    match language {
        English => "Block",
        Chinese => "屏蔽",
    }
}

/// Somebody became the owner.
pub fn welcome_owner(language: Language) -> String {
    pick(
        language,
        "You are my owner now.\nTell me what to do; I ask before anything risky. /help lists the commands.",
        "你现在是我的管理者。\n直接告诉我要做什么，有风险的操作我会先询问。/help 查看命令。",
    )
}

/// Somebody may chat and nothing else.
pub fn welcome_guest(language: Language) -> String {
    pick(
        language,
        "You can chat with me now. Ask me anything; tools and files are not part of it. /help lists what else you can do.",
        "现在可以和我聊天了，想问什么都行，但不能使用工具和文件。/help 查看你还能做什么。",
    )
}

/// Somebody was let in.
pub fn welcome(language: Language) -> String {
    pick(
        language,
        "You may talk with me now. Tell me what to do; I ask before anything risky. /help lists the commands.",
        "现在可以和我对话了。直接告诉我要做什么，有风险的操作我会先询问。/help 查看命令。",
    )
}
