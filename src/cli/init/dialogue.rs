//! Questions out, answers in: one line each.

use std::fmt::Display;
use std::io::{self, BufRead, Write};

use sayso_channel::Language;

/// How often a question is put before its answer is given up.
const ATTEMPTS: usize = 3;

/// Whoever answers.
pub(super) struct Dialogue<'a, I, O> {
    pub(super) input: &'a mut I,
    pub(super) output: &'a mut O,
    pub(super) language: Language,
}

impl<I: BufRead, O: Write> Dialogue<'_, I, O> {
    /// Says something.
    pub(super) fn say(&mut self, text: &dyn Display) -> io::Result<()> {
        writeln!(self.output, "{text}")
    }

    /// Asks; an empty answer and the end of the input take the default.
    pub(super) fn ask(&mut self, question: &str, default: &str) -> io::Result<String> {
        match default {
            "" => write!(self.output, "{question}: ")?,
            default => write!(self.output, "{question} [{default}]: ")?,
        }
        self.output.flush()?;
        let mut line = String::new();
        if self.input.read_line(&mut line)? == 0 {
            // What comes next begins on its own line, as after a pressed Enter.
            writeln!(self.output)?;
        }
        let answer = line.trim();
        Ok(if answer.is_empty() { default } else { answer }.to_owned())
    }

    /// Asks until the answer can be used; `refusal` says why one cannot.
    pub(super) fn ask_until<T>(
        &mut self,
        question: &str,
        default: &str,
        refusal: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> anyhow::Result<T> {
        for _ in 0..ATTEMPTS {
            let answer = self.ask(question, default)?;
            if let Some(value) = read(&answer) {
                return Ok(value);
            }
            self.say(&refusal)?;
        }
        anyhow::bail!("no answer that can be used after {ATTEMPTS} attempts; nothing was written")
    }

    /// Asks for a yes; anything else is a no.
    pub(super) fn agrees(&mut self, question: &str) -> io::Result<bool> {
        let answer = self.ask(question, "no")?;
        Ok(matches!(answer.to_lowercase().as_str(), "y" | "yes" | "是"))
    }
}
