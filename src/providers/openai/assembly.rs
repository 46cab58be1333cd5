//! An answer out of its pieces: what was on the wire, and what we make of it.

use std::borrow::Cow;

use sayso_core::transcript::{
    AssistantMessage, CallId, Thought, ThoughtKind, ToolCall, Usage, estimate_tokens,
};
use serde_json::{Value, json};

use super::calls::{Calls, WireCall};
use crate::repetition::{DegenerateOutput, Repetition};
use crate::wire::arguments;
use crate::wire::failure::GAVE_UP;
use crate::{Counted, Heard, ProviderError, Reply, visible_text};

/// Why an answer stops when the service fails in its middle: OpenRouter, DeepSeek, Zhipu.
const FAILED: [&str; 3] = ["error", "insufficient_system_resource", "network_error"];

/// An answer so far.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    text: String,
    refusal: String,
    reasoning: String,
    calls: Calls,
    counted: Counted,
    finish_reason: Option<String>,
    /// One for each text of the answer, the arguments of its calls included.
    watched: Vec<Repetition>,
}

/// A whole answer as it was on the wire.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// `content`.
    pub(super) text: String,
    /// `refusal`: the words in which some models decline, apart from their content.
    pub(super) refusal: String,
    /// `reasoning_content` or `reasoning`.
    pub(super) reasoning: String,
    /// `tool_calls`.
    pub(super) calls: Vec<WireCall>,
    /// What it cost.
    pub(super) usage: Usage,
    /// All tokens together, where the service says so.
    pub(super) total_tokens: u64,
    /// Why the model stopped; `None` when the stream only said that it is done.
    pub(super) finish_reason: Option<String>,
}

impl Assembly {
    /// Takes one chunk of a stream.
    pub(super) fn take_chunk(&mut self, chunk: &Value, heard: Heard<'_>) {
        self.take_usage(chunk);
        let Some(choice) = first_choice(chunk) else {
            return;
        };
        self.take_finish(choice);
        let delta = choice.get("delta").filter(|delta| delta.is_object());
        if let Some(delta) = delta {
            self.take_words(delta, heard);
            self.calls.take_pieces(&tool_calls(delta));
        } else if self.is_empty() {
            self.take_message(choice, heard);
        }
    }

    /// Takes an answer that was not streamed.
    pub(super) fn take_whole(&mut self, answer: &Value, heard: Heard<'_>) {
        self.take_usage(answer);
        if let Some(choice) = first_choice(answer) {
            self.take_finish(choice);
            self.take_message(choice, heard);
        }
    }

    /// Watches what was added: an answer that only repeats itself is to be cut off.
    pub(super) fn watch(&mut self) -> Result<(), ProviderError> {
        let words = [&self.text, &self.refusal, &self.reasoning];
        let texts = words.into_iter().map(String::as_str);
        for (at, text) in texts.chain(self.calls.arguments()).enumerate() {
            if at == self.watched.len() {
                self.watched.push(Repetition::default());
            }
            if let Some(watched) = self.watched.get_mut(at) {
                watched.watch(text).map_err(repeating)?;
            }
        }
        Ok(())
    }

    /// Watches the end of the answer.
    pub(super) fn watch_end(&mut self) -> Result<(), ProviderError> {
        self.watch()?;
        let mut watched = self.watched.iter_mut();
        watched.try_for_each(|one| one.finish().map_err(repeating))
    }

    /// Returns whether the model said that it is finished.
    pub(super) fn is_finished(&self) -> bool {
        self.finish_reason.is_some()
    }

    /// Estimates how much the model wrote so far, in tokens.
    pub(super) fn written(&self) -> usize {
        let words = [&self.text, &self.refusal, &self.reasoning];
        let texts = words.into_iter().map(String::as_str);
        texts
            .chain(self.calls.arguments())
            .map(estimate_tokens)
            .sum()
    }

    /// Returns what the service counted so far.
    pub(super) fn counted(&self) -> Counted {
        self.counted
    }

    /// Returns the whole answer.
    pub(super) fn finish(self) -> Answer {
        Answer {
            text: self.text,
            refusal: self.refusal,
            reasoning: self.reasoning,
            calls: self.calls.finish(),
            usage: self.counted.usage,
            total_tokens: self.counted.total_tokens,
            finish_reason: self.finish_reason,
        }
    }

    fn is_empty(&self) -> bool {
        self.text.is_empty() && self.reasoning.is_empty() && self.calls.is_empty()
    }

    fn take_message(&mut self, choice: &Value, heard: Heard<'_>) {
        if let Some(message) = choice.get("message") {
            self.take_words(message, heard);
            self.calls.take_whole(&tool_calls(message));
        }
    }

    fn take_words(&mut self, message: &Value, heard: Heard<'_>) {
        let reasoning = ["reasoning_content", "reasoning"]
            .iter()
            .map(|field| plain_text(message.get(*field)))
            .find(|text| !text.is_empty());
        self.reasoning.extend(reasoning);
        self.reasoning.push_str(&thinking_parts(message));
        for (field, words) in [("content", &mut self.text), ("refusal", &mut self.refusal)] {
            let piece = plain_text(message.get(field));
            if !piece.is_empty() {
                heard(&piece);
                words.push_str(&piece);
            }
        }
    }

    fn take_finish(&mut self, choice: &Value) {
        let reason = choice.get("finish_reason").and_then(Value::as_str);
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.finish_reason = Some(reason.to_owned());
        }
    }

    /// Groq's first streams carried it under their own name only.
    fn take_usage(&mut self, holder: &Value) {
        let usage = [holder.get("usage"), holder.pointer("/x_groq/usage")]
            .into_iter()
            .flatten()
            .find(|usage| usage.is_object());
        let Some(usage) = usage else {
            return;
        };
        let count = |pointer: &str| usage.pointer(pointer).and_then(Value::as_u64);
        self.counted.usage = Usage {
            prompt_tokens: count("/prompt_tokens").unwrap_or_default(),
            completion_tokens: count("/completion_tokens").unwrap_or_default(),
            cached_tokens: count("/prompt_tokens_details/cached_tokens")
                .or_else(|| count("/prompt_cache_hit_tokens"))
                .unwrap_or_default(),
        };
        self.counted.total_tokens = count("/total_tokens").unwrap_or_default();
    }
}

impl Answer {
    /// Returns what the service counted.
    pub(super) fn counted(&self) -> Counted {
        Counted {
            usage: self.usage,
            total_tokens: self.total_tokens,
        }
    }

    /// Returns the reply; an answer that says nothing at all is none.
    pub(super) fn into_reply(self) -> Result<Reply, ProviderError> {
        let reason = self.finish_reason.as_deref();
        if let Some(reason) = reason.filter(|reason| FAILED.contains(reason)) {
            return Err(ProviderError::Broken {
                status: 200,
                message: format!("{GAVE_UP} (`finish_reason` is `{reason}`)"),
            });
        }
        let truncated = matches!(reason, Some("length" | "max_tokens" | "model_length"));
        let filtered = matches!(reason, Some("content_filter" | "sensitive" | "safety"));
        let said = self.text + &self.refusal;
        let parted = visible_text::part(&said);
        let text = parted.said;
        let reasoning = if self.reasoning.is_empty() {
            parted.thought
        } else {
            self.reasoning
        };
        let silent = text.trim().is_empty() && self.calls.is_empty();
        if silent && reasoning.is_empty() {
            let why = if truncated {
                "an empty answer: it was cut at the token limit before the first word"
            } else {
                "an empty answer"
            };
            return Err(ProviderError::Garbage(why.to_owned()));
        }
        Ok(Reply {
            message: AssistantMessage {
                reasoning_content: (!reasoning.is_empty()).then_some(reasoning),
                thoughts: attachments(&self.calls, text.len()),
                text,
                calls: self
                    .calls
                    .into_iter()
                    .map(|call| tool_call(call, truncated))
                    .collect(),
            },
            usage: self.usage,
            total_tokens: self.total_tokens,
            model: String::new(),
            truncated,
            filtered,
            asking: None,
        })
    }
}

/// Returns what came with the calls, each behind those before it.
fn attachments(calls: &[WireCall], behind_text: usize) -> Vec<Thought> {
    let attached = calls.iter().enumerate();
    let attached = attached.filter_map(|(behind_calls, call)| {
        let data = call.extra_content.clone()?;
        Some(Thought {
            behind_text,
            behind_calls,
            kind: ThoughtKind::Attached { data },
        })
    });
    attached.collect()
}

fn repeating(stuck: DegenerateOutput) -> ProviderError {
    ProviderError::Repeating(stuck.to_string())
}

fn tool_call(call: WireCall, truncated: bool) -> ToolCall {
    ToolCall {
        arguments: arguments::read_of(&call.arguments, truncated),
        id: CallId(call.id),
        name: call.name,
    }
}

/// Some servers answer more than once; the first answer is the one that was asked for.
fn first_choice(chunk: &Value) -> Option<&Value> {
    let choices = chunk.get("choices")?.as_array()?;
    choices.iter().find(|choice| {
        let index = choice.get("index").and_then(Value::as_u64);
        index.unwrap_or_default() == 0
    })
}

/// Returns the calls, also the one that servers of the first days have beside the text.
fn tool_calls(message: &Value) -> Cow<'_, [Value]> {
    if let Some(calls) = message.get("tool_calls").and_then(Value::as_array) {
        return Cow::Borrowed(calls.as_slice());
    }
    let single = message.get("function_call").filter(|it| it.is_object());
    let single = single.map(|call| json!({"index": 0, "type": "function", "function": call}));
    Cow::Owned(single.into_iter().collect())
}

/// Returns a text, also when it comes as a list of parts.
fn plain_text(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        _ => String::new(),
    }
}

/// Returns what Mistral's reasoning models think: parts of the content, of the kind `thinking`.
fn thinking_parts(message: &Value) -> String {
    let parts = message.get("content").and_then(Value::as_array);
    parts
        .into_iter()
        .flatten()
        .map(|part| plain_text(part.get("thinking")))
        .collect()
}
