//! A script as words and operators, where every shell finds the same ones.

use super::cursor::Cursor;
use super::here_document::{HereDocument, read_delimiter};
use super::word::{self, Scripts};
use super::{Ambiguity, Read};

/// Operators, the longest first.
const OPERATORS: [&str; 19] = [
    "<<<", "<<-", "&&", "||", ";;", "<<", ">>", "<&", ">&", "<>", ">|", "|&", "&", "|", ";", "(",
    ")", "<", ">",
];
/// Operators of bash that other shells read as two.
const SPLIT_ELSEWHERE: [&str; 4] = ["&>", ";&", "<(", ">("];

/// A word or an operator.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Lexeme {
    /// An operator.
    Operator(&'static str),
    /// A word as written, or the body of a here-document.
    Word(String),
}

/// Whether a script is that of a substitution, which has no comments and here-documents: shells
/// differ in whether they may hold its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Nesting {
    None,
    /// Up to a bracket.
    Substitution,
    /// The whole text.
    Backquotes,
}

/// Reads a script.
pub(crate) fn lexemes(script: &str) -> Result<Vec<Lexeme>, Ambiguity> {
    let mut lexer = Lexer::new(Cursor::new(script), Nesting::None);
    lexer.script()?;
    Ok(lexer.lexemes)
}

/// How words have the scripts of their substitutions read.
const SCRIPTS: Scripts = Scripts {
    up_to_bracket: skip_substitution,
    in_backquotes: check_backquoted,
};

/// Skips the script of a substitution, up to the bracket that closes it.
fn skip_substitution(cursor: &mut Cursor<'_>) -> Read {
    let mut lexer = Lexer::new(Cursor::new(cursor.rest()), Nesting::Substitution);
    lexer.script()?;
    *cursor = lexer.cursor;
    cursor.takes(")").then_some(()).ok_or(Ambiguity::Syntax)
}

/// Checks the script of a substitution in backquotes.
fn check_backquoted(script: &str) -> Read {
    Lexer::new(Cursor::new(script), Nesting::Backquotes).script()
}

struct Lexer<'a> {
    cursor: Cursor<'a>,
    nesting: Nesting,
    lexemes: Vec<Lexeme>,
    /// Here-documents whose bodies come after the line, with their places among the lexemes.
    pending: Vec<(usize, HereDocument<'a>)>,
}

impl<'a> Lexer<'a> {
    fn new(cursor: Cursor<'a>, nesting: Nesting) -> Self {
        Self {
            cursor,
            nesting,
            lexemes: Vec::new(),
            pending: Vec::new(),
        }
    }

    fn script(&mut self) -> Read {
        let mut open = 0_usize;
        while let Some(letter) = self.cursor.peek() {
            match letter {
                ' ' | '\t' => {
                    self.cursor.next();
                }
                '\n' => self.newline()?,
                '#' if self.nesting == Nesting::None => {
                    self.cursor.take_until(|letter| letter == '\n');
                }
                '#' => return Err(Ambiguity::Syntax),
                '\\' if self.cursor.rest().starts_with("\\\n") => self.continuation()?,
                ')' if self.nesting == Nesting::Substitution && open == 0 => return Ok(()),
                '&' | '|' | ';' | '(' | ')' | '<' | '>' => {
                    open = match letter {
                        '(' => open + 1,
                        ')' => open.saturating_sub(1),
                        _ => open,
                    };
                    self.operator()?;
                }
                _ => self.word()?,
            }
        }
        match self.nesting {
            Nesting::Substitution => Err(Ambiguity::Syntax),
            Nesting::None if !self.pending.is_empty() => Err(Ambiguity::HereDocument),
            Nesting::None | Nesting::Backquotes => Ok(()),
        }
    }

    /// A line goes on with the next where a backslash stands alone in front of its end.
    fn continuation(&mut self) -> Read {
        let stands_alone = self.cursor.is_behind_blank();
        self.cursor.takes("\\\n");
        let goes_on = !matches!(self.cursor.peek(), None | Some('#' | '\n'));
        let is_plain = stands_alone && goes_on && self.pending.is_empty();
        is_plain.then_some(()).ok_or(Ambiguity::Continuation)
    }

    fn operator(&mut self) -> Read {
        let rest = self.cursor.rest();
        if SPLIT_ELSEWHERE.iter().any(|split| rest.starts_with(split)) {
            return Err(Ambiguity::Redirection);
        }
        let operator = OPERATORS
            .into_iter()
            .find(|operator| self.cursor.takes(operator))
            .ok_or(Ambiguity::Syntax)?;
        self.lexemes.push(Lexeme::Operator(operator));
        match operator {
            // Arithmetic in bash, a group in a group elsewhere.
            "(" if self.cursor.peek() == Some('(') => Err(Ambiguity::Syntax),
            ";;" if self.cursor.peek() == Some('&') => Err(Ambiguity::Syntax),
            "<<" | "<<-" if self.nesting != Nesting::None => Err(Ambiguity::HereDocument),
            "<<" | "<<-" => {
                let document = read_delimiter(&mut self.cursor, operator == "<<-")?;
                self.lexemes.push(Lexeme::Word(document.written.to_owned()));
                self.pending.push((self.lexemes.len(), document));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Ends a line, and reads the bodies of the here-documents that began on it.
    fn newline(&mut self) -> Read {
        self.cursor.next();
        let mut added = 0;
        for (at, document) in std::mem::take(&mut self.pending) {
            let body = document.read_body(&mut self.cursor)?;
            let end = Lexeme::Word(document.delimiter.to_owned());
            let at = at + added;
            self.lexemes.splice(at..at, [Lexeme::Word(body), end]);
            added += 2;
        }
        self.lexemes.push(Lexeme::Operator("\n"));
        Ok(())
    }

    fn word(&mut self) -> Read {
        let may_hold_lines = self.pending.is_empty();
        let word = word::read(&mut self.cursor, may_hold_lines, SCRIPTS)?;
        if self.nesting != Nesting::None && word == "case" {
            return Err(Ambiguity::Syntax);
        }
        self.lexemes.push(Lexeme::Word(word.to_owned()));
        Ok(())
    }
}
