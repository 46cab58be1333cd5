//! The options of a program as data, and words read by them.
//!
//! A table is one string: `-n -A= --file=@ --color[=] -# -get*`. `=` takes a value, `=@` a path,
//! `[=]` a value that may be attached; `-#` is a number such as `-5`, and `*` ends a family of
//! names. What a table does not have is unknown, and an unknown option is a question.

use super::word::Word;

/// How a program writes its options.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Style {
    /// `-abc`, `-n5`, `--long=value`.
    #[default]
    Gnu,
    /// The same, in front of the first operand only: behind it every word is an operand.
    Leading,
    /// Whole words: `-name value`, `-var=value`, and `--name` for the same.
    Words,
    /// No options: every word is text.
    Text,
}

/// The options that a program is known to have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Options {
    known: Vec<Known>,
    style: Style,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Known {
    name: String,
    value: Value,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Text,
    Path,
    Attached,
}

/// Words, told apart.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scanned<'a> {
    /// The options, by the names in the table, with their values.
    pub options: Vec<(&'a str, Option<String>)>,
    /// The values that are paths.
    pub paths: Vec<String>,
    /// What is no option, in order.
    pub operands: Vec<&'a str>,
    /// Which of the operands stand for others that are not known, by their places.
    pub unknown: Vec<usize>,
}

impl<'a> Scanned<'a> {
    fn take_unknown(&mut self, word: &'a Word) {
        self.unknown.push(self.operands.len());
        self.operands.push(&word.text);
    }

    /// Returns whether one of these options is there.
    pub(crate) fn has_any(&self, names: &[String]) -> bool {
        self.options
            .iter()
            .any(|(name, _)| names.iter().any(|wanted| wanted == name))
    }

    /// Returns the values of an option.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &str> {
        self.options
            .iter()
            .filter(move |(option, _)| *option == name)
            .filter_map(|(_, value)| value.as_deref())
    }
}

/// What stands in the way of reading words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// A word is not literal.
    NotLiteral(String),
    /// An option is not in the table.
    Unknown(String),
}

impl Options {
    /// Reads a table.
    pub(crate) fn new(table: &str, style: Style) -> Self {
        let known = table
            .split_whitespace()
            .map(|token| {
                let (name, value) = if let Some(name) = token.strip_suffix("=@") {
                    (name, Value::Path)
                } else if let Some(name) = token.strip_suffix("[=]") {
                    (name, Value::Attached)
                } else if let Some(name) = token.strip_suffix('=') {
                    (name, Value::Text)
                } else {
                    (token, Value::None)
                };
                Known {
                    name: name.to_owned(),
                    value,
                }
            })
            .collect();
        Self { known, style }
    }

    /// Returns whether an option has a value that is plain text.
    pub(crate) fn has_text(&self, name: &str) -> bool {
        let known = self.find(name);
        known.is_some_and(|known| matches!(known.value, Value::Text | Value::Attached))
    }

    fn find(&self, name: &str) -> Option<&Known> {
        let exact = self.known.iter().find(|known| known.name == name);
        exact.or_else(|| {
            self.known.iter().find(|known| {
                known
                    .name
                    .strip_suffix('*')
                    .is_some_and(|family| name.starts_with(family))
            })
        })
    }

    /// Tells words apart; options may stand among operands, up to `--`.
    pub(crate) fn scan<'a>(&'a self, words: &'a [Word]) -> Result<Scanned<'a>, Problem> {
        let mut scanned = Scanned::default();
        let mut rest = words;
        while let Some((first, behind)) = rest.split_first() {
            if first.is_operand {
                scanned.take_unknown(first);
                rest = behind;
                continue;
            }
            let text = literal(first)?;
            let only_operands = self.style == Style::Leading && !scanned.operands.is_empty();
            if only_operands {
                scanned.operands.push(text);
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            if self.style != Style::Text && text == "--" {
                for word in behind {
                    if word.is_operand {
                        scanned.take_unknown(word);
                    } else {
                        scanned.operands.push(literal(word)?);
                    }
                }
                break;
            }
            rest = rest
                .get(self.step(rest, &mut scanned)?..)
                .unwrap_or_default();
        }
        Ok(scanned)
    }

    /// Reads the options in front of the first operand and returns how many words they are.
    pub(crate) fn leading<'a>(
        &'a self,
        words: &'a [Word],
    ) -> Result<(Scanned<'a>, usize), Problem> {
        let mut scanned = Scanned::default();
        let mut taken = 0;
        while let Some(first) = words.get(taken) {
            let text = literal(first)?;
            if text == "--" {
                taken += 1;
                break;
            }
            if !text.starts_with('-') || text == "-" {
                break;
            }
            taken += self.step(words.get(taken..).unwrap_or_default(), &mut scanned)?;
        }
        Ok((scanned, taken))
    }

    /// Reads one word, with the next one where that is its value, and returns how many were read.
    fn step<'a>(&'a self, words: &'a [Word], into: &mut Scanned<'a>) -> Result<usize, Problem> {
        let Some(first) = words.first() else {
            return Ok(1);
        };
        let text = literal(first)?;
        let is_option = text.len() > 1 && text.starts_with('-');
        match self.style {
            Style::Text => into.operands.push(text),
            _ if !is_option => into.operands.push(text),
            Style::Gnu | Style::Leading if !text.starts_with("--") => {
                return self.cluster(text, words, into);
            }
            Style::Gnu | Style::Leading | Style::Words => return self.whole(text, words, into),
        }
        Ok(1)
    }

    /// Reads `--long`, `--long=value`, `-word value`.
    fn whole<'a>(
        &'a self,
        text: &'a str,
        words: &'a [Word],
        into: &mut Scanned<'a>,
    ) -> Result<usize, Problem> {
        let (name, attached) = match text.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (text, None),
        };
        let short = (self.style == Style::Words)
            .then(|| name.strip_prefix('-').filter(|name| name.starts_with('-')))
            .flatten();
        let known = self
            .find(name)
            .or_else(|| short.and_then(|name| self.find(name)))
            .ok_or_else(|| Problem::Unknown(name.to_owned()))?;
        match (known.value, attached) {
            (Value::None | Value::Attached, None) => {
                into.options.push((&known.name, None));
                Ok(1)
            }
            (Value::None, Some(_)) => Err(Problem::Unknown(text.to_owned())),
            (_, Some(value)) => {
                take(known, value, into);
                Ok(1)
            }
            (Value::Text | Value::Path, None) => next_value(known, words, into),
        }
    }

    /// Reads `-abc`, `-n5`, `-5`.
    fn cluster<'a>(
        &'a self,
        text: &'a str,
        words: &'a [Word],
        into: &mut Scanned<'a>,
    ) -> Result<usize, Problem> {
        let letters = text.strip_prefix('-').unwrap_or(text);
        let is_number = letters.chars().all(|letter| letter.is_ascii_digit());
        if is_number && let Some(known) = self.find("-#") {
            into.options.push((&known.name, Some(letters.to_owned())));
            return Ok(1);
        }
        for (index, letter) in letters.char_indices() {
            let name = format!("-{letter}");
            let known = self.find(&name).ok_or(Problem::Unknown(name))?;
            let rest = letters.get(index + letter.len_utf8()..).unwrap_or_default();
            match known.value {
                Value::None => into.options.push((&known.name, None)),
                Value::Attached if rest.is_empty() => into.options.push((&known.name, None)),
                Value::Text | Value::Path if rest.is_empty() => {
                    return next_value(known, words, into);
                }
                Value::Attached | Value::Text | Value::Path => {
                    take(known, rest, into);
                    return Ok(1);
                }
            }
        }
        Ok(1)
    }
}

/// Takes the word after an option as its value.
fn next_value<'a>(
    known: &'a Known,
    words: &'a [Word],
    into: &mut Scanned<'a>,
) -> Result<usize, Problem> {
    let Some(next) = words.get(1) else {
        return Err(Problem::Unknown(known.name.clone()));
    };
    take(known, literal(next)?, into);
    Ok(2)
}

fn take<'a>(known: &'a Known, value: &str, into: &mut Scanned<'a>) {
    if known.value == Value::Path {
        into.paths.push(value.to_owned());
    }
    into.options.push((&known.name, Some(value.to_owned())));
}

fn literal(word: &Word) -> Result<&str, Problem> {
    word.as_literal()
        .ok_or_else(|| Problem::NotLiteral(word.raw.clone()))
}
