//! sed: no files written or read besides its input, and no commands run.
//!
//! A script is read only where every sed finds the same commands in it: labels, texts and comments
//! without what ends them early in one and late in another, and each command with its end behind it.

use super::pattern;

/// Commands without arguments that only work on the text.
const PLAIN: &str = "=dDgGhHnNpPxzF";
/// Flags of `s` that only work on the text; `e` runs and `w` writes.
const FLAGS: &str = "gpiImM0123456789";
/// Delimiters of patterns besides `/` that stand for nothing else.
const DELIMITERS: &str = "/|,#%@:!~+=_";

/// Returns whether a script only reads its input and prints.
pub(crate) fn only_reads(script: &str) -> bool {
    let is_odd = |letter: char| letter.is_control() && letter != '\n' && letter != '\t';
    let mut reader = Reader { rest: script };
    while !reader.is_done() {
        if reader.command().is_none() {
            return false;
        }
    }
    !script.contains(is_odd)
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn is_done(&mut self) -> bool {
        self.skip(|letter| matches!(letter, ' ' | '\t' | '\n' | ';'));
        self.rest.is_empty()
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

    fn takes(&mut self, letter: char) -> bool {
        let stripped = self.rest.strip_prefix(letter);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    fn skip(&mut self, is_skipped: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(is_skipped);
    }

    fn skip_blanks(&mut self) {
        self.skip(|letter| letter == ' ' || letter == '\t');
    }

    fn skip_digits(&mut self) {
        self.skip(|letter| letter.is_ascii_digit());
    }

    /// Reads one command; `None` when it does more than work on the text, or seds differ in it.
    fn command(&mut self) -> Option<()> {
        self.addresses()?;
        match self.next()? {
            '{' => Some(()),
            '}' => self.end(),
            '#' => self.line(),
            ':' => {
                self.skip_blanks();
                self.label().filter(|label| !label.is_empty())?;
                matches!(self.peek(), None | Some(';' | '\n')).then_some(())
            }
            'b' | 't' | 'T' => {
                self.skip_blanks();
                self.label()?;
                self.end()
            }
            'a' | 'i' | 'c' => self.text(),
            's' => {
                let delimiter = self.delimiter()?;
                self.delimited(delimiter)?;
                self.delimited(delimiter)?;
                self.skip(|letter| FLAGS.contains(letter));
                self.end()
            }
            'y' => {
                let delimiter = self.delimiter()?;
                self.delimited(delimiter)?;
                self.delimited(delimiter)?;
                self.end()
            }
            'l' | 'q' | 'Q' => {
                self.skip_blanks();
                self.skip_digits();
                self.end()
            }
            letter if PLAIN.contains(letter) => self.end(),
            _ => None,
        }
    }

    fn addresses(&mut self) -> Option<()> {
        self.address()?;
        self.skip_blanks();
        if self.takes(',') {
            self.skip_blanks();
            self.skip(|letter| letter == '+' || letter == '~');
            self.address()?;
            self.skip_blanks();
        }
        if self.takes('!') {
            self.skip_blanks();
        }
        Some(())
    }

    fn address(&mut self) -> Option<()> {
        let delimiter = match self.peek()? {
            '0'..='9' => {
                self.skip(|letter| letter.is_ascii_digit() || letter == '~');
                return Some(());
            }
            '$' => {
                self.next();
                return Some(());
            }
            '/' => self.delimiter()?,
            '\\' => {
                self.next();
                self.delimiter()?
            }
            _ => return Some(()),
        };
        self.delimited(delimiter)?;
        self.skip(|letter| matches!(letter, 'I' | 'M'));
        Some(())
    }

    fn delimiter(&mut self) -> Option<char> {
        self.next().filter(|letter| DELIMITERS.contains(*letter))
    }

    /// Reads a pattern, or what replaces it, to its delimiter.
    fn delimited(&mut self, delimiter: char) -> Option<()> {
        let (_, rest) = pattern::split(self.rest, delimiter)?;
        self.rest = rest;
        Some(())
    }

    /// Reads letters and digits, which are a label.
    fn label(&mut self) -> Option<&'a str> {
        let rest = self.rest;
        self.skip(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        rest.get(..rest.len() - self.rest.len())
    }

    /// Reads a text on one line, or on the one behind a backslash.
    fn text(&mut self) -> Option<()> {
        self.skip_blanks();
        if self.takes('\\') {
            self.takes('\n');
        }
        let is_empty = self.rest.is_empty() || self.rest.starts_with('\n');
        (!is_empty).then_some(())?;
        self.line()
    }

    /// Skips the rest of the line. With a backslash in it some go on with the next.
    fn line(&mut self) -> Option<()> {
        let end = self.rest.find('\n').unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(end);
        self.rest = rest;
        (!line.contains('\\')).then_some(())
    }

    /// Checks that a command ends here.
    fn end(&mut self) -> Option<()> {
        self.skip_blanks();
        let ends = matches!(self.peek(), None | Some(';' | '\n' | '}' | '#'));
        ends.then_some(())
    }
}

#[cfg(test)]
mod tests {
    use super::only_reads;

    #[test]
    fn scripts_that_print_are_read() {
        for script in [
            "s/foo/bar/g",
            "1,5p",
            "/a/,/b/d",
            "$d",
            "1!G;h;$!d",
            ":a;N;$!ba;s/\\n/ /g",
            "y/abc/xyz/",
            "/x/{s/a/b/;p}",
            "s|w|e|2p",
            "1~2p",
            "a\\\nw hello",
            "10q",
        ] {
            assert!(only_reads(script), "{script}");
        }
    }

    #[test]
    fn s6_ordinary_scripts_stay_read() {
        for script in [
            "",
            "p",
            "$=",
            "/^#/d;/^$/d",
            "/^[[:space:]]*$/d",
            "s/[^a-z0-9]\\+/-/g",
            "s/\\([0-9]*\\)-x/\\1/",
            "s,/usr,/opt,g",
            "s#a#b#I",
            "/start/,/end/{/end/!p}",
            "/start/,/end/ { s/^/  /; p }",
            "\\|/etc/|d",
            "0~3d",
            "2,+3p",
            "0,/x/s//y/",
            "5!s/a/b/",
            "/x/!d",
            "s/^[ \\t]*//;s/[ \\t]*$//",
            "s/$/]/",
            "s/.*/[&]/",
            "n;d",
            "/a/{n;p;}",
            "2i a line",
            "$a\\ the end",
            "/x/c\\\nother",
            "# only a comment\np",
            "/x/b end\ns/a/b/\n:end\np",
            ":a;s/^\\(\\s*\\)x/\\1y/;ta",
            "l 80",
            "/错误/p",
        ] {
            assert!(only_reads(script), "{script}");
        }
    }

    #[test]
    fn scripts_that_write_or_run_are_not() {
        for script in [
            "s/a/b/e",
            "s/a/b/w out",
            "s/a/b/gw out",
            "1e id",
            "w out",
            "r /etc/passwd",
            "R x",
            "W x",
            "/x/w out",
            "1{p;w out\n}",
            "e",
            "s/a/b",
            "a text\nw out",
            "ba;e",
            "b}e",
            "s/[/]/g;/w out/p",
        ] {
            assert!(!only_reads(script), "{script}");
        }
    }

    #[test]
    fn s6_scripts_that_seds_split_differently_are_not() {
        for script in [
            ":a w out",
            "b x w out\n:x",
            "t x w out",
            "T x w out",
            ":a}",
            ": ",
            "s/[]/]/;b/w out",
            "s/[[:alpha:]/]/;b/w out",
            "s/[^]/]/;b/w out",
            "s/[\\]/]/;b/w out",
            "s/[[.a.]/]/;b/w out",
            "#a\\\n1e id",
            "a b\\\nw out",
            "a\\",
            "a",
            "a\\\ns/a/b\n1e id\n/g;#/p",
            "s/a/b\\\nc/",
            "s/a\nb/c/",
            "/a\nb/p",
            "y/a/\n/",
            "sxaxbx",
            "s\\a\\b\\",
            "s;a;b;",
            "pw out",
            "dd",
            "{p}p",
            "p\r",
            "s/a/b/\u{b}w out",
            "v 4.2",
        ] {
            assert!(!only_reads(script), "{script:?}");
        }
    }
}
