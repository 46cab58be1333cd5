//! What a file defines, by the tag query of its language, and the identifiers that it refers to.
//!
//! The queries have references too, but those for C and C++ have none, and most have calls alone.
//! With every identifier the map finds the place of a change more often (`benches/codebase.rs`).

use std::collections::{BTreeMap, HashSet};

use sayso_core::visible::visible_line;
use tree_sitter::{Node, QueryCursor, StreamingIterator as _, Tree};

use crate::language::{Capture, CodeLanguage, TagQuery};

/// The most definitions that are kept of a file, and the most names that it refers to.
const MAX_NAMES: usize = 10_000;

/// The longest name, in bytes: what is longer is no name that anybody types.
const MAX_NAME_BYTES: usize = 100;

/// The longest first line of a definition, in characters.
const MAX_SIGNATURE: usize = 100;

/// How many states of a query may be open at once. Queries of grammars need a few.
const MATCH_LIMIT: u32 = 256;

/// The longest run of siblings that are signs alone. For each of them a query looks for the next
/// sibling with a name, so a run costs the square of its length. Code has no such runs; a text that is
/// no code of its language has.
const MAX_SIGNS: usize = 1_000;

/// A name that a file defines. Lines count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Definition {
    /// The name.
    pub(crate) name: String,
    /// The line of the name.
    pub(crate) line: u32,
    /// The first line of the whole.
    pub(crate) first_line: u32,
    /// The last line of the whole.
    pub(crate) last_line: u32,
    /// The line of the name without its indentation and what follows an opening brace.
    pub(crate) signature: String,
}

/// A name that a file refers to, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    pub(crate) name: String,
    pub(crate) count: u32,
}

/// What a file defines and refers to.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Outline {
    /// In the order of the file.
    pub(crate) definitions: Vec<Definition>,
    /// In the order of the names.
    pub(crate) references: Vec<Reference>,
}

impl Outline {
    /// Reads the outline of a parsed text.
    pub(crate) fn of(language: CodeLanguage, tree: &Tree, text: &str) -> Self {
        let Some(tags) = language.tags().filter(|_| !has_long_run(tree)) else {
            return Self::default();
        };
        let lines: Vec<&str> = text.lines().collect();
        let mut found = Found::default();
        found.query(tags, tree, text);
        found.identifiers(tree, text);
        let mut definitions: Vec<Definition> = found
            .definitions
            .into_iter()
            .map(|definition| definition.signed(&lines))
            .collect();
        definitions.sort_by(|one, other| {
            let key = |it: &Definition| (it.first_line, u32::MAX - it.last_line, it.line);
            key(one).cmp(&key(other)).then(one.name.cmp(&other.name))
        });
        definitions.dedup_by(|one, other| one.name == other.name && one.line == other.line);
        definitions.truncate(MAX_NAMES);
        let references = found.references.into_iter().take(MAX_NAMES);
        Self {
            definitions,
            references: references
                .map(|(name, count)| Reference { name, count })
                .collect(),
        }
    }
}

#[derive(Default)]
struct Found {
    definitions: Vec<Definition>,
    references: BTreeMap<String, u32>,
    /// The nodes that are names of definitions.
    defined: HashSet<usize>,
}

impl Found {
    fn query(&mut self, tags: &TagQuery, tree: &Tree, text: &str) {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MATCH_LIMIT);
        let mut matches = cursor.matches(&tags.query, tree.root_node(), text.as_bytes());
        while let Some(found) = matches.next() {
            let mut names = Vec::new();
            let mut whole = None;
            for capture in found.captures() {
                match tags.captures.get(capture.index as usize) {
                    Some(Capture::Name) => names.push(capture.node),
                    Some(Capture::Definition) => whole = Some(capture.node),
                    Some(Capture::Other) | None => {}
                }
            }
            let Some(whole) = whole else {
                continue;
            };
            for name in names {
                self.define(name, whole, text);
            }
        }
    }

    fn define(&mut self, name: Node<'_>, whole: Node<'_>, text: &str) {
        let Some(word) = word(name, text) else {
            return;
        };
        // Two patterns of a query may match the same name.
        if self.defined.insert(name.id()) && self.definitions.len() < MAX_NAMES {
            self.definitions.push(Definition {
                name: word.to_owned(),
                line: name.start_position().row as u32 + 1,
                first_line: whole.start_position().row as u32 + 1,
                last_line: last_row(whole) + 1,
                signature: String::new(),
            });
        }
    }

    fn refer(&mut self, name: Node<'_>, text: &str) {
        let Some(word) = word(name, text) else {
            return;
        };
        if let Some(count) = self.references.get_mut(word) {
            *count += 1;
        } else if self.references.len() < MAX_NAMES {
            self.references.insert(word.to_owned(), 1);
        }
    }

    /// Takes every identifier for a reference that is not the name of a definition.
    fn identifiers(&mut self, tree: &Tree, text: &str) {
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            if node.child_count() == 0
                && is_identifier(node.kind())
                && !self.defined.contains(&node.id())
            {
                self.refer(node, text);
            }
            if cursor.goto_first_child() || cursor.goto_next_sibling() {
                continue;
            }
            loop {
                if !cursor.goto_parent() {
                    return;
                }
                if cursor.goto_next_sibling() {
                    break;
                }
            }
        }
    }
}

/// Returns whether more than [`MAX_SIGNS`] siblings in a row are signs.
fn has_long_run(tree: &Tree) -> bool {
    let mut cursor = tree.walk();
    // The runs that end at each node from the root to the one that is looked at.
    let mut runs = vec![0];
    while let Some(run) = runs.last_mut() {
        *run = if cursor.node().is_named() {
            0
        } else {
            *run + 1
        };
        if *run > MAX_SIGNS {
            return true;
        }
        if cursor.goto_first_child() {
            runs.push(0);
            continue;
        }
        while !cursor.goto_next_sibling() {
            runs.pop();
            if !cursor.goto_parent() {
                return false;
            }
        }
    }
    false
}

/// Returns whether nodes of a kind are identifiers. Ruby has constants apart, PHP calls all of them names.
fn is_identifier(kind: &str) -> bool {
    kind.ends_with("identifier") || matches!(kind, "constant" | "name")
}

impl Definition {
    fn signed(mut self, lines: &[&str]) -> Self {
        let line = lines.get(self.line as usize - 1).copied();
        self.signature = signature(line.unwrap_or_default());
        self
    }
}

/// Returns what a map shows of the line of a definition.
fn signature(line: &str) -> String {
    let line = line.trim();
    // A value says little of a constant, and may be a secret.
    let head = match line.split_once(" = ") {
        Some((head, _)) => head,
        None => line.trim_end_matches(['{', ':', ';', ' ']),
    };
    let visible = visible_line(head);
    let mut letters = visible.chars();
    let mut shown: String = letters.by_ref().take(MAX_SIGNATURE).collect();
    if letters.next().is_some() {
        shown.push_str("...");
    }
    shown
}

/// Returns the last row that a node has something on.
pub(crate) fn last_row(node: Node<'_>) -> u32 {
    let end = node.end_position();
    let is_behind = end.column == 0 && end.row > node.start_position().row;
    (end.row - usize::from(is_behind)) as u32
}

/// Returns the name that a node is.
fn word<'a>(node: Node<'_>, text: &'a str) -> Option<&'a str> {
    let word = text.get(node.byte_range())?.trim();
    let is_name = !word.is_empty() && word.len() <= MAX_NAME_BYTES && !word.contains(['\n', ' ']);
    is_name.then_some(word)
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
