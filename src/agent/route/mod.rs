//! Phase 1: one small model call that decides what a message needs before any tool is offered.
//!
//! Whatever goes wrong here, the message goes on: free local rules stand in, which most often say
//! [`RouteResult::Direct`]. Routing makes answers better and never stands in their way. The model's
//! JSON stays in this folder.

mod form;
mod gate;
mod parse;
mod plain_talk;
mod prompt;
mod rules;
mod skip;

use sayso_channel::Language;
use sayso_core::transcript::{
    Answering, AssistantMessage, ConversationMessage, ModelName, RouteResult, first_chars,
};
use sayso_providers::{
    AnswerForm, Attempts, ChatOptions, ChatRequest, Provider, ProviderError, Reply, Retries,
    Watcher,
};

use form::form;
use parse::parse_route_result;
use prompt::build_routing_prompt;
pub use prompt::{skill_list, skill_names};
pub use rules::by_rules;
pub use skip::skip;

use crate::skills::SkillMeta;

/// Routing wants the same answer each time.
const TEMPERATURE: f64 = 0.1;
/// The longest answer, in tokens: a route has about thirty, and one with a question a hundred.
const ANSWER_TOKENS: u32 = 300;
/// How many clarifications in a row a request may have.
const CLARIFICATIONS: u32 = 2;
/// The most of one earlier message that Phase 1 sees, in characters.
const HISTORY_CHARS: usize = 600;
/// The most of the message itself, in characters.
const TEXT_CHARS: usize = 8000;

/// What Phase 1 decides on.
#[derive(Debug, Clone, Copy)]
pub struct RouteRequest<'a> {
    /// The catalogue (L1).
    pub skills: &'a [SkillMeta],
    /// The session so far, oldest first.
    pub history: &'a [ConversationMessage],
    /// How many messages of it are shown at most; tool calls and results do not count.
    pub history_limit: usize,
    /// What the user says now.
    pub text: &'a str,
    /// The question that this text answers.
    pub answering: Option<&'a Answering>,
    /// The language of the prompt.
    pub language: Language,
}

/// What Phase 1 asks the model.
#[derive(Debug, Clone, PartialEq)]
pub struct Question {
    system: String,
    messages: Vec<ConversationMessage>,
    form: AnswerForm,
    wanted: Option<ModelName>,
    /// What it asks about.
    skills: Vec<SkillMeta>,
    /// How many questions in a row the message has answered.
    answered: u32,
}

impl Question {
    /// Asks this model first.
    #[must_use]
    pub fn wanting(self, wanted: Option<ModelName>) -> Self {
        Self { wanted, ..self }
    }

    /// Returns the question as a provider is asked it: for one short answer, once, since rules can
    /// stand in. It is streamed so that silence and babble are noticed as they come.
    pub fn request<'a>(
        &'a self,
        attempts: &'a Attempts,
        watcher: Option<Watcher<'a>>,
    ) -> ChatRequest<'a> {
        let options = ChatOptions {
            form: Some(&self.form),
            max_tokens: Some(ANSWER_TOKENS),
            retries: Retries::None,
            watcher,
        };
        ChatRequest {
            system: &self.system,
            messages: &self.messages,
            tools: &[],
            temperature: Some(TEMPERATURE),
            stream: true,
            attempts: Some(attempts),
            wanted: self.wanted.as_ref(),
            options,
        }
    }
}

/// Returns what Phase 1 asks about a message.
pub fn question(request: &RouteRequest<'_>) -> Question {
    Question {
        system: build_routing_prompt(request.skills, request.language),
        messages: messages(request),
        form: form(request.skills),
        wanted: None,
        skills: request.skills.to_vec(),
        answered: request.answering.map_or(0, |answering| answering.asked),
    }
}

/// Asks the model what a message needs; `None` when it says nothing that can be used. Returns what
/// it answered, too. `asked` is the question as it goes out.
pub async fn route(
    provider: &dyn Provider,
    question: &Question,
    asked: ChatRequest<'_>,
) -> (Option<RouteResult>, Result<Reply, ProviderError>) {
    let answer = provider.chat_with_tools(asked, &|_| {}).await;
    let route = match &answer {
        Ok(reply) => {
            let route = parse_route_result(said(&reply.message), &question.skills);
            route.map(|route| within_limit(route, question.answered))
        }
        Err(error) => {
            tracing::debug!(%error, "routing failed; continuing without a route");
            None
        }
    };
    (route, answer)
}

/// Returns what the model said. Behind a template that opens the thoughts of its model, a server
/// takes all of an answer in a fixed form for thoughts; thoughts that are anything else are no
/// answer.
pub(super) fn said(message: &AssistantMessage) -> &str {
    match &message.reasoning_content {
        Some(thoughts) if message.text.trim().is_empty() && is_object(thoughts) => thoughts,
        Some(_) | None => &message.text,
    }
}

fn is_object(text: &str) -> bool {
    let text = text.trim();
    text.starts_with('{') && text.ends_with('}')
}

/// Turns a third clarification in a row into an attempt.
fn within_limit(route: RouteResult, asked: u32) -> RouteResult {
    match route {
        RouteResult::NeedClarification { .. } if asked >= CLARIFICATIONS => {
            tracing::debug!(
                asked,
                "clarification limit reached; continuing with what is known"
            );
            RouteResult::Direct
        }
        route => route,
    }
}

fn messages(request: &RouteRequest<'_>) -> Vec<ConversationMessage> {
    let mut messages = recent_words(request.history, request.history_limit, request.language);
    let text = cut(request.text, TEXT_CHARS, request.language);
    messages.push(ConversationMessage::user(match request.answering {
        Some(answering) => answer_in_view(answering, &text, request.language),
        None => text,
    }));
    messages
}

/// Returns what was said, without what tools gave; begins with a user's words.
pub(super) fn recent_words(
    history: &[ConversationMessage],
    limit: usize,
    language: Language,
) -> Vec<ConversationMessage> {
    let words: Vec<_> = history
        .iter()
        .filter_map(|message| spoken(message, language))
        .collect();
    words
        .into_iter()
        .rev()
        .take(limit)
        .rev()
        .skip_while(|message| !matches!(message, ConversationMessage::User { .. }))
        .collect()
}

fn spoken(message: &ConversationMessage, language: Language) -> Option<ConversationMessage> {
    match message {
        ConversationMessage::User { text, .. } => Some(ConversationMessage::user(cut(
            text,
            HISTORY_CHARS,
            language,
        ))),
        ConversationMessage::Assistant(assistant) if !assistant.text.trim().is_empty() => {
            Some(ConversationMessage::Assistant(AssistantMessage {
                text: cut(&assistant.text, HISTORY_CHARS, language),
                ..AssistantMessage::default()
            }))
        }
        ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => None,
    }
}

fn answer_in_view(answering: &Answering, answer: &str, language: Language) -> String {
    let request = cut(&answering.request, HISTORY_CHARS, language);
    let question = &answering.question;
    match language {
        Language::English => format!(
            "The user asked for: {request}\nYou asked back: {question}\nThe user now says: {answer}\n\
             (Judge the request with this answer; if it is a new topic, judge that alone.)"
        ),
        Language::Chinese => format!(
            "用户的请求：{request}\n你的反问：{question}\n用户现在说：{answer}\n\
             （结合这个回答判断原请求；若是新话题，只判断新话题。）"
        ),
    }
}

pub(super) fn cut(text: &str, max: usize, language: Language) -> String {
    match (first_chars(text, max), language) {
        (None, _) => text.to_owned(),
        (Some(kept), Language::English) => format!("{kept} [cut here]"),
        (Some(kept), Language::Chinese) => format!("{kept}［以下略］"),
    }
}

#[cfg(test)]
mod fuzz_tests;
#[cfg(test)]
mod tests;
