//! Texts from outside that give orders: what a tool brought is read before a model reads it.
//!
//! [`check_tool_result`] is pure and linear in its input. The text is first made plain (`fold`:
//! look-alikes, invisible characters, escapes). Then three readers look for findings: `rules` for
//! phrases (data, in `tables/`), `requests` for orders that need no trigger word: an action, what
//! it is done to, and where it stands, and `grammar` for orders in Chinese, by the kinds of words
//! that meet in a sentence. `disguise` lets them read what is encoded, reversed or spaced out as
//! well, `hidden` notes what they found where no person looks, `context` takes weight from what
//! stands in lists and instruction files, and `score` adds up what stands close together.
//!
//! It is a filter and no wall: what it does not see is still held back by taint and approvals.
//!
//! # Invariants
//!
//! - `injection` is linear in its input, never fails, and remembers nothing; only a rule that is
//!   precise may block.

mod context;
mod disguise;
mod encoding;
mod fold;
mod grammar;
mod hidden;
mod letters;
mod messages;
mod requests;
mod rules;
mod score;

#[cfg(test)]
mod benign_tests;
#[cfg(test)]
mod tests;

use std::ops::Range;

use regex::bytes::{Regex, RegexBuilder};

pub use self::messages::name;

use self::fold::Folded;
use self::rules::Rulebook;

/// The most that is read of one text, in bytes: of a longer one the head, and a quarter from the
/// end, where orders are put that shall be the last that a model reads.
pub const MAX_BYTES: usize = 1024 * 1024;

/// What is to be done with a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Treatment {
    /// Nothing was found.
    Clean,
    /// Something slight: the text passes, and it is recorded.
    Warn,
    /// Suspicious: the text passes, and it is recorded as a warning.
    Review,
    /// An attack by all that can be seen: the text is replaced.
    Block,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The rule, as a short name in kebab case.
    pub rule: &'static str,
    /// Where it is, in bytes of the text as it was given; on character boundaries.
    pub span: Range<usize>,
    /// What it adds to the score.
    pub weight: f32,
    /// Whether it is precise enough to block the text alone.
    pub may_block: bool,
}

/// What was made of a text.
#[derive(Debug, Clone, PartialEq)]
pub struct Screening {
    /// What is to be done with it.
    pub treatment: Treatment,
    /// The highest sum of weights that stand close together; from 1 on it is reviewed.
    pub score: f32,
    /// What was found, in the order of the text.
    pub findings: Vec<Finding>,
}

/// Reads what a tool brought from outside.
///
/// Never fails and never panics. At most [`MAX_BYTES`] are read.
pub fn check_tool_result(text: &str) -> Screening {
    let Some(rules) = Rulebook::built_in() else {
        return score::unreadable();
    };
    let read = |folded: &Folded, findings: &mut Vec<Finding>| {
        rules.scan(folded, findings);
        requests::scan(folded, findings);
        grammar::scan(folded, findings);
    };
    let mut findings = Vec::new();
    for part in parts(text) {
        let folded = Folded::new(text, part.clone());
        read(&folded, &mut findings);
        disguise::scan(text, part, &folded, &read, &mut findings);
        hidden::scan(&folded, &mut findings);
    }
    context::weigh(text, &mut findings);
    score::screen(findings)
}

/// Returns the head and the tail of a text that are read; the head of a short one is all of it.
fn parts(text: &str) -> [Range<usize>; 2] {
    if text.len() <= MAX_BYTES {
        return [0..text.len(), text.len()..text.len()];
    }
    let head = text.floor_char_boundary(MAX_BYTES / 4 * 3);
    let tail = text.ceil_char_boundary(text.len() - MAX_BYTES / 4);
    [0..head, tail..text.len()]
}

/// Reads an expression over bytes, which is fast; `None` when it is none, which a test rules out.
fn expression(pattern: &str) -> Option<Regex> {
    RegexBuilder::new(pattern).unicode(false).build().ok()
}
