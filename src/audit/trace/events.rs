//! The events of a trace: what each entry of a journal says, under the names that replays know.

use sayso_core::transcript::{
    CallId, CallPurpose, Consulted, Decided, Entry, Failure, FetchedFile, Finish, Heard,
    ModelRequest, Planned, Replied, Returned, RouteResult, Routed, ToolOutcome, TurnOutcome, Usage,
    Verdict,
};
use serde_json::{Map, Value, json};

use super::TurnSeen;
use crate::audit::calls::Seen;

/// The names of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TraceEvent {
    /// Somebody said something, or what happened meanwhile was passed to the turn.
    UserMessage,
    /// Phase 1 decided, or was not asked.
    IntentClassified,
    /// A plan was made before the first step, or there is none.
    PlanMade,
    /// A model was asked.
    LlmRequest,
    /// It answered.
    LlmResponse,
    /// A tool call stood in the answer.
    ToolCallParsed,
    /// A person is asked, or answered, about something that changes a file or the like.
    ConfirmWrite,
    /// A person is asked, or answered, about a command.
    ConfirmExec,
    /// The policy refused a call.
    PolicyDenyCmd,
    /// A tool ran.
    ToolResult,
    /// The result of a call is in the conversation.
    ToolResultFedBack,
    /// Something of the conversation gave way.
    ContextCompacted,
    /// What the user reads at the end.
    FinalText,
    /// Why the turn is over.
    StopReason,
}

impl TraceEvent {
    /// Returns the name in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::UserMessage => "user_message",
            Self::IntentClassified => "intent_classified",
            Self::PlanMade => "plan_made",
            Self::LlmRequest => "llm_request",
            Self::LlmResponse => "llm_response",
            Self::ToolCallParsed => "tool_call_parsed",
            Self::ConfirmWrite => "confirm_write",
            Self::ConfirmExec => "confirm_exec",
            Self::PolicyDenyCmd => "policy_deny_cmd",
            Self::ToolResult => "tool_result",
            Self::ToolResultFedBack => "tool_result_fed_back",
            Self::ContextCompacted => "context_compacted",
            Self::FinalText => "final_text",
            Self::StopReason => "stop_reason",
        }
    }
}

/// The kinds of the calls that people were asked about.
pub struct Kinds(pub Vec<(String, String)>);

impl Kinds {
    fn confirm(&self, call: &CallId) -> TraceEvent {
        let runs = |(held, kind): &(String, String)| *held == call.0 && kind == "exec";
        if self.0.iter().any(runs) {
            TraceEvent::ConfirmExec
        } else {
            TraceEvent::ConfirmWrite
        }
    }
}

/// An event with its time and its fields.
type Happened = (i64, TraceEvent, Map<String, Value>);

/// Returns the events of an entry, given what came before it in its turn.
pub fn of(entry: &Entry, at_ms: i64, seen: &TurnSeen, kinds: &Kinds) -> Vec<Happened> {
    match entry {
        Entry::Heard(heard) => user_messages(heard, at_ms),
        Entry::Routed(routed) => classified(routed, at_ms),
        Entry::Planned(plan) => planned(plan, at_ms),
        Entry::Replied(replied) => replied_events(replied, at_ms, seen.steps + 1),
        Entry::Consulted(consulted) => consulted_events(consulted, at_ms, seen.steps + 1),
        // The result says when its call was started.
        Entry::Started(_) | Entry::Issued(_) | Entry::Called { .. } => Vec::new(),
        Entry::Returned(returned) => match seen.calls.get(&returned.call) {
            Some(call) => returned_events(returned, call, at_ms),
            None => Vec::new(),
        },
        Entry::Held { calls } => held_events(calls, at_ms, seen, kinds),
        Entry::Decided(decided) => match seen.calls.get(&decided.call) {
            Some(call) => vec![decided_event(decided, call, at_ms, kinds)],
            None => Vec::new(),
        },
        Entry::Fetched(fetched) => {
            let files = fetched.files.iter();
            let said = |file: &FetchedFile| {
                let fields = json!({ "from": "sayso", "text": file.text });
                event(at_ms, TraceEvent::UserMessage, fields)
            };
            files.map(said).collect()
        }
        Entry::Noted { text } => {
            let fields = json!({ "from": "sayso", "text": text });
            vec![event(at_ms, TraceEvent::UserMessage, fields)]
        }
        Entry::Compacted(compacted) => {
            let fields = json!({
                "why": compacted.why,
                "cut": compacted.cut,
                "messages": [compacted.before.messages, compacted.after.messages],
                "estimated_tokens": [compacted.before.tokens, compacted.after.tokens],
            });
            vec![event(at_ms, TraceEvent::ContextCompacted, fields)]
        }
        Entry::Condensed(condensed) => {
            let fields = json!({
                "turns": condensed.turns,
                "left_out": condensed.left_out,
                "by_model": condensed.by_model,
                "estimated_tokens": [condensed.tokens_before, condensed.tokens_after],
            });
            vec![event(at_ms, TraceEvent::ContextCompacted, fields)]
        }
        Entry::Undone(undone) => {
            let fields = json!({ "from": "sayso", "undone": undone.files });
            vec![event(at_ms, TraceEvent::UserMessage, fields)]
        }
        Entry::Redone(redone) => {
            let fields = json!({ "from": "sayso", "redone": redone.files });
            vec![event(at_ms, TraceEvent::UserMessage, fields)]
        }
        Entry::Ended { outcome } => ended(outcome, at_ms),
    }
}

fn held_events(calls: &[CallId], at_ms: i64, seen: &TurnSeen, kinds: &Kinds) -> Vec<Happened> {
    let held = calls.iter().filter_map(|call| {
        let held = seen.calls.get(call)?;
        let fields = json!({ "call": call, "tool": held.tool, "state": "asked" });
        Some(event(at_ms, kinds.confirm(call), fields))
    });
    held.collect()
}

fn event(at_ms: i64, event: TraceEvent, fields: Value) -> Happened {
    let fields = match fields {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    (at_ms, event, fields)
}

fn user_messages(heard: &Heard, at_ms: i64) -> Vec<Happened> {
    let messages = heard.messages.iter();
    messages
        .map(|message| {
            let fields = json!({
                "from": "user",
                "inbox": message.inbox.to_string(),
                "untrusted": message.untrusted,
                "text": message.text,
            });
            event(at_ms, TraceEvent::UserMessage, fields)
        })
        .collect()
}

fn classified(routed: &Routed, at_ms: i64) -> Vec<Happened> {
    let mut events = Vec::new();
    // Without an answer the attempts have entries of their own.
    if routed.was_answered() {
        let question = Question::of(Some(CallPurpose::Route), 0, routed.asking.as_ref());
        events.push(question.request(at_ms));
        events.push(question.response(&routed.usage, at_ms));
    }
    let (intent, more) = match &routed.route {
        RouteResult::Direct => ("direct", Value::Null),
        RouteResult::Skills(names) => ("skills", json!(names)),
        RouteResult::NeedClarification { question, .. } => ("need_clarification", json!(question)),
    };
    let fields = json!({ "intent": intent, "detail": more, "skipped": routed.skipped });
    events.push(event(at_ms, TraceEvent::IntentClassified, fields));
    events
}

fn planned(plan: &Planned, at_ms: i64) -> Vec<Happened> {
    let mut events = Vec::new();
    if plan.asking.is_some() {
        let question = Question::of(Some(CallPurpose::Plan), 0, plan.asking.as_ref());
        events.push(question.request(at_ms));
        events.push(question.response(&plan.usage, at_ms));
    }
    let fields = json!({ "steps": plan.steps, "approval": plan.approval });
    events.push(event(at_ms, TraceEvent::PlanMade, fields));
    events
}

/// A request to a model, with what is known of how it was sent.
struct Question<'a> {
    purpose: Option<CallPurpose>,
    /// The step that it is for; none for Phase 1 and for a plan.
    step: u32,
    asking: Option<&'a ModelRequest>,
}

impl<'a> Question<'a> {
    fn of(purpose: Option<CallPurpose>, step: u32, asking: Option<&'a ModelRequest>) -> Self {
        Self {
            purpose,
            step: match purpose {
                Some(CallPurpose::Route | CallPurpose::Plan) => 0,
                Some(CallPurpose::Step | CallPurpose::Guess | CallPurpose::Conclude) | None => step,
                // The turn has made all its steps.
                Some(CallPurpose::Learn | CallPurpose::SumUp) => step - 1,
            },
            asking,
        }
    }

    fn head(&self) -> Map<String, Value> {
        let phase = self.purpose.and_then(|purpose| match purpose {
            CallPurpose::Route => Some(1),
            CallPurpose::Step | CallPurpose::Guess | CallPurpose::Conclude => Some(2),
            CallPurpose::Plan | CallPurpose::Learn | CallPurpose::SumUp => None,
        });
        let asking = self.asking;
        let fields = [
            ("purpose", json!(self.purpose)),
            ("phase", json!(phase)),
            ("step", json!(self.step)),
            ("server", json!(asking.map(|asking| &asking.server))),
            ("model", json!(asking.map(|asking| &asking.model))),
            ("attempt", json!(asking.map(|asking| asking.attempt))),
        ];
        let named = fields.map(|(name, value)| (name.to_owned(), value));
        named.into_iter().collect()
    }

    /// Returns that it was asked, given when it was over.
    fn request(&self, ended_ms: i64) -> Happened {
        let asking = self.asking;
        let mut fields = self.head();
        for (name, value) in [
            ("messages_count", asking.map(|asking| asking.messages)),
            ("tools_count", asking.map(|asking| asking.tools)),
            (
                "estimated_tokens",
                asking.map(|asking| asking.estimated_tokens),
            ),
        ] {
            fields.insert(name.to_owned(), json!(value));
        }
        let took_ms = asking.map_or(0, |asking| asking.took_ms as i64);
        (ended_ms - took_ms, TraceEvent::LlmRequest, fields)
    }

    /// Returns what ended it.
    fn response(&self, usage: &Usage, ended_ms: i64) -> Happened {
        let (finish, error, status) = match self.asking.map(|asking| asking.finish) {
            Some(Finish::Failed(failure)) => {
                let (class, status) = class_of(failure);
                (None, Some(class), status)
            }
            Some(Finish::Interrupted) => (None, Some("interrupted"), None),
            Some(finish @ (Finish::Stop | Finish::ToolCalls | Finish::Length)) => {
                (Some(finish), None, None)
            }
            // The process ended before the answer was recorded.
            None if self.purpose.is_none() => (None, Some("lost_in_a_crash"), None),
            None => (None, None, None),
        };
        // A usage that was not counted is not zero.
        let counted = |tokens: u64| (*usage != Usage::default()).then_some(tokens);
        let mut fields = self.head();
        for (name, value) in [
            (
                "latency_ms",
                json!(self.asking.map(|asking| asking.took_ms)),
            ),
            ("finish", json!(finish)),
            ("error", json!(error)),
            ("status", json!(status)),
            ("prompt_tokens", json!(counted(usage.prompt_tokens))),
            ("completion_tokens", json!(counted(usage.completion_tokens))),
            ("cached_tokens", json!(counted(usage.cached_tokens))),
        ] {
            fields.insert(name.to_owned(), value);
        }
        (ended_ms, TraceEvent::LlmResponse, fields)
    }
}

fn class_of(failure: Failure) -> (&'static str, Option<u16>) {
    match failure {
        Failure::Unreachable => ("unreachable", None),
        Failure::TimedOut => ("timed_out", None),
        Failure::RateLimited => ("rate_limited", None),
        Failure::Refused { status } => ("refused", Some(status)),
        Failure::Broken { status } => ("broken", Some(status)),
        Failure::Garbage => ("garbage", None),
        Failure::Repeating => ("repeating", None),
        Failure::Missing => ("missing", None),
    }
}

fn consulted_events(consulted: &Consulted, at_ms: i64, step: u32) -> Vec<Happened> {
    let question = Question::of(consulted.purpose, step, consulted.asking.as_ref());
    let ended_ms = at_ms - consulted.ago_ms as i64;
    vec![
        question.request(ended_ms),
        question.response(&consulted.usage, ended_ms),
    ]
}

fn replied_events(replied: &Replied, at_ms: i64, step: u32) -> Vec<Happened> {
    let message = &replied.message;
    let question = Question::of(Some(CallPurpose::Step), step, replied.asking.as_ref());
    let (_, _, mut fields) = question.response(&replied.usage, at_ms);
    fields.insert("has_tool_call".to_owned(), json!(!message.calls.is_empty()));
    fields.insert("text".to_owned(), json!(message.text));
    // Ids are texts here: a number of 63 bits does not survive every reader of JSON.
    let memories: Vec<_> = replied
        .memory_hits
        .iter()
        .map(ToString::to_string)
        .collect();
    for (name, hits) in [
        ("memory_hits", json!(memories)),
        ("knowledge_hits", json!(replied.knowledge_hits)),
    ] {
        if hits != json!([]) {
            fields.insert(name.to_owned(), hits);
        }
    }
    let reasoning = message.reasoning();
    if !reasoning.is_empty() {
        fields.insert("reasoning_content".to_owned(), json!(reasoning));
    }
    let mut events = vec![
        question.request(at_ms),
        (at_ms, TraceEvent::LlmResponse, fields),
    ];
    events.extend(message.calls.iter().map(|call| {
        let fields = json!({ "call": call.id, "tool": call.name, "arguments": call.arguments });
        event(at_ms, TraceEvent::ToolCallParsed, fields)
    }));
    events
}

fn decided_event(decided: &Decided, call: &Seen, at_ms: i64, kinds: &Kinds) -> Happened {
    let (verdict, by) = match &decided.verdict {
        Verdict::Approved { by } => ("approved", Some(by.to_string())),
        Verdict::Denied { by, .. } => ("denied", Some(by.to_string())),
        Verdict::Expired => ("expired", None),
    };
    let fields = json!({ "call": decided.call, "tool": call.tool, "state": verdict, "by": by });
    event(at_ms, kinds.confirm(&decided.call), fields)
}

fn returned_events(returned: &Returned, call: &Seen, at_ms: i64) -> Vec<Happened> {
    let mut events = Vec::new();
    let said_no = matches!(
        call.verdict,
        Some(Verdict::Denied { .. } | Verdict::Expired)
    );
    match (&returned.outcome, call.called_ms) {
        (ToolOutcome::Denied { why, .. }, None) if !said_no => {
            let fields = json!({ "call": returned.call, "tool": call.tool, "why": why });
            events.push(event(at_ms, TraceEvent::PolicyDenyCmd, fields));
        }
        (_, Some(called_ms)) => {
            let fields = json!({
                "call": returned.call,
                "tool": call.tool,
                "outcome": returned.outcome.name(),
                "took_ms": (at_ms - called_ms).max(0),
                "tainted": returned.tainted,
                "own": returned.own,
                "screened": returned.screened,
                "output": returned.outcome.for_model(),
            });
            events.push(event(at_ms, TraceEvent::ToolResult, fields));
        }
        (_, None) => {}
    }
    let fed_back = json!({
        "call": returned.call,
        "tool": call.tool,
        "outcome": returned.outcome.name(),
        "characters": returned.outcome.for_model().chars().count(),
    });
    events.push(event(at_ms, TraceEvent::ToolResultFedBack, fed_back));
    events
}

fn ended(outcome: &TurnOutcome, at_ms: i64) -> Vec<Happened> {
    let (text, why) = match outcome {
        TurnOutcome::Replied { text }
        | TurnOutcome::Inquired { text, .. }
        | TurnOutcome::StepLimit { text }
        | TurnOutcome::TimeLimit { text }
        | TurnOutcome::NotReceived { text } => (Some(text), Value::Null),
        TurnOutcome::Asked { question, .. } => (Some(question), Value::Null),
        TurnOutcome::Proposed { steps, .. } => (None, json!(steps)),
        TurnOutcome::Stopped { by, done, .. } => (done.as_ref(), json!(format!("user {by}"))),
        TurnOutcome::Expired => (None, Value::Null),
        TurnOutcome::Failed { why, .. } => (None, json!(why)),
    };
    let said = text.map(|text| event(at_ms, TraceEvent::FinalText, json!({ "text": text })));
    let stopped = json!({ "reason": outcome.name(), "why": why });
    let stopped = event(at_ms, TraceEvent::StopReason, stopped);
    said.into_iter().chain([stopped]).collect()
}
