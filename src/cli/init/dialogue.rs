//! Questions out, answers in: one line each.

use std::fmt::Display;
use std::io::{self, BufRead, Write};

use nix::sys::termios::{LocalFlags, SetArg, Termios, tcgetattr, tcsetattr};
use sayso_channel::Language;

use super::messages;
use crate::cli::columns;

/// How often a question is put before its answer is given up.
const ATTEMPTS: usize = 3;

/// Where answers come from.
pub(in crate::cli) struct Input<'a, I> {
    /// One answer a line.
    pub(in crate::cli) lines: &'a mut I,
    /// Whether they are typed at the terminal that is our standard input.
    pub(in crate::cli) is_typed: bool,
}

/// What goes back to the question before.
const BACK: &str = "<";

/// What was answered to one question.
pub(super) enum Reply<T> {
    Answer(T),
    /// The question before is wanted again.
    Back,
}

/// The questions and answers at the terminal.
pub(super) struct Dialogue<'a, I, O> {
    pub(super) input: Input<'a, I>,
    pub(super) output: &'a mut O,
    pub(super) language: Language,
}

impl<I: BufRead, O: Write> Dialogue<'_, I, O> {
    /// Says something; at a terminal in lines that fit into it.
    pub(super) fn say(&mut self, text: &dyn Display) -> io::Result<()> {
        let columns = columns::of_terminal().filter(|_| self.input.is_typed);
        writeln!(
            self.output,
            "{}",
            columns::fitted(&text.to_string(), columns)
        )
    }

    /// Asks; an empty answer and the end of the input take the default.
    pub(super) fn ask(&mut self, question: &str, default: &str) -> io::Result<String> {
        let language = self.language;
        let asked = match default {
            "" => messages::asked(language, &question),
            default => messages::asked_with_default(language, &question, &default),
        };
        write!(self.output, "{asked}")?;
        let (answer, is_ended) = self.read()?;
        if is_ended {
            // What comes next begins on its own line, as after a pressed Enter.
            writeln!(self.output)?;
        }
        Ok(if answer.is_empty() {
            default.to_owned()
        } else {
            answer
        })
    }

    /// Asks for a secret: what is typed is not shown. An empty answer is empty.
    pub(super) fn ask_secret(&mut self, question: &str) -> io::Result<String> {
        if !self.input.is_typed {
            return self.ask(question, "");
        }
        // Echo is off before the question appears, so that an early answer is not shown.
        let hidden = Hidden::begin()?;
        let asked = messages::asked_in_secret(self.language, &question);
        write!(self.output, "{asked}")?;
        let (answer, _) = self.read()?;
        drop(hidden);
        // The Enter was not shown either.
        writeln!(self.output)?;
        Ok(answer)
    }

    /// Reads one answer, and says whether the input has ended.
    fn read(&mut self) -> io::Result<(String, bool)> {
        self.output.flush()?;
        let mut line = String::new();
        let is_ended = self.input.lines.read_line(&mut line)? == 0;
        Ok((line.trim().to_owned(), is_ended))
    }

    /// Asks until the answer can be used; `refusal` says why one cannot.
    pub(super) fn ask_until<T>(
        &mut self,
        question: &str,
        default: &str,
        refusal: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> anyhow::Result<Reply<T>> {
        self.until(refusal, read, |dialogue| dialogue.ask(question, default))
    }

    /// The same for a secret.
    pub(super) fn ask_secret_until<T>(
        &mut self,
        question: &str,
        refusal: &str,
        read: impl Fn(&str) -> Option<T>,
    ) -> anyhow::Result<Reply<T>> {
        self.until(refusal, read, |dialogue| dialogue.ask_secret(question))
    }

    fn until<T>(
        &mut self,
        refusal: &str,
        read: impl Fn(&str) -> Option<T>,
        ask: impl Fn(&mut Self) -> io::Result<String>,
    ) -> anyhow::Result<Reply<T>> {
        for _ in 0..ATTEMPTS {
            let answer = ask(self)?;
            if answer == BACK {
                return Ok(Reply::Back);
            }
            if let Some(value) = read(&answer) {
                return Ok(Reply::Answer(value));
            }
            self.say(&refusal)?;
        }
        anyhow::bail!("no answer that can be used after {ATTEMPTS} attempts")
    }

    /// Offers something: Enter takes it, the end of the input does not.
    pub(super) fn accepts(&mut self, question: &str) -> io::Result<bool> {
        let asked =
            messages::asked_with_default(self.language, &question, &messages::yes(self.language));
        write!(self.output, "{asked}")?;
        let (answer, is_ended) = self.read()?;
        if is_ended {
            writeln!(self.output)?;
            return Ok(false);
        }
        Ok(answer.is_empty() || is_yes(&answer))
    }

    /// Asks for a yes; anything else is a no.
    pub(super) fn agrees(&mut self, question: &str) -> io::Result<bool> {
        let answer = self.ask(question, &messages::no(self.language))?;
        Ok(is_yes(&answer))
    }
}

fn is_yes(answer: &str) -> bool {
    matches!(answer.to_lowercase().as_str(), "y" | "yes" | "是")
}

/// While it lives, the terminal does not show what is typed.
struct Hidden {
    before: Termios,
}

impl Hidden {
    fn begin() -> io::Result<Self> {
        let before = tcgetattr(io::stdin())?;
        let mut silent = before.clone();
        silent.local_flags.remove(LocalFlags::ECHO);
        // Input that was typed ahead is kept: it was already shown, but still counts as the answer.
        tcsetattr(io::stdin(), SetArg::TCSADRAIN, &silent)?;
        Ok(Self { before })
    }
}

impl Drop for Hidden {
    fn drop(&mut self) {
        // A terminal that is gone needs nothing restored.
        let _ = tcsetattr(io::stdin(), SetArg::TCSADRAIN, &self.before);
    }
}
