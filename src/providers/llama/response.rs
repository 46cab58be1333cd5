//! The events of a stream of `/completion`, and the answer that comes in one piece.
//!
//! Protocol: the page of llama.cpp's server on `POST /completion`.

use sayso_core::transcript::{AssistantMessage, Usage, estimate_tokens};
use serde_json::Value;

use crate::openai::failure;
use crate::repetition::{DegenerateOutput, Repetition};
use crate::wire::failure::garbage;
use crate::wire::{Progress, Protocol, prompt_progress, whole_json};
use crate::{Counted, Heard, ProviderError, Reply, visible_text};

/// What a call begins with under our grammar.
const CALL: &str = "{\"tool\": ";

/// A completion so far.
#[derive(Debug, Default)]
pub(super) struct Completion {
    answer: Answer,
    watched: Repetition,
    done: bool,
    /// How much of the prompt is read, in percent, while the last event says so.
    percent_read: Option<u8>,
}

/// A whole completion.
#[derive(Debug, Default)]
pub(super) struct Answer {
    text: String,
    usage: Usage,
    truncated: bool,
}

impl Completion {
    fn take(&mut self, piece: &Value, heard: Heard<'_>) -> Result<(), ProviderError> {
        self.percent_read = prompt_progress(piece);
        let content = piece.get("content").and_then(Value::as_str);
        if let Some(content) = content.filter(|content| !content.is_empty()) {
            heard(content);
            self.answer.text.push_str(content);
        }
        if piece.get("stop").and_then(Value::as_bool) == Some(true) {
            self.done = true;
            self.answer.take_end(piece);
        }
        self.watched.watch(&self.answer.text).map_err(repeating)
    }

    fn finished(mut self) -> Result<Answer, ProviderError> {
        self.watched.finish().map_err(repeating)?;
        Ok(self.answer)
    }
}

impl Protocol for Completion {
    type Answer = Answer;

    fn take_event(
        &mut self,
        event: &[u8],
        status: u16,
        heard: Heard<'_>,
    ) -> Result<(), ProviderError> {
        if event.trim_ascii() == b"[DONE]" {
            return Ok(());
        }
        let Ok(piece) = serde_json::from_slice::<Value>(event) else {
            return Err(garbage("a piece of the stream is no JSON"));
        };
        if let Some(error) = failure::in_answer(&piece, status) {
            return Err(error);
        }
        self.take(&piece, heard)
    }

    fn progress(&self) -> Progress {
        if self.done {
            Progress::Done
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
        estimate_tokens(&self.answer.text)
    }

    fn counted(&self) -> Counted {
        self.answer.counted()
    }

    fn counted_of(answer: &Answer) -> Counted {
        answer.counted()
    }

    fn end(self) -> Result<Answer, ProviderError> {
        if !self.done {
            return Err(garbage("the stream ended before its finish"));
        }
        self.finished()
    }

    fn whole(body: &[u8], status: u16, heard: Heard<'_>) -> Result<Answer, ProviderError> {
        let answer = whole_json(body, status, failure::in_answer)?;
        if answer.get("content").is_none() {
            return Err(garbage("the answer has no `content`"));
        }
        let mut completion = Self::default();
        completion.take(&answer, heard)?;
        completion.answer.take_end(&answer);
        completion.finished()
    }
}

impl Answer {
    fn counted(&self) -> Counted {
        Counted {
            usage: self.usage,
            total_tokens: 0,
        }
    }

    /// A stop word of our template or the end of the model's own turn is a finish; everything else
    /// was cut.
    fn take_end(&mut self, last: &Value) {
        let count = |pointer: &str| last.pointer(pointer).and_then(Value::as_u64);
        let flag = |name: &str| last.get(name).and_then(Value::as_bool) == Some(true);
        let prompt = count("/tokens_evaluated").unwrap_or_default();
        let read_anew = count("/timings/prompt_n").unwrap_or(prompt);
        self.usage = Usage {
            prompt_tokens: prompt,
            completion_tokens: count("/tokens_predicted")
                .or_else(|| count("/timings/predicted_n"))
                .unwrap_or_default(),
            cached_tokens: prompt.saturating_sub(read_anew),
        };
        let stop_type = last.get("stop_type").and_then(Value::as_str);
        // Servers before `stop_type` had a flag for each.
        self.truncated = stop_type == Some("limit") || flag("stopped_limit") || flag("truncated");
    }

    /// Returns the answer behind the mark of thoughts that its prompt ended with. A call that the
    /// model makes at once is no thought.
    pub(super) fn behind(mut self, begun: &str) -> Self {
        if !self.text.starts_with(CALL) {
            self.text.insert_str(0, begun);
        }
        self
    }

    /// Returns the reply; an answer that says nothing at all is none.
    pub(super) fn into_reply(self) -> Result<Reply, ProviderError> {
        let visible_text::Parted { thought, said } = visible_text::part(&self.text);
        if thought.is_empty() && said.trim().is_empty() {
            return Err(garbage("an empty answer"));
        }
        Ok(Reply {
            message: AssistantMessage {
                text: said,
                reasoning_content: Some(thought).filter(|it| !it.is_empty()),
                ..AssistantMessage::default()
            },
            usage: self.usage,
            truncated: self.truncated,
            ..Reply::default()
        })
    }
}

fn repeating(stuck: DegenerateOutput) -> ProviderError {
    ProviderError::Repeating(stuck.to_string())
}

#[cfg(test)]
#[path = "response_tests.rs"]
mod tests;
