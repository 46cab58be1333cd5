//! The part of the shell language that dash, bash and busybox read alike.
//!
//! A second lexer beside brush-parser's, which knows only that part: words with quotes and simple
//! expansions, the operators of POSIX, comments, and here-documents with plain delimiters. What it
//! does not know, and a script in which the two lexers find different tokens, is ambiguous: a shell
//! may run what the parser took for text.

use brush_parser::Token;

/// Operators, the longest first.
const OPERATORS: [&str; 19] = [
    "<<<", "<<-", "&&", "||", ";;", "<<", ">>", "<&", ">&", "<>", ">|", "|&", "&", "|", ";", "(",
    ")", "<", ">",
];
/// Operators of bash that other shells read as two.
const SPLIT_ELSEWHERE: [&str; 4] = ["&>", ";&", "<(", ">("];
/// Letters that end a word.
const ENDING_WORDS: [char; 10] = [' ', '\t', '\n', '&', '|', ';', '(', ')', '<', '>'];
/// Letters of the operators inside of `${NAME...}` and their values that no shell reads otherwise.
const EXPANSION_LETTERS: &str = "_#%:+-=?/.,@*!";

/// What shells read differently in a script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ambiguity {
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

/// Returns what is ambiguous in a script, of which brush-parser found these tokens.
pub fn ambiguity(script: &str, tokens: &[Token]) -> Option<Ambiguity> {
    let is_control = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    if script.contains(is_control) {
        return Some(Ambiguity::ControlCharacter);
    }
    let mut lexer = Lexer::new(script);
    match lexer.script(Nesting::None) {
        Ok(()) if are_alike(&lexer.lexemes, tokens) => None,
        Ok(()) => Some(Ambiguity::Syntax),
        Err(ambiguity) => Some(ambiguity),
    }
}

fn are_alike(lexemes: &[Lexeme], tokens: &[Token]) -> bool {
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

#[derive(Debug, PartialEq, Eq)]
enum Lexeme {
    Operator(&'static str),
    Word(String),
}

/// Whether the script is that of a substitution, which has no comments and here-documents: shells
/// differ in whether they may hold its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Nesting {
    None,
    /// Up to a bracket.
    Substitution,
    /// The whole text.
    Backquotes,
}

/// A here-document whose body comes after the line.
struct HereDocument<'a> {
    delimiter: &'a str,
    strips_tabs: bool,
    /// Whether nothing in it is expanded.
    is_quoted: bool,
    /// Where its body goes among the lexemes.
    at: usize,
}

struct Lexer<'a> {
    text: &'a str,
    rest: &'a str,
    lexemes: Vec<Lexeme>,
    pending: Vec<HereDocument<'a>>,
}

type Read = Result<(), Ambiguity>;

impl<'a> Lexer<'a> {
    fn new(text: &'a str) -> Self {
        Self {
            text,
            rest: text,
            lexemes: Vec::new(),
            pending: Vec::new(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next();
        self.rest = letters.as_str();
        letter
    }

    fn takes(&mut self, text: &str) -> bool {
        let stripped = self.rest.strip_prefix(text);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    /// Returns what was read since the text had this rest.
    fn since(&self, rest: &'a str) -> &'a str {
        let end = rest.len() - self.rest.len();
        rest.get(..end).unwrap_or_default()
    }

    /// Reads to the end of the script, or up to the bracket that closes a substitution.
    fn script(&mut self, nesting: Nesting) -> Read {
        let mut open = 0_usize;
        while let Some(letter) = self.peek() {
            match letter {
                ' ' | '\t' => {
                    self.next();
                }
                '\n' => self.newline()?,
                '#' if nesting == Nesting::None => self.skip_line(),
                '#' => return Err(Ambiguity::Syntax),
                '\\' if self.rest.starts_with("\\\n") => self.continuation()?,
                ')' if nesting == Nesting::Substitution && open == 0 => return Ok(()),
                '&' | '|' | ';' | '(' | ')' | '<' | '>' => {
                    open = match letter {
                        '(' => open + 1,
                        ')' => open.saturating_sub(1),
                        _ => open,
                    };
                    self.operator(nesting)?;
                }
                _ => self.word(nesting)?,
            }
        }
        match nesting {
            Nesting::Substitution => Err(Ambiguity::Syntax),
            Nesting::None if !self.pending.is_empty() => Err(Ambiguity::HereDocument),
            Nesting::None | Nesting::Backquotes => Ok(()),
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        self.rest = self.rest.get(end..).unwrap_or_default();
    }

    /// A line goes on with the next where a backslash stands alone in front of its end.
    fn continuation(&mut self) -> Read {
        let before = self.text.strip_suffix(self.rest).unwrap_or_default();
        let stands_alone = before.ends_with([' ', '\t']);
        self.rest = self.rest.strip_prefix("\\\n").unwrap_or(self.rest);
        let goes_on = self
            .peek()
            .is_some_and(|letter| letter != '#' && letter != '\n');
        let is_plain = stands_alone && goes_on && self.pending.is_empty();
        is_plain.then_some(()).ok_or(Ambiguity::Continuation)
    }

    fn operator(&mut self, nesting: Nesting) -> Read {
        if SPLIT_ELSEWHERE
            .iter()
            .any(|split| self.rest.starts_with(split))
        {
            return Err(Ambiguity::Redirection);
        }
        let operator = OPERATORS
            .into_iter()
            .find(|operator| self.takes(operator))
            .ok_or(Ambiguity::Syntax)?;
        self.lexemes.push(Lexeme::Operator(operator));
        match operator {
            // Arithmetic in bash, a group in a group elsewhere.
            "(" if self.peek() == Some('(') => Err(Ambiguity::Syntax),
            ";;" if self.peek() == Some('&') => Err(Ambiguity::Syntax),
            "<<" | "<<-" if nesting != Nesting::None => Err(Ambiguity::HereDocument),
            "<<" | "<<-" => self.delimiter(operator == "<<-"),
            _ => Ok(()),
        }
    }

    /// Reads the delimiter of a here-document: letters and digits, all or none of them quoted.
    fn delimiter(&mut self, strips_tabs: bool) -> Read {
        self.rest = self.rest.trim_start_matches([' ', '\t']);
        let end = self.rest.find(ENDING_WORDS).unwrap_or(self.rest.len());
        let (written, rest) = self.rest.split_at(end);
        let quoted = ['\'', '"'].into_iter().find_map(|quote| {
            written
                .strip_prefix(quote)
                .and_then(|inner| inner.strip_suffix(quote))
        });
        let delimiter = quoted.unwrap_or(written);
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        if delimiter.is_empty() || !delimiter.chars().all(is_plain) {
            return Err(Ambiguity::HereDocument);
        }
        self.rest = rest;
        self.lexemes.push(Lexeme::Word(written.to_owned()));
        self.pending.push(HereDocument {
            delimiter,
            strips_tabs,
            is_quoted: quoted.is_some(),
            at: self.lexemes.len(),
        });
        Ok(())
    }

    /// Ends a line, and reads the bodies of the here-documents that began on it.
    fn newline(&mut self) -> Read {
        self.next();
        let mut added = 0;
        for document in std::mem::take(&mut self.pending) {
            let body = self.body(&document)?;
            let end = Lexeme::Word(document.delimiter.to_owned());
            let at = document.at + added;
            self.lexemes.splice(at..at, [Lexeme::Word(body), end]);
            added += 2;
        }
        self.lexemes.push(Lexeme::Operator("\n"));
        Ok(())
    }

    fn body(&mut self, document: &HereDocument<'_>) -> Result<String, Ambiguity> {
        let mut body = String::new();
        loop {
            if self.rest.is_empty() {
                return Err(Ambiguity::HereDocument);
            }
            let (line, rest) = match self.rest.split_once('\n') {
                Some((line, _)) => self.rest.split_at(line.len()),
                None => (self.rest, ""),
            };
            let line = if document.strips_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            if line == document.delimiter {
                // The newline behind it ends the line that began the document.
                self.rest = rest.strip_prefix('\n').unwrap_or(rest);
                return Ok(body);
            }
            self.rest = rest.strip_prefix('\n').unwrap_or(rest);
            if !document.is_quoted && (line.ends_with('\\') || expands_oddly(line)) {
                return Err(Ambiguity::HereDocument);
            }
            body.push_str(line);
            body.push('\n');
        }
    }

    fn word(&mut self, nesting: Nesting) -> Read {
        let begun = self.rest;
        while let Some(letter) = self.peek() {
            match letter {
                letter if ENDING_WORDS.contains(&letter) => break,
                '\'' => self.single_quoted(begun)?,
                '"' => self.double_quoted()?,
                '\\' => {
                    self.next();
                    self.escaped()?;
                }
                '`' => self.backquoted(Place::Bare)?,
                '$' => self.dollar(Place::Bare)?,
                _ => {
                    self.next();
                }
            }
        }
        let word = self.since(begun);
        self.check_end(word)?;
        if nesting != Nesting::None && word == "case" {
            return Err(Ambiguity::Syntax);
        }
        self.lexemes.push(Lexeme::Word(word.to_owned()));
        Ok(())
    }

    /// Checks a word together with the operator that follows it.
    fn check_end(&self, word: &str) -> Read {
        match self.peek() {
            // A function, an array, or a pattern of bash.
            Some('(') => Err(Ambiguity::Syntax),
            Some('<' | '>') => {
                let is_number = word.chars().all(|letter| letter.is_ascii_digit());
                let is_named = word.starts_with('{') && word.ends_with('}');
                if (is_number && word.len() > 1) || is_named {
                    Err(Ambiguity::Redirection)
                } else {
                    Ok(())
                }
            }
            Some(_) | None => Ok(()),
        }
    }

    fn escaped(&mut self) -> Read {
        match self.next() {
            Some('\n') => Err(Ambiguity::Continuation),
            Some(_) => Ok(()),
            None => Err(Ambiguity::Quoting),
        }
    }

    fn single_quoted(&mut self, word: &'a str) -> Read {
        // `\$'a'` has an escaped dollar, and is read as `$'a'` by some.
        if self.since(word).ends_with('$') {
            return Err(Ambiguity::Quoting);
        }
        self.next();
        let end = self.rest.find('\'').ok_or(Ambiguity::Quoting)?;
        let (quoted, rest) = self.rest.split_at(end);
        self.rest = rest;
        self.next();
        self.check_quoted(quoted)
    }

    fn double_quoted(&mut self) -> Read {
        self.next();
        let begun = self.rest;
        while let Some(letter) = self.peek() {
            match letter {
                '"' => {
                    let quoted = self.since(begun);
                    self.next();
                    return self.check_quoted(quoted);
                }
                '\\' => {
                    self.next();
                    self.escaped()?;
                }
                '`' => self.backquoted(Place::Quoted)?,
                '$' => self.dollar(Place::Quoted)?,
                _ => {
                    self.next();
                }
            }
        }
        Err(Ambiguity::Quoting)
    }

    /// A newline in quotes does not begin the bodies of here-documents.
    fn check_quoted(&self, quoted: &str) -> Read {
        let is_plain = self.pending.is_empty() || !quoted.contains('\n');
        is_plain.then_some(()).ok_or(Ambiguity::HereDocument)
    }

    fn dollar(&mut self, place: Place) -> Read {
        self.next();
        match self.peek() {
            Some('\'' | '"') if place == Place::Bare => Err(Ambiguity::Quoting),
            Some('\\' | '`' | '[') => Err(Ambiguity::Syntax),
            Some('{') => self.braced(),
            Some('(') => self.substitution(),
            Some(_) | None => Ok(()),
        }
    }

    /// Reads `${NAME}`, with an operator and a plain value at most.
    fn braced(&mut self) -> Read {
        self.next();
        let end = self.rest.find('}').ok_or(Ambiguity::Syntax)?;
        let (inner, rest) = self.rest.split_at(end);
        let is_plain =
            |letter: char| letter.is_ascii_alphanumeric() || EXPANSION_LETTERS.contains(letter);
        self.rest = rest;
        self.next();
        inner
            .chars()
            .all(is_plain)
            .then_some(())
            .ok_or(Ambiguity::Syntax)
    }

    fn substitution(&mut self) -> Read {
        self.next();
        if !self.pending.is_empty() {
            return Err(Ambiguity::HereDocument);
        }
        if self.peek() == Some('(') {
            return self.sum();
        }
        let mut inner = Lexer::new(self.rest);
        inner.script(Nesting::Substitution)?;
        self.rest = inner.rest;
        self.takes(")").then_some(()).ok_or(Ambiguity::Syntax)
    }

    /// Reads a sum of plain numbers, whose first bracket was read.
    fn sum(&mut self) -> Read {
        self.next();
        let is_of_it = |letter: char| letter.is_ascii_digit() || " +-*/%".contains(letter);
        self.rest = self.rest.trim_start_matches(is_of_it);
        self.takes("))").then_some(()).ok_or(Ambiguity::Syntax)
    }

    /// Reads a substitution in backquotes, on one line and without what ends it elsewhere.
    fn backquoted(&mut self, place: Place) -> Read {
        self.next();
        let end = self.rest.find('`').ok_or(Ambiguity::Syntax)?;
        let (script, rest) = self.rest.split_at(end);
        let has_quotes = place == Place::Quoted && script.contains(['\'', '"']);
        if has_quotes || script.contains(['\\', '$', '\n']) || !self.pending.is_empty() {
            return Err(Ambiguity::Syntax);
        }
        Lexer::new(script).script(Nesting::Backquotes)?;
        self.rest = rest;
        self.next();
        Ok(())
    }
}

/// Where a dollar stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Bare,
    Quoted,
}

/// Returns whether a line of a here-document has an expansion that may hold its end.
fn expands_oddly(line: &str) -> bool {
    line.contains('`') || line.contains("${") || line.contains("$(") || line.contains("$[")
}

#[cfg(test)]
mod tests {
    use brush_parser::tokenize_str;

    use super::{Ambiguity, ambiguity};

    #[track_caller]
    fn check(expected: Option<Ambiguity>, scripts: &[&str]) {
        for script in scripts {
            let tokens = tokenize_str(script).unwrap_or_default();
            assert_eq!(ambiguity(script, &tokens), expected, "{script:?}");
        }
    }

    #[test]
    fn ordinary_scripts_are_read_alike() {
        check(
            None,
            &[
                "",
                "ls -la 'a b' \"c d\" e\\ f\n\n",
                "cat a.txt | head -n 5 && ls || ! true; cd src",
                "grep -rn 'fn main()' src 2>/dev/null 2>&1 >&2 <&- >|a <>b",
                "ls # a comment; id `x\nls",
                "ls *.rs [ab] {a,b} ~ a#b $HOME \"$PWD/x\" ${A} ${a:-b} ${#a} $1 $? $ \"$\" $#",
                "echo $(git  log \"$(ls)\" | (head)) \"a $( ls ) b\"",
                "for a in *.rs; do wc -l \"$a\"; done",
                "case a in b) ls;; esac",
                "cargo test \\\n  --release \\\n\t-p sayso",
                "echo 'a\\\nb' \"a\nb\" ; (ls)",
                "cat <<<word",
                "echo `ls 'a b'` \"`ls | wc -l`\" $((1 + 2)) \"$((3*4))\"",
                "LC_ALL=C sort é.txt",
            ],
        );
    }

    #[test]
    fn here_documents_with_plain_delimiters_are_read_alike() {
        check(
            None,
            &[
                "cat <<E\na\nE",
                "cat << 'E' | wc # x\n$(id) \\\n`\nE\nls\n",
                "cat <<-\"END_1\" a\n\tx\n\tEND_1\n",
                "cat <<A x <<'B' y\na\nA\nb\nB\nls",
                "cat <<E\n$HOME \"x' \\$\nE\n",
                "cat <<E\nE",
            ],
        );
    }

    #[test]
    fn s2_a_delimiter_that_is_not_plain_is_ambiguous() {
        check(
            Some(Ambiguity::HereDocument),
            &[
                "cat <<\"E\\x\"\nE\\x\ntouch a\nEx\n",
                "cat <<$'E'\na\nE\n",
                "cat <<$\"E\"\na\nE\n",
                "cat << \"\\E\"\na\nE\n",
                "cat << E\"\\F\"\na\nEF\n",
                "cat << $'E\\x46'\na\nEF\n",
                "cat <<\\E\na\nE\n",
                "cat <<'E'F\na\nEF\n",
                "cat <<'E F'\na\nE F\n",
                "cat <<E-F\na\nE-F\n",
                "cat <<''\na\n\n",
                "cat <<é\na\né\n",
                "cat <<E\na \\\nE\nE\n",
                "cat <<E\n$(echo\nE\nid\n)\nE\n",
                "cat <<E\n`\nE\nid\n`\nE\n",
                "cat <<E 'a\nb'\nE\n",
                "cat <<E\na\n",
                "echo $(cat <<E\na\nE\n)",
            ],
        );
    }

    #[test]
    fn s2_a_line_that_goes_on_within_a_word_is_ambiguous() {
        check(
            Some(Ambiguity::Continuation),
            &[
                "l\\\ns",
                "ls &\\\n& id",
                "echo \"a\\\nb\"",
                "ls \\\n#a",
                "ls \\\n",
                "cat <<E \\\nx\na\nE\n",
            ],
        );
    }

    #[test]
    fn s2_what_only_some_shells_know_is_ambiguous() {
        check(
            Some(Ambiguity::Quoting),
            &[
                "echo $'a\\'b'",
                "echo $\"a\"",
                "echo \\$'a\\' x'",
                "echo \"a",
                "a\\",
            ],
        );
        check(
            Some(Ambiguity::Redirection),
            &[
                "echo &>/dev/null id",
                "echo 10>/dev/null",
                "echo {a}>/dev/null",
                "cat <(id)",
            ],
        );
        check(
            Some(Ambiguity::Syntax),
            &[
                "echo \"$\\\n(id)\"",
                "echo `id \\`id\\``",
                "echo \"`echo 'a'`\"",
                "echo `id # `",
                "echo `id\nid`",
                "ls @(a|b)",
                "a=(b c)",
                "((a = 1))",
                "echo $((a[1]))",
                "echo $((1) )",
                "echo ${a:-'}'}",
                "echo $(ls # )\n)",
                "echo $(case a in a) id;; esac)",
            ],
        );
        check(
            Some(Ambiguity::ControlCharacter),
            &["echo 'a\u{1}'", "ls\r"],
        );
    }

    #[test]
    fn s2_tokens_that_differ_are_ambiguous() {
        let tokens = tokenize_str("ls a").unwrap();
        assert_eq!(ambiguity("ls b", &tokens), Some(Ambiguity::Syntax));
        assert_eq!(ambiguity("ls", &tokens), Some(Ambiguity::Syntax));
    }
}
