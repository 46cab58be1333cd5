//! Where in an answer a call may stand, line by line, while it arrives and when it is whole.
//!
//! A decision about an answer that is still arriving holds for the whole answer: text that was
//! passed on as not being a call does not become one.

use sayso_core::transcript::ToolCall;

use super::json::{self, Sign};
use super::offered::Offered;
use super::tags;

/// Begins and ends a block of code.
const FENCE: &str = "```";

/// The languages of blocks that mean a call.
const MARKED: [&str; 4] = ["tool_call", "tool_calls", "tool", "tool_code"];
/// The languages of blocks that may hold one.
const PLAIN: [&str; 2] = ["", "json"];

/// How many places are looked at that turn out to be no call: each look may read to the end.
const MOST_PLACES: usize = 64;

/// What the part of an answer that has arrived contains.
#[derive(Debug, PartialEq)]
pub(super) enum Found {
    /// No call so far.
    Nothing,
    /// From here on it may be a call.
    Perhaps(usize),
    /// It is one, or several.
    Calls(Vec<ToolCall>),
}

/// How much of an answer there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// More may come.
    SoFar,
    /// All.
    Whole,
}

/// A look at one answer, which goes on where it was.
#[derive(Debug, Default)]
pub(super) struct Scan {
    /// Where the line begins that is looked at.
    line: usize,
    /// Up to here everything is known to be no call.
    past: usize,
    is_fenced: bool,
    places: usize,
}

/// A place where a call may begin.
#[derive(Debug, Clone, Copy)]
struct Place {
    at: usize,
    kind: Kind,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    /// The line is not long enough to tell.
    Unknown,
    /// A block of code; its content begins here.
    Block { inside: usize, is_marked: bool },
    /// A tag.
    Tag,
    /// An object or a list.
    Json,
}

/// What a place turns out to be.
enum Verdict {
    Open,
    Calls(Vec<ToolCall>),
    /// No call, up to here.
    Not(usize),
}

impl Scan {
    /// Looks at what was added to an answer.
    pub(super) fn look(&mut self, text: &str, offered: Offered<'_>, extent: Extent) -> Found {
        while self.places < MOST_PLACES {
            let line = text.get(self.line..).unwrap_or_default();
            let (line, is_ended) = match line.split_once('\n') {
                Some((line, _)) => (line, true),
                None => (line, extent == Extent::Whole),
            };
            let Some(place) = self.place(text, line, is_ended) else {
                let next = self.line + line.len() + 1;
                if !is_ended || next > text.len() {
                    return Found::Nothing;
                }
                self.line = next;
                continue;
            };
            match judge(text, place, offered, extent) {
                Verdict::Open => return Found::Perhaps(place.at),
                Verdict::Calls(calls) => return Found::Calls(calls),
                Verdict::Not(past) => {
                    self.places += 1;
                    self.past = past.max(place.at + 1);
                    self.is_fenced = matches!(place.kind, Kind::Block { .. });
                }
            }
        }
        Found::Nothing
    }

    /// Returns the first place of a line where a call may begin.
    fn place(&mut self, text: &str, line: &str, is_ended: bool) -> Option<Place> {
        let words = line.trim_start();
        let begin = self.line + line.len() - words.len();
        if self.is_fenced {
            if begin >= self.past && is_ended && words.trim_end() == FENCE {
                self.is_fenced = false;
                self.past = self.line + line.len() + 1;
            }
            return None;
        }
        if begin >= self.past {
            if words.starts_with('>') {
                return None;
            }
            if let Some(language) = words.strip_prefix(FENCE) {
                return self.block(begin, language, line, is_ended);
            }
            if !is_ended && !words.is_empty() && FENCE.starts_with(words) {
                let kind = Kind::Unknown;
                return Some(Place { at: begin, kind });
            }
        }
        self.inside(text, line, begin, is_ended)
    }

    fn block(&mut self, at: usize, language: &str, line: &str, is_ended: bool) -> Option<Place> {
        if !is_ended {
            let kind = Kind::Unknown;
            return Some(Place { at, kind });
        }
        let language = language.trim();
        let is_marked = MARKED.contains(&language);
        if !is_marked && !PLAIN.contains(&language) {
            // A block in one line closes itself.
            self.is_fenced = !language.contains(FENCE);
            self.past = self.line + line.len() + 1;
            return None;
        }
        let inside = self.line + line.len() + 1;
        let kind = Kind::Block { inside, is_marked };
        Some(Place { at, kind })
    }

    /// Returns where in a line a tag or an object begins that is neither quoted nor code, or a list
    /// that the line begins with.
    fn inside(&self, text: &str, line: &str, begin: usize, is_ended: bool) -> Option<Place> {
        let mut is_code = false;
        for (offset, letter) in line.char_indices() {
            is_code ^= letter == '`';
            let at = self.line + offset;
            if is_code || at < self.past || !matches!(letter, '{' | '[' | '<') {
                continue;
            }
            let rest = line.get(offset..).unwrap_or_default();
            let may_be_json = letter == '{' || (letter == '[' && at == begin);
            let kind = if tags::begins(rest) {
                Kind::Tag
            } else if may_be_json && json::may_be_call(rest) {
                Kind::Json
            } else if !is_ended && tags::may_begin(rest) {
                Kind::Unknown
            } else {
                continue;
            };
            if !is_part(text.get(..at).unwrap_or_default()) {
                return Some(Place { at, kind });
            }
        }
        None
    }
}

/// Returns whether what follows is quoted, or a part of larger JSON.
fn is_part(before: &str) -> bool {
    let is_quoted = before.ends_with(['"', '\'', '\u{201c}', '\u{300c}']);
    let before = before.trim_end();
    is_quoted
        || ["\":", "},", "[", "{"]
            .iter()
            .any(|end| before.ends_with(end))
}

fn judge(text: &str, place: Place, offered: Offered<'_>, extent: Extent) -> Verdict {
    let from = |at: usize| text.get(at..).unwrap_or_default();
    let begins = text.get(..place.at).unwrap_or_default().trim().is_empty();
    let read = match place.kind {
        Kind::Unknown | Kind::Tag if extent == Extent::SoFar => return Verdict::Open,
        Kind::Unknown => return Verdict::Not(place.at),
        Kind::Block { inside, is_marked } => {
            return block(text, inside, begins && is_marked, extent, offered);
        }
        Kind::Tag => tags::calls_at(from(place.at), offered),
        Kind::Json => match values(from(place.at), offered, extent) {
            Ok(read) => read,
            Err(verdict) => return verdict.behind(place.at),
        },
    };
    let Some((calls, length)) = read else {
        return Verdict::Not(place.at);
    };
    if extent == Extent::SoFar {
        return Verdict::Open;
    }
    if begins || tags::without_end(from(place.at + length)).is_empty() {
        return Verdict::Calls(calls);
    }
    Verdict::Not(place.at + length)
}

type Read = Option<(Vec<ToolCall>, usize)>;

/// Reads JSON, or says why it is none or not yet.
fn values(text: &str, offered: Offered<'_>, extent: Extent) -> Result<Read, Verdict> {
    if !json::may_be_call(text) {
        return Err(Verdict::Not(0));
    }
    match json::length(text) {
        None if extent == Extent::SoFar => Err(Verdict::Open),
        None => Ok(json::calls_at(text, offered, Sign::None)),
        Some(length) => {
            // A second one may have begun.
            let first = text.get(..length).unwrap_or_default();
            if json::calls_at(first, offered, Sign::None).is_none() {
                return Err(Verdict::Not(length));
            }
            if extent == Extent::SoFar {
                return Err(Verdict::Open);
            }
            Ok(json::calls_at(text, offered, Sign::None))
        }
    }
}

/// Judges a block of code, which ends the answer, or begins it where its language means a call.
fn block(
    text: &str,
    inside: usize,
    may_begin: bool,
    extent: Extent,
    offered: Offered<'_>,
) -> Verdict {
    let not = Verdict::Not(inside);
    let content = text.get(inside..).unwrap_or_default().trim_start();
    let read = if content.starts_with(['{', '[']) && !tags::begins(content) {
        match values(content, offered, extent) {
            Ok(read) => read,
            Err(Verdict::Open) => return Verdict::Open,
            Err(_) => return not,
        }
    } else if extent == Extent::SoFar {
        let is_open = content.is_empty() || tags::begins(content) || tags::may_begin(content);
        return if is_open { Verdict::Open } else { not };
    } else {
        tags::calls_at(content, offered)
    };
    let Some((calls, length)) = read else {
        return not;
    };
    if extent == Extent::SoFar {
        return Verdict::Open;
    }
    let behind = content.get(length..).unwrap_or_default().trim_start();
    let behind = behind.strip_prefix(FENCE).unwrap_or(behind);
    if may_begin || tags::without_end(behind).is_empty() {
        return Verdict::Calls(calls);
    }
    not
}

impl Verdict {
    /// Moves it behind the beginning of a text.
    fn behind(self, at: usize) -> Self {
        match self {
            Self::Not(past) => Self::Not(at + past),
            other @ (Self::Open | Self::Calls(_)) => other,
        }
    }
}
