//! Cutting a file into pieces that are found by themselves: along its syntax, at most 60 lines each.

use tree_sitter::{Node, Tree};

use crate::outline::{Definition, last_row};

/// The most lines of a chunk.
pub const MAX_CHUNK_LINES: u32 = 60;

/// A chunk with this many lines ends at the next blank line between pieces of syntax.
const ENOUGH_LINES: u32 = 10;

/// How deep pieces of syntax are cut into smaller ones. Sources nest less.
const MAX_DEPTH: usize = 100;

/// The most names that say where a chunk stands.
const MAX_SCOPE: usize = 4;

/// Lines of a file. Lines count from 1, and both are part of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Lines {
    /// The first line.
    pub first: u32,
    /// The last line.
    pub last: u32,
}

impl Lines {
    fn count(self) -> u32 {
        self.last + 1 - self.first
    }
}

/// Cuts a text into chunks that cover all its lines, in order.
pub(crate) fn chunks(text: &str, tree: Option<&Tree>) -> Vec<Lines> {
    let lines: Vec<&str> = text.lines().collect();
    let pieces = match tree {
        Some(tree) => pieces(tree.root_node()),
        None => paragraphs(&lines),
    };
    let last = lines.len() as u32;
    let mut chunks: Vec<Lines> = Vec::new();
    for piece in pieces {
        let piece = Lines {
            first: piece.first.max(chunks.last().map_or(1, |it| it.last + 1)),
            last: piece.last.min(last),
        };
        if piece.last < piece.first {
            continue;
        }
        match chunks.last_mut() {
            Some(open) if joins(*open, piece, &lines) => open.last = piece.last,
            Some(_) | None => cut(piece, &mut chunks),
        }
    }
    closed(chunks, last)
}

/// Returns whether a piece goes on with the chunk before it: it stands close, or has no word.
fn joins(open: Lines, piece: Lines, lines: &[&str]) -> bool {
    let line = lines.get(piece.first as usize - 1).copied();
    let has_word = line.is_some_and(|line| line.contains(char::is_alphanumeric));
    let closes = piece.first == piece.last && !has_word;
    let is_apart = piece.first > open.last + 1 && !closes;
    let fits = piece.last + 1 - open.first <= MAX_CHUNK_LINES;
    fits && !(is_apart && open.count() >= ENOUGH_LINES)
}

/// Adds a piece of any length.
fn cut(piece: Lines, chunks: &mut Vec<Lines>) {
    let mut first = piece.first;
    while first <= piece.last {
        let last = piece.last.min(first + MAX_CHUNK_LINES - 1);
        chunks.push(Lines { first, last });
        first = last + 1;
    }
}

/// Gives the lines between chunks, which are blank, to the chunk before them, as far as it has room.
fn closed(mut chunks: Vec<Lines>, last: u32) -> Vec<Lines> {
    for at in 0..chunks.len() {
        let next = chunks.get(at + 1).map_or(last + 1, |next| next.first);
        if let Some(chunk) = chunks.get_mut(at) {
            chunk.last = (next - 1)
                .min(chunk.first + MAX_CHUNK_LINES - 1)
                .max(chunk.last);
        }
    }
    chunks
}

/// Returns the lines of the largest pieces of syntax that are small enough, in order.
fn pieces(root: Node<'_>) -> Vec<Lines> {
    let mut pieces = Vec::new();
    let mut cursor = root.walk();
    let mut depth = 0;
    loop {
        let lines = lines_of(cursor.node());
        let is_small = lines.count() <= MAX_CHUNK_LINES || depth >= MAX_DEPTH;
        if !is_small && cursor.goto_first_child() {
            depth += 1;
            continue;
        }
        pieces.push(lines);
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return pieces;
            }
            depth -= 1;
        }
    }
}

fn lines_of(node: Node<'_>) -> Lines {
    Lines {
        first: node.start_position().row as u32 + 1,
        last: last_row(node) + 1,
    }
}

/// Returns runs of lines that are not blank.
fn paragraphs(lines: &[&str]) -> Vec<Lines> {
    let numbers: Vec<u32> = (1..)
        .zip(lines)
        .filter(|(_, line)| !line.trim().is_empty())
        .map(|(number, _)| number)
        .collect();
    let runs = numbers.chunk_by(|one, other| one + 1 == *other);
    let runs = runs.filter_map(|run| {
        Some(Lines {
            first: *run.first()?,
            last: *run.last()?,
        })
    });
    runs.collect()
}

/// Returns the names of the definitions around a chunk, the outermost first, then those that begin in
/// it; at most four.
pub(crate) fn scope(chunk: Lines, definitions: &[Definition]) -> Vec<&str> {
    let is_around = |it: &&Definition| it.first_line < chunk.first && it.last_line >= chunk.first;
    let is_inside = |it: &&Definition| (chunk.first..=chunk.last).contains(&it.line);
    let around = definitions.iter().filter(is_around);
    let inside = definitions.iter().filter(is_inside);
    let names = around
        .chain(inside)
        .map(|definition| definition.name.as_str());
    names.take(MAX_SCOPE).collect()
}

#[cfg(test)]
#[path = "chunks_tests.rs"]
mod tests;
