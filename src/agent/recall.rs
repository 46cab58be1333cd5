//! What a turn recalls: for what was said, before its first step, and again when a step brings new
//! words. What was looked up before is not looked up again.
//!
//! The first lot stands in the system prompt; a later one is a note behind what was said by then.
//! So nothing that a model was shown is written anew, and what a provider has cached stays good.
//! The journal keeps with each answer what was in view ([`sayso_core::transcript::Hits`]): a turn that
//! is resumed reads that again, without what was forgotten meanwhile.
//!
//! Words to look up are those of the user, always. While nothing untrusted is in view, they are
//! also those of the model and of the files in the user's own workspace. Once there is, they are
//! not: a web page could otherwise choose, by the words that it makes a model say, which private
//! memories come into view of the very model that it gives orders to.

use std::collections::HashSet;

use sayso_channel::Language;
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, Hits, MemoryId, Owner, PassageId, Role,
    ToolOutcome, TurnId, TurnState, first_chars,
};
use sayso_memory::knowledge::{KNOWLEDGE_CHARS, Passage, fitting_passages};
use sayso_memory::{Question, Recalled, SECTION_CHARS, fitting, recall_terms};
use serde_json::Value;

use super::Agent;
use super::message_texts::user_texts;
use super::prompt::recall_note;
use super::turn_setup::{TurnContext, TurnSetup};
use crate::persona::Profile;

/// How many memories the first step recalls.
const FIRST_MEMORIES: usize = 6;
/// How many passages.
const FIRST_PASSAGES: usize = 3;
/// How many memories a later step recalls, and how many passages.
const MORE: usize = 3;
/// How much of a result is read for words, in characters.
const RESULT_CHARS: usize = 1000;

/// What one look found.
#[derive(Debug, Clone, Default)]
pub(super) struct RecallResult {
    /// The memories, best first.
    pub(super) memories: Vec<Recalled>,
    /// The passages, best first.
    pub(super) passages: Vec<Passage>,
}

/// What was recalled in a turn so far.
#[derive(Debug)]
struct RecallState {
    /// The words that were looked up.
    terms: HashSet<String>,
    /// How many messages of the turn were read for words.
    read: usize,
    /// For the first step.
    first: RecallResult,
    /// For later ones, with how many messages stand before it.
    later: Vec<(usize, RecallResult)>,
    /// How many characters of memories there is still room for.
    memory_room: usize,
    /// How many of passages.
    passage_room: usize,
}

/// What a turn recalls, and what it knows of its person.
#[derive(Debug, Default)]
pub(super) struct Recall {
    /// What was recalled, once the first step needs it.
    so_far: Option<RecallState>,
    /// What is known of the person, once loaded: equal in all steps.
    profile: Option<String>,
}

/// What decides what a step recalls.
#[derive(Clone, Copy)]
pub(super) struct RecallInput<'a> {
    /// What the turn has come to.
    pub(super) state: &'a TurnState,
    /// The earlier turns that are in view.
    pub(super) in_view: &'a [TurnId],
    /// Whether nothing untrusted is in view.
    pub(super) is_clean: bool,
}

impl Recall {
    /// Recalls what the next step needs.
    pub(super) async fn prepare(&mut self, setup: &TurnSetup<'_>, input: RecallInput<'_>) {
        let (agent, context, scope) = (setup.agent, setup.context, setup.scope());
        if self.profile.is_none() {
            self.profile = Some(profile_of(agent, context).await);
        }
        let mut so_far = match self.so_far.take() {
            Some(so_far) => so_far,
            None if input.state.recalled.is_empty() => self.recall_first(setup, input).await,
            None => as_before(setup, input).await,
        };
        let messages = &input.state.messages;
        let words = so_far.new_words(messages, input.is_clean);
        if !words.is_empty() {
            let mut found = RecallResult::of(agent, context, &words).await;
            if input.is_clean {
                // The model's own wording must not pull tainted memories into a clean turn, which
                // could then require approvals.
                let is_own =
                    |memory: &Recalled| memory.taint_for(scope.owner, scope.user).is_empty();
                found.memories.retain(is_own);
            }
            so_far.add(messages.len(), found, setup.language());
        }
        self.so_far = Some(so_far);
    }

    async fn recall_first(&mut self, setup: &TurnSetup<'_>, input: RecallInput<'_>) -> RecallState {
        let (agent, context) = (setup.agent, setup.context);
        let query = user_texts(&input.state.messages);
        let found = RecallResult::first(agent, context, &query, input.in_view).await;
        let mut so_far = RecallState::default();
        so_far.terms.extend(recall_terms(&query));
        so_far.read = input.state.messages.len();
        so_far.first = so_far.fitting(found, setup.language());
        so_far
    }

    /// Returns what stands in the system prompt.
    pub(super) fn first(&self) -> Option<&RecallResult> {
        self.so_far.as_ref().map(|so_far| &so_far.first)
    }

    /// Returns what is known of the person.
    pub(super) fn profile(&self) -> &str {
        self.profile.as_deref().unwrap_or_default()
    }

    /// Returns every memory that is in view.
    pub(super) fn memories(&self) -> impl Iterator<Item = &Recalled> {
        self.so_far.iter().flat_map(RecallState::memories)
    }

    /// Returns the names of everything that is in view.
    pub(super) fn hits(&self) -> (Vec<MemoryId>, Vec<PassageId>) {
        let so_far = self.so_far.as_ref();
        so_far.map(RecallState::hits).unwrap_or_default()
    }

    /// Returns the notes that stand before the message at this place.
    pub(super) fn notes(
        &self,
        place: usize,
        language: Language,
    ) -> impl Iterator<Item = ConversationMessage> {
        let so_far = self.so_far.iter();
        so_far.flat_map(move |so_far| so_far.notes(place, language))
    }
}

/// Reads who the person is. A turn that does not know is better than none.
pub(super) async fn profile_of(agent: &Agent, context: &TurnContext) -> String {
    let profile = agent.persona.profile(context.execution.scope.owner).await;
    let profile = profile.unwrap_or_else(|error| {
        tracing::error!(turn = %context.execution.scope.turn, %error, "cannot read a profile");
        Profile::default()
    });
    profile.section(context.execution.language)
}

/// Reads again what earlier steps recalled, as far as it still exists.
async fn as_before(setup: &TurnSetup<'_>, input: RecallInput<'_>) -> RecallState {
    let (agent, context, language) = (setup.agent, setup.context, setup.language());
    let mut so_far = RecallState::default();
    let messages = &input.state.messages;
    let is_answer =
        |message: &ConversationMessage| matches!(message, ConversationMessage::Assistant(_));
    let answered = messages.iter().rposition(is_answer).unwrap_or_default();
    so_far.new_words(messages.get(..answered).unwrap_or_default(), input.is_clean);
    for (place, hits) in input.state.recalled.iter().enumerate() {
        let mut found = RecallResult::named(agent, context, hits).await;
        if place == 0 {
            // Lines of the transcript have no name to be read by: they are looked up again.
            let query = user_texts(&first_words(messages));
            let again = RecallResult::first(agent, context, &query, input.in_view).await;
            found.add_again(again, hits);
            so_far.first = so_far.fitting(found, language);
        } else {
            so_far.add(hits.behind, found, language);
        }
    }
    so_far
}

/// Returns what was said before the model first spoke.
fn first_words(messages: &[ConversationMessage]) -> Vec<ConversationMessage> {
    let said = messages.iter();
    said.take_while(|message| matches!(message, ConversationMessage::User { .. }))
        .cloned()
        .collect()
}

impl Default for RecallState {
    fn default() -> Self {
        Self {
            terms: HashSet::new(),
            read: 0,
            first: RecallResult::default(),
            later: Vec::new(),
            memory_room: SECTION_CHARS,
            passage_room: KNOWLEDGE_CHARS,
        }
    }
}

impl RecallState {
    /// Returns every memory that is in view.
    fn memories(&self) -> impl Iterator<Item = &Recalled> {
        self.found().flat_map(|found| &found.memories)
    }

    /// Returns the names of everything that is in view.
    fn hits(&self) -> (Vec<MemoryId>, Vec<PassageId>) {
        let passages = self.found().flat_map(|found| &found.passages);
        (
            self.memories().map(|memory| memory.id).collect(),
            passages.map(|passage| passage.id.clone()).collect(),
        )
    }

    /// Returns the note that stands before the message at this place, if there is one.
    fn notes(&self, place: usize, language: Language) -> impl Iterator<Item = ConversationMessage> {
        let here = self
            .later
            .iter()
            .filter(move |(behind, _)| *behind == place);
        here.map(move |(_, found)| {
            let note = recall_note(&found.memories, &found.passages, language);
            ConversationMessage::user(note)
        })
    }

    fn found(&self) -> impl Iterator<Item = &RecallResult> {
        std::iter::once(&self.first).chain(self.later.iter().map(|(_, found)| found))
    }

    /// Returns the words that came since it was last asked and were not looked up, separated by
    /// spaces, and counts them as looked up.
    fn new_words(&mut self, messages: &[ConversationMessage], is_clean: bool) -> String {
        let new = messages.get(self.read..).unwrap_or_default();
        self.read = messages.len();
        let mut terms = recall_terms(&words_of(new, is_clean));
        terms.retain(|term| self.terms.insert(term.clone()));
        terms.join(" ")
    }

    /// Takes in what is not in view yet and fits.
    fn add(&mut self, behind: usize, mut found: RecallResult, language: Language) {
        let (memories, passages) = self.hits();
        found.memories.retain(|it| !memories.contains(&it.id));
        found.passages.retain(|it| !passages.contains(&it.id));
        let found = self.fitting(found, language);
        if !found.memories.is_empty() || !found.passages.is_empty() {
            self.later.push((behind, found));
        }
    }

    fn fitting(&mut self, found: RecallResult, language: Language) -> RecallResult {
        RecallResult {
            memories: fitting(found.memories, &mut self.memory_room, language),
            passages: fitting_passages(found.passages, &mut self.passage_room),
        }
    }
}

impl RecallResult {
    /// Looks up what the first step needs.
    pub(super) async fn first(
        agent: &Agent,
        context: &TurnContext,
        query: &str,
        in_view: &[TurnId],
    ) -> Self {
        if !has_memories(context) {
            return Self::default();
        }
        let question = Question {
            text: query,
            limit: FIRST_MEMORIES,
            in_view,
        };
        let (memories, passages) = tokio::join!(
            agent
                .memory
                .search_transcript(context.execution.scope.owner, &question),
            agent.knowledge.recall(query, FIRST_PASSAGES),
        );
        Self {
            memories: memories.unwrap_or_else(|error| without_memory(context, &error)),
            passages: passages_for(context, passages),
        }
    }

    /// Takes in what was in view before and was found again, in the order of then.
    fn add_again(&mut self, again: Self, hits: &Hits) {
        let place = |memory: &Recalled| hits.memories.iter().position(|id| *id == memory.id);
        for memory in again.memories {
            let is_there = self.memories.iter().any(|it| it.id == memory.id);
            if !is_there && place(&memory).is_some() {
                self.memories.push(memory);
            }
        }
        self.memories.sort_by_key(place);
    }

    /// Searches the memory of the turn's owner, and the operator's texts. A turn without memory is
    /// better than none.
    async fn of(agent: &Agent, context: &TurnContext, query: &str) -> Self {
        if !has_memories(context) {
            return Self::default();
        }
        let (memories, passages) = tokio::join!(
            agent
                .memory
                .recall(context.execution.scope.owner, query, MORE),
            agent.knowledge.recall(query, MORE),
        );
        Self {
            memories: memories.unwrap_or_else(|error| without_memory(context, &error)),
            passages: passages_for(context, passages),
        }
    }

    async fn named(agent: &Agent, context: &TurnContext, hits: &Hits) -> Self {
        let (memories, passages) = tokio::join!(
            agent
                .memory
                .named(context.execution.scope.owner, &hits.memories),
            agent.knowledge.named(&hits.passages),
        );
        Self {
            memories: memories.unwrap_or_else(|error| without_memory(context, &error)),
            passages,
        }
    }
}

/// Returns whether anything is recalled for the person: somebody who may only chat has their own
/// memories in their direct chat, and none of others in a group.
fn has_memories(context: &TurnContext) -> bool {
    let scope = &context.execution.scope;
    match (scope.role, scope.owner) {
        (Role::Guest, Owner::Chat(_)) => false,
        (Role::Guest, Owner::User(_)) | (Role::Member | Role::Owner, _) => true,
    }
}

/// The operator's texts are for members and owners.
fn passages_for(context: &TurnContext, passages: Vec<Passage>) -> Vec<Passage> {
    match context.execution.scope.role {
        Role::Guest => Vec::new(),
        Role::Member | Role::Owner => passages,
    }
}

fn without_memory(context: &TurnContext, error: &anyhow::Error) -> Vec<Recalled> {
    tracing::error!(turn = %context.execution.scope.turn, error = %format!("{error:#}"), "recall failed");
    Vec::new()
}

fn words_of(messages: &[ConversationMessage], is_clean: bool) -> String {
    let mut words = Vec::new();
    // Calls that bring nothing from outside of us (a memory, a skill) have done their own looking.
    let brings = |call: &CallId| {
        messages.iter().any(|message| {
            matches!(message, ConversationMessage::ToolResult { call: of, outside: Some(_), .. } if of == call)
        })
    };
    for message in messages {
        match message {
            ConversationMessage::User { text, .. } => words.push(text.as_str()),
            ConversationMessage::Assistant(assistant) if is_clean => {
                said_by_model(assistant, brings, &mut words);
            }
            // With nothing untrusted in view, what comes from outside of us is the user's own.
            ConversationMessage::ToolResult {
                outcome,
                outside: Some(_),
                ..
            } if is_clean => words.extend(beginning(outcome)),
            ConversationMessage::Assistant(_) | ConversationMessage::ToolResult { .. } => {}
        }
    }
    words.join("\n")
}

fn said_by_model<'a>(
    assistant: &'a AssistantMessage,
    brings: impl Fn(&CallId) -> bool,
    words: &mut Vec<&'a str>,
) {
    words.push(&assistant.text);
    for call in assistant.calls.iter().filter(|call| brings(&call.id)) {
        strings(&call.arguments, words);
    }
}

/// Adds every text in a value; its depth is bounded by the reader of JSON.
fn strings<'a>(value: &'a Value, words: &mut Vec<&'a str>) {
    match value {
        Value::String(text) => words.push(text),
        Value::Array(values) => values.iter().for_each(|value| strings(value, words)),
        Value::Object(fields) => fields.values().for_each(|value| strings(value, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn beginning(outcome: &ToolOutcome) -> Option<&str> {
    let given = outcome.given()?;
    Some(first_chars(given, RESULT_CHARS).unwrap_or(given))
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{
        AssistantMessage, CallId, ConversationMessage, OutsideSource, ToolCall, ToolOutcome,
    };
    use serde_json::json;

    use super::{RecallState, words_of};

    /// Messages with a user's text, a model's text, an argument, a file and a result written by the
    /// system.
    fn messages() -> Vec<ConversationMessage> {
        let result = |outside: Option<&str>, output: &str| ConversationMessage::ToolResult {
            call: CallId(output.into()),
            name: "tool".into(),
            outcome: ToolOutcome::Success {
                output: output.into(),
            },
            outside: outside.map(OutsideSource::new),
        };
        let call = |id: &str, argument: &str| ToolCall {
            id: CallId(id.into()),
            name: "tool".into(),
            arguments: json!({"list": [{"deep": argument}], "count": 3}),
        };
        let assistant = AssistantMessage {
            text: "model".into(),
            calls: vec![call("file", "argument"), call("ours", "remember")],
            ..AssistantMessage::default()
        };
        vec![
            ConversationMessage::user("user"),
            ConversationMessage::Assistant(assistant),
            result(Some("file_read {}"), "file"),
            result(None, "ours"),
        ]
    }

    #[test]
    fn with_untrusted_text_in_view_only_the_users_words_count() {
        assert_eq!(words_of(&messages(), true), "user\nmodel\nargument\nfile");
        assert_eq!(words_of(&messages(), false), "user");
    }

    #[test]
    fn words_are_looked_up_once() {
        let mut so_far = RecallState::default();
        let mut messages = messages();
        assert_eq!(
            so_far.new_words(&messages, true),
            "user model argument file"
        );
        messages.push(ConversationMessage::user("The model of a user in Bern"));
        assert_eq!(so_far.new_words(&messages, true), "bern");
        assert_eq!(so_far.new_words(&messages, true), "");
    }
}
