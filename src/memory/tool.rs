//! The tools over memory: `memory_store`, `memory_recall`, `memory_forget`; `memory_update` has its
//! own file.
//!
//! They act for the owner of the turn, whatever the arguments say. Ids are texts here: a number
//! of 63 bits does not survive every JSON reader.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::NaiveDate;
use sayso_core::Language;
use sayso_core::transcript::{
    MemoryId, Owner, Scope, Taint, ToolCall, ToolOutcome, ToolSpec, TurnId, UserId,
};
use sayso_injection::{Treatment, check_tool_result};
use sayso_policy::{Action, ClearedCall, Summary, ToolFacts};
use sayso_tools::{OutsideText, SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::bigrams::holds_all;
use super::knowledge::{Knowledge, knowledge_section};
use super::query_time::moment;
use super::section::{day, validity};
use super::summary::beginning;
use super::tool_names::FORGET;
use super::{Learned, Memory, NewFact, Question, Recalled, Source, Span, TEXT_CHARS, Topic};

/// What a request says that may want a memory changed or gone.
pub(super) const CHANGES: [&str; 20] = [
    "remember", "memory", "memories", "forget", "longer", "anymore", "change", "move", "instead",
    "wrong", "update", "actually", "记", "忘", "不再", "改", "换", "搬", "不对", "其实",
];
/// Stands behind a memory that was written with untrusted text in view.
pub(super) const OUTSIDE: &str = " [from outside text]";
/// How many memories are recalled when the model does not say.
const DEFAULT_LIMIT: usize = 5;
/// How many are recalled at most.
const MAX_LIMIT: usize = 20;
/// How many passages of the operator's texts are shown beside them.
const PASSAGES: usize = 3;
/// The longest query, in characters.
const QUERY_CHARS: usize = 500;
/// The most of a text in a summary for people, in characters.
pub(super) const SUMMARY_CHARS: usize = 80;

/// The names of the topics of facts.
const TOPICS: [&str; 5] = [
    Topic::Preference.as_str(),
    Topic::Profile.as_str(),
    Topic::Relation.as_str(),
    Topic::Project.as_str(),
    Topic::Procedure.as_str(),
];

/// Remembers a fact.
pub struct MemoryStore {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
}

/// Finds memories, and passages of the operator's texts.
pub struct MemoryRecall {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
    knowledge: Option<Knowledge>,
}

/// Deletes one memory.
pub struct MemoryForget {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StoreArguments {
    text: String,
    #[schemars(extend("enum" = TOPICS))]
    topic: Option<String>,
    /// Last day, YYYY-MM-DD.
    valid_until: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct RecallArguments {
    query: String,
    /// 1-20, default 5.
    limit: Option<usize>,
    /// Also what no longer holds.
    past: Option<bool>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForgetArguments {
    query: Option<String>,
    id: Option<String>,
}

/// Whose memory is read, and who reads it: what others said is marked for them.
#[derive(Debug, Clone, Copy)]
struct Reader {
    owner: Owner,
    user: UserId,
}

impl Reader {
    fn of(scope: &Scope) -> Self {
        Self {
            owner: scope.owner,
            user: scope.user,
        }
    }
}

/// Which memory is to be forgotten.
enum Target {
    Id(MemoryId),
    Query(String),
}

impl MemoryStore {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Remembers a lasting fact or wish of the user, as one self-contained \
                           sentence. Never passwords or keys.";
        Self {
            spec: spec_of::<StoreArguments>("memory_store", description),
            memory,
        }
    }

    fn wanted(&self, call: &ToolCall) -> Result<(String, Option<Topic>, Option<i64>), ToolOutcome> {
        let StoreArguments {
            text,
            topic,
            valid_until,
        } = parse_arguments(call, &self.spec)?;
        let text = bounded("text", &text, TEXT_CHARS)?;
        let topic = topic.as_deref().map(topic_of).transpose()?;
        let valid_until_ms = valid_until.as_deref().map(end_of_day).transpose()?;
        Ok((text, topic, valid_until_ms))
    }

    async fn store(
        &self,
        owner: Owner,
        turn: TurnId,
        taint: &Taint,
        call: &ToolCall,
    ) -> Result<String, ToolOutcome> {
        let (text, topic, valid_until_ms) = self.wanted(call)?;
        let new = NewFact {
            topic,
            valid_until_ms,
            ..told(text, turn, taint)
        };
        match self.memory.learn(owner, new).await.map_err(failed)? {
            Learned::New(id) | Learned::Same(id) | Learned::Replaced { new: id, .. } => {
                Ok(format!("remembered (id {id})"))
            }
            Learned::Suppressed | Learned::Missing(_) => {
                Err(wrong("nothing was remembered".to_owned()))
            }
        }
    }
}

impl MemoryRecall {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Searches what was remembered and what was said earlier, by keywords; \
                           words for a time (last week, 上周三) prefer what is of that time.";
        Self {
            spec: spec_of::<RecallArguments>("memory_recall", description),
            memory,
            knowledge: None,
        }
    }

    /// Has the operator's texts searched, too.
    #[must_use]
    pub fn with_knowledge(self, knowledge: Knowledge) -> Self {
        Self {
            knowledge: Some(knowledge),
            ..self
        }
    }

    fn question(&self, call: &ToolCall) -> Result<(String, usize, Span), ToolOutcome> {
        let RecallArguments { query, limit, past } = parse_arguments(call, &self.spec)?;
        let limit = limit.unwrap_or(DEFAULT_LIMIT).clamp(1, MAX_LIMIT);
        let span = if past.unwrap_or_default() {
            Span::Ever
        } else {
            Span::Now
        };
        Ok((bounded("query", &query, QUERY_CHARS)?, limit, span))
    }

    async fn recall(
        &self,
        reader: Reader,
        in_view: &[TurnId],
        call: &ToolCall,
    ) -> Result<String, ToolOutcome> {
        let owner = reader.owner;
        let (query, limit, span) = self.question(call)?;
        let question = Question {
            text: &query,
            limit,
            in_view,
        };
        let found = match span {
            Span::Now => self.memory.search_transcript(owner, &question).await,
            Span::Ever => self.memory.find(owner, &query, limit, span).await,
        };
        let found = found.map_err(failed)?;
        let passages = match &self.knowledge {
            Some(knowledge) => knowledge.recall(&query, PASSAGES).await,
            None => Vec::new(),
        };
        if found.is_empty() && passages.is_empty() {
            return Ok("nothing remembered matches; try other words".to_owned());
        }
        let mut parts = vec![list(&found, reader), knowledge_section(&passages)];
        parts.retain(|part| !part.is_empty());
        Ok(parts.join("\n"))
    }
}

impl MemoryForget {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Forgets one memory: by `id`, or by `query` when only one memory holds \
                           all its words.";
        Self {
            spec: spec_of::<ForgetArguments>(FORGET, description),
            memory,
        }
    }

    fn target(&self, call: &ToolCall) -> Result<Target, ToolOutcome> {
        let ForgetArguments { query, id } = parse_arguments(call, &self.spec)?;
        match (query, id) {
            (_, Some(id)) => memory_id(&id).map(Target::Id),
            (Some(query), None) => bounded("query", &query, QUERY_CHARS).map(Target::Query),
            (None, None) => Err(wrong("give `query` or `id`".to_owned())),
        }
    }

    async fn forget(&self, reader: Reader, call: &ToolCall) -> Result<String, ToolOutcome> {
        match self.target(call)? {
            Target::Id(id) => self.forget_by_id(reader.owner, id).await,
            Target::Query(query) => self.forget_by_query(reader, &query).await,
        }
    }

    async fn forget_by_id(&self, owner: Owner, id: MemoryId) -> Result<String, ToolOutcome> {
        match self.memory.forget(owner, &[id]).await.map_err(failed)? {
            0 => Err(wrong(format!("there is no memory {id}"))),
            _ => Ok("forgotten".to_owned()),
        }
    }

    /// Forgets only what cannot be meant otherwise; else it shows what might be meant.
    async fn forget_by_query(&self, reader: Reader, query: &str) -> Result<String, ToolOutcome> {
        let owner = reader.owner;
        let near = self
            .memory
            .find(owner, query, MAX_LIMIT, Span::Ever)
            .await
            .map_err(failed)?;
        let meant: Vec<_> = near
            .iter()
            .filter(|memory| holds_all(&memory.text, query))
            .collect();
        match meant.as_slice() {
            [one] => {
                self.memory.forget(owner, &[one.id]).await.map_err(failed)?;
                Ok(format!("forgotten: {}{}", one.text, mark(one, reader)))
            }
            _ if near.is_empty() => Ok("nothing remembered matches".to_owned()),
            _ => Ok(format!(
                "nothing was forgotten: no single memory is meant. Call again with the `id` of one of these:\n{}",
                list(&near, reader)
            )),
        }
    }
}

#[async_trait]
impl Tool for MemoryStore {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (text, _, valid_until_ms) = self.wanted(call)?;
        let summary = Summary::Remember(beginning(&text, SUMMARY_CHARS));
        let mut facts = to_write(summary, text.clone())?;
        if let Action::Remember { text: whole, .. } = &mut facts.action {
            *whole = valid_until_ms.is_none().then_some(text);
        }
        Ok(facts)
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let scope = &context.scope;
        let stored = self.store(scope.owner, scope.turn, &context.taint, call.call());
        outcome(stored.await)
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[async_trait]
impl Tool for MemoryRecall {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (query, _, _) = self.question(call)?;
        Ok(internal(format!(
            "recall: {}",
            beginning(&query, SUMMARY_CHARS)
        )))
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        outcome(
            self.recall(Reader::of(&context.scope), &context.in_view, call.call())
                .await,
        )
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, outcome: &ToolOutcome) -> OutsideText {
        marked_text(outcome)
    }
}

#[async_trait]
impl Tool for MemoryForget {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(CHANGES.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let summary = match self.target(call)? {
            Target::Id(id) => format!("forget: id {id}"),
            Target::Query(query) => format!("forget: {}", beginning(&query, QUERY_CHARS)),
        };
        Ok(ToolFacts {
            action: Action::Remember {
                is_suspicious: false,
                text: None,
            },
            ..internal(summary)
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        outcome(self.forget(Reader::of(&context.scope), call.call()).await)
    }

    fn outside_text(&self, outcome: &ToolOutcome) -> OutsideText {
        marked_text(outcome)
    }
}

/// Returns what is known of a call that writes a text for later turns.
pub(super) fn to_write(summary: Summary, text: String) -> Result<ToolFacts, ToolOutcome> {
    let is_suspicious = match check_tool_result(&text).treatment {
        Treatment::Clean | Treatment::Warn => false,
        Treatment::Review => true,
        Treatment::Block => return Err(gives_orders()),
    };
    Ok(ToolFacts {
        // The person who is asked for approval sees the full text.
        detail: (text.chars().count() > SUMMARY_CHARS).then_some(text),
        action: Action::Remember {
            is_suspicious,
            text: None,
        },
        ..internal(summary)
    })
}

/// Returns a fact as the user's turn tells it: where it comes from is no argument of the model's.
pub(super) fn told(text: String, turn: TurnId, taint: &Taint) -> NewFact {
    NewFact {
        text,
        topic: None,
        confidence: NewFact::SURE,
        source: Source::Told,
        turn,
        taint: taint.clone(),
        valid_from_ms: None,
        valid_until_ms: None,
        replaces: None,
    }
}

fn topic_of(name: &str) -> Result<Topic, ToolOutcome> {
    let known = TOPICS.join(", ");
    Topic::named(name).ok_or_else(|| wrong(format!("`topic` is `{name}`; it is one of {known}")))
}

/// Returns when a day is over, by the local clock, as days are shown.
pub(super) fn end_of_day(day: &str) -> Result<i64, ToolOutcome> {
    let next = NaiveDate::parse_from_str(day.trim(), "%Y-%m-%d")
        .ok()
        .and_then(|day| day.succ_opt());
    let midnight = next.and_then(|day| day.and_hms_opt(0, 0, 0));
    midnight
        .map(moment)
        .ok_or_else(|| wrong(format!("`valid_until` is `{day}`; write it as 2026-12-31")))
}

pub(super) fn internal(summary: impl Into<Summary>) -> ToolFacts {
    ToolFacts {
        summary: summary.into(),
        detail: None,
        action: Action::Internal,
        scripts: vec![],
        secrets: vec![],
    }
}

pub(super) fn outcome(result: Result<String, ToolOutcome>) -> ToolOutcome {
    result.map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
}

/// What is remembered is shown to every later turn, so orders are not.
fn gives_orders() -> ToolOutcome {
    ToolOutcome::denied(
        "the text gives orders to a model, and such a text is not remembered. Remember what is so, \
         not what is to be done",
    )
}

pub(super) fn wrong(message: String) -> ToolOutcome {
    ToolOutcome::invalid(message)
}

/// The reason is for the operator; the model learns only that it is no fault of its own.
#[expect(clippy::needless_pass_by_value, reason = "used as `map_err(failed)`")]
pub(super) fn failed(error: anyhow::Error) -> ToolOutcome {
    tracing::error!(error = format!("{error:#}"), "memory tool failed");
    ToolOutcome::Failed {
        error: "the memory is out of order at the moment; tell the user".to_owned(),
        partial: None,
    }
}

pub(super) fn bounded(name: &str, text: &str, max: usize) -> Result<String, ToolOutcome> {
    let text = text.trim();
    match text.chars().count() {
        0 => Err(wrong(format!("`{name}` is empty"))),
        length if length > max => Err(wrong(format!(
            "`{name}` has {length} characters; at most {max} are allowed. Shorten it, or split it"
        ))),
        _ => Ok(text.to_owned()),
    }
}

pub(super) fn memory_id(id: &str) -> Result<MemoryId, ToolOutcome> {
    let number = id.trim().parse().map(MemoryId);
    number.map_err(|_| wrong(format!("`id` is `{id}`; take one from `memory_recall`")))
}

fn list(memories: &[Recalled], reader: Reader) -> String {
    let line = |memory: &Recalled| {
        let (text, id, day) = (&memory.text, memory.id, day(memory.at_ms));
        let (validity, mark) = (validity(memory, Language::English), mark(memory, reader));
        let said = match memory.speaker {
            Some(speaker) => format!(", {}", speaker.in_words(Language::English)),
            None => String::new(),
        };
        format!("- {text} (id {id}, {day}{said}){validity}{mark}")
    };
    memories.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Returns what stands behind a memory that was written with untrusted text in view. A memory whose
/// text holds the mark itself is taken for one of these, never the other way round.
fn mark(memory: &Recalled, reader: Reader) -> &'static str {
    if memory.taint_for(reader.owner, reader.user).is_empty() {
        ""
    } else {
        OUTSIDE
    }
}

/// Returns what a result tells of text from outside by the marks of its memories.
pub(super) fn marked_text(outcome: &ToolOutcome) -> OutsideText {
    if holds_mark(outcome) {
        OutsideText::Checked
    } else {
        OutsideText::None
    }
}

fn holds_mark(outcome: &ToolOutcome) -> bool {
    outcome.given().is_some_and(|given| given.contains(OUTSIDE))
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "isolation_tests.rs"]
mod isolation;
