//! Thoughts in the text: what models whose server does not take them apart write before and between
//! what they say.
//!
//! Every family has marks of its own; those here are from the chat templates of the models. Thoughts
//! begin where a line begins, outside of a block of code: elsewhere a mark is a word that is spoken
//! about. Some templates begin the thoughts in the prompt, so that an answer has their end alone.

use std::sync::{Mutex, PoisonError};

use crate::Heard;

/// What begins thoughts, and what ends them. DeepSeek, Qwen and others have `<think>`; the others are of
/// Claude-like prompts, Gemma, Seed, Magistral, Command A, OpenThinker, Kimi and gpt-oss (harmony).
const MARKS: [(&str, &str); 12] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("<|channel>thought", "<channel|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("◁think▷", "◁/think▷"),
    ("<|channel|>analysis<|message|>", "<|end|>"),
];

/// What stands around what is said, and is no word of it, where a line begins.
const FRAMES: [&str; 6] = [
    "<|start|>assistant<|channel|>final<|message|>",
    "<|channel|>final<|message|>",
    "<|start|>assistant",
    "<|START_RESPONSE|>",
    "<|begin_of_solution|>",
    "<|channel>final",
];

/// What ends an answer for the model, and is shown by some servers. It is no word of the answer.
pub(super) const ENDS: [&str; 14] = [
    "<|eot_id|>",
    "<|eom_id|>",
    "<|im_end|>",
    "</s>",
    "<end_of_turn>",
    "<turn|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end|>",
    "<|return|>",
    "<|END_RESPONSE|>",
    "<|end_of_solution|>",
    "<｜end▁of▁sentence｜>",
    "[EOS]",
];

/// Begins and ends a block of code.
const FENCE: &str = "```";

/// What of a text was thought, and what is said.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Parted {
    /// The thoughts, without their marks.
    pub(super) thought: String,
    /// The rest.
    pub(super) said: String,
}

/// Parts a whole text. Thoughts that do not end are all there is from their beginning on.
pub(super) fn part(text: &str) -> Parted {
    let mut filter = Filter::default();
    let (before, text) = before_lone_end(text).unwrap_or(("", text));
    let said = filter.take(text) + &filter.end();
    let mut thoughts = vec![before.trim(), filter.thought.trim()];
    thoughts.retain(|thought| !thought.is_empty());
    // What was there before thoughts were taken out begins as it did.
    let said = if before.is_empty() {
        said.as_str()
    } else {
        said.trim_start()
    };
    Parted {
        thought: thoughts.join("\n"),
        said: without_ends(said).to_owned(),
    }
}

/// Returns the mark that a prompt ends with, where the template began the thoughts in it.
pub(super) fn begun_in(prompt: &str) -> Option<&'static str> {
    let prompt = prompt.trim_end();
    let mut begins = MARKS.iter().map(|(begin, _)| *begin);
    begins.find(|begin| prompt.ends_with(begin))
}

/// Returns a text without the marks that end an answer for the model.
pub(super) fn without_ends(text: &str) -> &str {
    let mut kept = text;
    loop {
        let trimmed = kept.trim_end();
        let Some(rest) = ENDS.iter().find_map(|end| trimmed.strip_suffix(end)) else {
            return if kept.len() == text.len() {
                text
            } else {
                trimmed
            };
        };
        kept = rest;
    }
}

/// Parts thoughts that began in the prompt from what is behind their end. Such an end is the first mark
/// in the text, stands at the end of a line, and is in no code.
fn before_lone_end(text: &str) -> Option<(&str, &str)> {
    let mut at = 0;
    let mut is_fenced = false;
    for line in text.split_inclusive('\n') {
        let words = line.trim();
        if words.starts_with(FENCE) {
            is_fenced = !is_fenced;
        }
        if !is_fenced && MARKS.iter().any(|(begin, _)| words.starts_with(begin)) {
            return None;
        }
        let first = MARKS
            .iter()
            .map(|(_, end)| *end)
            .filter(|end| *end != "<|end|>")
            .filter_map(|end| Some((line.find(end)?, end)))
            .min();
        if let Some((place, end)) = first
            && !is_fenced
        {
            let before = line.get(..place).unwrap_or_default();
            let behind = line.get(place + end.len()..).unwrap_or_default();
            let is_code = before.matches('`').count() % 2 == 1;
            let is_alone = before.trim().is_empty() || behind.trim().is_empty();
            if is_code || !is_alone {
                return None;
            }
            return Some((text.get(..at + place)?, text.get(at + place + end.len()..)?));
        }
        at += line.len();
    }
    None
}

/// Passes on what is said, piece by piece, and keeps what is thought.
///
/// The lock is held by one stream alone; it is there because a [`Heard`] may be called from anywhere.
pub(super) struct VisibleText<'a> {
    heard: Heard<'a>,
    filter: Mutex<Filter>,
}

impl<'a> VisibleText<'a> {
    /// Passes on to here.
    pub(super) fn new(heard: Heard<'a>) -> Self {
        Self {
            heard,
            filter: Mutex::default(),
        }
    }

    /// Takes a piece of the text.
    pub(super) fn hear(&self, piece: &str) {
        let mut filter = self.filter.lock().unwrap_or_else(PoisonError::into_inner);
        let said = filter.take(piece);
        drop(filter);
        if !said.is_empty() {
            (self.heard)(&said);
        }
    }
}

/// Where in a text it is.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A line begins.
    #[default]
    LineStart,
    /// Within a line.
    Line,
    /// Within thoughts, until this mark.
    Thoughts(&'static str),
    /// Behind thoughts: blanks before the next word are left out.
    Behind,
}

/// Takes thoughts out of a text that arrives in pieces.
#[derive(Debug, Default)]
struct Filter {
    place: Place,
    is_fenced: bool,
    /// Whether anything was said before.
    has_words: bool,
    /// What is not decided: it may be the beginning of a mark.
    kept: String,
    /// How much of that is passed: it is taken out once a piece, for each time moves all that is left.
    passed: usize,
    thought: String,
}

/// What a text begins with.
enum Beginning {
    Thoughts {
        mark: usize,
        end: &'static str,
    },
    Frame(usize),
    Fence,
    /// It is too short to tell.
    Unknown,
    Words,
}

impl Filter {
    /// Takes a piece and returns what is said for certain by now.
    fn take(&mut self, piece: &str) -> String {
        self.kept.push_str(piece);
        let mut said = String::new();
        while self.step(&mut said) {}
        self.kept.drain(..self.passed);
        self.passed = 0;
        said
    }

    /// Returns what is not decided.
    fn rest(&self) -> &str {
        self.kept.get(self.passed..).unwrap_or_default()
    }

    /// Returns what is said of what was kept, at the end of the text.
    fn end(&mut self) -> String {
        let kept = std::mem::take(&mut self.kept);
        match self.place {
            Place::Thoughts(_) => {
                self.thought.push_str(&kept);
                String::new()
            }
            Place::Behind => kept.trim_start().to_owned(),
            Place::LineStart | Place::Line => kept,
        }
    }

    /// Does one step; returns whether another one is possible with what there is.
    fn step(&mut self, said: &mut String) -> bool {
        match self.place {
            Place::Thoughts(end) => self.think(end),
            Place::Behind => {
                let rest = self.rest();
                self.passed += rest.len() - rest.trim_start().len();
                if self.rest().is_empty() {
                    return false;
                }
                self.place = Place::LineStart;
                true
            }
            Place::LineStart => self.begin_line(said),
            Place::Line => {
                self.has_words = true;
                let rest = self.rest();
                let end = rest.find('\n').map(|at| at + 1);
                let line = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
                said.push_str(line);
                self.passed += line.len();
                if end.is_some() {
                    self.place = Place::LineStart;
                }
                !self.rest().is_empty()
            }
        }
    }

    fn think(&mut self, end: &str) -> bool {
        let Some(at) = self.rest().find(end) else {
            return false;
        };
        let thought = self.kept.get(self.passed..self.passed + at);
        self.thought.push_str(thought.unwrap_or_default().trim());
        self.thought.push('\n');
        self.passed += at + end.len();
        self.place = Place::Behind;
        true
    }

    fn begin_line(&mut self, said: &mut String) -> bool {
        let rest = self.rest();
        let words = rest.trim_start();
        let blanks = rest.len() - words.len();
        match beginning(words) {
            Beginning::Unknown => false,
            Beginning::Thoughts { mark, end } if !self.is_fenced => {
                // Blanks at the beginning of the line go with the thoughts, ended lines stay.
                let lines = rest.get(..blanks).and_then(|it| it.rfind('\n'));
                let ended = lines.filter(|_| self.has_words).map_or(0, |at| at + 1);
                said.push_str(rest.get(..ended).unwrap_or_default());
                self.passed += blanks + mark;
                self.place = Place::Thoughts(end);
                true
            }
            Beginning::Frame(length) if !self.is_fenced => {
                self.passed += blanks + length;
                self.place = Place::Behind;
                true
            }
            Beginning::Fence => {
                self.is_fenced = !self.is_fenced;
                self.place = Place::Line;
                true
            }
            Beginning::Thoughts { .. } | Beginning::Frame(_) | Beginning::Words => {
                self.place = Place::Line;
                true
            }
        }
    }
}

fn beginning(words: &str) -> Beginning {
    if let Some((begin, end)) = MARKS.iter().find(|(begin, _)| words.starts_with(begin)) {
        let mark = begin.len();
        return Beginning::Thoughts { mark, end };
    }
    // A longer mark may begin with a shorter one.
    let begins = MARKS.iter().map(|(begin, _)| *begin);
    let mut marks = begins.chain(FRAMES).chain([FENCE]);
    if marks.any(|mark| mark.len() > words.len() && mark.starts_with(words)) {
        return Beginning::Unknown;
    }
    if let Some(frame) = FRAMES.iter().find(|frame| words.starts_with(**frame)) {
        return Beginning::Frame(frame.len());
    }
    if words.starts_with(FENCE) {
        return Beginning::Fence;
    }
    Beginning::Words
}

#[cfg(test)]
#[path = "visible_text_tests.rs"]
mod tests;
