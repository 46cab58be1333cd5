//! A place in a text that is read letter by letter.

/// Letters that end a word.
const ENDING_WORDS: [char; 10] = [' ', '\t', '\n', '&', '|', ';', '(', ')', '<', '>'];

/// What is left of a text.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    /// Starts at the beginning.
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, rest: text }
    }

    /// Returns what is not read yet.
    pub(crate) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Returns the next letter, and stays in front of it.
    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Reads a letter.
    pub(crate) fn next(&mut self) -> Option<char> {
        let mut letters = self.rest.chars();
        let letter = letters.next();
        self.rest = letters.as_str();
        letter
    }

    /// Reads this text where it comes next.
    pub(crate) fn takes(&mut self, text: &str) -> bool {
        let stripped = self.rest.strip_prefix(text);
        self.rest = stripped.unwrap_or(self.rest);
        stripped.is_some()
    }

    /// Reads the letters that fit.
    pub(crate) fn skip(&mut self, fits: impl Fn(char) -> bool) {
        self.rest = self.rest.trim_start_matches(fits);
    }

    /// Reads up to a letter that fits, or to the end.
    pub(crate) fn take_until(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(fits).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    /// Reads up to a letter and the letter itself; `None` where it does not come.
    pub(crate) fn take_past(&mut self, end: char) -> Option<&'a str> {
        let (taken, rest) = self.rest.split_once(end)?;
        self.rest = rest;
        Some(taken)
    }

    /// Returns what was read since this was what was not read yet.
    pub(crate) fn since(&self, rest: &'a str) -> &'a str {
        let end = rest.len().saturating_sub(self.rest.len());
        rest.get(..end).unwrap_or_default()
    }

    /// Returns whether a blank was read last.
    pub(crate) fn is_behind_blank(&self) -> bool {
        self.since(self.text).ends_with([' ', '\t'])
    }
}

/// Returns whether a letter ends a word.
pub(crate) fn ends_word(letter: char) -> bool {
    ENDING_WORDS.contains(&letter)
}
