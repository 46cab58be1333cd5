//! The body of an answer as it arrives: bytes in, an answer or the reason why there is none out.
//!
//! The form is detected from the first bytes and not from the request: some servers stream unasked,
//! and some never stream. How an event is read is up to a [`Protocol`].

use sayso_core::transcript::estimate_tokens;
use serde_json::Value;

use super::events::Events;
use super::failure;
use crate::{Attempts, Counted, Heard, ProviderError, Received};

/// The largest answer that is read, in bytes on the wire.
pub(crate) const MAX_ANSWER_BYTES: usize = 16 * 1024 * 1024;

/// How far an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Nothing but keep-alive signs.
    Silent,
    /// The service reads the question, and says how far it is.
    Reading,
    /// A piece of the answer came.
    Heard,
    /// The model is finished; only its usage may follow.
    Finished,
    /// Nothing more will come.
    Done,
}

/// A stream in the words of one protocol.
pub(crate) trait Protocol: Default {
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

    /// Returns how much of the question is read, in percent, while the service says so.
    fn percent_read(&self) -> Option<u8> {
        None
    }

    /// Estimates how much the model wrote so far, in tokens: text, thoughts and calls.
    fn written(&self) -> usize;

    /// Returns what the service counted so far.
    fn counted(&self) -> Counted;

    /// Returns what the service counted of a whole answer.
    fn counted_of(answer: &Self::Answer) -> Counted;

    /// Takes the end of the stream.
    fn end(self) -> Result<Self::Answer, ProviderError>;

    /// Reads an answer that was not streamed.
    fn whole(body: &[u8], status: u16, heard: Heard<'_>) -> Result<Self::Answer, ProviderError>;
}

/// An answer that is being read.
#[derive(Debug)]
pub(crate) struct Reading<P> {
    status: u16,
    bytes: usize,
    /// Whether an event of a stream came.
    has_events: bool,
    /// Whether an error came in place of the first one.
    is_refusal: bool,
    form: Form<P>,
}

/// An answer that is being read for somebody who wants to know its outcome, whatever ends it: its
/// own end, a failure, or the asker.
pub(crate) struct MeteredReading<'a, P: Protocol> {
    /// `None` once it is whole.
    reading: Option<Reading<P>>,
    attempts: Option<&'a Attempts>,
}

#[derive(Debug)]
enum Form<P> {
    Unknown,
    Whole(Vec<u8>),
    Stream(Events, Box<P>),
}

impl<P: Protocol> Reading<P> {
    /// Begins to read the body under an HTTP status.
    pub(crate) fn new(status: u16) -> Self {
        Self {
            status,
            bytes: 0,
            has_events: false,
            is_refusal: false,
            form: Form::Unknown,
        }
    }

    /// Takes more bytes.
    pub(crate) fn push(
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
                    let taken = take(stream.as_mut(), &event, self.status, heard);
                    self.is_refusal = taken.is_err() && !self.has_events;
                    self.has_events |= !event.trim_ascii().is_empty();
                    taken?;
                }
                Ok(match stream.progress() {
                    Progress::Heard if is_silent => Progress::Silent,
                    progress => progress,
                })
            }
            Form::Unknown => Ok(Progress::Silent),
        }
    }

    /// Returns what came so far.
    fn received(&self) -> Received {
        let has_begun = self.bytes > 0 && !self.is_refusal;
        let (written, counted) = match &self.form {
            Form::Unknown => (0, Counted::default()),
            // It is sent when the model is finished.
            Form::Whole(body) => (
                estimate_tokens(&String::from_utf8_lossy(body)),
                Counted::default(),
            ),
            Form::Stream(_, stream) => (stream.written(), stream.counted()),
        };
        Received {
            has_begun,
            written: written as u64,
            counted,
        }
    }

    /// Returns how much of the question is read, in percent, while the service says so.
    fn percent_read(&self) -> Option<u8> {
        match &self.form {
            Form::Stream(_, stream) => stream.percent_read(),
            Form::Unknown | Form::Whole(_) => None,
        }
    }

    /// Takes the end of the body.
    pub(crate) fn finish(self, heard: Heard<'_>) -> Result<P::Answer, ProviderError> {
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

impl<'a, P: Protocol> MeteredReading<'a, P> {
    /// Begins to read the body under an HTTP status.
    pub(crate) fn new(status: u16, attempts: Option<&'a Attempts>) -> Self {
        Self {
            reading: Some(Reading::new(status)),
            attempts,
        }
    }

    /// Takes more bytes.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        heard: Heard<'_>,
    ) -> Result<Progress, ProviderError> {
        match &mut self.reading {
            Some(reading) => reading.push(bytes, heard),
            None => Ok(Progress::Done),
        }
    }

    /// Returns how much of the question is read, in percent, while the service says so.
    pub(crate) fn percent_read(&self) -> Option<u8> {
        self.reading.as_ref().and_then(Reading::percent_read)
    }

    /// Takes the end of the body. An answer in one piece that is none tells by its error what it
    /// costs.
    pub(crate) fn finish(mut self, heard: Heard<'_>) -> Result<P::Answer, ProviderError> {
        let Some(reading) = self.reading.take() else {
            return Err(failure::garbage("an answer that was read already"));
        };
        let received = reading.received();
        let is_stream = reading.has_events;
        let answer = reading.finish(heard);
        let received = match &answer {
            Ok(answer) => Received {
                written: if is_stream { received.written } else { 0 },
                counted: P::counted_of(answer),
                ..received
            },
            Err(_) if is_stream => received,
            Err(_) => Received::default(),
        };
        self.note(received);
        answer
    }

    fn note(&self, received: Received) {
        if let Some(attempts) = self.attempts {
            attempts.note_received(received);
        }
    }
}

impl<P: Protocol> Drop for MeteredReading<'_, P> {
    fn drop(&mut self) {
        if let Some(reading) = &self.reading {
            self.note(reading.received());
        }
    }
}

/// Returns how much of a question is read, in percent of what must be read anew, where an event of
/// llama.cpp's says so (`return_progress`).
pub(crate) fn prompt_progress(event: &Value) -> Option<u8> {
    let progress = event.get("prompt_progress")?;
    let count = |name: &str| progress.get(name).and_then(Value::as_u64);
    let cached = count("cache").unwrap_or_default();
    let anew = count("total")?.saturating_sub(cached).max(1);
    let read = count("processed")?.saturating_sub(cached).min(anew);
    u8::try_from(read.saturating_mul(100) / anew).ok()
}

/// Reads an answer that came in one piece. `error_in` finds the error that stands in its place.
pub(crate) fn whole_json(
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
