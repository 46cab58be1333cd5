//! Redaction of secrets: each secret that is found in a text is replaced by a mark that names its
//! kind, `[redacted: KIND]`.
//!
//! Four things are looked for: the secrets of this instance in every form in which they are usually
//! written (`known.rs`), also those that come while Sayso runs (`late.rs`); tokens that are known
//! by their form (`shapes.rs`, `middle.rs`, `azure.rs`, `pem.rs`); values that look random behind a
//! name such as `password` (`assigned.rs`); and passwords in the arguments of programs
//! (`command_line`). What looks random and stands alone stays: hashes, UUIDs and pictures are
//! ordinary text.
//!
//! It takes time in proportion to the text, changes nothing when asked again about its own
//! result, and cuts between characters only. It stops accidents and careless tools. It does not
//! stop a program that means to hide a secret: one that is reversed or cut in pieces passes, and
//! keeping such a program from secrets is the sandbox's work.
//!
//! A text that is shown while it grows is redacted whole each time, by
//!
//! # Files
//!
//! What no one needs to see: known secrets in every usual form (`known`), tokens by their form
//! (`shapes` with the table `token_formats`, `middle`, `azure`, `pem`), random values of names such
//! as `password` (`assigned`, `secret_names`, `headers`), and passwords in the arguments of
//! programs (`command_line`), each replaced by `[redacted: KIND]`. In what people read,
//! `delivery/hidden_words.rs` puts words in the place of that mark. `plain_words` tells words and
//! placeholders from what chance made.
//!
//! It stands in front of everything that leaves or stays: `intake/event.rs` (what people say,
//! before it is stored), `Toolbox::run` (results, before they are cut), `providers::Redacted` and
//! `RedactedEmbedder` (every prompt, every answer, and what is embedded), `delivery::OutboxWriter`
//! (every message, before it is rendered).
//!
//! # Invariants
//!
//! - `redact` names no room, and nothing of what it knows can be printed.
//! - `redact_call` hides nothing that a shell could read as more than a word: what stands on a card
//!   is what runs, and the card says that a secret is hidden. The approval is bound to the exact
//!   call.
//! - A call that would write or run a mark is refused: with it, the secret would be overwritten.
//! - It stops accidents. A program that disguises a secret passes; the sandbox keeps such programs
//!   from secrets.
//!
//! [`Redactor::redact_unfinished`]: piece by piece, a secret would pass in halves.

mod alphabet;
mod assigned;
mod azure;
mod clean;
mod command_line;
mod headers;
mod known;
mod late;
mod middle;
mod pem;
mod plain_words;
mod randomness;
mod secret_names;
mod shapes;
mod spans;
mod token_formats;
mod token_shape;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

use serde::Serialize;
use thiserror::Error;

pub use self::clean::RememberingRedactor;
pub use self::known::KnownSecret;
pub use self::late::LateSecrets;

use self::alphabet::is_secret_byte;
use self::assigned::Words;
use self::command_line::Commands;
use self::known::{Found, Known};
use self::shapes::Shapes;
use self::spans::{Span, settle};

/// What every mark begins with.
pub const MARK_BEGIN: &str = "[redacted: ";
/// What every mark ends with.
pub const MARK_END: &str = "]";

/// The longest end of an unfinished text that is held back, in bytes. A longer run is no secret.
const MAX_HELD_BACK: usize = 4096;
/// How often a text with secrets is looked at. Two looks are enough for all but texts that were
/// made to need more; the bound keeps those cheap.
const MOST_LOOKS: usize = 8;
/// The longest run of letters that an unfinished text may end with: longer ones are no word.
const MAX_WORD: usize = 24;

/// Hides secrets in texts. Clones share what it knows.
#[derive(Clone)]
pub struct Redactor {
    finders: Arc<Finders>,
    late: LateSecrets,
}

struct Finders {
    known: Known,
    shapes: Shapes,
    words: Words,
    commands: Commands,
}

/// The tables of what is looked for cannot be built; with fewer and shorter secrets they can.
#[derive(Debug, Error)]
#[error("the secrets of this configuration are too many or too long to be looked for")]
pub struct TooMuch;

impl From<aho_corasick::BuildError> for TooMuch {
    /// The cause may quote what it was built from.
    fn from(_: aho_corasick::BuildError) -> Self {
        Self
    }
}

/// How much is hidden beside what has the form of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// Whatever belongs to the secret.
    Text,
    /// Only what a shell would read as part of one plain word, so that nothing that a command
    /// does can hide in a secret's place.
    Call,
}

impl Redactor {
    /// Makes a redactor that also knows the given secrets.
    ///
    /// # Errors
    /// Fails when they are too many or too long to be looked for at once.
    pub fn new(known: impl IntoIterator<Item = KnownSecret>) -> Result<Self, TooMuch> {
        Ok(Self {
            finders: Arc::new(Finders {
                known: Known::new(known)?,
                shapes: Shapes::new()?,
                words: Words::new()?,
                commands: Commands::new()?,
            }),
            late: LateSecrets::default(),
        })
    }

    /// Lets it know secrets that come later, too.
    pub fn with_late(mut self, late: LateSecrets) -> Self {
        self.late = late;
        self
    }

    /// Returns the text with a mark in the place of each secret.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.hide(text, Reading::Text)
    }

    /// Returns a text that people decide on, such as a command, with a mark in the place of each
    /// secret. Nothing is hidden that could be more than a plain word of a command.
    pub fn redact_call<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.hide(text, Reading::Call)
    }

    /// Returns the beginning of a text that is still growing, redacted. Its end is held back as
    /// long as it may be the first half of a secret.
    pub fn redact_unfinished<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let run = run_at_end(text);
        let is_word = run.len() <= MAX_WORD && run.bytes().all(|byte| byte.is_ascii_alphabetic());
        let late = self.late.finder();
        let late = late.map_or(0, |late| late.begun_at_end(text));
        let begun = self.finders.known.begun_at_end(text).max(late);
        let held_back = if is_word || run.len() > MAX_HELD_BACK {
            begun
        } else {
            run.len().max(begun)
        };
        self.redact(text.get(..text.len() - held_back).unwrap_or_default())
    }

    /// Searches each result again until nothing changes: a mark ends the text before it, which may
    /// then match differently.
    fn hide<'t>(&self, text: &'t str, reading: Reading) -> Cow<'t, str> {
        let mut shown = Cow::Borrowed(text);
        for _ in 0..MOST_LOOKS {
            let Cow::Owned(next) = self.hide_once(&shown, reading) else {
                break;
            };
            shown = Cow::Owned(next);
        }
        shown
    }

    fn hide_once<'t>(&self, text: &'t str, reading: Reading) -> Cow<'t, str> {
        let late = self.late.finder();
        let late = late.iter().flat_map(|late| late.find(text)).collect();
        let mut hidden = Vec::new();
        let mut from = 0;
        for found in merged(self.finders.known.find(text), late) {
            self.find_forms(text, from..found.start, reading, &mut hidden);
            from = found.end;
            // An existing mark is not replaced.
            if let Some(kind) = found.kind {
                hidden.push(Span::new(found.start..found.end, kind));
            }
        }
        self.find_forms(text, from..text.len(), reading, &mut hidden);
        if hidden.is_empty() {
            Cow::Borrowed(text)
        } else {
            Cow::Owned(replaced(text, &hidden))
        }
    }

    /// Finds what is known by its form in a stretch without known secrets.
    fn find_forms<'s>(
        &'s self,
        text: &str,
        stretch: std::ops::Range<usize>,
        reading: Reading,
        hidden: &mut Vec<Span<'s>>,
    ) {
        let bytes = text.as_bytes().get(stretch.clone()).unwrap_or_default();
        if bytes.is_empty() {
            return;
        }
        let mut found = Vec::new();
        self.finders.shapes.find(bytes, &mut found);
        self.finders.words.find(bytes, reading, &mut found);
        self.finders.commands.find(bytes, reading, &mut found);
        middle::find(bytes, reading, &mut found);
        pem::find(bytes, reading, &mut found);
        let settled = settle(found).into_iter();
        hidden.extend(settled.map(|span| span.moved_by(stretch.start)));
    }
}

/// Shows nothing of what it knows.
impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").finish_non_exhaustive()
    }
}

/// A mark in a text: what stood there, and where the mark is, in bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mark<'t> {
    /// What was hidden.
    pub kind: &'t str,
    /// Where the mark begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Returns the marks in a text, in order.
pub fn marks(text: &str) -> Vec<Mark<'_>> {
    let begins = text.match_indices(MARK_BEGIN);
    let mark = |(start, _): (usize, _)| {
        let from = start + MARK_BEGIN.len();
        let length = alphabet::run(text.as_bytes(), from, known::is_kind_byte);
        let kind = text.get(from..from + length)?;
        let is_whole = text.get(from + length..)?.starts_with(MARK_END);
        let is_mark = (1..=known::MAX_KIND_BYTES).contains(&length) && is_whole;
        let end = from + length + MARK_END.len();
        is_mark.then_some(Mark { kind, start, end })
    };
    begins.filter_map(mark).collect()
}

/// Returns whether a text contains a mark, which means that its author has not seen the original.
pub fn has_mark(text: &str) -> bool {
    !marks(text).is_empty()
}

/// Cuts off the end of a text that was cut anywhere, as far as it may be half of a secret. A text
/// that is one long word stays: it would be nothing else.
pub fn before_cut(text: &str) -> &str {
    let half = half(run_at_end(text).len(), text);
    text.get(..text.len() - half).unwrap_or_default()
}

/// Cuts off the beginning of a text that was cut anywhere, as far as it may be half of a secret.
pub fn after_cut(text: &str) -> &str {
    let run = text.bytes().take_while(|byte| is_secret_byte(*byte));
    let half = half(run.take(MAX_HELD_BACK + 1).count(), text);
    text.get(half..).unwrap_or_default()
}

fn half(run: usize, text: &str) -> usize {
    let is_word = run <= MAX_HELD_BACK && run < text.len();
    if is_word { run } else { 0 }
}

/// Returns the last run of what secrets are made of; one byte more than [`MAX_HELD_BACK`] is
/// enough.
fn run_at_end(text: &str) -> &str {
    let run = text.bytes().rev().take_while(|byte| is_secret_byte(*byte));
    let run = run.take(MAX_HELD_BACK + 1).count();
    text.get(text.len() - run..).unwrap_or_default()
}

/// Puts what two finders found in order; of two that overlap the earlier and longer one stays.
fn merged<'k>(mut found: Vec<Found<'k>>, late: Vec<Found<'k>>) -> Vec<Found<'k>> {
    if late.is_empty() {
        return found;
    }
    found.extend(late);
    found.sort_by_key(|found| (found.start, Reverse(found.end)));
    let mut end = 0;
    found.retain(|found| {
        let is_apart = found.start >= end;
        end = if is_apart { found.end } else { end };
        is_apart
    });
    found
}

fn replaced(text: &str, hidden: &[Span<'_>]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut from = 0;
    for span in hidden {
        result.push_str(text.get(from..span.start).unwrap_or_default());
        result.push_str(MARK_BEGIN);
        result.push_str(span.kind);
        result.push_str(MARK_END);
        from = span.end;
    }
    result.push_str(text.get(from..).unwrap_or_default());
    result
}

#[cfg(test)]
mod tests;
