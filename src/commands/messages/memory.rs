//! What `/memory` says, and what stands in its files.

use sayso_channel::Language::{self, Chinese, English};
use sayso_channel::{ChatKind, HealthState, HealthStatus};
use sayso_store::memories::{FactSource, Topic};

use super::status::age;
use crate::persona::Profile;

/// `/memory` without a word that I know.
pub fn memory_usage(language: Language) -> String {
    match language {
        English => "`/memory export` sends what I remember as files: of you in our direct chat, of the group in a group. `/memory profile` shows what I always have in view of you, and takes your own words for it.",
        Chinese => "`/memory export` 会我记住了什么：私聊里是关于你的，群里是这个群的。`/memory profile` 显示我始终参考的你的档案，也可以写上你自己的话。",
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

/// Under that, when there is more.
pub fn export_is_cut(language: Language) -> &'static str {
    match language {
        English => "These are the newest: I remember more than fits into a file.",
        Chinese => "这些是最新的：我记住的内容比一个文件能放下的更多。",
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
        (English, "fact") => "Facts",
        (English, "profile") => "Your profile, in your words",
        (English, "skill_off") => "Skills that are switched off",
        (English, "routine") => "Routines",
        (English, _) => "From conversations",
        (Chinese, "fact") => "事实",
        (Chinese, "profile") => "你自己写的档案",
        (Chinese, "skill_off") => "已停用的技能",
        (Chinese, "routine") => "例行任务",
        (Chinese, _) => "来自对话",
    }
}

/// Where a fact comes from, and how sure it is, in percent.
pub fn memory_source(source: FactSource, confidence: u8, language: Language) -> String {
    match (language, source) {
        (English, FactSource::Learned) => format!("learned, {confidence} % sure"),
        (English, FactSource::Told) => "told to remember".to_owned(),
        (Chinese, FactSource::Learned) => format!("从对话中得知，把握 {confidence}%"),
        (Chinese, FactSource::Told) => "要求记住的".to_owned(),
    }
}

/// What a fact is about.
pub fn memory_topic(topic: Topic, language: Language) -> String {
    match (language, topic) {
        (English, topic) => topic.as_str(),
        (Chinese, Topic::Preference) => "偏好",
        (Chinese, Topic::Profile) => "个人情况",
        (Chinese, Topic::Relation) => "人际关系",
        (Chinese, Topic::Project) => "项目",
        (Chinese, Topic::Procedure) => "做法",
    }
    .to_owned()
}

/// `/memory profile`.
pub fn profile(profile: &Profile, language: Language) -> String {
    let hint = match language {
        English => {
            "_Hint:_ `/memory profile I am …` puts your own words there, in place of those before; `/memory profile clear` deletes them."
        }
        Chinese => {
            "_提示：_`/memory profile 我是……` 用你自己的话写档案，替换之前的内容；`/memory profile clear` 删除它。"
        }
    };
    if profile.is_empty() {
        let nothing = match language {
            English => "I have no profile of you yet.",
            Chinese => "我还没有你的档案。",
        };
        return format!("{nothing}\n\n{hint}");
    }
    let (own, learned) = match language {
        English => ("**In your words**", "**What I learned**"),
        Chinese => ("**你自己写的**", "**我了解到的**"),
    };
    let mut parts = Vec::new();
    if let Some(written) = &profile.written {
        parts.push(format!("{own}\n{written}"));
    }
    if !profile.learned.is_empty() {
        parts.push(format!("{learned}\n{}", profile.learned.join("\n")));
    }
    parts.push(hint.to_owned());
    parts.join("\n\n")
}

/// `/memory profile` in a group.
pub fn profile_in_group(language: Language) -> String {
    match language {
        English => "A profile is between you and me: send this in our direct chat.",
        Chinese => "档案只属于你我之间：请在私聊中发送。",
    }
    .to_owned()
}

/// `/memory profile TEXT`.
pub fn profile_written(language: Language) -> String {
    match language {
        English => "Noted in your words. They are in view in our direct chat from now on, and I never change them.",
        Chinese => "已按你的原话记下。以后在私聊中都会参考，我不会改动它。",
    }
    .to_owned()
}

/// `/memory profile clear`.
pub fn profile_cleared(had: bool, language: Language) -> String {
    match (language, had) {
        (English, true) => "Your words are deleted from your profile.",
        (English, false) => "There are no words of yours in your profile.",
        (Chinese, true) => "已从档案中删除你写的内容。",
        (Chinese, false) => "档案中没有你写的内容。",
    }
    .to_owned()
}

/// The text is too long.
pub fn profile_too_long(length: usize, most: usize, language: Language) -> String {
    match language {
        English => format!(
            "That has {length} characters, and a profile has room for {most}. Nothing was changed."
        ),
        Chinese => format!("这段文字有 {length} 个字符，档案最多 {most} 个。没有做任何改动。"),
    }
}

/// The text gives orders as an attack does.
pub fn profile_gives_orders(language: Language) -> String {
    match language {
        English => "That reads like an attack on me, and it would be in every prompt of yours, so I did not keep it. Say what is so, or how you want to be answered.",
        Chinese => "这段文字像是对我的攻击，而档案会出现在你的每次对话中，所以没有保存。请写明事实，或你希望我怎样回答。",
    }
    .to_owned()
}

/// Since when a fact holds.
pub fn memory_since(day: &str, language: Language) -> String {
    match language {
        English => format!("since {day}"),
        Chinese => format!("{day} 起"),
    }
}

/// Until when a fact holds, or held.
pub fn memory_until(day: &str, language: Language) -> String {
    match language {
        English => format!("until {day}"),
        Chinese => format!("至 {day}"),
    }
}

/// What took the place of a fact, as far as that is there.
pub fn memory_replaced(next: Option<&str>, language: Language) -> String {
    match (language, next) {
        (English, Some(next)) => format!("replaced by: {next}"),
        (English, None) => "replaced".to_owned(),
        (Chinese, Some(next)) => format!("已更新为：{next}"),
        (Chinese, None) => "已更新".to_owned(),
    }
}

/// How often a fact was recalled.
pub fn memory_recalls(count: i64, language: Language) -> String {
    match (language, count) {
        (English, 1) => "recalled once".to_owned(),
        (English, _) => format!("recalled {count} times"),
        (Chinese, _) => format!("用到 {count} 次"),
    }
}

/// `/status`: memory is found without an embedder.
pub fn found_by_words(language: Language) -> String {
    match language {
        English => "Memory is found by words; no embedder is configured.",
        Chinese => "记忆按词语查找；没有配置嵌入模型。",
    }
    .to_owned()
}

/// `/status`: how memory is found with an embedder, and since when it has not answered.
pub fn found_by_meaning(name: &str, health: &HealthState, language: Language) -> String {
    match (&health.status, &health.last_fault, language) {
        (HealthStatus::Waiting(why), Some((_, since)), English) => format!(
            "Memory is found by words alone: the embedder `{name}` has not answered for {}: {why}",
            age(*since, language)
        ),
        (HealthStatus::Waiting(why), Some((_, since)), Chinese) => format!(
            "目前只能按词语查找记忆：嵌入模型 `{name}` 已有 {}没有应答：{why}",
            age(*since, language)
        ),
        (_, _, English) => format!("Memory is found by words and by meaning (`{name}`)."),
        (_, _, Chinese) => format!("记忆按词语和含义查找（`{name}`）。"),
    }
}

/// A page of what is remembered.
pub struct MemoryPage<'a> {
    /// The memories, each on one line.
    pub lines: &'a [String],
    /// The number of the first of them.
    pub first: usize,
    /// How many there are.
    pub all: usize,
    /// Whether it is a direct chat.
    pub is_private: bool,
}

/// A line of the list that sums up a conversation.
pub fn of_conversation(text: &str, language: Language) -> String {
    match language {
        English => format!("From a conversation: {text}"),
        Chinese => format!("对话中：{text}"),
    }
}

/// `/memory`: what is remembered here.
pub fn memory_page(page: &MemoryPage<'_>, language: Language) -> String {
    let head = match (page.all, page.is_private, language) {
        (0, true, English) => {
            "I remember nothing about you yet. Tell me what I should keep: “Remember that …”."
        }
        (0, true, Chinese) => "我还没有记住关于你的任何事。想让我记住什么，直接说：“记住……”。",
        (0, false, English) => "I remember nothing about this group yet.",
        (0, false, Chinese) => "我还没有记住关于这个群的任何事。",
        (_, _, _) => "",
    };
    if page.all == 0 {
        return head.to_owned();
    }
    let all = page.all;
    let head = match (page.is_private, all, language) {
        (true, 1, English) => "I remember one thing:".to_owned(),
        (true, _, English) => format!("I remember {all} things:"),
        (true, _, Chinese) => format!("我记住了 {all} 件事："),
        (false, 1, English) => "About this group I remember one thing:".to_owned(),
        (false, _, English) => format!("About this group I remember {all} things:"),
        (false, _, Chinese) => format!("关于这个群我记住了 {all} 件事："),
    };
    // No list of Markdown, which would count by itself.
    let lines: Vec<String> = (page.first..)
        .zip(page.lines)
        .map(|(number, line)| format!("{number}\\. {line}"))
        .collect();
    let more = match (page.is_private, language) {
        (true, English) => {
            "/memory export sends all of it as a file · /memory profile is about you"
        }
        (true, Chinese) => "/memory export 以文件发出全部 · /memory profile 查看个人档案",
        (false, English) => "/memory export sends all of it as a file",
        (false, Chinese) => "/memory export 以文件发出全部",
    };
    format!("{head}\n{}\n\n{more}", lines.join("\n"))
}

/// A button below what is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemoryButton {
    /// Forgets the memory with this number in the list.
    Forget(usize),
    /// Shows the next page.
    More,
}

/// The label of a button below what is remembered.
pub fn memory_button(does: MemoryButton, language: Language) -> String {
    match (does, language) {
        (MemoryButton::Forget(number), English) => format!("Forget {number}"),
        (MemoryButton::Forget(number), Chinese) => format!("忘掉 {number}"),
        (MemoryButton::More, English) => "More".to_owned(),
        (MemoryButton::More, Chinese) => "更多".to_owned(),
    }
}

/// What the presser reads when a memory was to be forgotten.
pub fn memory_forgotten(is_forgotten: bool, language: Language) -> String {
    match (is_forgotten, language) {
        (true, English) => "Forgotten. I will not learn it again from what was said.".to_owned(),
        (true, Chinese) => "已忘掉，不会再从说过的话里学到它。".to_owned(),
        (false, English) => "It is gone already.".to_owned(),
        (false, Chinese) => "它已经不在了。".to_owned(),
    }
}
