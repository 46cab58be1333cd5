//! Commands that list names of files: what may be fed to a program that reads any file.

use std::path::Path;

use super::Judge;
use super::spread::Kind;
use crate::commands::options::Scanned;
use crate::commands::rules::program_name;
use crate::commands::script::{Input, Script, Segment};
use crate::commands::word::Word;
use crate::is_secret_like;

/// What `find` may do besides naming what it finds.
const MORE_THAN_NAMES: [&str; 8] = [
    "-printf", "-fprintf", "-ls", "-fls", "-exec", "-execdir", "-ok", "-okdir",
];
/// How many filters behind a list are followed.
const MAX_FILTERS: usize = 8;

/// What a command prints names with.
enum Lister {
    /// Always.
    Always,
    /// With one of these options.
    With(&'static [&'static str]),
    /// It hands on lines of its input; with this many operands at most it reads no file.
    Filter(usize),
}

fn lister(name: &str, subcommand: Option<&str>) -> Option<(usize, Lister)> {
    let lister = match (name, subcommand) {
        ("fd" | "fdfind" | "which", _) => (0, Lister::Always),
        ("git", Some("ls-files")) | ("command", Some("-v")) => (1, Lister::Always),
        ("git", Some("diff" | "ls-tree")) => (1, Lister::With(&["--name-only"])),
        ("git", Some("rev-parse")) => (1, Lister::With(&["--show-toplevel"])),
        ("git", Some("grep")) => (
            1,
            Lister::With(&["-l", "--files-with-matches", "--name-only"]),
        ),
        ("rg", _) => (
            0,
            Lister::With(&[
                "-l",
                "--files-with-matches",
                "--files-without-match",
                "--files",
            ]),
        ),
        ("ag", _) => (0, Lister::With(&["-l", "-g", "--files-with-matches"])),
        ("sort" | "uniq" | "head" | "tail", _) => (0, Lister::Filter(0)),
        ("grep" | "egrep" | "fgrep", _) => (0, Lister::Filter(1)),
        _ => return None,
    };
    Some(lister)
}

impl Judge<'_> {
    /// Returns what the output of a segment is made of where it lists names of files: paths that
    /// begin with no dash, each ended by a NUL, or other names.
    pub(super) fn listed(&self, script: &Script, index: usize) -> Option<Kind> {
        self.listed_through(script, index, MAX_FILTERS)
    }

    fn listed_through(&self, script: &Script, index: usize, filters: usize) -> Option<Kind> {
        let segment = script.segments.get(index)?;
        let (program, words) = segment.words.split_first()?;
        let name = program_name(program.as_literal()?);
        let is_plain = segment.assignments.is_empty() && !looks_for_secrets(segment);
        if !is_plain {
            return None;
        }
        match name {
            "find" | "gfind" => return found(words),
            "ls" => return lists_plainly(words).then_some(Kind::Name),
            _ => {}
        }
        let subcommand = words.first().and_then(Word::as_literal);
        let (skipped, lister) = lister(name, subcommand)?;
        let readers = self.book.readers();
        let texts: Vec<&str> = words.iter().map_while(Word::as_literal).collect();
        let reader = readers.find(name, &texts).into_iter().next()?;
        let words = self.operands_for(reader, words.get(skipped..)?);
        let scanned = reader.options.scan(&words).ok()?;
        let has = |names: &[&str]| has_any(&scanned, names);
        let lists = match lister {
            Lister::Always => true,
            Lister::With(options) => has(options),
            Lister::Filter(_) if has(&["-l", "-L", "--files-with-matches"]) => true,
            Lister::Filter(most) => {
                let is_fed = scanned.operands.len() <= most && segment.input == Input::Piped;
                let before = segment.fed_by?;
                is_fed && filters > 0 && self.listed_through(script, before, filters - 1).is_some()
            }
        };
        lists.then_some(Kind::Name)
    }
}

fn has_any(scanned: &Scanned<'_>, names: &[&str]) -> bool {
    scanned
        .options
        .iter()
        .any(|(option, _)| names.contains(option))
}

fn found(words: &[Word]) -> Option<Kind> {
    let has = |name: &str| words.iter().any(|word| word.text == name);
    let names_only = !MORE_THAN_NAMES.iter().any(|name| has(name));
    let is_apart =
        has("-print0") && !has("-print") && !words.iter().any(|word| word.text.starts_with('+'));
    names_only.then_some(if is_apart { Kind::Path } else { Kind::Name })
}

/// Returns whether `ls` lists names and nothing beside them.
fn lists_plainly(words: &[Word]) -> bool {
    words.iter().all(|word| match word.text.strip_prefix('-') {
        Some(letters) => letters.chars().all(|letter| "1adrStA".contains(letter)),
        None => true,
    })
}

/// Returns whether a list is of files that keep secrets, as its words say.
fn looks_for_secrets(segment: &Segment) -> bool {
    let mut words = segment.words.iter();
    words.any(|word| is_secret_like(Path::new(&word.text)))
}
