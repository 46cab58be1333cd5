//! Where an order may begin: at the start of a sentence, of a line, of a value in data, behind a
//! "please".

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::super::expression;

/// The longest order that is looked at, in bytes of the folded text.
const MAX_BODY: usize = 300;
/// How far a lead ("please", "I want you to") is read.
const MAX_LEAD: usize = 160;
/// The longest word, in bytes.
const MAX_WORD: usize = 24;
/// How long a line is that was wrapped, in bytes: mails, manuals and commit messages keep to 72 to
/// 80 columns.
const FULL_LINE: Range<usize> = 60..81;
/// How far back a value may begin that a clause stands in.
const VALUE_REACH: usize = 160;

/// What a clause stands behind.
static STARTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(
        r#"[.!?;:]["')]*[ \n]|\n|['"] ?: ?['"]|[\[({,] ?['"]|!|\bplease |\bkindly |todo ?:|- "#,
    )
});
/// What may stand before the verb of an order.
static LEAD: LazyLock<Option<Regex>> = LazyLock::new(|| {
    expression(concat!(
        r#"^(?:[\s>*#|"'(\[,:!-]|\d{1,3}[.)]|todo ?:|important\b!*|urgent\b|"#,
        r"(?:then|also|and|now|do|next|first|finally|immediately|kindly|please|just|simply|so|but|hey|hi|hello|always)\b|",
        r"make sure (?:to|you)\b|remember to\b|be sure to\b|do(?: not|n't) forget to\b|go ahead and\b|help me (?:to\b)?|",
        r"i(?:'d| would)? (?:want|need|like|ask|order|command|require|wish) (?:you )?to\b|",
        r"you (?:must|should|need to|have to|can|shall|will|are to|are required to|may|ought to)\b|",
        r"(?:could|can|would|will) you\b|we (?:need|want) you to\b|your (?:new )?(?:task|job) is to\b)*",
    ))
});
/// Where an order ends.
static END: LazyLock<Option<Regex>> =
    LazyLock::new(|| expression(r#"[.!?](?:[\s"']|$)|\n\n|['"] ?[,}\]]|\n[-*#0-9]"#));

/// A clause that may be an order. All ranges are of the folded text.
#[derive(Debug)]
pub(super) struct Clause<'t> {
    /// The whole clause.
    pub place: Range<usize>,
    /// What stands before the verb.
    pub lead: &'t str,
    /// The first word behind the lead.
    pub verb: &'t str,
    /// What follows the verb.
    pub body: &'t str,
    /// Where it stands.
    pub setting: Setting,
}

/// Where a clause stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Setting {
    /// In running text.
    Prose,
    /// At the start of a value of structured data.
    Value,
    /// Further inside of such a value.
    InValue,
    /// Behind a mark that begins comments, quotes or items.
    Comment,
}

/// Calls back for each clause of a text, in order. Linear: a verb is looked at once.
pub(super) fn each<'t>(text: &'t str, mut found: impl FnMut(&Clause<'t>)) {
    let (Some(starts), Some(lead), Some(end)) = (&*STARTS, &*LEAD, &*END) else {
        return;
    };
    let mut seen = 0;
    let first = std::iter::once(0..0);
    let others = starts.find_iter(text.as_bytes()).map(|start| start.range());
    for start in first.chain(others) {
        // A polite word is itself part of the lead.
        let is_polite = text.get(start.clone()).is_some_and(|mark| {
            mark.starts_with("please") || mark.starts_with("kindly") || mark.starts_with("todo")
        });
        let begin = if is_polite { start.start } else { start.end };
        if begin < seen || is_wrapped(text, &start) {
            continue;
        }
        let Some(clause) = read(text, &start, begin, lead, end) else {
            continue;
        };
        seen = clause.place.start + clause.lead.len() + 1;
        found(&clause);
    }
}

/// Returns whether a line ends only because it is full, as the one before it: what follows goes on
/// with its sentence.
fn is_wrapped(text: &str, start: &Range<usize>) -> bool {
    if text.get(start.clone()) != Some("\n") {
        return false;
    }
    let from = text.ceil_char_boundary(start.start.saturating_sub(2 * FULL_LINE.end));
    let is_full = |line: &str| FULL_LINE.contains(&line.len()) && line.contains(' ');
    let goes_on =
        |line: &str| line.ends_with(|last: char| last.is_ascii_alphanumeric() || last == ',');
    let mut lines = text.get(from..start.start).unwrap_or_default().rsplit('\n');
    lines
        .next()
        .is_some_and(|line| is_full(line) && goes_on(line))
        && lines.next().is_some_and(is_full)
}

fn read<'t>(
    text: &'t str,
    start: &Range<usize>,
    begin: usize,
    lead: &Regex,
    end: &Regex,
) -> Option<Clause<'t>> {
    let verb_start = begin + lead.find(bytes(text, begin, MAX_LEAD))?.end();
    let rest = bytes(text, verb_start, MAX_WORD);
    let length = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-'))
        .count();
    let body_start = verb_start + length;
    let body = bytes(text, body_start, MAX_BODY);
    if length < 2 || !begins_an_object(body) {
        return None;
    }
    let body_end = body_start + end.find(body).map_or(body.len(), |end| end.start());
    Some(Clause {
        place: begin..text.floor_char_boundary(body_end),
        lead: text.get(begin..verb_start)?,
        verb: text.get(verb_start..body_start)?,
        body: text.get(body_start..text.floor_char_boundary(body_end))?,
        setting: setting(text, start, verb_start),
    })
}

/// Returns whether what follows a verb can be its object: `delete: x` and `send()` are no orders.
fn begins_an_object(body: &[u8]) -> bool {
    let blanks = body
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    blanks > 0
        && body.get(blanks).is_some_and(|byte| {
            byte.is_ascii_alphanumeric()
                || !byte.is_ascii()
                || matches!(byte, b'$' | b'\'' | b'"' | b'#' | b'@' | b'(' | b'<')
        })
}

fn setting(text: &str, start: &Range<usize>, verb: usize) -> Setting {
    let mark = text.get(start.clone()).unwrap_or_default();
    let is_quoted = mark.ends_with(['\'', '"']);
    if is_quoted && mark.contains(':') {
        return Setting::Value;
    }
    if is_commented(text, verb) {
        return Setting::Comment;
    }
    if is_in_value(before(text, verb)) {
        return Setting::InValue;
    }
    Setting::Prose
}

/// Returns what stands before a place, as far as it matters.
fn before(text: &str, place: usize) -> &str {
    let from = text.ceil_char_boundary(place.saturating_sub(VALUE_REACH));
    text.get(from..place).unwrap_or_default()
}

/// Returns whether the line of a place begins with a mark of comments, quotes or items.
fn is_commented(text: &str, place: usize) -> bool {
    let before = before(text, place);
    let line = before.rsplit('\n').next().unwrap_or_default().trim_start();
    ["//", "#", "*", "--", "/*", "+", "<!--", ";", "|", ">", "-"]
        .iter()
        .any(|mark| line.starts_with(mark))
        || line.starts_with(|first: char| first.is_ascii_digit())
}

/// Returns whether a quoted value was opened before here and not closed.
fn is_in_value(before: &str) -> bool {
    let opened = ["': '", "\": \"", "':'", "\":\""]
        .iter()
        .filter_map(|mark| before.rfind(mark).map(|place| place + mark.len()))
        .max();
    opened
        .and_then(|opened| before.get(opened..))
        .is_some_and(|value| {
            !["',", "\",", "'}", "\"}", "']", "\"]"]
                .iter()
                .any(|mark| value.contains(mark))
        })
}

fn bytes(text: &str, from: usize, length: usize) -> &[u8] {
    let end = text.len().min(from + length);
    text.as_bytes().get(from..end).unwrap_or_default()
}
