//! What words a shell makes of a word, as far as the script itself says it: patterns, the home,
//! variables that the script sets, and the output of commands that only read.

use super::Judge;
use crate::commands::expansion::{self, Piece};
use crate::commands::loops::{Loop, Values};
use crate::commands::script;
use crate::commands::word::Word;

/// Variables that hold where the shell is or was started. The home of a command is its workspace
/// or an empty directory, so what is in it may be read.
const PLACES: [&str; 2] = ["HOME", "PWD"];
/// Variables that may be printed: what they hold is no secret and no one's file.
const PUBLIC: [&str; 20] = [
    "PATH",
    "USER",
    "LOGNAME",
    "SHELL",
    "HOSTNAME",
    "HOSTTYPE",
    "MACHTYPE",
    "OSTYPE",
    "LANG",
    "LC_ALL",
    "TERM",
    "TZ",
    "UID",
    "EUID",
    "PPID",
    "RANDOM",
    "SECONDS",
    "LINES",
    "COLUMNS",
    "BASH_VERSION",
];
/// How often the body of a loop is judged at most, once for each value.
pub(super) const MAX_VALUES: usize = 32;
/// A variable that no script may have, for words that come from an input.
pub(super) const FED: &str = "SAYSO_FED";
/// What stands for what is not known in a path.
const UNKNOWN: &str = "*";

/// One word that a shell makes, or several that are alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Spread {
    /// The word, with [`UNKNOWN`] for what is not known.
    pub text: String,
    /// What is known of it.
    pub kind: Kind,
    /// Whether it is one word.
    pub is_one: bool,
}

/// What is known of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Its text is all of it.
    Exact,
    /// It is a path that begins as the text does, so it is no option.
    Path,
    /// It is the name of something in the current directory, which may begin with a dash.
    Here,
    /// It is the name of a file of the workspace, or a part of one.
    Name,
    /// It is an option with a value of which only the beginning is known.
    Attached,
    /// It is anything, and may be printed.
    Printed,
}

impl Spread {
    fn exact(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            kind: Kind::Exact,
            is_one: true,
        }
    }

    pub(super) fn unknown(kind: Kind) -> Self {
        Self {
            text: UNKNOWN.to_owned(),
            kind,
            is_one: true,
        }
    }

    /// Returns what is known of a part of it.
    fn cut(self) -> Self {
        let kind = match self.kind {
            Kind::Printed | Kind::Attached => Kind::Printed,
            Kind::Exact | Kind::Path | Kind::Here | Kind::Name => Kind::Name,
        };
        let is_one = self.is_one;
        Self {
            is_one,
            ..Self::unknown(kind)
        }
    }

    /// Adds what stands behind it in the same word.
    fn join(self, next: &Self) -> Self {
        let kind = match (self.kind, next.kind) {
            (Kind::Exact, kind) if self.text.is_empty() => kind,
            (Kind::Exact, Kind::Exact) => Kind::Exact,
            (Kind::Printed, _) | (_, Kind::Printed) => Kind::Printed,
            // What is split may go on with anything.
            (_, Kind::Name) if !next.is_one => Kind::Name,
            (Kind::Exact, _) if self.text.starts_with("--") && self.text.contains('=') => {
                Kind::Attached
            }
            (Kind::Exact, _) => Kind::Path,
            (kind, _) => kind,
        };
        Self {
            text: self.text + &next.text,
            kind,
            is_one: self.is_one && next.is_one,
        }
    }

    /// Returns whether a variable may hold it: some shells run what stands in the value of a
    /// variable when they count with it.
    fn is_plain(&self) -> bool {
        self.kind != Kind::Exact || !self.text.contains(['$', '`'])
    }

    /// Returns whether its text may be taken for what it stands for.
    fn is_sound(&self) -> bool {
        // A pattern behind a dot finds hidden files, and `..` in some shells.
        let finds_hidden = |name: &str| name.starts_with('.') && name.contains(UNKNOWN);
        match self.kind {
            Kind::Exact | Kind::Attached | Kind::Printed => true,
            Kind::Path | Kind::Here | Kind::Name => {
                !self.text.starts_with('-')
                    && !self.text.contains("..")
                    && !self.text.split('/').any(finds_hidden)
            }
        }
    }
}

impl Judge<'_> {
    /// Returns the words that a shell makes of a word; `None` where that is not known.
    pub(super) fn spread(&self, word: &Word) -> Option<Vec<Spread>> {
        if let Some(text) = word.as_literal() {
            return Some(vec![Spread::exact(text)]);
        }
        let words = expansion::read(&word.raw)?;
        let is_several = words.len() > 1;
        let spread = |pieces: &Vec<Piece>| {
            let spread = self.joined(pieces)?;
            // A shell without braces makes another word of it.
            let is_option = is_several && spread.text.starts_with('-');
            (spread.is_sound() && !is_option).then_some(spread)
        };
        words.iter().map(spread).collect()
    }

    /// Returns the one word that a shell makes of a word.
    pub(super) fn spread_to_one(&self, word: &Word) -> Option<Spread> {
        let mut spreads = self.spread(word)?;
        let spread = spreads.pop()?;
        (spreads.is_empty() && spread.is_one).then_some(spread)
    }

    /// Writes out what the script says for certain of these words.
    pub(super) fn written_out(&self, words: &[Word]) -> Vec<Word> {
        let written = |word: &Word| match self.spread_to_one(word) {
            Some(spread) if spread.kind == Kind::Exact && !word.is_literal => Word {
                raw: word.raw.clone(),
                ..Word::literal(&spread.text)
            },
            Some(_) | None => word.clone(),
        };
        words.iter().map(written).collect()
    }

    fn joined(&self, pieces: &[Piece]) -> Option<Spread> {
        let mut whole = Spread::exact("");
        for (index, piece) in pieces.iter().enumerate() {
            let is_first = whole.text.is_empty();
            let ends = match pieces.get(index + 1) {
                None => true,
                Some(Piece::Text(text)) => text.is_empty() || text.starts_with('/'),
                Some(_) => false,
            };
            let place = Spread {
                text: ".".to_owned(),
                kind: Kind::Path,
                is_one: true,
            };
            let next = match piece {
                Piece::Text(text) => Spread::exact(text),
                Piece::Pattern => Spread {
                    is_one: false,
                    ..Spread::unknown(Kind::Here)
                },
                Piece::Number if is_first => Spread {
                    is_one: false,
                    ..Spread::unknown(Kind::Printed)
                },
                Piece::Number => Spread {
                    is_one: false,
                    ..Spread::unknown(Kind::Path)
                },
                Piece::Home => place,
                Piece::Variable { name, is_cut, .. } if PLACES.contains(&name.as_str()) => {
                    if is_first && ends && !is_cut {
                        place
                    } else {
                        Spread::unknown(Kind::Printed)
                    }
                }
                Piece::Variable {
                    name,
                    is_quoted,
                    is_cut,
                } => {
                    let value = self.value(name, *is_quoted)?;
                    if *is_cut { value.cut() } else { value }
                }
                Piece::Output { script, .. } if script == "pwd" && is_first && ends => place,
                Piece::Output { script, is_quoted } => {
                    let is_one = *is_quoted;
                    let kind = self.kind_of_output(script);
                    Spread {
                        is_one,
                        ..Spread::unknown(kind)
                    }
                }
            };
            whole = whole.join(&next);
        }
        Some(whole)
    }

    fn value(&self, name: &str, is_quoted: bool) -> Option<Spread> {
        let Some(value) = self.variables.get(name) else {
            let is_one = is_quoted;
            return PUBLIC.contains(&name).then(|| Spread {
                is_one,
                ..Spread::unknown(Kind::Printed)
            });
        };
        if is_quoted {
            return Some(value.clone());
        }
        match value.kind {
            // Nothing in it is split or a pattern.
            Kind::Exact => {
                let is_plain =
                    |letter: char| letter.is_ascii_alphanumeric() || "_./,:@%+=-".contains(letter);
                let stays = !value.text.is_empty() && value.text.chars().all(is_plain);
                stays.then(|| value.clone())
            }
            Kind::Printed => Some(Spread {
                is_one: false,
                ..value.clone()
            }),
            Kind::Path | Kind::Here | Kind::Name | Kind::Attached => Some(Spread {
                kind: Kind::Name,
                is_one: false,
                ..value.clone()
            }),
        }
    }

    fn kind_of_output(&self, script: &str) -> Kind {
        let lists = script::read(script).is_ok_and(|script| {
            let last = script.segments.len().checked_sub(1);
            let is_pipeline = script.structures.is_empty()
                && script
                    .segments
                    .iter()
                    .enumerate()
                    .all(|(index, segment)| segment.fed_by == index.checked_sub(1));
            is_pipeline && last.is_some_and(|last| self.listed(&script, last).is_some())
        });
        if lists { Kind::Name } else { Kind::Printed }
    }

    /// Returns the values that a loop gives its variable; `None` where they are not known.
    pub(super) fn values_of(&self, around: &Loop, fed: Option<Kind>) -> Option<Vec<Spread>> {
        let words = match &around.values {
            Values::Words(words) => words,
            Values::Lines(_) => {
                let kind = fed.unwrap_or(Kind::Printed);
                return Some(vec![Spread::unknown(kind)]);
            }
        };
        let mut values = Vec::new();
        for word in words {
            // Each turn of the loop has one word.
            let spreads = self.spread(word)?.into_iter();
            values.extend(spreads.map(|spread| Spread {
                is_one: true,
                ..spread
            }));
        }
        values.dedup();
        let are_plain = values.iter().all(Spread::is_plain);
        (are_plain && values.len() <= MAX_VALUES).then_some(values)
    }

    /// Returns what a variable holds behind `name=word`, where nothing is split or a pattern.
    pub(super) fn assigned(&self, value: &Word) -> Option<Spread> {
        if let Some(text) = value.as_literal() {
            return Some(Spread::exact(text)).filter(Spread::is_plain);
        }
        let mut words = expansion::read(&value.raw)?;
        let mut pieces = words.pop()?;
        if !words.is_empty() || pieces.contains(&Piece::Pattern) {
            return None;
        }
        for piece in &mut pieces {
            match piece {
                Piece::Variable { is_quoted, .. } | Piece::Output { is_quoted, .. } => {
                    *is_quoted = true;
                }
                Piece::Text(_) | Piece::Pattern | Piece::Home | Piece::Number => {}
            }
        }
        let value = Spread {
            is_one: true,
            ..self.joined(&pieces)?
        };
        (value.is_sound() && value.is_plain()).then_some(value)
    }
}

/// Returns the scripts whose output these words are made of, in the form that is read.
pub(super) fn plain_outputs<'a>(words: impl Iterator<Item = &'a Word>) -> Vec<String> {
    let pieces = words
        .filter(|word| !word.is_literal)
        .filter_map(|word| expansion::read(&word.raw))
        .flatten()
        .flatten();
    let scripts = pieces.filter_map(|piece| match piece {
        Piece::Output { script, .. } => Some(script),
        Piece::Text(_) | Piece::Pattern | Piece::Variable { .. } | Piece::Home | Piece::Number => {
            None
        }
    });
    scripts.collect()
}
