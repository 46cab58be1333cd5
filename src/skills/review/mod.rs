//! The review of a third-party skill: what an owner reads before it is loaded.
//!
//! Everything in it is text as [`visible`] writes it, so nothing hides or reorders anything.

mod difference;
mod flags;

use std::fmt::Write as _;
use std::time::Instant;

use sayso_channel::Language;
use sayso_core::visible::{visible, visible_line};

pub use flags::{Flag, Flagged};

use super::Host;
use super::content::{Content, StoredFiles};
use super::folder::SKILL_FILE;
use super::front_matter;
use super::problem::{Finding, Problem, Unmet};
use super::source::Taken;

/// The most hosts that are named.
const HOSTS: usize = 12;
/// What the head of a file begins with, where all are written one after the other.
const HEAD: &str = "=====";

/// What an owner reads of a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Review {
    /// Its name.
    pub name: String,
    /// What it says of itself.
    pub description: String,
    /// Its files with their sizes in bytes, in the order of their paths.
    pub files: Vec<(String, u64)>,
    /// What it says that it needs (`allowed-tools`); it is given nothing by that.
    pub tools: Vec<String>,
    /// The hosts that its texts name.
    pub hosts: Vec<String>,
    /// How many more hosts there are.
    pub more_hosts: usize,
    /// What it needs that is not here: until then it is not loaded.
    pub unmet: Vec<Unmet>,
    /// What should be looked at.
    pub flags: Vec<Flagged>,
    /// What differs from the one that was approved before; `None` without one.
    pub changes: Option<String>,
    /// The files with their texts, for reading.
    pub text: String,
}

impl Review {
    /// Reviews a skill beside what was approved before, on this machine.
    pub fn of(taken: &Taken, approved: Option<&StoredFiles>, host: &Host) -> Result<Self, Finding> {
        let Taken {
            folder, content, ..
        } = taken;
        let Some(written) = content.text(SKILL_FILE) else {
            let problem = Problem::NotText;
            return Err(Finding { line: 1, problem });
        };
        let front_matter = front_matter::read(folder, written)?.front_matter;
        let mut hosts = flags::hosts(content);
        let more_hosts = hosts.len().saturating_sub(HOSTS);
        hosts.truncate(HOSTS);
        Ok(Self {
            description: visible_line(front_matter.description(Language::English)),
            files: content
                .files()
                .map(|(path, bytes)| (visible_line(path), bytes.len() as u64))
                .collect(),
            tools: front_matter
                .allowed_tools
                .iter()
                .map(|tool| visible_line(tool))
                .collect(),
            hosts,
            more_hosts,
            unmet: front_matter.requirements.unmet(host),
            flags: flags::of(content),
            changes: approved.map(|approved| {
                let deadline = Instant::now() + difference::WITHIN;
                difference::between(approved, &content.kept(), deadline)
            }),
            text: text_of(content),
            name: front_matter.name,
        })
    }
}

/// Returns all files with their texts, `SKILL.md` first, so that the approver can read every word.
/// No line of a file can be mistaken for the header of another file.
fn text_of(content: &Content) -> String {
    let mut files: Vec<_> = content.files().collect();
    files.sort_by_key(|(path, _)| *path != SKILL_FILE);
    let mut text = String::new();
    for (path, bytes) in files {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{HEAD} {} ({} bytes)",
            visible_line(path),
            bytes.len()
        );
        match std::str::from_utf8(bytes) {
            Ok(words) => {
                for line in visible(words).lines() {
                    let escape = if line.starts_with(HEAD) { "\\" } else { "" };
                    let _ = writeln!(text, "{escape}{line}");
                }
            }
            Err(_) => text.push_str("[not text]\n"),
        }
    }
    text
}

/// Cuts a text, and says how much is left out.
fn cut(mut text: String, most: usize) -> String {
    if text.len() <= most {
        return text;
    }
    let end = text.floor_char_boundary(most);
    let left_out = text.len() - end;
    text.truncate(end);
    let _ = write!(text, "\n[{left_out} bytes left out]");
    text
}

#[cfg(test)]
#[path = "review_tests.rs"]
mod tests;
