//! Reads Discord's Markdown as Discord shows it, for the tests of what writes it.
//!
//! It shares nothing with the writer. It knows the marks that we may use and panics at every other
//! one that is not escaped: a mention, a spoiler, a heading.

use std::iter::Peekable;
use std::str::Chars;

/// How a character looks.
#[expect(
    clippy::struct_excessive_bools,
    reason = "looks are independent of each other"
)]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Looks {
    pub(super) bold: bool,
    pub(super) italic: bool,
    pub(super) struck: bool,
    pub(super) code: bool,
    pub(super) block: bool,
    pub(super) quote: bool,
    pub(super) link: bool,
}

/// Returns every character that is shown and takes room, with its looks.
pub(super) fn shown(markdown: &str) -> Vec<(char, Looks)> {
    let mut reader = Reader {
        rest: markdown,
        looks: Looks::default(),
        shown: Vec::new(),
        is_line_start: true,
        has_quote_mark: false,
    };
    while reader.step() {}
    let left_open = Looks {
        quote: false,
        ..reader.looks
    };
    assert_eq!(left_open, Looks::default(), "left open: {markdown:?}");
    reader.shown
}

struct Reader<'a> {
    rest: &'a str,
    looks: Looks,
    shown: Vec<(char, Looks)>,
    is_line_start: bool,
    has_quote_mark: bool,
}

impl Reader<'_> {
    fn eat(&mut self, mark: &str) -> bool {
        match self.rest.strip_prefix(mark) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn show(&mut self, letter: char) {
        if !letter.is_whitespace() && letter != '\u{200b}' {
            self.shown.push((letter, self.looks));
        }
    }

    fn step(&mut self) -> bool {
        if self.is_line_start && !self.has_quote_mark && self.eat("> ") {
            (self.looks.quote, self.has_quote_mark) = (true, true);
            return true;
        }
        if self.is_line_start && !self.has_quote_mark {
            self.looks.quote = false;
        }
        if self.eat("```") {
            self.block();
        } else if self.rest.starts_with('`') {
            self.code();
        } else if self.rest.starts_with("<http") {
            self.address();
        } else if self.eat("~~") {
            self.looks.struck = !self.looks.struck;
        } else if self.rest.starts_with('*') {
            self.stars();
        } else if self.eat("](<") {
            let (address, rest) = self.rest.split_once(">)").expect("the link ends");
            assert!(
                !address.contains(['(', ')', '<', '>', ' ', '\n']),
                "{address}"
            );
            self.looks.link = false;
            self.rest = rest;
        } else {
            return self.letter();
        }
        true
    }

    /// Three stars close what was opened last, or open both.
    fn stars(&mut self) {
        let run = self.rest.len() - self.rest.trim_start_matches('*').len();
        assert!(run <= 3, "{}", self.rest);
        self.rest = &self.rest[run..];
        if run != 2 {
            self.looks.italic = !self.looks.italic;
        }
        if run != 1 {
            self.looks.bold = !self.looks.bold;
        }
    }

    fn letter(&mut self) -> bool {
        let mut letters = self.rest.chars();
        let Some(mut letter) = letters.next() else {
            return false;
        };
        if letter == '\n' {
            (self.is_line_start, self.has_quote_mark) = (true, false);
            self.rest = letters.as_str();
            return true;
        }
        if letter == '\\' {
            letter = letters.next().expect("something is escaped");
            assert!(letter.is_ascii_punctuation(), "escaped {letter}");
        } else if letter == '[' {
            self.looks.link = true;
            self.rest = letters.as_str();
            return true;
        } else {
            self.check_plain(letter, letters.clone().peekable());
        }
        self.is_line_start &= letter.is_whitespace();
        self.show(letter);
        self.rest = letters.as_str();
        true
    }

    /// Panics at what Discord would take for a mark.
    fn check_plain(&self, letter: char, mut behind: Peekable<Chars<'_>>) {
        assert!(!"_|<".contains(letter), "a mark: {}", self.rest);
        let starts_line = self.is_line_start && "#->+".contains(letter);
        assert!(!starts_line, "a mark of a line: {}", self.rest);
        let word: String = behind.clone().take(8).collect();
        let calls = letter == '@' && (word == "everyone" || word.starts_with("here"));
        assert!(!calls, "everybody is called: {}", self.rest);
        if self.is_line_start && letter.is_ascii_digit() {
            while behind.next_if(char::is_ascii_digit).is_some() {}
            assert_ne!(behind.peek(), Some(&'.'), "a list: {}", self.rest);
        }
        if letter == ':' {
            let name: String = behind.take_while(|next| *next != ':').collect();
            let is_whole = self.rest[1..].len() > name.len();
            let is_name = |next: char| next.is_ascii_alphanumeric() || "_+-".contains(next);
            let is_emoji = is_whole && !name.is_empty() && name.chars().all(is_name);
            assert!(!is_emoji, "an emoji: {}", self.rest);
        }
    }

    fn address(&mut self) {
        let (address, rest) = self.rest[1..].split_once('>').expect("the address ends");
        assert!(address.contains("://"), "{address}");
        for letter in address.chars() {
            assert!(!letter.is_whitespace(), "{address}");
            self.show(letter);
        }
        self.rest = rest;
        self.is_line_start = false;
    }

    fn code(&mut self) {
        let run = self.rest.len() - self.rest.trim_start_matches('`').len();
        let (mark, rest) = self.rest.split_at(run);
        let mut from = 0;
        let end = loop {
            let found = from + rest[from..].find(mark).expect("code ends");
            let length = rest[found..].len() - rest[found..].trim_start_matches('`').len();
            if length == run {
                break found;
            }
            from = found + length;
        };
        assert!(run <= 2 && end > 0, "{}", self.rest);
        self.looks.code = true;
        for letter in rest[..end].chars() {
            assert_ne!(letter, '\n', "code stays on its line");
            self.show(letter);
        }
        self.looks.code = false;
        self.rest = &rest[end + run..];
        self.is_line_start = false;
    }

    fn block(&mut self) {
        let (text, rest) = self.rest.split_once("```").expect("the block ends");
        let (_language, text) = text.split_once('\n').expect("the fence has its line");
        self.looks.block = true;
        for line in text.split('\n') {
            let line = if self.looks.quote {
                line.strip_prefix("> ").expect("each line is quoted")
            } else {
                line
            };
            for letter in line.chars() {
                self.show(letter);
            }
        }
        self.looks.block = false;
        self.rest = rest;
        self.is_line_start = false;
    }
}
