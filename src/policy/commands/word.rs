//! One word of a shell: what it is after quote removal, and whether that is certain.
//!
//! A word is *literal* when every shell makes exactly this text of it. Expansions, globs, braces,
//! tildes, substitutions and the quotes that only some shells know (`$'..'`) are not literal.

use std::iter::Peekable;
use std::str::Chars;

/// A word with its quotes removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What the program gets, where the word is literal; the best guess where it is not.
    pub text: String,
    /// The word as written.
    pub raw: String,
    /// Whether `text` is certain.
    pub is_literal: bool,
    /// Whether it is certain to be an operand where `text` is not: neither an option nor the value
    /// of one. `text` is then a path like those that it stands for.
    pub is_operand: bool,
}

impl Word {
    /// Makes a word that is what it says.
    pub fn literal(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            raw: text.to_owned(),
            is_literal: true,
            is_operand: false,
        }
    }

    /// Makes a word that stands for operands like this text.
    pub fn operand(text: &str, raw: &str) -> Self {
        Self {
            text: text.to_owned(),
            raw: raw.to_owned(),
            is_literal: false,
            is_operand: true,
        }
    }

    /// Returns the text where it is certain.
    pub fn as_literal(&self) -> Option<&str> {
        self.is_literal.then_some(self.text.as_str())
    }
}

/// Parses a word as written. The second value contains the scripts that it would run.
pub(crate) fn read(raw: &str) -> (Word, Vec<String>) {
    let mut reader = Reader::new(raw);
    reader.unquoted();
    reader.finish(raw)
}

/// Reads text in which a shell expands as it does in double quotes: the body of a here-document.
pub(crate) fn read_expanded(raw: &str) -> (Word, Vec<String>) {
    let mut reader = Reader::new(raw);
    reader.double_quoted(None);
    reader.finish(raw)
}

struct Reader<'a> {
    letters: Peekable<Chars<'a>>,
    text: String,
    is_literal: bool,
    substitutions: Vec<String>,
}

impl<'a> Reader<'a> {
    fn new(raw: &'a str) -> Self {
        Self {
            letters: raw.chars().peekable(),
            text: String::new(),
            is_literal: true,
            substitutions: Vec::new(),
        }
    }

    fn finish(self, raw: &str) -> (Word, Vec<String>) {
        let word = Word {
            text: self.text,
            raw: raw.to_owned(),
            is_literal: self.is_literal,
            is_operand: false,
        };
        (word, self.substitutions)
    }

    fn unquoted(&mut self) {
        let mut braced = false;
        let mut last = None;
        while let Some(letter) = self.letters.next() {
            match letter {
                '\'' => self.single_quoted(),
                '"' => self.double_quoted(Some('"')),
                '\\' => self.escaped(),
                '$' => self.dollar(Place::Bare),
                '`' => self.backquoted(),
                '~' if matches!(last, None | Some(':' | '=')) => self.uncertain(letter),
                '*' | '?' | '(' | ')' | '<' | '>' | '|' | '&' | ';' => self.uncertain(letter),
                // Alone it is the program `[`, else it may open a set of letters.
                '[' if last.is_some() || self.letters.peek().is_some() => self.uncertain(letter),
                ',' | '.' if braced => self.uncertain(letter),
                _ if letter.is_control() => self.uncertain(letter),
                _ => {
                    braced |= letter == '{';
                    self.text.push(letter);
                }
            }
            last = Some(letter);
        }
    }

    fn uncertain(&mut self, letter: char) {
        self.is_literal = false;
        self.text.push(letter);
    }

    fn single_quoted(&mut self) {
        for letter in self.letters.by_ref() {
            if letter == '\'' {
                return;
            }
            self.text.push(letter);
        }
        self.is_literal = false;
    }

    fn escaped(&mut self) {
        match self.letters.next() {
            // A line that goes on: both vanish.
            Some('\n') => {}
            Some(letter) => self.text.push(letter),
            None => self.is_literal = false,
        }
    }

    fn double_quoted(&mut self, end: Option<char>) {
        while let Some(letter) = self.letters.next() {
            match letter {
                _ if Some(letter) == end => return,
                '\\' => match self.letters.next_if(|next| "$`\"\\\n".contains(*next)) {
                    Some('\n') => {}
                    Some(escaped) => self.text.push(escaped),
                    None => self.text.push('\\'),
                },
                '$' => self.dollar(Place::Quoted),
                '`' => self.backquoted(),
                _ => self.text.push(letter),
            }
        }
        self.is_literal &= end.is_none();
    }

    fn dollar(&mut self, place: Place) {
        self.text.push('$');
        let Some(next) = self.letters.peek().copied() else {
            return;
        };
        let expands = next.is_ascii_alphanumeric() || "_@*#?-$!{([".contains(next);
        let quotes = place == Place::Bare && "'\"".contains(next);
        if !expands && !quotes {
            return;
        }
        self.is_literal = false;
        if next == '(' && !self.skips_sum() {
            self.letters.next();
            self.substituted();
        }
    }

    /// Skips `((1 + 2))`: a sum of plain numbers runs nothing.
    fn skips_sum(&mut self) -> bool {
        let mut ahead = self.letters.clone();
        let opens = ahead.next() == Some('(') && ahead.next() == Some('(');
        let end = ahead.find(|letter| !letter.is_ascii_digit() && !" +-*/%".contains(*letter));
        let is_sum = opens && end == Some(')') && ahead.next() == Some(')');
        if is_sum {
            self.letters = ahead;
        }
        is_sum
    }

    /// Takes the script of `$(...)`, whose opening was read.
    fn substituted(&mut self) {
        let mut script = String::new();
        let mut open = vec!['('];
        let mut last = None;
        while let Some(letter) = self.letters.next() {
            match (open.last().copied(), letter) {
                (Some('\''), '\'') | (Some('"'), '"') | (Some('('), ')') => {
                    open.pop();
                }
                (Some('(' | '"'), '\\') => {
                    script.push(letter);
                    script.extend(self.letters.next());
                    last = None;
                    continue;
                }
                (Some('('), '(' | '"' | '\'') => open.push(letter),
                (Some('"'), '(') if last == Some('$') => open.push(letter),
                _ => {}
            }
            if open.is_empty() {
                break;
            }
            script.push(letter);
            last = Some(letter);
        }
        self.substitutions.push(script);
    }

    fn backquoted(&mut self) {
        self.is_literal = false;
        let mut script = String::new();
        while let Some(letter) = self.letters.next() {
            match letter {
                '`' => break,
                '\\' => match self.letters.next_if(|next| "`$\\".contains(*next)) {
                    Some(escaped) => script.push(escaped),
                    None => script.push('\\'),
                },
                _ => script.push(letter),
            }
        }
        self.substitutions.push(script);
    }
}

/// Where an expansion stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Bare,
    Quoted,
}

#[cfg(test)]
mod tests {
    use super::read;

    #[track_caller]
    fn check(raw: &str, text: &str) {
        let (word, substitutions) = read(raw);
        assert_eq!(word.as_literal(), Some(text), "{raw:?}");
        assert_eq!(substitutions, Vec::<String>::new());
    }

    #[test]
    fn quotes_and_escapes_are_removed() {
        check("ls", "ls");
        check("r\\m", "rm");
        check("'a b'\"c d\"e", "a bc de");
        check("\"a\\\"b\\n$\"", "a\"b\\n$");
        check("stash@{0}", "stash@{0}");
        check("{}", "{}");
        check("[", "[");
        check("a=b", "a=b");
        check("'$HOME'", "$HOME");
        check("", "");
    }

    #[test]
    fn what_a_shell_would_expand_is_not_literal() {
        for raw in [
            "$HOME",
            "\"$HOME\"",
            "${a}",
            "a*",
            "a?",
            "[ab]",
            "{a,b}",
            "{1..3}",
            "~",
            "~root",
            "a=~",
            "$'x'",
            "$\"x\"",
            "`id`",
            "$(id)",
            "\"`id`\"",
            "a\u{7}",
            "<(id)",
            "x\\",
        ] {
            assert_eq!(read(raw).0.as_literal(), None, "{raw:?}");
        }
    }

    #[test]
    fn scripts_inside_a_word_are_found() {
        let scripts = |raw| read(raw).1;
        assert_eq!(scripts("a$(id -u)b"), ["id -u"]);
        assert_eq!(scripts("\"$(echo \")\" $(id))\""), ["echo \")\" $(id)"]);
        assert_eq!(scripts("`echo \\`id\\``"), ["echo `id`"]);
        assert_eq!(scripts("$((1 + 2))"), [""; 0]);
        assert_eq!(scripts("$((a[$(id)]))"), ["(a[$(id)])"]);
    }
}
