//! The part of the shell language that dash, bash and busybox read alike.
//!
//! A second lexer beside brush-parser's, which knows only that part: words with quotes and simple
//! expansions, the operators of POSIX, comments, and here-documents with plain delimiters. What it
//! does not know, and a script in which the two lexers find different tokens, is ambiguous: a shell
//! may run what the parser took for text.

mod cursor;
mod here_document;
mod lexer;
mod word;

#[cfg(test)]
mod tests;

use brush_parser::Token;

pub(crate) use self::lexer::Lexeme;
use self::lexer::lexemes;

/// What shells read differently in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ambiguity {
    /// Where a here-document ends.
    HereDocument,
    /// A line that ends with a backslash.
    Continuation,
    /// Where quoted text ends.
    Quoting,
    /// Which file a redirection opens.
    Redirection,
    /// A control character.
    ControlCharacter,
    /// Anything else.
    Syntax,
}

/// What comes of a step of reading.
type Read = Result<(), Ambiguity>;

/// Reads a script in which nothing is ambiguous by itself.
pub(crate) fn read(script: &str) -> Result<Vec<Lexeme>, Ambiguity> {
    let is_control = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if script.contains(is_control) {
        return Err(Ambiguity::ControlCharacter);
    }
    lexemes(script)
}

/// Returns whether brush-parser found the same.
pub(crate) fn are_alike(lexemes: &[Lexeme], tokens: &[Token]) -> bool {
    let is_same = |(lexeme, token): (&Lexeme, &Token)| match (lexeme, token) {
        (Lexeme::Operator(operator), Token::Operator(other, _)) => operator == other,
        // brush-parser joins the blanks inside of a substitution.
        (Lexeme::Word(word), Token::Word(other, _)) if word.contains("$(") => word
            .split_ascii_whitespace()
            .eq(other.split_ascii_whitespace()),
        (Lexeme::Word(word), Token::Word(other, _)) => word == other,
        (Lexeme::Operator(_), Token::Word(..)) | (Lexeme::Word(_), Token::Operator(..)) => false,
    };
    lexemes.len() == tokens.len() && lexemes.iter().zip(tokens).all(is_same)
}
