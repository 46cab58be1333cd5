//! What one server would not take: learned from its refusals, kept while the process lives.
//!
//! Compatible servers differ in a few fields of a request. A server that refuses one of these is
//! asked again without it; every other refusal stands. Tools and forms of answers can be done without,
//! too: tools stand in the prompt then, and a form in its words.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Map, Value, json};

use super::failure::is_no_system_role;
use crate::wire::refused_tools::RefusedTools;
use crate::{ChatOptions, ChatRequest, ProviderError, Reply};

/// A field that some servers refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Field {
    /// Unknown to older servers; without it the usage of streams is not reported.
    StreamOptions,
    /// Refused by servers that never think, and by some that do not want it back.
    ReasoningContent,
    /// Renamed `max_completion_tokens` for OpenAI's reasoning models.
    MaxTokens,
    /// Fixed in some reasoning models.
    Temperature,
    /// Unknown to the templates of some models; it then stands in the first message of the user.
    SystemRole,
}

const FIELDS: [Field; 5] = [
    Field::StreamOptions,
    Field::ReasoningContent,
    Field::MaxTokens,
    Field::Temperature,
    Field::SystemRole,
];

/// Words by which a refusal means the field itself and not its value.
const UNKNOWN_FIELD: [&str; 8] = [
    "support",
    "unrecognized",
    "unknown",
    "unexpected",
    "extra",
    "additional",
    "not permitted",
    "not allowed",
];

/// Words by which a fault is about the form of an answer.
const NAMES_OF_FORMS: [&str; 6] = [
    "response_format",
    "json_schema",
    "json schema",
    "grammar",
    "guided",
    "structured output",
];

/// The fields that a server refused so far, and what else it has shown.
#[derive(Debug, Default)]
pub(super) struct Dialect {
    refused: [AtomicBool; FIELDS.len()],
    /// The tools that are refused by themselves, for their schemas.
    refused_tools: RefusedTools,
    /// Whether tools are refused, which then stand in the prompt.
    tools: AtomicBool,
    /// Whether the form of an answer is refused.
    forms: AtomicBool,
    /// Whether the model thinks before it answers, and its thoughts count as part of the answer.
    thinks: AtomicBool,
}

/// What an answer has shown of a server: by this it is asked again, otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lesson {
    /// It takes no tools, or not for this model.
    NoTools,
    /// It takes no form of an answer.
    NoForms,
    /// Its thoughts fill a short answer.
    ThinksFirst,
}

impl Lesson {
    /// Returns what an answer to a question shows.
    pub(super) fn of(
        request: &ChatRequest<'_>,
        answer: &Result<Reply, ProviderError>,
    ) -> Option<Self> {
        let has_form = request.options.form.is_some();
        match answer {
            Ok(reply) => {
                let is_cut_short = has_form && request.options.max_tokens.is_some();
                let message = &reply.message;
                let thought = message.reasoning_content.is_some() || message.text.trim().is_empty();
                (is_cut_short && reply.truncated && thought).then_some(Self::ThinksFirst)
            }
            Err(error) if !request.tools.is_empty() && error.is_about_tools() => {
                Some(Self::NoTools)
            }
            Err(ProviderError::Garbage(why)) if has_form && why.contains("at the token limit") => {
                request.options.max_tokens.map(|_| Self::ThinksFirst)
            }
            Err(error) => (has_form && may_mind_forms(error)).then_some(Self::NoForms),
        }
    }

    /// Returns the question again, otherwise.
    pub(super) fn applied<'a>(self, request: &ChatRequest<'a>) -> ChatRequest<'a> {
        let mut options = request.options;
        match self {
            Self::NoTools => {}
            Self::NoForms => options.form = None,
            Self::ThinksFirst => options.max_tokens = None,
        }
        ChatRequest {
            options,
            ..*request
        }
    }
}

/// Returns whether a refusal may be because of the form: it can be left out, so little is enough. One
/// that is no refusal must name it.
pub(crate) fn may_mind_forms(error: &ProviderError) -> bool {
    match error {
        ProviderError::Refused {
            status: 400 | 415 | 422 | 500 | 501,
            ..
        } => !error.is_too_long() && !is_no_system_role(error),
        ProviderError::Broken { message, .. } => {
            let message = message.to_lowercase();
            NAMES_OF_FORMS.iter().any(|name| message.contains(name))
        }
        _ => false,
    }
}

impl Dialect {
    /// Returns what of a question's options this server takes.
    pub(super) fn taken<'a>(&self, options: ChatOptions<'a>) -> ChatOptions<'a> {
        let is = |flag: &AtomicBool| flag.load(Ordering::Relaxed);
        ChatOptions {
            form: options.form.filter(|_| !is(&self.forms)),
            max_tokens: options.max_tokens.filter(|_| !is(&self.thinks)),
            ..options
        }
    }

    /// Returns whether tools are refused.
    pub(super) fn refuses_tools(&self) -> bool {
        self.tools.load(Ordering::Relaxed)
    }

    /// Takes a lesson to heart and returns whether it is new.
    pub(super) fn heed(&self, lesson: Lesson) -> bool {
        let flag = match lesson {
            Lesson::NoTools => &self.tools,
            Lesson::NoForms => &self.forms,
            Lesson::ThinksFirst => &self.thinks,
        };
        !flag.swap(true, Ordering::Relaxed)
    }

    /// Writes a request in the words of this server.
    pub(super) fn adapt(&self, body: &mut Map<String, Value>) {
        for (field, refused) in FIELDS.iter().zip(&self.refused) {
            if refused.load(Ordering::Relaxed) {
                field.take_from(body);
            }
        }
        self.refused_tools.take_from(body);
    }

    /// Returns the tools that are refused by themselves.
    pub(super) fn refused_tools(&self) -> Vec<String> {
        self.refused_tools.names()
    }

    /// Learns from a refusal and returns whether asking again can help: whether a field that was
    /// sent is newly known to be refused.
    pub(super) fn learn(&self, sent: &Map<String, Value>, error: &ProviderError) -> bool {
        if is_no_system_role(error) {
            return Field::SystemRole.is_in(sent) && self.note(Field::SystemRole);
        }
        let ProviderError::Refused {
            status: 400 | 422,
            message,
        } = error
        else {
            return false;
        };
        if self.refused_tools.learn(sent, message) {
            return true;
        }
        let message = message.to_ascii_lowercase();
        if !UNKNOWN_FIELD.iter().any(|word| message.contains(word)) {
            return false;
        }
        let mut learned = false;
        for field in FIELDS {
            if message.contains(field.name()) && field.is_in(sent) {
                learned |= self.note(field);
            }
        }
        learned
    }

    /// Notes that a field is refused, and returns whether that is new.
    fn note(&self, refused: Field) -> bool {
        let mut known = FIELDS.iter().zip(&self.refused);
        let place = known.find(|(field, _)| **field == refused);
        place.is_some_and(|(_, known)| !known.swap(true, Ordering::Relaxed))
    }
}

impl Field {
    fn name(self) -> &'static str {
        match self {
            Self::StreamOptions => "stream_options",
            Self::ReasoningContent => "reasoning_content",
            Self::MaxTokens => "max_tokens",
            Self::Temperature => "temperature",
            Self::SystemRole => "system role",
        }
    }

    fn is_in(self, body: &Map<String, Value>) -> bool {
        match self {
            Self::StreamOptions | Self::MaxTokens | Self::Temperature => {
                body.contains_key(self.name())
            }
            Self::ReasoningContent => {
                let messages = body.get("messages").and_then(Value::as_array);
                messages
                    .into_iter()
                    .flatten()
                    .any(|message| message.get(self.name()).is_some())
            }
            Self::SystemRole => {
                let first = body.get("messages").and_then(|messages| messages.get(0));
                first.is_some_and(|message| message["role"] == "system")
            }
        }
    }

    fn take_from(self, body: &mut Map<String, Value>) {
        match self {
            Self::StreamOptions | Self::Temperature => {
                body.shift_remove(self.name());
            }
            Self::MaxTokens => {
                if let Some(limit) = body.shift_remove(self.name()) {
                    body.insert("max_completion_tokens".into(), limit);
                }
            }
            Self::SystemRole => {
                if let Some(Value::Array(messages)) = body.get_mut("messages") {
                    fold_system(messages);
                }
            }
            Self::ReasoningContent => {
                let messages = body.get_mut("messages").and_then(Value::as_array_mut);
                for message in messages.into_iter().flatten() {
                    if let Some(fields) = message.as_object_mut() {
                        fields.shift_remove(self.name());
                    }
                }
            }
        }
    }
}

/// Puts the system prompt before what the user says first.
fn fold_system(messages: &mut Vec<Value>) {
    if messages.first().is_none_or(|it| it["role"] != "system") {
        return;
    }
    let system = messages.remove(0);
    let system = system["content"].as_str().unwrap_or_default();
    match messages.first_mut() {
        Some(first) if first["role"] == "user" && first["content"].is_string() => {
            let said = first["content"].as_str().unwrap_or_default();
            first["content"] = format!("{system}\n\n{said}").into();
        }
        _ => messages.insert(0, json!({"role": "user", "content": system})),
    }
}
