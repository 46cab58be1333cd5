//! A word with its quotes and expansions, where every shell finds the same end.

use super::cursor::{Cursor, ends_word};
use super::{Ambiguity, Read};

/// Letters of the operators inside of `${NAME...}` and their values that no shell reads otherwise.
const EXPANSION_LETTERS: &str = "_#%:+-=?/.,@*!";

/// Reads the scripts of substitutions: the lexer, which reads words in turn.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scripts {
    /// Skips a script up to the bracket that closes it.
    pub up_to_bracket: fn(&mut Cursor<'_>) -> Read,
    /// Checks a whole script that stands in backquotes.
    pub in_backquotes: fn(&str) -> Read,
}

/// Reads a word. It may hold newlines and substitutions only where no here-document waits for its
/// body.
pub(crate) fn read<'a>(
    cursor: &mut Cursor<'a>,
    may_hold_lines: bool,
    scripts: Scripts,
) -> Result<&'a str, Ambiguity> {
    let begun = cursor.rest();
    let mut reader = Reader {
        cursor,
        may_hold_lines,
        scripts,
    };
    while let Some(letter) = reader.cursor.peek() {
        match letter {
            letter if ends_word(letter) => break,
            // `\$'a'` has an escaped dollar, and is read as `$'a'` by some.
            '\'' if reader.cursor.since(begun).ends_with('$') => return Err(Ambiguity::Quoting),
            '\'' => reader.single_quoted()?,
            '"' => reader.double_quoted()?,
            '\\' => reader.escaped()?,
            '`' => reader.backquoted(Place::Bare)?,
            '$' => reader.dollar(Place::Bare)?,
            _ => {
                reader.cursor.next();
            }
        }
    }
    let word = reader.cursor.since(begun);
    check_end(word, reader.cursor.peek())?;
    Ok(word)
}

/// Checks a word together with the letter that ends it.
fn check_end(word: &str, end: Option<char>) -> Read {
    let is_number = word.chars().all(|letter| letter.is_ascii_digit());
    let is_named = word.starts_with('{') && word.ends_with('}');
    match end {
        // A function, an array, or a pattern of bash.
        Some('(') => Err(Ambiguity::Syntax),
        // Some redirect the descriptor 10, or one that a variable will name.
        Some('<' | '>') if (is_number && word.len() > 1) || is_named => Err(Ambiguity::Redirection),
        Some(_) | None => Ok(()),
    }
}

/// Where an expansion stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Bare,
    Quoted,
}

struct Reader<'c, 'a> {
    cursor: &'c mut Cursor<'a>,
    may_hold_lines: bool,
    scripts: Scripts,
}

impl Reader<'_, '_> {
    fn escaped(&mut self) -> Read {
        self.cursor.next();
        match self.cursor.next() {
            Some('\n') => Err(Ambiguity::Continuation),
            Some(_) => Ok(()),
            None => Err(Ambiguity::Quoting),
        }
    }

    fn single_quoted(&mut self) -> Read {
        self.cursor.next();
        let quoted = self.cursor.take_past('\'').ok_or(Ambiguity::Quoting)?;
        self.check_quoted(quoted)
    }

    fn double_quoted(&mut self) -> Read {
        self.cursor.next();
        let begun = self.cursor.rest();
        while let Some(letter) = self.cursor.peek() {
            match letter {
                '"' => {
                    let quoted = self.cursor.since(begun);
                    self.cursor.next();
                    return self.check_quoted(quoted);
                }
                '\\' => self.escaped()?,
                '`' => self.backquoted(Place::Quoted)?,
                '$' => self.dollar(Place::Quoted)?,
                _ => {
                    self.cursor.next();
                }
            }
        }
        Err(Ambiguity::Quoting)
    }

    /// A newline in quotes does not begin the bodies of here-documents.
    fn check_quoted(&self, quoted: &str) -> Read {
        let is_plain = self.may_hold_lines || !quoted.contains('\n');
        is_plain.then_some(()).ok_or(Ambiguity::HereDocument)
    }

    fn dollar(&mut self, place: Place) -> Read {
        self.cursor.next();
        match self.cursor.peek() {
            Some('\'' | '"') if place == Place::Bare => Err(Ambiguity::Quoting),
            Some('\\' | '`' | '[') => Err(Ambiguity::Syntax),
            Some('{') => self.braced(),
            Some('(') => self.substitution(),
            Some(_) | None => Ok(()),
        }
    }

    /// Reads `${NAME}`, with an operator and a plain value at most.
    fn braced(&mut self) -> Read {
        self.cursor.next();
        let inner = self.cursor.take_past('}').ok_or(Ambiguity::Syntax)?;
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || EXPANSION_LETTERS.contains(letter);
        let is_plain = inner.chars().all(is_plain);
        is_plain.then_some(()).ok_or(Ambiguity::Syntax)
    }

    fn substitution(&mut self) -> Read {
        self.cursor.next();
        if !self.may_hold_lines {
            return Err(Ambiguity::HereDocument);
        }
        if self.cursor.takes("(") {
            return self.sum();
        }
        (self.scripts.up_to_bracket)(self.cursor)
    }

    /// Reads a sum of plain numbers, whose brackets were read.
    fn sum(&mut self) -> Read {
        self.cursor
            .skip(|letter| letter.is_ascii_digit() || " +-*/%".contains(letter));
        self.cursor
            .takes("))")
            .then_some(())
            .ok_or(Ambiguity::Syntax)
    }

    /// Reads a substitution in backquotes, on one line and without what ends it elsewhere.
    fn backquoted(&mut self, place: Place) -> Read {
        self.cursor.next();
        let script = self.cursor.take_past('`').ok_or(Ambiguity::Syntax)?;
        let has_quotes = place == Place::Quoted && script.contains(['\'', '"']);
        if has_quotes || script.contains(['\\', '$', '\n']) || !self.may_hold_lines {
            return Err(Ambiguity::Syntax);
        }
        (self.scripts.in_backquotes)(script)
    }
}
