//! An answer out of its content blocks: what was on the wire, and what we make of it.

use std::collections::BTreeMap;

use sayso_core::transcript::{
    AssistantMessage, CallId, Thought, ThoughtKind, ToolCall, Usage, estimate_tokens,
};
use serde_json::Value;

use crate::repetition::{DegenerateOutput, Repetition};
use crate::wire::arguments;
use crate::{Counted, Heard, ProviderError, Reply};

/// An answer so far.
#[derive(Debug, Default)]
pub(super) struct Assembly {
    /// By their index, which counts up in the order of the answer.
    blocks: BTreeMap<u64, Block>,
    usage: WireUsage,
    stop_reason: Option<String>,
    /// One for each text of the answer, the arguments of its calls included.
    watched: BTreeMap<u64, Repetition>,
}

/// A content block so far.
#[derive(Debug)]
enum Block {
    Text(String),
    Thinking {
        text: String,
        signature: String,
    },
    Redacted(String),
    Call(WireCall),
    /// What a server-side tool did, and whatever is new: we asked for none of it.
    Other,
}

/// A tool call as it was on the wire.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct WireCall {
    /// The id that the server gave.
    pub(super) id: String,
    /// The name of the tool.
    pub(super) name: String,
    /// The arguments, as text.
    pub(super) arguments: String,
}

/// The usage of an answer, as counted on the wire: tokens read from or written to the cache are
/// separate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct WireUsage {
    /// Tokens of the prompt that the cache had nothing to do with.
    pub(super) input: u64,
    /// Tokens of the answer, thinking included.
    pub(super) output: u64,
    /// Tokens of the prompt that came from the cache.
    pub(super) cache_read: u64,
    /// Tokens of the prompt that were put into the cache.
    pub(super) cache_creation: u64,
}

/// A whole answer as it was on the wire.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// The text of all its blocks.
    pub(super) text: String,
    /// What it thought, in order.
    pub(super) thoughts: Vec<Thought>,
    /// The calls of our tools, in order.
    pub(super) calls: Vec<WireCall>,
    /// What it cost.
    pub(super) usage: WireUsage,
    /// Why the model stopped.
    pub(super) stop_reason: Option<String>,
}

impl Assembly {
    /// Takes `message_start`, or an answer that was not streamed.
    pub(super) fn take_message(&mut self, message: &Value, heard: Heard<'_>) {
        self.take_usage(message);
        self.take_stop(message);
        let content = message.get("content").and_then(Value::as_array);
        for (index, block) in (0..).zip(content.into_iter().flatten()) {
            self.begin(index, block, heard);
        }
    }

    /// Takes `content_block_start`.
    pub(super) fn take_block(&mut self, event: &Value, heard: Heard<'_>) {
        if let Some(block) = event.get("content_block") {
            self.begin(index_of(event), block, heard);
        }
    }

    /// Takes `content_block_delta`. One without its beginning is a block of its own.
    pub(super) fn take_delta(&mut self, event: &Value, heard: Heard<'_>) {
        let Some(delta) = event.get("delta") else {
            return;
        };
        let text = |field: &str| text_of(delta, field);
        let block = self.blocks.entry(index_of(event));
        match delta.get("type").and_then(Value::as_str) {
            Some("text_delta") => {
                let block = block.or_insert_with(|| Block::Text(String::new()));
                if let Block::Text(words) = block {
                    let piece = text("text");
                    words.push_str(piece);
                    say(piece, heard);
                }
            }
            Some("thinking_delta") => block
                .or_insert_with(Block::thinking)
                .think(text("thinking")),
            Some("signature_delta") => block
                .or_insert_with(Block::thinking)
                .sign(text("signature")),
            Some("input_json_delta") => {
                if let Block::Call(call) = block.or_insert(Block::Other) {
                    call.arguments.push_str(text("partial_json"));
                }
            }
            // Citations, and whatever is new.
            _ => {}
        }
    }

    /// Takes `message_delta`: why the model stopped, and what all of it cost.
    pub(super) fn take_end(&mut self, event: &Value) {
        self.take_usage(event);
        if let Some(delta) = event.get("delta") {
            self.take_stop(delta);
        }
    }

    /// Watches what was added: an answer that only repeats itself is to be cut off.
    pub(super) fn watch(&mut self) -> Result<(), ProviderError> {
        for (index, block) in &self.blocks {
            let watched = self.watched.entry(*index).or_default();
            watched.watch(block.words()).map_err(repeating)?;
        }
        Ok(())
    }

    /// Watches the end of the answer.
    pub(super) fn watch_end(&mut self) -> Result<(), ProviderError> {
        self.watch()?;
        let mut watched = self.watched.values_mut();
        watched.try_for_each(|one| one.finish().map_err(repeating))
    }

    /// Returns whether the model said that it is finished.
    pub(super) fn is_finished(&self) -> bool {
        self.stop_reason.is_some()
    }

    /// Estimates how much the model wrote so far, in tokens.
    pub(super) fn written(&self) -> usize {
        let blocks = self.blocks.values();
        blocks.map(|block| estimate_tokens(block.words())).sum()
    }

    /// Returns what the service counted so far.
    pub(super) fn counted(&self) -> Counted {
        self.usage.counted()
    }

    /// Returns the whole answer.
    pub(super) fn finish(self) -> Answer {
        let mut answer = Answer {
            usage: self.usage,
            stop_reason: self.stop_reason,
            ..Answer::default()
        };
        for block in self.blocks.into_values() {
            answer.take(block);
        }
        answer
    }

    fn begin(&mut self, index: u64, block: &Value, heard: Heard<'_>) {
        let text = |field: &str| text_of(block, field).to_owned();
        let block = match block.get("type").and_then(Value::as_str) {
            Some("text") => {
                say(text_of(block, "text"), heard);
                Block::Text(text("text"))
            }
            Some("thinking") => Block::Thinking {
                text: text("thinking"),
                signature: text("signature"),
            },
            Some("redacted_thinking") => Block::Redacted(text("data")),
            Some("tool_use") => Block::Call(WireCall {
                id: text("id"),
                name: text("name"),
                arguments: whole_input(block),
            }),
            _ => Block::Other,
        };
        self.blocks.insert(index, block);
    }

    /// Each report is of the whole answer so far, and leaves out what it has said before.
    fn take_usage(&mut self, holder: &Value) {
        let Some(usage) = holder.get("usage").filter(|usage| usage.is_object()) else {
            return;
        };
        let counts = [
            ("input_tokens", &mut self.usage.input),
            ("output_tokens", &mut self.usage.output),
            ("cache_read_input_tokens", &mut self.usage.cache_read),
            (
                "cache_creation_input_tokens",
                &mut self.usage.cache_creation,
            ),
        ];
        for (field, count) in counts {
            *count = usage.get(field).and_then(Value::as_u64).unwrap_or(*count);
        }
    }

    fn take_stop(&mut self, holder: &Value) {
        let reason = holder.get("stop_reason").and_then(Value::as_str);
        if let Some(reason) = reason.filter(|reason| !reason.is_empty()) {
            self.stop_reason = Some(reason.to_owned());
        }
    }
}

impl Block {
    fn thinking() -> Self {
        Self::Thinking {
            text: String::new(),
            signature: String::new(),
        }
    }

    fn think(&mut self, piece: &str) {
        if let Self::Thinking { text, .. } = self {
            text.push_str(piece);
        }
    }

    fn sign(&mut self, piece: &str) {
        if let Self::Thinking { signature, .. } = self {
            signature.push_str(piece);
        }
    }

    /// Returns what the model wrote of it.
    fn words(&self) -> &str {
        match self {
            Self::Text(text) | Self::Thinking { text, .. } => text,
            Self::Call(call) => &call.arguments,
            Self::Redacted(_) | Self::Other => "",
        }
    }
}

impl Answer {
    /// Returns what the service counted.
    pub(super) fn counted(&self) -> Counted {
        self.usage.counted()
    }

    fn take(&mut self, block: Block) {
        match block {
            Block::Text(text) => self.text.push_str(&text),
            Block::Thinking { text, signature } => {
                self.think(ThoughtKind::Signed { text, signature });
            }
            Block::Redacted(data) => self.think(ThoughtKind::Redacted { data }),
            Block::Call(call) => self.calls.push(call),
            Block::Other => {}
        }
    }

    fn think(&mut self, kind: ThoughtKind) {
        self.thoughts.push(Thought {
            behind_text: self.text.len(),
            behind_calls: self.calls.len(),
            kind,
        });
    }

    /// Returns the reply; an answer that says nothing at all is none, nor is one that was broken
    /// off because the service would not give it.
    pub(super) fn into_reply(self) -> Result<Reply, ProviderError> {
        let stopped = self.stop_reason.as_deref().unwrap_or_default();
        if stopped == "refusal" {
            return Err(ProviderError::Refused {
                status: 200,
                message: "the model declines to answer (`stop_reason` is `refusal`)".to_owned(),
            });
        }
        let truncated = matches!(stopped, "max_tokens" | "model_context_window_exceeded");
        let silent = self.text.trim().is_empty() && self.calls.is_empty();
        if silent && self.thoughts.is_empty() {
            let why = if truncated {
                "an empty answer: it was cut at the token limit before the first word"
            } else {
                "an empty answer"
            };
            return Err(ProviderError::Garbage(why.to_owned()));
        }
        // Only the last call can be incomplete.
        let last = self.calls.len().saturating_sub(1);
        let calls = self.calls.into_iter().enumerate();
        Ok(Reply {
            message: AssistantMessage {
                text: self.text,
                reasoning_content: None,
                thoughts: self.thoughts,
                calls: calls
                    .map(|(at, call)| tool_call(call, truncated && at == last))
                    .collect(),
            },
            usage: self.usage.into_usage(),
            total_tokens: 0,
            model: String::new(),
            truncated,
            filtered: false,
            asking: None,
        })
    }
}

impl WireUsage {
    /// Returns the usage in our count, in which a prompt is all that was sent.
    fn into_usage(self) -> Usage {
        Usage {
            prompt_tokens: self
                .input
                .saturating_add(self.cache_read)
                .saturating_add(self.cache_creation),
            completion_tokens: self.output,
            cached_tokens: self.cache_read,
        }
    }

    fn counted(self) -> Counted {
        Counted {
            usage: self.into_usage(),
            total_tokens: 0,
        }
    }
}

fn tool_call(call: WireCall, is_cut: bool) -> ToolCall {
    ToolCall {
        arguments: arguments::read_of(&call.arguments, is_cut),
        id: CallId(call.id),
        name: call.name,
    }
}

/// Returns the arguments that a call begins with: all of them where nothing is streamed, and an
/// object without fields where they are still to come.
fn whole_input(block: &Value) -> String {
    match block.get("input") {
        Some(Value::Object(fields)) if fields.is_empty() => String::new(),
        Some(Value::Null) | None => String::new(),
        Some(input) => input.to_string(),
    }
}

fn say(piece: &str, heard: Heard<'_>) {
    if !piece.is_empty() {
        heard(piece);
    }
}

fn repeating(stuck: DegenerateOutput) -> ProviderError {
    ProviderError::Repeating(stuck.to_string())
}

fn index_of(event: &Value) -> u64 {
    event.get("index").and_then(Value::as_u64).unwrap_or(0)
}

fn text_of<'a>(holder: &'a Value, field: &str) -> &'a str {
    holder
        .get(field)
        .and_then(Value::as_str)
        .unwrap_or_default()
}
