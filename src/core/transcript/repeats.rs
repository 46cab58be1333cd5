//! The calls of a turn as a guard sees them: which of them came to the same again.
//!
//! It is folded from the journal like everything else of a turn, so a kill, a resumed turn and a
//! shortened conversation change nothing about it. What is compared is what a call means and not
//! how it is written: names of fields in any order, letters of either case, spaces, and the ids and
//! times that a wrapper puts into arguments and results are left out.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde_json::Value;

use super::{ErrorCode, ToolCall, ToolOutcome};

/// How many calls apart a repetition is looked for: one call again and again, two in turns, or
/// three.
const LONGEST_ROUND: usize = 3;
/// How like each other two texts must be that a call which failed the same way may differ by, from
/// 0 to 1 (Dice's coefficient of their pairs of letters).
const NEARLY_EQUAL: f64 = 0.8;
/// How much of a result is compared, in bytes from its beginning.
const COMPARED_BYTES: usize = 64 * 1024;

/// What was called in a turn, and what was kept from running.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Repeats {
    calls: Vec<PastCall>,
    blocked: Vec<Shape>,
    blocks: u32,
}

/// One call that came back.
#[derive(Debug, Clone, PartialEq)]
struct PastCall {
    shape: Shape,
    /// What it came to; of one that was kept from running, what the one like it before had come to.
    upshot: Option<u64>,
}

/// A call without what does not matter in it.
#[derive(Debug, Clone, PartialEq)]
struct Shape {
    tool: String,
    /// The texts and numbers of its arguments with the paths that lead to them, sorted.
    leaves: Vec<(String, Leaf)>,
}

#[derive(Debug, Clone, PartialEq)]
enum Leaf {
    Text(String),
    /// A number or a boolean, in its written form.
    Other(String),
}

/// Why a call is kept from running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repetition {
    /// It, or one hardly different from it, came to the same twice before.
    ThirdTime,
    /// Calls of several kinds go round and come to the same.
    GoesRound,
    /// It was kept from running before in this turn.
    Blocked,
}

impl Repeats {
    /// Says whether a call would only repeat what came to nothing new; it is judged before it runs.
    pub fn judge(&self, call: &ToolCall) -> Option<Repetition> {
        let shape = Shape::of(call);
        if self.blocked.contains(&shape) {
            return Some(Repetition::Blocked);
        }
        (1..=LONGEST_ROUND)
            .find(|round| self.goes_round(&shape, *round))
            .map(|round| match round {
                1 => Repetition::ThirdTime,
                _ => Repetition::GoesRound,
            })
    }

    /// Returns how many calls were kept from running.
    pub fn blocks(&self) -> u32 {
        self.blocks
    }

    /// Takes the result of a call into account.
    pub(super) fn take(&mut self, call: &ToolCall, outcome: &ToolOutcome) {
        let shape = Shape::of(call);
        let was_kept = matches!(
            outcome,
            ToolOutcome::Error {
                code: ErrorCode::Loop,
                ..
            }
        );
        if was_kept {
            self.blocks += 1;
            if !self.blocked.contains(&shape) {
                self.blocked.push(shape.clone());
            }
        }
        let upshot = if was_kept {
            self.last_upshot_of(&shape)
        } else {
            Some(upshot(outcome))
        };
        self.calls.push(PastCall { shape, upshot });
    }

    /// Somebody said something: what comes now is not in a row with what was, and may be wanted
    /// again.
    pub(super) fn take_words(&mut self) {
        self.calls.clear();
        self.blocked.clear();
    }

    fn last_upshot_of(&self, shape: &Shape) -> Option<u64> {
        let newest_first = self.calls.iter().rev();
        let like_it = newest_first.filter(|past| past.shape.is_nearly(shape));
        like_it.map(|past| past.upshot).next().flatten()
    }

    /// Returns whether the call would be the third of its kind at intervals of `round` calls, with
    /// the same calls in between.
    fn goes_round(&self, shape: &Shape, round: usize) -> bool {
        let past = |back: usize| self.calls.get(self.calls.len().checked_sub(back)?);
        let (Some(second), Some(first)) = (past(round), past(2 * round)) else {
            return false;
        };
        let came_to_the_same = second.upshot.is_some() && second.upshot == first.upshot;
        let between = 1..round;
        came_to_the_same
            && shape.is_nearly(&second.shape)
            && second.shape.is_nearly(&first.shape)
            && between.into_iter().all(|back| {
                let pair = past(back).zip(past(back + round));
                pair.is_some_and(|(later, earlier)| later.shape.is_nearly(&earlier.shape))
            })
    }
}

impl Shape {
    fn of(call: &ToolCall) -> Self {
        let mut leaves = Vec::new();
        collect("", &call.arguments, &mut leaves);
        leaves.sort_by(|one, other| one.0.cmp(&other.0));
        Self {
            tool: call.name.clone(),
            leaves,
        }
    }

    /// Returns whether another call differs by no more than numbers and a few letters of each text.
    fn is_nearly(&self, other: &Self) -> bool {
        self.tool == other.tool
            && self.leaves.len() == other.leaves.len()
            && self.leaves.iter().zip(&other.leaves).all(|(one, other)| {
                one.0 == other.0
                    && match (&one.1, &other.1) {
                        (Leaf::Text(one), Leaf::Text(other)) => {
                            likeness(one, other) >= NEARLY_EQUAL
                        }
                        (Leaf::Other(_), Leaf::Other(_)) => true,
                        _ => false,
                    }
            })
    }
}

/// Collects what a call says; what is empty says nothing.
fn collect(path: &str, value: &Value, leaves: &mut Vec<(String, Leaf)>) {
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                collect(&format!("{path}/{name}"), field, leaves);
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                collect(&format!("{path}/{place}"), item, leaves);
            }
        }
        Value::String(text) => {
            let text = skeleton(text);
            if !text.is_empty() {
                leaves.push((path.to_owned(), Leaf::Text(text)));
            }
        }
        Value::Number(_) | Value::Bool(_) => {
            leaves.push((path.to_owned(), Leaf::Other(value.to_string())));
        }
        Value::Null => {}
    }
}

/// Returns what a call came to as one number: its class, and what it gave without ids and times.
fn upshot(outcome: &ToolOutcome) -> u64 {
    let mut hasher = DefaultHasher::new();
    std::mem::discriminant(outcome).hash(&mut hasher);
    if let ToolOutcome::Error { code, .. } = outcome {
        code.hash(&mut hasher);
    }
    let text = outcome.for_model();
    let text = &text[..text.floor_char_boundary(COMPARED_BYTES)];
    skeleton(text).hash(&mut hasher);
    hasher.finish()
}

/// Returns a text in small letters, with one space between its words, and a `#` for each id and
/// time.
fn skeleton(text: &str) -> String {
    let mut bare = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !bare.is_empty() {
            bare.push(' ');
        }
        let mut rest = word;
        while let Some(first) = rest.chars().next() {
            let is_part = is_part_of_token(first);
            let end = rest.find(|next| is_part_of_token(next) != is_part);
            let (token, behind) = rest.split_at(end.unwrap_or(rest.len()));
            if is_part {
                push_token(token, &mut bare);
            } else {
                bare.extend(token.chars().flat_map(char::to_lowercase));
            }
            rest = behind;
        }
    }
    bare
}

fn push_token(token: &str, bare: &mut String) {
    if is_time(token) {
        return bare.push('#');
    }
    for (place, piece) in token.split('.').enumerate() {
        if place > 0 {
            bare.push('.');
        }
        if is_id(piece) {
            bare.push('#');
        } else {
            bare.push_str(&piece.to_ascii_lowercase());
        }
    }
}

fn is_part_of_token(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '-' | '_' | ':' | '.' | '+')
}

/// Returns whether the token is a random mixture of letters and digits, or a number too long for a
/// count.
fn is_id(token: &str) -> bool {
    const SHORTEST: usize = 8;
    const FEWEST_DIGITS: usize = 3;
    let signs = token.chars().filter(char::is_ascii_alphanumeric).count();
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let is_hexadecimal = token
        .chars()
        .all(|sign| sign.is_ascii_hexdigit() || sign == '-');
    match signs - digits {
        0 => digits > SHORTEST,
        _ if is_hexadecimal => signs >= SHORTEST && digits > 0,
        _ => signs >= SHORTEST && digits >= FEWEST_DIGITS && !token.contains(':'),
    }
}

/// A day, a time of day, both, or how long something took.
fn is_time(token: &str) -> bool {
    const UNITS: [&str; 7] = ["ns", "us", "ms", "s", "sec", "m", "h"];
    let token = token.trim_end_matches(['.', ':']);
    let digits = token.chars().filter(char::is_ascii_digit).count();
    let of_clock = |sign: char| sign.is_ascii_digit() || "-:.+TZ".contains(sign);
    let is_clock = token.chars().all(of_clock)
        && digits >= 4
        && (token.contains(':') || token.matches('-').count() == 2);
    let number_of = |unit: &&str| {
        let number = token.strip_suffix(*unit)?;
        number.parse::<f64>().ok()
    };
    is_clock || UNITS.iter().find_map(number_of).is_some()
}

/// Returns how like each other two texts are: the share of the pairs of letters that both have.
fn likeness(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let (one, mut other) = (pairs(one), pairs(other));
    let all = one.len() + other.len();
    let mut shared = 0;
    for pair in &one {
        if let Some(place) = other.iter().position(|it| it == pair) {
            other.swap_remove(place);
            shared += 1;
        }
    }
    2.0 * f64::from(shared) / all.max(1) as f64
}

/// Pairs of adjacent letters, limited to the first `COMPARED_CHARS`; longer texts are compared by
/// their beginnings.
fn pairs(text: &str) -> Vec<(char, char)> {
    const COMPARED_CHARS: usize = 400;
    text.chars()
        .zip(text.chars().skip(1))
        .take(COMPARED_CHARS)
        .collect()
}

#[cfg(test)]
#[path = "repeats_tests.rs"]
mod tests;
