//! The vault: notes and whole Markdown texts that somebody wants kept, by owner.
//!
//! An entry is cut at its headings, and each passage is a memory that names the entry. So an entry
//! is found, kept apart, exported, forgotten and erased like everything that is remembered, and
//! there is no second place that any of this could miss.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{ClearedCall, Summary, ToolFacts};
use sayso_store::now_ms;
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::knowledge::passages_of;
use super::note_store::{PLACE, SAME_NAME};
use super::section::day;
use super::summary::beginning;
use super::tool::{SUMMARY_CHARS, bounded, failed, outcome, to_write, told, wrong};
use super::{Filed, Learned, Memory, NewEntry};

/// The longest note, title and text, in characters.
const NOTE_CHARS: usize = 1500;
const TITLE_CHARS: usize = 100;
const TEXT_CHARS: usize = 40_000;
/// How many passages an entry has at most.
const PASSAGES: usize = 60;
/// The longest name of an entry, in characters.
const NAME_CHARS: usize = 60;

/// Words that speak for it in a request.
const NOTE_HINTS: [&str; 6] = ["note", "jot", "write down", "记一下", "笔记", "便签"];

/// Keeps a note.
pub struct QuickNote {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
}

/// Words that speak for it in a request.
const VAULT_HINTS: [&str; 7] = ["vault", "save", "archive", "知识库", "归档", "收藏", "保存"];

/// Keeps a whole text.
pub struct SaveToVault {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoteArguments {
    /// The note, in the user's words.
    text: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SaveArguments {
    /// What the entry is called.
    title: String,
    /// All of it, as Markdown with headings.
    text: String,
}

impl QuickNote {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Keeps a dated note of the user's vault, found later by memory_recall.";
        Self {
            spec: spec_of::<NoteArguments>("quick_note", description),
            memory,
        }
    }

    fn note(&self, call: &ToolCall) -> Result<String, ToolOutcome> {
        let NoteArguments { text } = parse_arguments(call, &self.spec)?;
        bounded("text", &text, NOTE_CHARS)
    }

    async fn keep(&self, call: &ToolCall, context: &ToolContext) -> Result<String, ToolOutcome> {
        let note = self.note(call)?;
        let text = format!("{PLACE}notes.md, {}: {note}", day(now_ms()));
        let new = told(text, context.scope.turn, &context.taint);
        let learned = self.memory.learn(context.scope.owner, new).await;
        match learned.map_err(failed)? {
            Learned::New(id) | Learned::Same(id) | Learned::Replaced { new: id, .. } => {
                Ok(format!("noted in {PLACE}notes.md (id {id})"))
            }
            Learned::Suppressed | Learned::Missing(_) => Err(wrong("nothing was noted".to_owned())),
        }
    }
}

impl SaveToVault {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Keeps a text of up to 40,000 characters in the user's vault, such as \
            the result of research; its passages are found later by memory_recall.";
        Self {
            spec: spec_of::<SaveArguments>("save_to_vault", description),
            memory,
        }
    }

    fn entry(&self, call: &ToolCall) -> Result<(String, String), ToolOutcome> {
        let SaveArguments { title, text } = parse_arguments(call, &self.spec)?;
        let title = bounded("title", &title, TITLE_CHARS)?;
        let text = bounded("text", &text, TEXT_CHARS)?;
        Ok((title, text))
    }

    async fn keep(&self, call: &ToolCall, context: &ToolContext) -> Result<String, ToolOutcome> {
        let (title, text) = self.entry(call)?;
        let name = name_of(&title);
        let passages = passages_of(&name, &text);
        if passages.is_empty() || passages.len() > PASSAGES {
            let count = passages.len();
            return Err(wrong(format!(
                "`text` has {count} passages; 1 to {PASSAGES} are allowed. Split it into several entries"
            )));
        }
        let passages = passages.into_iter();
        let entry = NewEntry {
            name,
            passages: passages
                .map(|passage| (above(&title, &passage.heading), passage.text))
                .collect(),
            turn: context.scope.turn,
            taint: context.taint.clone(),
        };
        let filed = self.memory.file(context.scope.owner, entry).await;
        let Some(Filed { name, passages }) = filed.map_err(failed)? else {
            return Err(wrong(format!(
                "`title`: {SAME_NAME} entries have it already"
            )));
        };
        Ok(format!("saved as {PLACE}{name} ({passages} passages)"))
    }
}

/// Returns what stands above a passage: the title, and the headings where they are others.
fn above(title: &str, heading: &str) -> String {
    match heading {
        "" => title.to_owned(),
        heading if heading.starts_with(title) => heading.to_owned(),
        heading => format!("{title} › {heading}"),
    }
}

/// Returns the name of an entry with this title: its letters and digits, in lower case.
fn name_of(title: &str) -> String {
    let mut name = String::new();
    for letter in title.to_lowercase().chars().take(NAME_CHARS) {
        if letter.is_alphanumeric() {
            name.push(letter);
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    match name.trim_end_matches('-') {
        "" => "entry".to_owned(),
        name => name.to_owned(),
    }
}

#[async_trait]
impl Tool for QuickNote {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(NOTE_HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let note = self.note(call)?;
        to_write(Summary::Note(beginning(&note, SUMMARY_CHARS)), note)
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        outcome(self.keep(call.call(), context).await)
    }
}

#[async_trait]
impl Tool for SaveToVault {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(VAULT_HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (title, text) = self.entry(call)?;
        to_write(
            Summary::SaveNote(title.clone()),
            format!("{title}\n\n{text}"),
        )
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        outcome(self.keep(call.call(), context).await)
    }
}

#[cfg(test)]
mod tests {
    use super::{above, name_of};

    #[test]
    fn an_entry_is_named_by_the_letters_of_its_title() {
        assert_eq!(name_of("Green Tea: how & why?"), "green-tea-how-why");
        assert_eq!(name_of("绿茶 指南"), "绿茶-指南");
        assert_eq!(name_of("../../etc/passwd"), "etc-passwd");
        assert_eq!(name_of("!!!"), "entry");
    }

    #[test]
    fn a_passage_says_what_it_stands_under() {
        assert_eq!(above("Tea", ""), "Tea");
        assert_eq!(above("Tea", "Tea"), "Tea");
        assert_eq!(above("Tea", "Tea › Green"), "Tea › Green");
        assert_eq!(above("Tea", "Green"), "Tea › Green");
    }
}
