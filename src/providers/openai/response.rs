//! The events of a stream of chat completions, and the answer that comes in one piece.

use serde_json::Value;

use super::assembly::{Answer, Assembly};
use super::failure;
use crate::wire::failure::garbage;
use crate::wire::{Progress, Protocol, prompt_progress, whole_json};
use crate::{Counted, Heard, ProviderError};

/// A stream so far.
#[derive(Debug, Default)]
pub(super) struct Stream {
    assembly: Assembly,
    done: bool,
    unreadable: bool,
    /// How much of the question is read, in percent, while the last event says so.
    percent_read: Option<u8>,
}

impl Protocol for Stream {
    type Answer = Answer;

    fn take_event(
        &mut self,
        event: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<(), ProviderError> {
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
        self.percent_read = prompt_progress(&chunk);
        self.assembly.take_chunk(&chunk, heard);
        self.assembly.watch()
    }

    fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else if self.assembly.is_finished() {
            Progress::Finished
        } else if self.percent_read.is_some() {
            Progress::Reading
        } else {
            Progress::Heard
        }
    }

    fn percent_read(&self) -> Option<u8> {
        self.percent_read
    }

    fn written(&self) -> usize {
        self.assembly.written()
    }

    fn counted(&self) -> Counted {
        self.assembly.counted()
    }

    fn counted_of(answer: &Answer) -> Counted {
        answer.counted()
    }

    fn end(mut self) -> Result<Answer, ProviderError> {
        if !self.done && !self.assembly.is_finished() {
            return Err(garbage("the stream ended before its finish"));
        }
        if self.unreadable {
            return Err(garbage("a piece of the stream is no JSON"));
        }
        self.assembly.watch_end()?;
        Ok(self.assembly.finish())
    }

    fn whole(body: &[u8], status: u16, heard: Heard<'_>) -> Result<Answer, ProviderError> {
        let answer = whole_json(body, status, failure::in_answer)?;
        if answer.get("choices").is_none() {
            return Err(garbage("the answer has no `choices`"));
        }
        let mut assembly = Assembly::default();
        assembly.take_whole(&answer, heard);
        assembly.watch_end()?;
        Ok(assembly.finish())
    }
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
