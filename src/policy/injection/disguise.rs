//! Text that was made unreadable for people: encoded, reversed, substituted letter by letter,
//! spaced out, or written in invisible characters. It is scanned again in plain letters.

use std::ops::Range;
use std::sync::LazyLock;

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;

use super::fold::Folded;
use super::score::MAX_FINDINGS;
use super::{Finding, encoding, expression};

/// How often something encoded may hold something encoded.
const MAX_DEPTH: u32 = 2;
/// How many encoded runs of one text are read, the first ones.
const MAX_RUNS: usize = 64;
/// The longest line that is read backwards, in bytes.
const MAX_LINE: usize = 4096;
/// The shortest run of invisible letters that says something. A flag is written with up to six.
const MIN_TAGS: usize = 8;
/// What Chinese characters are set apart by.
const GAPS: [char; 12] = [' ', '-', '_', '.', ',', '*', '|', '/', '~', '+', '·', '\n'];
/// How many gaps in a row are no accident.
const MIN_GAPS: usize = 3;
/// What a disguise adds to what is found behind it.
const WEIGHT: f32 = 0.5;
/// What a request weighs at least for a disguise to be one: people ask each other for much.
const LEAST_REQUEST: f32 = 0.75;
/// What a disguise weighs behind which there is a word of orders, whatever it says else.
const TELLING: f32 = 1.0;

/// Words of orders, as they are.
const CORE: [&str; 9] = [
    "ignore",
    "disregard",
    "previous",
    "instruction",
    "system prompt",
    "password",
    "forget",
    "override",
    "do not tell",
];

static CORE_WORDS: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| AhoCorasick::new(CORE).ok());
static ROTATED: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(CORE.map(rotated_word)).ok());
static REVERSED: LazyLock<Option<AhoCorasick>> =
    LazyLock::new(|| AhoCorasick::new(CORE.map(reversed_word)).ok());
/// Both at once, since most texts have neither.
static TURNED: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    let words = CORE.map(rotated_word).into_iter();
    AhoCorasick::new(words.chain(CORE.map(reversed_word))).ok()
});
static RUNS: LazyLock<Option<Regex>> = LazyLock::new(|| expression(r"[A-Za-z0-9+/_-]{24,}={0,2}"));
static SPACED: LazyLock<Option<Regex>> =
    LazyLock::new(|| expression(r"(?:^|[^a-z0-9])(?:[a-z][ ._*|-]){7,}[a-z](?:$|[^a-z0-9])"));

/// Reads a plain text for findings.
pub(crate) type Reader<'r> = &'r dyn Fn(&Folded, &mut Vec<Finding>);

/// Reads what is disguised in one part of a text, which is also given folded.
pub(crate) fn scan(
    text: &str,
    part: Range<usize>,
    folded: &Folded,
    read: Reader<'_>,
    findings: &mut Vec<Finding>,
) {
    tags(folded, findings);
    spaced(folded, findings);
    let mut unveiling = Unveiling { read, findings };
    if let Some(plain) = unmasked(folded) {
        unveiling.read(&plain);
    }
    if let Some(joined) = joined(folded) {
        unveiling.read(&joined);
    }
    if finds(&TURNED, folded.text()) {
        unveiling.turn(folded);
    }
    for run in runs(text, part) {
        unveiling.decode(text, &run, &run, MAX_DEPTH);
    }
}

/// Who reads what stood behind disguises, and what was found so far.
struct Unveiling<'a> {
    read: Reader<'a>,
    findings: &'a mut Vec<Finding>,
}

impl Unveiling<'_> {
    /// Reads a plain text, and notes the disguise if something stood behind it.
    fn read(&mut self, plain: &Folded) {
        if self.findings.len() >= MAX_FINDINGS {
            return;
        }
        let mut behind = Vec::new();
        (self.read)(plain, &mut behind);
        // What is also found in the text as written is not disguised.
        behind.retain(|finding| {
            let is_known = |known: &Finding| {
                known.rule == finding.rule
                    && known.weight >= finding.weight
                    && known.span.start < finding.span.end
                    && finding.span.start < known.span.end
            };
            !self.findings.iter().any(is_known)
        });
        let heaviest = behind
            .iter()
            .max_by(|one, other| one.weight.total_cmp(&other.weight));
        let least = |finding: &Finding| {
            if finding.rule == "request" {
                LEAST_REQUEST
            } else {
                WEIGHT
            }
        };
        if let Some(heaviest) = heaviest.filter(|finding| finding.weight >= least(finding)) {
            self.findings.push(disguise(heaviest.span.clone(), WEIGHT));
            self.findings.append(&mut behind);
        }
    }

    /// Reads a run of Base64 or hexadecimal digits, and those inside of it; `place` is where all
    /// of that stands in the original.
    fn decode(&mut self, text: &str, run: &Range<usize>, place: &Range<usize>, depth: u32) {
        let Some(depth) = depth.checked_sub(1) else {
            return;
        };
        let Some(decoded) = text.get(run.clone()).and_then(encoding::decode) else {
            return;
        };
        self.read(&Folded::made_from(&decoded, place));
        for inner in runs(&decoded, 0..decoded.len()) {
            self.decode(&decoded, &inner, place, depth);
        }
    }

    /// Reads a text whose letters are swapped, and lines that are written backwards.
    fn turn(&mut self, folded: &Folded) {
        let text = folded.text();
        if finds(&ROTATED, text) {
            self.read(&folded.respelled(rotate));
        }
        let mut start = 0;
        for line in text.split('\n') {
            let range = start..start + line.len();
            start = range.end + 1;
            if line.len() <= MAX_LINE && finds(&REVERSED, line) {
                let reversed: String = line.chars().rev().collect();
                self.read(&Folded::made_from(&reversed, &folded.origin(&range)));
            }
        }
    }
}

/// Returns the runs of digits of a part of a text, the first ones.
fn runs(text: &str, part: Range<usize>) -> Vec<Range<usize>> {
    let bytes = text.as_bytes().get(part.clone()).unwrap_or_default();
    let Some(runs) = &*RUNS else {
        return Vec::new();
    };
    runs.find_iter(bytes)
        .take(MAX_RUNS)
        .map(|run| part.start + run.start()..part.start + run.end())
        .collect()
}

fn rotated_word(word: &str) -> String {
    word.chars().map(rotate).collect()
}

fn reversed_word(word: &str) -> String {
    word.chars().rev().collect()
}

fn rotate(letter: char) -> char {
    match letter {
        'a'..='z' => char::from(b'a' + (letter as u8 - b'a' + 13) % 26),
        _ => letter,
    }
}

/// Reads digits and signs inside of words as the letters that they look like.
fn unmasked(folded: &Folded) -> Option<Folded> {
    let is_masked = |three: &[u8]| {
        matches!(three, [before, mark, after] if before.is_ascii_lowercase()
            && after.is_ascii_alphanumeric()
            && !mark.is_ascii_lowercase()
            && unmask(char::from(*mark)).is_ascii_lowercase())
    };
    if !folded.text().as_bytes().windows(3).any(is_masked) {
        return None;
    }
    let plain = folded.respelled(unmask);
    (count(plain.text()) > count(folded.text())).then_some(plain)
}

fn unmask(letter: char) -> char {
    match letter {
        '0' => 'o',
        '1' | '!' => 'i',
        '3' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        _ => letter,
    }
}

/// Records invisible letters; what they say was scanned with the text.
fn tags(folded: &Folded, findings: &mut Vec<Finding>) {
    for range in folded.tags().iter().filter(|range| range.len() >= MIN_TAGS) {
        findings.push(Finding {
            rule: "hidden-text",
            span: folded.origin(range),
            weight: TELLING,
            may_block: false,
        });
    }
}

/// Notes words of orders that are written letter by letter.
fn spaced(folded: &Folded, findings: &mut Vec<Finding>) {
    let Some(spaced) = &*SPACED else {
        return;
    };
    for run in spaced.find_iter(folded.text().as_bytes()).take(MAX_RUNS) {
        let letters = run
            .as_bytes()
            .iter()
            .filter(|byte| byte.is_ascii_lowercase());
        let joined: String = letters.map(|byte| char::from(*byte)).collect();
        if finds(&CORE_WORDS, &joined) {
            findings.push(disguise(folded.origin(&run.range()), TELLING));
        }
    }
}

/// Joins Chinese characters that stand apart one by one.
fn joined(folded: &Folded) -> Option<Folded> {
    let text = folded.text();
    if text.is_ascii() {
        return None;
    }
    let mut gaps = Vec::new();
    // How many characters in a row stand apart, and the gaps between them.
    let mut run: Vec<Range<usize>> = Vec::new();
    let mut close = |run: &mut Vec<Range<usize>>| {
        if run.len() >= MIN_GAPS {
            gaps.append(run);
        }
        run.clear();
    };
    let mut last = None;
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let is_gap = GAPS.contains(&letter) && last.is_some_and(is_chinese);
        if is_gap && next.is_some_and(is_chinese) {
            run.push(place..place + letter.len_utf8());
        } else if is_gap || !is_chinese(letter) || last.is_some_and(is_chinese) {
            close(&mut run);
        }
        last = Some(letter);
    }
    close(&mut run);
    (!gaps.is_empty()).then(|| folded.without(&gaps))
}

fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}')
}

fn disguise(span: Range<usize>, weight: f32) -> Finding {
    Finding {
        rule: "encoded-text",
        span,
        weight,
        may_block: false,
    }
}

fn finds(words: &LazyLock<Option<AhoCorasick>>, text: &str) -> bool {
    words.as_ref().is_some_and(|words| words.is_match(text))
}

fn count(text: &str) -> usize {
    CORE_WORDS
        .as_ref()
        .map_or(0, |words| words.find_iter(text).count())
}
