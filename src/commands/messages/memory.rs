//! What `/memory` says, and what stands in its files.

use sayso_channel::Language;
use sayso_channel::text;
use sayso_channel::{ChatKind, HealthState, HealthStatus};
use sayso_store::memories::{FactSource, Topic};

use super::status::age;
use crate::persona::Profile;

/// `/memory` without a word that I know.
pub fn memory_usage(language: Language) -> String {
    text!(language, "commands-memory-usage").to_owned()
}

/// `/memory export` where nothing is remembered.
pub fn nothing_remembered(language: Language) -> String {
    text!(language, "commands-memory-nothing-remembered").to_owned()
}

/// What stands above the files.
pub fn exported(count: usize, chat: ChatKind, language: Language) -> String {
    match chat {
        ChatKind::Direct => text!(language, "commands-memory-exported-direct", count),
        ChatKind::Group => text!(language, "commands-memory-exported-group", count),
    }
}

/// Under that, when there is more.
pub fn export_is_cut(language: Language) -> &'static str {
    text!(language, "commands-memory-export-is-cut")
}

/// The heading of the file for people.
pub fn memory_heading(language: Language) -> &'static str {
    text!(language, "commands-memory-heading")
}

/// The heading of one kind of memory.
pub fn memory_kind(kind: &str, language: Language) -> &'static str {
    match kind {
        "fact" => text!(language, "commands-memory-kind-said"),
        "profile" => text!(language, "commands-memory-kind-profile"),
        "skill_off" => text!(language, "commands-memory-kind-skills-off"),
        "routine" => text!(language, "commands-memory-kind-routines"),
        _ => text!(language, "commands-memory-kind-learned"),
    }
}

/// Where a fact comes from, and how sure it is, in percent.
pub fn memory_source(source: FactSource, confidence: u8, language: Language) -> String {
    match source {
        FactSource::Learned => text!(language, "commands-memory-source-learned", confidence),
        FactSource::Told => text!(language, "commands-memory-source-told").to_owned(),
    }
}

/// What a fact is about.
pub fn memory_topic(topic: Topic, language: Language) -> String {
    match topic {
        Topic::Preference => text!(language, "commands-memory-topic-preference"),
        Topic::Profile => text!(language, "commands-memory-topic-profile"),
        Topic::Relation => text!(language, "commands-memory-topic-relation"),
        Topic::Project => text!(language, "commands-memory-topic-project"),
        Topic::Procedure => text!(language, "commands-memory-topic-procedure"),
    }
    .to_owned()
}

/// `/memory profile`.
pub fn profile(profile: &Profile, language: Language) -> String {
    let hint = text!(language, "commands-memory-profile-hint");
    if profile.is_empty() {
        let nothing = text!(language, "commands-memory-profile-nothing");
        return format!("{nothing}\n\n{hint}");
    }
    let (own, learned) = (
        text!(language, "commands-memory-profile"),
        text!(language, "commands-memory-profile-learned"),
    );
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
    text!(language, "commands-memory-profile-in-group").to_owned()
}

/// `/memory profile TEXT`.
pub fn profile_written(language: Language) -> String {
    text!(language, "commands-memory-profile-written").to_owned()
}

/// `/memory profile clear`.
pub fn profile_cleared(had: bool, language: Language) -> String {
    if had {
        text!(language, "commands-memory-profile-cleared")
    } else {
        text!(language, "commands-memory-profile-was-empty")
    }
    .to_owned()
}

/// The text is too long.
pub fn profile_too_long(length: usize, most: usize, language: Language) -> String {
    text!(language, "commands-memory-profile-too-long", length, most)
}

/// The text gives orders as an attack does.
pub fn profile_gives_orders(language: Language) -> String {
    text!(language, "commands-memory-profile-gives-orders").to_owned()
}

/// Since when a fact holds.
pub fn memory_since(day: &str, language: Language) -> String {
    text!(language, "commands-memory-since", day)
}

/// Until when a fact holds, or held.
pub fn memory_until(day: &str, language: Language) -> String {
    text!(language, "commands-memory-until", day)
}

/// What took the place of a fact, as far as that is there.
pub fn memory_replaced(next: Option<&str>, language: Language) -> String {
    match next {
        Some(next) => text!(language, "commands-memory-replaced-by", next),
        None => text!(language, "commands-memory-replaced").to_owned(),
    }
}

/// How often a fact was recalled.
pub fn memory_recalls(count: i64, language: Language) -> String {
    text!(language, "commands-memory-recalls", count)
}

/// `/status`: memory is found without an embedder.
pub fn found_by_words(language: Language) -> String {
    text!(language, "commands-memory-found-by-words").to_owned()
}

/// `/status`: how memory is found with an embedder, and since when it has not answered.
pub fn found_by_meaning(name: &str, health: &HealthState, language: Language) -> String {
    match (&health.status, &health.last_fault) {
        (HealthStatus::Waiting(why), Some((_, since))) => text!(
            language,
            "commands-memory-found-by-meaning-waiting-named",
            name,
            since = age(*since, language),
            why
        ),
        (_, _) => text!(language, "commands-memory-found-by-meaning", name),
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
    text!(language, "commands-memory-of-conversation", text)
}

/// `/memory`: what is remembered here.
pub fn memory_page(page: &MemoryPage<'_>, language: Language) -> String {
    let head = match (page.all, page.is_private) {
        (0, true) => text!(language, "commands-memory-page-empty"),
        (0, false) => text!(language, "commands-memory-page-empty-group"),
        (_, _) => "",
    };
    if page.all == 0 {
        return head.to_owned();
    }
    let all = page.all;
    let head = if page.is_private {
        text!(language, "commands-memory-page-head", all)
    } else {
        text!(language, "commands-memory-page-head-group", all)
    };
    // No list of Markdown, which would count by itself.
    let lines: Vec<String> = (page.first..)
        .zip(page.lines)
        .map(|(number, line)| format!("{number}\\. {line}"))
        .collect();
    let more = if page.is_private {
        text!(language, "commands-memory-page-more-direct")
    } else {
        text!(language, "commands-memory-page-more-group")
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
    match does {
        MemoryButton::Forget(number) => {
            text!(language, "commands-memory-button-forget", number)
        }
        MemoryButton::More => text!(language, "commands-memory-button-more").to_owned(),
    }
}

/// What the presser reads when a memory was to be forgotten.
pub fn memory_forgotten(is_forgotten: bool, language: Language) -> String {
    if is_forgotten {
        text!(language, "commands-memory-forgotten").to_owned()
    } else {
        text!(language, "commands-memory-forgotten-before").to_owned()
    }
}
