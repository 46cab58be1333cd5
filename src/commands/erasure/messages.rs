//! What is said about erasing a person. Nothing here holds anything of the person.

use sayso_channel::Language::{self, Chinese, English};

fn pick(language: Language, english: &str, chinese: &str) -> String {
    match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    }
}

/// `/forget` without a word that I know.
pub fn usage(language: Language) -> String {
    pick(
        language,
        "`/forget` with some words shows what I remember of it, and you choose what goes.\n`/forget everything` erases all that I keep of you. I ask once before.",
        "`/forget` 加几个词：我会列出相关的记忆，由你选择忘掉哪些。\n`/forget everything` 会抹去我保存的关于你的一切，之前会再问一次。",
    )
}

/// `/forget everything` in a group.
pub fn only_direct(language: Language) -> String {
    pick(
        language,
        "Send me this in our direct chat: it is about you alone.",
        "请在私聊中发给我：这只关系到你自己。",
    )
}

/// `/forget everything` again, while it is being done.
pub fn under_way(language: Language) -> String {
    pick(
        language,
        "I am already erasing what I keep of you. I say here when it is done.",
        "正在抹去关于你的一切，完成后会在这里告诉你。",
    )
}

/// The card.
pub fn asking(accounts: usize, language: Language) -> String {
    let linked = linked(accounts, language);
    match language {
        English => format!(
            "**Erase everything about you?**{linked}\nOur chats, what I remember and your files go. Your account and usage numbers stay. This cannot be undone."
        ),
        Chinese => format!(
            "**清除关于你的一切？**{linked}\n对话、记忆和你的文件都会清除，账号和用量数字会保留。无法恢复。"
        ),
    }
}

/// The button that shows everything that goes and stays.
pub fn explain(language: Language) -> &'static str {
    match language {
        English => "What exactly?",
        Chinese => "详细",
    }
}

/// Says that several accounts are meant, if they are.
fn linked(accounts: usize, language: Language) -> String {
    match (language, accounts) {
        (_, 0 | 1) => String::new(),
        (English, _) => {
            format!("\nThis is about all {accounts} of your linked accounts.\n")
        }
        (Chinese, _) => format!("\n这包括你关联的全部 {accounts} 个账号。\n"),
    }
}

/// The card, with everything that goes and stays.
pub fn explaining(accounts: usize, language: Language) -> String {
    let linked = linked(accounts, language);
    match language {
        English => format!(
            "**Erase everything I keep of you?** It cannot be undone.\n{linked}\n\
             What goes: our conversations, your memories, approvals and grants, questions, the files of your folder, traces, and what the audit keeps in your words. From groups: what you said to me or around me, my answers to you, and what the group remembers from you. What runs for you now is stopped. For everybody go the copies of the database that I made before updates, and the lines of my logs with what models were asked.\n\n\
             What stays: your account and what it may do, how much you used as numbers, the audit's rows without your words, files in folders of groups, what others quoted of you, and copies that my owner made. Other lines of my logs cannot be picked out: they hold no messages, and rotate away. What stands in the chats themselves you delete there."
        ),
        Chinese => format!(
            "**抹去我保存的关于你的一切？**此操作无法撤销。\n{linked}\n\
             会抹去：我们的对话、你的记忆、审批和授权、提问、你文件夹里的文件、追踪记录，以及审计中你的原话。在群里：你对我或在我旁边说过的话、我给你的回答、群记忆中来自你的内容。正在为你做的事会停止。我在升级前为数据库做的副本，以及日志里与模型往来的内容，会对所有人一并删除。\n\n\
             会保留：你的账号和权限、用量数字、审计中不含原话的记录、群文件夹里的文件、别人引用你的话，以及管理者自己做的备份。日志的其他内容无法逐条挑出：其中没有消息内容，并会自动轮换掉。聊天窗口里的消息请在那里自行删除。"
        ),
    }
}

/// The buttons: yes and no.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    match language {
        English => ("Erase everything", "Keep it"),
        Chinese => ("全部抹去", "保留"),
    }
}

/// After the yes.
pub fn begun(language: Language) -> String {
    pick(
        language,
        "Erasing what I keep of you. I say here when it is done.",
        "正在抹去关于你的一切，完成后会在这里告诉你。",
    )
}

/// After the no.
pub fn refused(language: Language) -> String {
    pick(language, "Nothing was erased.", "什么都没有抹去。")
}

/// The card expired without an answer, or was replaced by a newer one.
pub fn expired(language: Language) -> String {
    pick(
        language,
        "This question has expired. Nothing was erased.",
        "这个询问已失效，什么都没有抹去。",
    )
}

/// Everything is gone.
pub fn done(language: Language) -> String {
    pick(
        language,
        "Done: what I kept of you is erased.",
        "完成：关于你的一切已经抹去。",
    )
}
