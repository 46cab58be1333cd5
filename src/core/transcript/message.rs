//! The messages to and from a model, independent of any provider's wire format.

use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{CallId, Image, OutsideSource, ToolOutcome, estimate_tokens};
use crate::Language;

/// Returns the heading of recalled text, in the prompt and in a note after the messages: the text
/// after it is not attributed to any speaker.
pub const fn recall_heading(language: Language) -> &'static str {
    match language {
        Language::English => "[Related memories]",
        Language::Chinese => "[相关记忆]",
    }
}

/// Returns how the note of a turn begins: what the system looked up for it, the time and so on.
pub const fn note_heading(language: Language) -> &'static str {
    match language {
        Language::English => "[Context] For this turn, from the system; no user said it.",
        Language::Chinese => "[本轮背景] 由系统提供，不是用户说的话。",
    }
}

/// One message of a conversation, as a provider is given it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "role", rename_all = "snake_case")]
pub enum ConversationMessage {
    /// What people said, as the model sees it.
    User {
        /// The text, with attributions and quotations already in it.
        text: String,
        /// The pictures that it names.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        images: Vec<Image>,
    },
    /// What the model said.
    Assistant(AssistantMessage),
    /// What a tool call gave.
    ToolResult {
        /// The call that it answers.
        call: CallId,
        /// The name of the tool.
        name: String,
        /// The result.
        outcome: ToolOutcome,
        /// What it was that gave the result, where it holds text from outside.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        outside: Option<OutsideSource>,
    },
}

impl ConversationMessage {
    /// Returns a user's message.
    pub fn user(text: impl Into<String>) -> Self {
        Self::User {
            text: text.into(),
            images: Vec::new(),
        }
    }

    /// Returns the pictures that belong to it.
    pub fn images(&self) -> &[Image] {
        match self {
            Self::User { images, .. } => images,
            Self::Assistant(_) | Self::ToolResult { .. } => &[],
        }
    }

    /// Returns whether it is what somebody said, and no note of the system's.
    pub fn is_said(&self) -> bool {
        let is_user = matches!(self, Self::User { .. });
        let headings = [Language::English, Language::Chinese].map(recall_heading);
        let is_recalled = matches!(self, Self::User { text, .. }
            if headings.iter().any(|it| text.starts_with(it)));
        is_user && !is_recalled && !self.is_turn_note()
    }

    /// Returns whether it is the note of what holds for a turn, which stands behind the history.
    pub fn is_turn_note(&self) -> bool {
        let headings = [Language::English, Language::Chinese].map(note_heading);
        matches!(self, Self::User { text, .. } if headings.iter().any(|it| text.starts_with(it)))
    }

    /// Returns the result of a tool call as the model is shown it; `None` of another message.
    pub fn result_text(&self) -> Option<String> {
        match self {
            Self::ToolResult {
                outcome,
                outside: Some(source),
                ..
            } => Some(outcome.for_model_from(source)),
            Self::ToolResult {
                outcome,
                outside: None,
                ..
            } => Some(outcome.for_model()),
            Self::User { .. } | Self::Assistant(_) => None,
        }
    }
}

/// One answer of a model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct AssistantMessage {
    /// What it says; may be empty beside tool calls.
    pub text: String,
    /// The separate chain of thought of DeepSeek, GLM and others, sent back verbatim.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_content: Option<String>,
    /// The thoughts that Anthropic's protocol signs, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thoughts: Vec<Thought>,
    /// The tools it wants to call, in its order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
}

impl AssistantMessage {
    /// Returns what it thought, in whichever form that was given; empty where it did not think
    /// aloud.
    pub fn reasoning(&self) -> Cow<'_, str> {
        match &self.reasoning_content {
            Some(reasoning) => Cow::Borrowed(reasoning),
            None => self.thoughts.iter().filter_map(Thought::text).collect(),
        }
    }
}

/// A thought as its service signed it: it goes back as it came, where it came, or not at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Thought {
    /// How much of the text stands before it, in bytes.
    pub behind_text: usize,
    /// How many of the calls stand before it.
    pub behind_calls: usize,
    /// What there is of it.
    pub kind: ThoughtKind,
}

/// What there is of a thought.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ThoughtKind {
    /// Words, and the proof that they are the model's. There may be no words.
    Signed {
        /// The words.
        text: String,
        /// The proof.
        signature: String,
    },
    /// A thought that only its service can read.
    Redacted {
        /// The thought.
        data: String,
    },
    /// What came with the call behind it, to be sent back with it.
    Attached {
        /// As it came.
        data: Value,
    },
}

impl Thought {
    /// Returns its words, where it can be read.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            ThoughtKind::Signed { text, .. } => Some(text),
            ThoughtKind::Redacted { .. } | ThoughtKind::Attached { .. } => None,
        }
    }
}

/// A tool call as the model made it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// Unique inside its turn.
    pub id: CallId,
    /// The name of the tool, as the model wrote it.
    pub name: String,
    /// An object; a string holds what the model wrote when that was no JSON object.
    pub arguments: Value,
}

impl ToolCall {
    /// Returns the arguments as one line of JSON with sorted keys: equal calls have equal lines.
    pub fn canonical_arguments(&self) -> String {
        canonical(&self.arguments)
    }
}

fn canonical(value: &Value) -> String {
    match value {
        Value::Object(fields) => {
            let mut sorted: Vec<_> = fields.iter().collect();
            sorted.sort_by_key(|(name, _)| *name);
            let body: Vec<_> = sorted
                .into_iter()
                .map(|(name, field)| format!("{}:{}", Value::from(name.as_str()), canonical(field)))
                .collect();
            format!("{{{}}}", body.join(","))
        }
        Value::Array(items) => {
            let body: Vec<_> = items.iter().map(canonical).collect();
            format!("[{}]", body.join(","))
        }
        other => other.to_string(),
    }
}

/// A tool as described to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    /// `a-z`, `0-9` and `_`, at most 64 characters.
    pub name: String,
    /// What it does and when to use it.
    pub description: String,
    /// The JSON schema of the arguments: an object schema.
    pub parameters: Schema,
}

/// A JSON schema that is never changed: clones share it, and its length is counted once.
#[derive(Debug, Clone)]
pub struct Schema(Arc<SharedSchema>);

#[derive(Debug)]
struct SharedSchema {
    value: Value,
    tokens: OnceLock<usize>,
}

impl Schema {
    /// Returns how many tokens its text is, estimated.
    pub fn tokens(&self) -> usize {
        let SharedSchema { value, tokens } = &*self.0;
        *tokens.get_or_init(|| estimate_tokens(&value.to_string()))
    }
}

impl From<Value> for Schema {
    fn from(value: Value) -> Self {
        Self(Arc::new(SharedSchema {
            value,
            tokens: OnceLock::new(),
        }))
    }
}

impl Deref for Schema {
    type Target = Value;

    fn deref(&self) -> &Value {
        &self.0.value
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.value.fmt(f)
    }
}

impl PartialEq for Schema {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.value.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

/// What a model call cost, in tokens. 0 where the provider does not say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt, cached ones included.
    pub prompt_tokens: u64,
    /// Tokens of the answer, thinking included.
    pub completion_tokens: u64,
    /// Tokens of the prompt that came from the provider's cache.
    #[serde(default)]
    pub cached_tokens: u64,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{CallId, ToolCall};

    #[test]
    fn equal_calls_have_equal_lines() {
        let call = |arguments| ToolCall {
            id: CallId("1".into()),
            name: "shell".into(),
            arguments,
        };
        let left = call(json!({"b": [1, {"y": 1, "x": "ü\n"}], "a": null}));
        let right = call(json!({"a": null, "b": [1, {"x": "ü\n", "y": 1}]}));
        assert_eq!(left.canonical_arguments(), right.canonical_arguments());
        assert_eq!(
            left.canonical_arguments(),
            r#"{"a":null,"b":[1,{"x":"ü\n","y":1}]}"#
        );
    }
}
