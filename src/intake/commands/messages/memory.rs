//! What `/memory` says, and what stands in its files.

use sayso_channel::ChatKind;
use sayso_channel::Language::{self, Chinese, English};

/// `/memory` without a word that I know.
pub fn memory_usage(language: Language) -> String {
    match language {
        English => "`/memory export` sends what I remember as two files: of you in our direct chat, of the group in a group.",
        Chinese => "`/memory export` 会把我记住的内容作为两个文件发出：私聊里是关于你的，群里是这个群的。",
    }
    .to_owned()
}

/// `/memory export` where nothing is remembered.
pub fn nothing_remembered(language: Language) -> String {
    match language {
        English => "I remember nothing here.",
        Chinese => "这里还没有记住任何内容。",
    }
    .to_owned()
}

/// What stands above the files.
pub fn exported(count: usize, chat: ChatKind, language: Language) -> String {
    match (language, chat) {
        (English, ChatKind::Direct) => format!("What I remember of you: {count}"),
        (English, ChatKind::Group) => format!("What I remember of this group: {count}"),
        (Chinese, ChatKind::Direct) => format!("我记住的关于你的内容：{count}"),
        (Chinese, ChatKind::Group) => format!("我记住的这个群的内容：{count}"),
    }
}

/// The heading of the file for people.
pub fn memory_heading(language: Language) -> &'static str {
    match language {
        English => "What Sayso remembers",
        Chinese => "Sayso 记住的内容",
    }
}

/// The heading of one kind of memory.
pub fn memory_kind(kind: &str, language: Language) -> &'static str {
    match (language, kind) {
        (English, "fact") => "Told to remember",
        (English, _) => "From conversations",
        (Chinese, "fact") => "要求记住的",
        (Chinese, _) => "来自对话",
    }
}
