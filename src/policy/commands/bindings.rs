//! What a command may run, for the binding of its approval: the files that its words may
//! name, or everything in the workspace.
//!
//! A command obeys only its words when each program of it is known to: it is in the table of such
//! programs, or it provably only reads. Everything else may run what its words do not name: a
//! script runs further scripts, `make` obeys a Makefile, a glob or a variable names what no one
//! can read here.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::judge;
use super::paths::{Ground, Places, joined};
use super::rulebook::Rulebook;
use super::script::{self, Input, Redirection, Script, Segment};
use super::started::inside;
use super::word::Word;
use crate::call_facts::Place;

/// How many paths are returned; a command with more may run anything in the workspace.
const MAX_PATHS: usize = 4096;
/// How many wrappers in a row are looked through.
const MAX_WRAPPERS: usize = 8;
/// Options of git that name another repository than the one at hand.
const ELSEWHERE: [&str; 3] = ["-C", "--git-dir", "--work-tree"];

/// What an approval of a command is to be bound to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bindings {
    /// What its words may name as paths, from every directory in which it may be.
    pub paths: BTreeSet<String>,
    /// What it may run.
    pub obeys: Obeys,
}

/// What decides what a command runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Obeys {
    /// Its words alone.
    ItsWords,
    /// Its words, and the settings of the git repository in the workspace.
    GitSettings,
    /// Possibly any file of the workspace.
    TheWorkspace,
}

/// Returns what an approval of a command is to be bound to, given where its paths lead.
pub fn bindings(command: &str, places: &BTreeMap<String, Place>) -> Bindings {
    let noted = RefCell::default();
    let mut reading = Reading {
        ground: Ground::new(Places::Noted(&noted)),
        places,
        texts: generous_words(command).map(str::to_owned).collect(),
    };
    let obeys_words = script::read(command).is_ok_and(|script| reading.script(&script));
    let paths: BTreeSet<String> = reading
        .ground
        .directories()
        .iter()
        .flat_map(|directory| reading.texts.iter().map(|text| joined(directory, text)))
        .take(MAX_PATHS + 1)
        .collect();
    let is_followed = !reading.ground.is_lost() && paths.len() <= MAX_PATHS;
    let obeys = if !obeys_words || !is_followed {
        Obeys::TheWorkspace
    } else if !reading.mentions(&["git"]) {
        Obeys::ItsWords
    } else if reading.ground.has_moved() || reading.mentions(&ELSEWHERE) {
        Obeys::TheWorkspace
    } else {
        Obeys::GitSettings
    };
    Bindings { paths, obeys }
}

/// Returns whether a command is one plain program that does what its words say and nothing else,
/// found on the search path: of such a one an "always" may be offered.
pub fn is_one_plain_command(command: &str) -> bool {
    let Ok(script) = script::read(command) else {
        return false;
    };
    let [segment] = script.segments.as_slice() else {
        return false;
    };
    // The parser takes `time` in front for a word of the shell.
    let begins = command.split_whitespace().next();
    script.structures.is_empty()
        && segment.redirections.is_empty()
        && is_certain(segment)
        && segment.words.first().map(|word| word.raw.as_str()) == begins
        && is_in_table(&segment.words, FoundBy::Name)
}

/// How a program may be named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FoundBy {
    /// By its name alone.
    Name,
    /// By its name, or in a directory of the system.
    NameOrSystem,
}

struct Reading<'a> {
    ground: Ground<'a>,
    places: &'a BTreeMap<String, Place>,
    /// Whatever may be a path.
    texts: BTreeSet<String>,
}

impl Reading<'_> {
    /// Reads a whole script; returns whether each part of it obeys only its words.
    fn script(&mut self, script: &Script) -> bool {
        let mut obeys_words = script.structures.is_empty() && !script.segments.is_empty();
        for segment in &script.segments {
            self.note_words(segment);
            // Also behind one that does not: it may change the directory.
            obeys_words = self.segment(segment, obeys_words) && obeys_words;
        }
        obeys_words
    }

    /// Returns whether one of these stands anywhere in a word.
    fn mentions(&self, wanted: &[&str]) -> bool {
        let mut texts = self.texts.iter();
        texts.any(|text| wanted.iter().any(|it| text.contains(it)))
    }

    fn note_words(&mut self, segment: &Segment) {
        let of_redirections = segment.redirections.iter().filter_map(|it| match it {
            Redirection::Read(word) | Redirection::Write(word) => Some(word),
            Redirection::Descriptor | Redirection::Text { .. } | Redirection::Process => None,
        });
        let assigned = segment.assignments.iter().map(|(_, value)| value);
        for word in segment.words.iter().chain(assigned).chain(of_redirections) {
            let value = word.text.rsplit('=').next().unwrap_or_default();
            let texts = [word.text.as_str(), value].into_iter();
            self.texts
                .extend(texts.filter(|it| could_be_path(it)).map(str::to_owned));
        }
    }

    fn segment(&mut self, segment: &Segment, is_asked: bool) -> bool {
        if let Some((program, rest)) = segment.words.split_first()
            && program.text == "cd"
        {
            let directory = match rest {
                [directory] => directory.as_literal().filter(|it| !it.starts_with('-')),
                _ => None,
            };
            let entered = self.ground.enter(directory.unwrap_or("-"));
            return entered && is_certain(segment);
        }
        let has_no_program = segment.words.is_empty();
        is_asked
            && is_certain(segment)
            && (has_no_program
                || is_in_table(&segment.words, FoundBy::NameOrSystem)
                || self.only_reads(segment))
    }

    /// Returns whether a segment provably only reads, wherever its paths lead.
    fn only_reads(&self, segment: &Segment) -> bool {
        let mut text = segment.text();
        if segment.input != Input::Empty {
            text.insert_str(0, "echo | ");
        }
        let ignored = RefCell::default();
        if holds_quoted_script(&segment.words) || !judge(&text, Places::Noted(&ignored)).is_proven()
        {
            return false;
        }
        let names = |program: &str| segment.words.iter().any(|it| it.text.contains(program));
        let may_obey_settings =
            Rulebook::built_in().is_none_or(|book| book.readers().with_settings().any(names));
        let lacks_settings =
            || !self.ground.has_moved() && judge(&text, Places::LookedUp(self.places)).is_proven();
        !may_obey_settings || lacks_settings()
    }
}

/// Returns whether a word is a script with quotes of its own, so that its words are not those that
/// are read here.
fn holds_quoted_script(words: &[Word]) -> bool {
    let takes_script = |word: &Word| {
        let wrapper = Rulebook::built_in().and_then(|book| book.wrapper(&word.text));
        wrapper.is_some_and(|it| it.script_after.is_some() || !it.script_in.is_empty())
    };
    let is_quoted = |word: &Word| word.text.contains(['\'', '"', '\\']);
    words.iter().any(takes_script) && words.iter().any(is_quoted)
}

/// Returns whether what a segment does is certain from its words.
fn is_certain(segment: &Segment) -> bool {
    let is_literal = |redirection: &Redirection| match redirection {
        Redirection::Descriptor => true,
        Redirection::Text { is_literal } => *is_literal,
        Redirection::Process => false,
        Redirection::Read(word) | Redirection::Write(word) => word.is_literal,
    };
    segment.assignments.is_empty()
        && segment.substitutions.is_empty()
        && segment.words.iter().all(|word| word.is_literal)
        && segment.redirections.iter().all(is_literal)
}

/// Returns whether the words are a command of the table, through what only starts it.
fn is_in_table(words: &[Word], found_by: FoundBy) -> bool {
    let Some(book) = Rulebook::built_in() else {
        return false;
    };
    let mut words = words;
    if found_by == FoundBy::NameOrSystem {
        for _ in 0..MAX_WRAPPERS {
            match inside(book, words) {
                Some(inner) if !inner.is_empty() => words = inner,
                _ => break,
            }
        }
    }
    let Some((program, rest)) = words.split_first() else {
        return false;
    };
    let name = match found_by {
        FoundBy::Name => Some(program.text.as_str()).filter(|it| !it.contains('/')),
        FoundBy::NameOrSystem => judge::found_by_name(&program.text),
    };
    let texts: Vec<&str> = rest.iter().map_while(Word::as_literal).collect();
    name.is_some_and(|name| {
        book.arguments().find(name, &texts).iter().any(|row| {
            let behind = rest.get(row.subcommand.len()..).unwrap_or_default();
            row.options.scan(behind).is_ok()
        })
    })
}

/// Returns whatever could be a path: split at blanks, and again at what a shell acts on.
fn generous_words(command: &str) -> impl Iterator<Item = &str> {
    let at_blanks = command.split_whitespace();
    let at_operators = command.split(|letter: char| {
        letter.is_whitespace() || ";&|<>$`(){}[]*?~#!\\'\"=,:@".contains(letter)
    });
    let between_quotes = command.split(['\'', '"']);
    at_blanks
        .chain(at_operators)
        .chain(between_quotes)
        .filter(|word| could_be_path(word))
}

fn could_be_path(word: &str) -> bool {
    !word.is_empty() && !word.contains('\0')
}

#[cfg(test)]
#[path = "bindings_tests.rs"]
mod tests;
