//! How an answer is printed: for people in their language, or as JSON for scripts.

use std::io::{self, Write};

use sayso_channel::Language;
use serde::Serialize;

/// How an answer is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A line for people.
    Plain,
    /// JSON, in English.
    Json,
}

impl Form {
    /// Returns the form that the flag `--json` asks for.
    pub(super) fn of(json: bool) -> Self {
        if json { Self::Json } else { Self::Plain }
    }
}

/// The form of an answer, and the language of its texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OutputStyle {
    /// The form.
    pub(super) form: Form,
    /// The language; English in JSON, so that scripts do not depend on the locale.
    pub(super) language: Language,
    /// How wide the terminal is that the answer goes to; `None` elsewhere.
    pub(super) columns: Option<usize>,
}

impl OutputStyle {
    /// Returns the style of a command, for people in this language.
    pub(super) fn of(json: bool, language: Language) -> Self {
        match Form::of(json) {
            Form::Json => Self {
                form: Form::Json,
                language: Language::English,
                columns: None,
            },
            Form::Plain => Self {
                form: Form::Plain,
                language,
                columns: None,
            },
        }
    }
}

/// Prints a value as JSON, indented, with a line break at its end.
///
/// # Errors
/// Fails when the output cannot be written.
pub(super) fn print_json(output: &mut impl Write, value: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer_pretty(&mut *output, value)?;
    writeln!(output)
}
