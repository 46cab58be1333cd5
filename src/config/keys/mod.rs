//! Every key that can be written, declared once: place, type, default, limits, who may change it,
//! and what it is for in both languages.
//!
//! `declare!` makes of each section the table that the file is read into and the list of its keys.
//! From the lists come the checks of types and ranges, the words of a refusal, the keys that owners
//! may change in chat, the example file, the reference page and the JSON schema (`descriptions`). What
//! takes more than a type and a range to check is checked in `check.rs` and its like.

/// Declares the keys of a section: `name: type of its field = what it takes`, the default, the
/// value in the example where that differs, and what it is for. `with` has the sections below it.
macro_rules! declare {
    (@path "" $name:ident) => { stringify!($name) };
    (@path $section:tt $name:ident) => { concat!($section, ".", stringify!($name)) };
    (
        $(#[$about:meta])*
        $table:ident in $section:tt {
            $($(#[$attribute:meta])* $name:ident: $type:ty = $key:expr,)*
        }
        $(with { $($(#[$below_attribute:meta])* $below:ident: $below_type:ty,)* })?
    ) => {
        $(#[$about])*
        #[derive(serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(in crate::config) struct $table {
            $($(#[$attribute])* pub(in crate::config) $name: $type,)*
            $($($(#[$below_attribute])* pub(in crate::config) $below: $below_type,)*)?
        }

        impl $table {
            /// The keys of the section.
            pub(super) const KEYS: &[super::Key] =
                &[$($key.at(declare!(@path $section $name)),)*];
        }
    };
}

mod access;
mod agent;
mod budget;
mod channels;
mod checks;
mod file;
mod key;
mod kind;
mod machine;
mod mcp;
mod memory;
mod policy;
mod projects;
mod providers;
mod routines;
mod secrets;
mod section;
mod tools;

pub(super) use access::AccessTable;
pub(super) use agent::AgentTable;
pub(super) use budget::{BudgetTable, PriceTable};
pub(super) use channels::{ChannelsTable, DiscordTable, TelegramTable, WrittenMode};
pub(super) use checks::ChecksTable;
pub(super) use file::{ConfigFile, WrittenLanguage};
pub(super) use key::{Bound, Doc, Example, Key};
pub(super) use kind::Kind;
pub(super) use machine::{HttpTable, LogTable, RetentionTable, StoreTable};
pub(super) use mcp::McpTable;
pub(super) use memory::{EmbedderTable, LearningTable, MemoryTable, WrittenNote};
pub(super) use policy::PolicyTable;
pub(super) use projects::ProjectTable;
pub(super) use providers::{ProviderTable, WrittenKind, WrittenVision};
pub(super) use routines::RoutinesTable;
pub(super) use secrets::SecretTable;
pub(super) use section::Section;
pub(super) use tools::{ToolsTable, WebSearchTable, WrittenSearch};

/// All sections, in the order of the example file.
pub(super) const SECTIONS: &[Section] = &[
    Section::of("", ConfigFile::KEYS).written(),
    channels::TELEGRAM,
    channels::DISCORD,
    channels::TERMINAL,
    Section::of("access", AccessTable::KEYS).written(),
    providers::SECTION,
    Section::of("agent", AgentTable::KEYS).written(),
    Section::of("policy", PolicyTable::KEYS).written(),
    budget::BUDGET,
    budget::PRICES,
    Section::of("tools", ToolsTable::KEYS).written(),
    tools::WEB_SEARCH,
    secrets::SECTION,
    projects::SECTION,
    Section::of("checks", ChecksTable::KEYS).written(),
    mcp::SECTION,
    memory::MEMORY,
    memory::EMBEDDER,
    memory::LEARNING,
    routines::SECTION,
    machine::RETENTION,
    Section::of("store", StoreTable::KEYS).written(),
    machine::HTTP,
    machine::LOG,
];

/// Returns all keys, in the order of the example file.
pub(super) fn all() -> impl Iterator<Item = &'static Key> {
    SECTIONS.iter().flat_map(|section| section.keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_allowed() {
        for key in all() {
            let allowed = key
                .default
                .is_none_or(|text| key.kind.read_text(text).is_some());
            assert!(allowed, "{}", key.path);
        }
    }

    #[test]
    fn every_key_is_explained_in_both_languages_with_each_of_its_words() {
        for key in all() {
            let Doc { english, chinese } = key.doc;
            assert!(!english.is_empty() && !chinese.is_empty(), "{}", key.path);
            assert!(!chinese.is_ascii(), "{}: {chinese}", key.path);
            let Kind::Choice(words) = key.kind else {
                continue;
            };
            let others = words.iter().filter(|word| key.default != Some(word));
            for word in others {
                assert!(english.contains(word), "{}: {word}", key.path);
                assert!(chinese.contains(word), "{}: {word}", key.path);
            }
        }
    }
}
