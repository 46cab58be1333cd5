//! What intake says.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::SenderKind;

use crate::sessions::WhileBusy;

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
            "我看不到你是谁，所以不作回答：你是以群组或频道的名义发言的。\n*提示：*在群设置里关闭“保持匿名”，或者选择以自己的身份发言即可。",
        ),
    }
}

/// There is no model that could answer.
pub fn no_provider(language: Language) -> String {
    pick(
        language,
        "No model is set up, so I cannot answer yet.\nMy owner can set `OPENAI_API_KEY`, or add a `[[providers]]` section to `sayso.toml`.\n*Hint:* `sayso doctor` says what is missing.",
        "还没有配置模型，所以我暂时无法回答。\n请管理者设置 `OPENAI_API_KEY`，或在 `sayso.toml` 中添加 `[[providers]]`。\n*提示：*`sayso doctor` 会说明缺少什么。",
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

/// A press by somebody whom the door does not let in.
pub fn not_for_strangers(language: Language) -> String {
    pick(
        language,
        "This button is not for you.",
        "这个按钮不是给你的。",
    )
}
