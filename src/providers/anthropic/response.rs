//! The events of a stream of Anthropic's messages, and the answer that comes in one piece.
//!
//! Protocol: the page "Streaming messages" of its documentation. Each event repeats its name as the
//! `type` of its data; kinds that are unknown are read over, as that page asks.

use serde_json::Value;

use super::assembly::{Answer, Assembly};
use super::failure;
use crate::wire::failure::garbage;
use crate::wire::{Progress, Protocol, whole_json};
use crate::{Counted, Heard, ProviderError};

/// A stream so far.
#[derive(Debug, Default)]
pub(super) struct Stream {
    assembly: Assembly,
    done: bool,
    unreadable: bool,
}

impl Protocol for Stream {
    type Answer = Answer;

    fn take_event(
        &mut self,
        event: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<(), ProviderError> {
        let Ok(event) = serde_json::from_slice::<Value>(event) else {
            self.unreadable |= !self.assembly.is_finished();
            return Ok(());
        };
        if let Some(error) = failure::in_answer(&event, status) {
            return Err(error);
        }
        match event.get("type").and_then(Value::as_str) {
            Some("message_start") => {
                if let Some(message) = event.get("message") {
                    self.assembly.take_message(message, heard);
                }
            }
            Some("content_block_start") => self.assembly.take_block(&event, heard),
            Some("content_block_delta") => self.assembly.take_delta(&event, heard),
            Some("message_delta") => self.assembly.take_end(&event),
            Some("message_stop") => self.done = true,
            _ => {}
        }
        self.assembly.watch()
    }

    fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
        } else if self.assembly.is_finished() {
            Progress::Finished
        } else {
            Progress::Heard
        }
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
        if !self.assembly.is_finished() {
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
        if !answer.get("content").is_some_and(Value::is_array) {
            return Err(garbage("the answer has no `content`"));
        }
        let mut assembly = Assembly::default();
        assembly.take_message(&answer, heard);
        assembly.watch_end()?;
        Ok(assembly.finish())
    }
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
