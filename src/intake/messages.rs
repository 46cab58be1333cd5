//! What the door says.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::SenderKind;

use crate::sessions::WhileBusy;
use crate::store::pairing::AdmissionRow;

/// Returns the text in the right language.
fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// Somebody who cannot be seen means us.
pub fn cannot_see(kind: SenderKind, language: Language) -> String {
    match kind {
        SenderKind::Bot => pick(
            language,
            "I answer people only, not other bots.",
            "我只回答人，不回答其他机器人。",
        ),
        SenderKind::Chat | SenderKind::Person => pick(
            language,
            "I cannot see who you are, so I do not answer: you write in the name of the group or of a channel.\n*Hint:* an admin can turn off *Remain anonymous*, and anybody can choose to write as themselves.",
            "我看不到你是谁，所以不作回答：你是以群组或频道的名义发言的。\n*提示：*管理员可以关闭“保持匿名”，任何人都可以选择以自己的身份发言。",
        ),
    }
}

/// There is no model that could answer.
pub fn no_provider(language: Language) -> String {
    pick(
        language,
        "No model is set up, so I cannot answer yet.\nThe operator can set `OPENAI_API_KEY`, or add a `[[providers]]` section to `sayso.toml`.\n*Hint:* `sayso doctor` says what is missing.",
        "还没有配置模型，所以我暂时无法回答。\n请管理者设置 `OPENAI_API_KEY`，或在 `sayso.toml` 中添加 `[[providers]]`。\n*提示：*`sayso doctor` 会说明缺少什么。",
    )
}

/// Somebody says too much at once.
pub fn too_fast(language: Language) -> String {
    pick(
        language,
        "That is more than 30 messages a minute, so I left this one and those right after it unanswered.\nWait a few seconds, then send again what matters.",
        "每分钟超过 30 条消息，所以这一条和紧接着的几条没有处理。\n请稍等几秒，再把重要的重新发送。",
    )
}

/// The user already has the maximum number of waiting messages.
pub fn too_much_waits(most: i64, language: Language) -> String {
    match language {
        English => format!(
            "{most} messages of yours wait here already, so I left this one and those right after it unanswered.\nSend again what matters when I have caught up; /stop drops what waits."
        ),
        Chinese => format!(
            "这里已有 {most} 条你的消息在等待，所以这一条和紧接着的几条没有处理。\n等我处理完后，请把重要的重新发送；/stop 可清除等待的消息。"
        ),
    }
}

/// A message waits for somebody else's turn.
pub fn queued(language: Language) -> String {
    pick(
        language,
        "⏳ Queued: I answer you next.",
        "⏳ 已排队：接下来就处理。",
    )
}

/// What joins the turn that runs, where the platform waits for a word.
pub fn joins(language: Language) -> String {
    pick(
        language,
        "＋ Added to what I am doing.",
        "＋ 已补充进正在做的事。",
    )
}

/// A message that ends the turn that runs.
pub fn interrupts(language: Language) -> String {
    pick(
        language,
        "⏹ Stopping; this comes next.",
        "⏹ 正在停止，接下来处理这一条。",
    )
}

/// A further message that waits, where the platform waits for a word.
pub fn queued_too(language: Language) -> String {
    pick(language, "⏳ Queued too.", "⏳ 也已排队。")
}

/// A press on the notice about what waits, when no turn is in its way any more.
pub fn comes_next(language: Language) -> String {
    pick(language, "It comes next anyway.", "接下来就会处理。")
}

/// A press on that notice when nothing waits any more.
pub fn nothing_queued(language: Language) -> String {
    pick(
        language,
        "Nothing is queued any more. Nothing changed.",
        "没有在排队的了，没有任何改变。",
    )
}

/// A press on the notice about somebody else's message.
pub fn not_your_message(language: Language) -> String {
    pick(
        language,
        "This is about somebody else's message.",
        "这是别人的消息。",
    )
}

/// `/steer`, `/queue` or `/interrupt` without words.
pub fn busy_usage(how: WhileBusy, language: Language) -> String {
    let name = how.as_str();
    let (english, chinese) = match how {
        WhileBusy::Steer => (
            "what I add to the work at its next step",
            "我会在下一步补充进正在做的事",
        ),
        WhileBusy::Queue => (
            "what I do when the work is done",
            "我会在做完手上的事之后处理",
        ),
        WhileBusy::Interrupt => (
            "what I do instead of the work",
            "我会停下手上的事，先处理它",
        ),
    };
    match language {
        English => format!("Write it behind the command: `/{name} WORDS` – {english}."),
        Chinese => format!("请写在命令后面：`/{name} 内容`——{chinese}。"),
    }
}

/// A stranger wrote, and strangers cannot ask to come in (now).
pub fn closed(language: Language) -> String {
    pick(
        language,
        "This is a private assistant, and I do not know you. Ask its operator to let you in.",
        "这是私人助手，我还不认识你。请联系它的管理者。",
    )
}

/// A stranger wrote, and the owners are asked.
pub fn asking(language: Language) -> String {
    pick(
        language,
        "I do not know you yet. I have asked my owner whether I may talk with you; you will hear from me.",
        "我还不认识你。已经询问管理者是否可以和你对话，有结果会告诉你。",
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
                "**Let {name} in?**{handle}\n`{channel}:{sender}`{words}\n⚠️ If you allow it, {name} can use my tools and **approve actions on this computer without you**: commands, files and requests in a space of their own. What reaches past that space asks an owner."
            )
        }
        Chinese => {
            let handle = handle.map_or_else(String::new, |it| format!("（`@{it}`）"));
            let words = words.map_or_else(String::new, |it| format!(" 写道：`{it}`"));
            format!(
                "**允许 {name} 使用我吗？**{handle}\n`{channel}:{sender}`{words}\n⚠️ 允许后，{name} 可以使用我的工具，并**无需你同意就自行批准在这台电脑上的操作**：在自己空间内的命令、文件和请求。超出该空间的会询问管理者。"
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

/// The card about a stranger, answered.
pub fn stranger_answered(stranger: &AdmissionRow, allowed: bool, language: Language) -> String {
    let name = plain(&stranger.name);
    match (allowed, language) {
        (true, English) => format!("✅ {name} was let in."),
        (true, Chinese) => format!("✅ 已允许 {name}。"),
        (false, English) => format!("🚫 {name} was blocked."),
        (false, Chinese) => format!("🚫 已屏蔽 {name}。"),
    }
}

/// The card about a stranger that expired without an answer.
pub fn stranger_expired(stranger: &AdmissionRow, language: Language) -> String {
    let name = plain(&stranger.name);
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

/// Somebody was let in.
pub fn welcome(language: Language) -> String {
    pick(
        language,
        "You may talk with me now. Tell me what to do; I ask before anything risky. /help lists the commands.",
        "现在可以和我对话了。直接告诉我要做什么，有风险的操作我会先询问。/help 查看命令。",
    )
}

/// A press by somebody whom the door does not let in.
pub fn not_for_strangers(language: Language) -> String {
    pick(
        language,
        "This button is not for you.",
        "这个按钮不是给你的。",
    )
}

/// A press that only owners may make.
pub fn owners_only(language: Language) -> String {
    pick(
        language,
        "Only an owner can answer this.",
        "只有管理者可以答复。",
    )
}

/// A press on a button that we do not know.
pub fn unknown_button(language: Language) -> String {
    pick(
        language,
        "This button does nothing here.",
        "这个按钮在这里无效。",
    )
}

/// A press on somebody else's question.
pub fn not_your_question(language: Language) -> String {
    pick(
        language,
        "This question was for somebody else.",
        "这个问题是问别人的。",
    )
}

/// A press that stops a turn.
pub fn stopping(language: Language) -> String {
    pick(language, "⏹ Stopping.", "⏹ 正在停止。")
}

/// A press that would stop somebody else's turn.
pub fn not_your_turn(language: Language) -> String {
    pick(
        language,
        "Only the person who asked, or an owner, can stop this.",
        "只有提出请求的人或管理者可以停止。",
    )
}

/// A press that would stop a turn that has ended.
pub fn turn_is_over(language: Language) -> String {
    pick(
        language,
        "This is over already. Nothing changed.",
        "已经结束，没有任何改变。",
    )
}

/// A press on the note about what was learned from somebody else's words.
pub fn not_your_words(language: Language) -> String {
    pick(
        language,
        "This was learned from somebody else's words; only they can undo it.",
        "这是从别人的话里记下的，只有本人可以撤销。",
    )
}

/// After what was learned was taken back.
pub fn undone(language: Language) -> String {
    pick(language, "Undone.", "已撤销。")
}

/// A press after somebody answered.
pub fn already_answered(language: Language) -> String {
    pick(
        language,
        "This was already answered. Nothing changed.",
        "已经答复过了，没有任何改变。",
    )
}

/// A press after the time was over.
pub fn too_late(language: Language) -> String {
    pick(
        language,
        "Too late: this has expired.",
        "太晚了：已经过期。",
    )
}

/// A name without anything that could pass for our own formatting.
pub fn plain(name: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    name.chars()
        .filter(|letter| !is_hidden(*letter) && !"*_`[]<>~|\\".contains(*letter))
        .collect()
}
