//! The body of an answer as it arrives: bytes in, an answer or the reason why there is none out.
//!
//! The form is told from the first bytes and not from what was asked for: servers that stream
//! unasked, and servers that never stream, both exist.

use serde_json::Value;

use super::assembly::{Answer, Assembly};
use super::events::Events;
use super::failure;
use crate::providers::{Heard, ProviderError};

/// The largest answer that is read, in bytes on the wire.
pub(super) const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// Nothing but keep-alive signs.
    Silent,
    /// A piece of the answer came.
    Heard,
    /// The model is finished; only its usage may follow.
    Finished,
    /// Nothing more will come.
    Done,
}

/// An answer that is being read.
#[derive(Debug)]
pub(super) struct Reading {
    status: u16,
    bytes: usize,
    form: Form,
}

#[derive(Debug)]
enum Form {
    Unknown,
    Whole(Vec<u8>),
    Stream(Box<Stream>),
}

#[derive(Debug, Default)]
struct Stream {
    events: Events,
    assembly: Assembly,
    done: bool,
    unreadable: bool,
}

impl Reading {
    /// Begins to read the body under an HTTP status.
    pub(super) fn new(status: u16) -> Self {
        Self {
            status,
            bytes: 0,
            form: Form::Unknown,
        }
    }

    /// Takes more bytes.
    pub(super) fn push(
        &mut self,
        bytes: &[u8],
        heard: Heard<'_>,
    ) -> Result<Progress, ProviderError> {
        self.bytes += bytes.len();
        if self.bytes > MAX_ANSWER_BYTES {
            return Err(garbage("an answer that does not end"));
        }
        if matches!(self.form, Form::Unknown) {
            let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else {
                return Ok(Progress::Silent);
            };
            self.form = match first {
                b'{' | b'[' => Form::Whole(Vec::new()),
                b'<' => return Err(garbage(failure::WEB_PAGE)),
                _ => Form::Stream(Box::default()),
            };
        }
        match &mut self.form {
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(Progress::Heard)
            }
            Form::Stream(stream) => stream.push(bytes, self.status, heard),
            Form::Unknown => Ok(Progress::Silent),
        }
    }

    /// Takes the end of the body.
    pub(super) fn finish(self, heard: Heard<'_>) -> Result<Answer, ProviderError> {
        match self.form {
            Form::Whole(body) => whole(&body, self.status, heard),
            Form::Stream(stream) => stream.finish(self.status, heard),
            Form::Unknown => Err(garbage("an empty body")),
        }
    }
}

impl Stream {
    fn push(
        &mut self,
        bytes: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<Progress, ProviderError> {
        let events = self.events.push(bytes);
        let silent = events.is_empty();
        for event in events {
            self.take_event(&event, status, heard)?;
        }
        Ok(if self.done {
            Progress::Done
        } else if self.assembly.is_finished() {
            Progress::Finished
        } else if silent {
            Progress::Silent
        } else {
            Progress::Heard
        })
    }

    fn take_event(
        &mut self,
        event: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<(), ProviderError> {
        if self.done || event.trim_ascii().is_empty() {
            return Ok(());
        }
        if event.trim_ascii() == b"[DONE]" {
            self.done = true;
            return Ok(());
        }
        let Ok(chunk) = serde_json::from_slice::<Value>(event) else {
            self.unreadable |= !self.assembly.is_finished();
            return Ok(());
        };
        if let Some(error) = failure::in_answer(&chunk, status) {
            return Err(error);
        }
        self.assembly.take_chunk(&chunk, heard);
        self.assembly.watch()
    }

    fn finish(mut self, status: u16, heard: Heard<'_>) -> Result<Answer, ProviderError> {
        if let Some(event) = std::mem::take(&mut self.events).finish() {
            self.take_event(&event, status, heard)?;
        }
        if !self.done && !self.assembly.is_finished() {
            return Err(garbage("the stream ended before its finish"));
        }
        if self.unreadable {
            return Err(garbage("a piece of the stream is no JSON"));
        }
        self.assembly.watch_end()?;
        Ok(self.assembly.finish())
    }
}

fn whole(body: &[u8], status: u16, heard: Heard<'_>) -> Result<Answer, ProviderError> {
    let Ok(answer) = serde_json::from_slice::<Value>(body) else {
        return Err(garbage("the answer is no JSON, or was cut"));
    };
    if let Some(error) = failure::in_answer(&answer, status) {
        return Err(error);
    }
    if answer.get("choices").is_none() {
        return Err(garbage("the answer has no `choices`"));
    }
    let mut assembly = Assembly::default();
    assembly.take_whole(&answer, heard);
    assembly.watch_end()?;
    Ok(assembly.finish())
}

fn garbage(what: &str) -> ProviderError {
    ProviderError::Garbage(what.to_owned())
}

#[cfg(test)]
#[path = "reading_tests.rs"]
mod tests;
