//! A text as lines, each with the line end that it has.

/// The byte order mark at the beginning of some files.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// A text as lines; writing them again gives the same text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct LineText<'a> {
    /// Whether it begins with a byte order mark, which is in no line.
    pub(super) has_mark: bool,
    /// Its lines; an empty text has none.
    pub(super) lines: Vec<TextLine<'a>>,
}

/// A line and its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextLine<'a> {
    /// What stands in it.
    pub(super) text: &'a str,
    /// How it ends.
    pub(super) ending: Ending,
}

/// How a line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ending {
    /// With `\n`.
    Lf,
    /// With `\r\n`.
    CrLf,
    /// With the text; only the last line does.
    None,
}

impl Ending {
    /// Returns the characters.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Lf => "\n",
            Self::CrLf => "\r\n",
            Self::None => "",
        }
    }
}

impl<'a> LineText<'a> {
    /// Splits a text.
    pub(super) fn new(text: &'a str) -> Self {
        let without_mark = text.strip_prefix(BYTE_ORDER_MARK);
        let lines = without_mark.unwrap_or(text).split_inclusive('\n');
        let lines = lines.map(|line| {
            let (text, ending) = match line.strip_suffix('\n') {
                None => (line, Ending::None),
                Some(text) => match text.strip_suffix('\r') {
                    Some(text) => (text, Ending::CrLf),
                    None => (text, Ending::Lf),
                },
            };
            TextLine { text, ending }
        });
        Self {
            has_mark: without_mark.is_some(),
            lines: lines.collect(),
        }
    }

    /// Returns the line end that most lines have.
    pub(super) fn usual_ending(&self) -> Ending {
        let is_crlf = |line: &&TextLine<'_>| line.ending == Ending::CrLf;
        let is_lf = |line: &&TextLine<'_>| line.ending == Ending::Lf;
        let crlf = self.lines.iter().filter(is_crlf).count();
        let lf = self.lines.iter().filter(is_lf).count();
        if crlf > lf { Ending::CrLf } else { Ending::Lf }
    }

    /// Returns whether the last line has no end.
    pub(super) fn is_without_newline(&self) -> bool {
        self.lines
            .last()
            .is_some_and(|line| line.ending == Ending::None)
    }

    /// Returns the text.
    pub(super) fn written(&self) -> String {
        let length: usize = self.lines.iter().map(|line| line.text.len() + 2).sum();
        let mut text = String::with_capacity(length + 3);
        text.extend(self.has_mark.then_some(BYTE_ORDER_MARK));
        for line in &self.lines {
            text.push_str(line.text);
            text.push_str(line.ending.as_str());
        }
        text
    }
}
