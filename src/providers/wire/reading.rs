//! The body of an answer as it arrives: bytes in, an answer or the reason why there is none out.
//!
//! The form is told from the first bytes and not from what was asked for: servers that stream
//! unasked, and servers that never stream, both exist. What an event says is up to a [`Protocol`].

use serde_json::Value;

use super::events::Events;
use super::failure;
use crate::providers::{Heard, ProviderError};

/// The largest answer that is read, in bytes on the wire.
pub(in crate::providers) const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::providers) enum Progress {
    /// Nothing but keep-alive signs.
    Silent,
    /// A piece of the answer came.
    Heard,
    /// The model is finished; only its usage may follow.
    Finished,
    /// Nothing more will come.
    Done,
}

/// A stream in the words of one protocol.
pub(in crate::providers) trait Protocol: Default {
    /// What it becomes.
    type Answer;

    /// Takes one event. `status` is that of the response, for errors that do not say their own.
    fn take_event(
        &mut self,
        event: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<(), ProviderError>;

    /// Returns how far the answer is after an event: never [`Progress::Silent`].
    fn progress(&self) -> Progress;

    /// Takes the end of the stream.
    fn end(self) -> Result<Self::Answer, ProviderError>;

    /// Reads an answer that was not streamed.
    fn whole(body: &[u8], status: u16, heard: Heard<'_>) -> Result<Self::Answer, ProviderError>;
}

/// An answer that is being read.
#[derive(Debug)]
pub(in crate::providers) struct Reading<P> {
    status: u16,
    bytes: usize,
    form: Form<P>,
}

#[derive(Debug)]
enum Form<P> {
    Unknown,
    Whole(Vec<u8>),
    Stream(Events, Box<P>),
}

impl<P: Protocol> Reading<P> {
    /// Begins to read the body under an HTTP status.
    pub(in crate::providers) fn new(status: u16) -> Self {
        Self {
            status,
            bytes: 0,
            form: Form::Unknown,
        }
    }

    /// Takes more bytes.
    pub(in crate::providers) fn push(
        &mut self,
        bytes: &[u8],
        heard: Heard<'_>,
    ) -> Result<Progress, ProviderError> {
        self.bytes += bytes.len();
        if self.bytes > MAX_ANSWER_BYTES {
            return Err(failure::garbage("an answer that does not end"));
        }
        if matches!(self.form, Form::Unknown) {
            let Some(first) = bytes.iter().find(|byte| !byte.is_ascii_whitespace()) else {
                return Ok(Progress::Silent);
            };
            self.form = match first {
                b'{' | b'[' => Form::Whole(Vec::new()),
                b'<' => return Err(failure::garbage(failure::WEB_PAGE)),
                _ => Form::Stream(Events::default(), Box::default()),
            };
        }
        match &mut self.form {
            Form::Whole(body) => {
                body.extend_from_slice(bytes);
                Ok(Progress::Heard)
            }
            Form::Stream(events, stream) => {
                let complete = events.push(bytes);
                let is_silent = complete.is_empty();
                for event in complete {
                    take(stream.as_mut(), &event, self.status, heard)?;
                }
                Ok(match stream.progress() {
                    Progress::Heard if is_silent => Progress::Silent,
                    progress => progress,
                })
            }
            Form::Unknown => Ok(Progress::Silent),
        }
    }

    /// Takes the end of the body.
    pub(in crate::providers) fn finish(self, heard: Heard<'_>) -> Result<P::Answer, ProviderError> {
        match self.form {
            Form::Whole(body) => P::whole(&body, self.status, heard),
            Form::Stream(events, mut stream) => {
                if let Some(event) = events.finish() {
                    take(stream.as_mut(), &event, self.status, heard)?;
                }
                stream.end()
            }
            Form::Unknown => Err(failure::garbage("an empty body")),
        }
    }
}

/// Reads an answer that came in one piece. `error_in` finds the error that stands in its place.
pub(in crate::providers) fn whole_json(
    body: &[u8],
    status: u16,
    error_in: impl Fn(&Value, u16) -> Option<ProviderError>,
) -> Result<Value, ProviderError> {
    let Ok(answer) = serde_json::from_slice(body) else {
        return Err(failure::garbage("the answer is no JSON, or was cut"));
    };
    match error_in(&answer, status) {
        Some(error) => Err(error),
        None => Ok(answer),
    }
}

/// What comes behind the end is not read.
fn take<P: Protocol>(
    stream: &mut P,
    event: &[u8],
    status: u16,
    heard: Heard<'_>,
) -> Result<(), ProviderError> {
    if stream.progress() == Progress::Done || event.trim_ascii().is_empty() {
        return Ok(());
    }
    stream.take_event(event, status, heard)
}
