//! The tool `read_result`: shows again what a tool gave earlier in this conversation, where the
//! prompt holds only its beginning and its end, or nothing of it any more.
//!
//! What was said to a person in a session is shown only to that person in that session, not after a
//! new conversation has begun, and not if something of its turn was forgotten.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{
    CallId, Entry, READ_RESULT, Returned, Scope, ToolCall, ToolOutcome, ToolSpec, TurnId,
    TurnState, first_chars, parse_result_id, result_id,
};
use sayso_policy::{ClearedCall, ToolFacts};
use sayso_store::{Store, turns};
use sayso_tools::{
    Background, OutsideText, ProcessEnd, SchemaVisibility, Tool, ToolContext, is_summed_up,
    kept_output, parse_arguments, spec_of,
};
use schemars::JsonSchema;
use serde::Deserialize;

use super::summary::beginning;
use super::tool::{OUTSIDE, SUMMARY_CHARS, internal, marked_text};

/// How much of a result is shown at once, in characters.
const PAGE_CHARS: usize = 8_000;
/// Of how many turns results are listed, and how many of them.
const LISTED_TURNS: i64 = 10;
const LISTED: usize = 30;

/// What the state of a background process begins with, as no result does: those begin with the name
/// of their tool.
const PROCESS: &str = "[background process ";
/// What the output of a command begins with that was summed up.
const KEPT: &str = "[whole output of ";

/// Shows results again.
pub struct ReadResult {
    spec: ToolSpec,
    store: Store,
    background: Option<Arc<dyn Background>>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Which; left out, the newest are listed.
    id: Option<String>,
    /// The character to begin at.
    from: Option<usize>,
}

/// What is to be shown.
enum Wanted {
    List,
    Result {
        turn: TurnId,
        call: CallId,
        from: usize,
    },
}

impl ReadResult {
    /// Returns the tool over the journals of this database.
    pub fn new(store: Store) -> Self {
        let description = "Shows what a tool gave earlier in this conversation, where it was \
            shortened or left out, and what a background process does.";
        Self {
            spec: spec_of::<Arguments>(READ_RESULT, description),
            store,
            background: None,
        }
    }

    /// Lets it show what processes in the background do.
    pub fn with_background(mut self, background: Arc<dyn Background>) -> Self {
        self.background = Some(background);
        self
    }

    /// Returns what a process does that this call started; `None` where it started none.
    async fn process(&self, scope: &Scope, wanted: &Wanted) -> Option<String> {
        let Wanted::Result { turn, call, .. } = wanted else {
            return None;
        };
        let background = self.background.as_ref()?;
        let view = background.look(scope, *turn, call).await?;
        let state = view
            .ended
            .as_ref()
            .map_or_else(|| "it still runs".to_owned(), ProcessEnd::for_model);
        let output = match &view.output {
            Some(output) => output.so_far(PAGE_CHARS),
            None => "(what it wrote is not known any more)".to_owned(),
        };
        let id = result_id(*turn, call);
        Some(format!("{PROCESS}`{id}`: {state}]\n{output}"))
    }

    fn wanted(&self, call: &ToolCall) -> Result<Wanted, ToolOutcome> {
        let Arguments { id, from } = parse_arguments(call, &self.spec)?;
        let Some(id) = id else {
            return Ok(Wanted::List);
        };
        let (turn, call) = parse_result_id(&id).ok_or_else(|| {
            ToolOutcome::invalid("`id` is not one that stands beside a shortened result")
        })?;
        let from = from.unwrap_or_default();
        Ok(Wanted::Result { turn, call, from })
    }

    async fn shown(&self, scope: &Scope, wanted: Wanted) -> Result<String, ToolOutcome> {
        let (turn, limit) = match &wanted {
            Wanted::List => (None, LISTED_TURNS),
            Wanted::Result { turn, .. } => (Some(*turn), 1),
        };
        let (session, user) = (scope.session, scope.user);
        let read = turns::results(self.store.reader(), session, user, turn, limit).await;
        let journals = read.map_err(|error| {
            tracing::error!(turn = %scope.turn, %error, "cannot read earlier results");
            ToolOutcome::not_run("earlier results cannot be read")
        })?;
        match wanted {
            Wanted::List => Ok(listed(&journals)),
            Wanted::Result { call, from, .. } => {
                let (_, entries) = journals.first().ok_or_else(no_such)?;
                let found = calls(entries).remove(&call).zip(returned(entries, &call));
                let (call, returned) = found.ok_or_else(no_such)?;
                if let Some(turn) = turn.filter(|_| is_summed_up(&returned.outcome))
                    && let Some(kept) = kept_output(scope, turn, &call.id).await
                {
                    let id = result_id(turn, &call.id);
                    return Ok(format!("{KEPT}`{id}`]\n{}", part_of(&kept, from)));
                }
                Ok(page(call, returned, from, mark_of(entries)))
            }
        }
    }
}

#[async_trait]
impl Tool for ReadResult {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    /// It is mentioned when something was shortened.
    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(Vec::new())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        Ok(internal(match self.wanted(call)? {
            Wanted::List => "list earlier results".to_owned(),
            Wanted::Result { call, .. } => format!("read again: {call}"),
        }))
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let wanted = match self.wanted(call.call()) {
            Ok(wanted) => wanted,
            Err(outcome) => return outcome,
        };
        if let Some(output) = self.process(&context.scope, &wanted).await {
            return ToolOutcome::Success { output };
        }
        match self.shown(&context.scope, wanted).await {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// What a process writes was not checked when it was written.
    fn outside_text(&self, outcome: &ToolOutcome) -> OutsideText {
        let given = outcome.given();
        let is_unchecked = |given: &str| given.starts_with(PROCESS) || given.starts_with(KEPT);
        if given.is_some_and(is_unchecked) {
            OutsideText::Unchecked
        } else {
            marked_text(outcome)
        }
    }
}

/// Returns the calls that an entry makes, by a model or by another driver.
fn calls_of(entry: &Entry) -> Option<&[ToolCall]> {
    match entry {
        Entry::Replied(replied) => Some(&replied.message.calls),
        Entry::Issued(issued) => Some(&issued.calls),
        _ => None,
    }
}

fn calls(entries: &[Entry]) -> HashMap<CallId, &ToolCall> {
    let calls = entries.iter().filter_map(calls_of);
    calls
        .flatten()
        .map(|call| (call.id.clone(), call))
        .collect()
}

fn returned<'a>(entries: &'a [Entry], of: &CallId) -> Option<&'a Returned> {
    entries.iter().find_map(|entry| match entry {
        Entry::Returned(returned) if returned.call == *of => Some(returned),
        _ => None,
    })
}

/// Returns a part of a result, under the name of its tool and the mark of its turn.
fn page(call: &ToolCall, returned: &Returned, from: usize, mark: &str) -> String {
    let text = returned.outcome.for_model();
    format!("{}{mark}\n{}", call.name, part_of(&text, from))
}

/// Returns a part of a text, and how to go on behind it.
fn part_of(text: &str, from: usize) -> String {
    let all = text.chars().count();
    let rest = first_chars(text, from).map_or("", |before| &text[before.len()..]);
    let part = first_chars(rest, PAGE_CHARS).unwrap_or(rest);
    let mut page = part.to_owned();
    let behind = from + part.chars().count();
    if behind < all {
        let _ = write!(
            page,
            "\n[{all} characters in all; go on with `from` {behind}]"
        );
    }
    page
}

/// Returns the newest results, oldest first, each with its id.
fn listed(journals: &[(TurnId, Vec<Entry>)]) -> String {
    let mut lines = Vec::new();
    for (turn, entries) in journals {
        let mark = mark_of(entries);
        for entry in entries {
            if let Some(calls) = calls_of(entry) {
                let line = |call: &ToolCall| {
                    let arguments = beginning(&call.canonical_arguments(), SUMMARY_CHARS);
                    format!(
                        "`{}` {} {arguments}{mark}",
                        result_id(*turn, &call.id),
                        call.name
                    )
                };
                lines.extend(calls.iter().map(line));
            }
        }
    }
    if lines.is_empty() {
        return "there are no results yet".to_owned();
    }
    let newest = lines.len().saturating_sub(LISTED);
    lines.split_off(newest).join("\n")
}

/// Returns the mark beside every result of a turn that had untrusted text in view: words of that text may
/// be in the arguments of calls, and so in their results. A result that does not taint when it is first
/// read does not taint when it is read again.
fn mark_of(entries: &[Entry]) -> &'static str {
    if TurnState::fold(entries).taint.is_empty() {
        ""
    } else {
        OUTSIDE
    }
}

fn no_such() -> ToolOutcome {
    ToolOutcome::invalid(
        "there is no result with this `id` in this conversation; leave `id` out for a list",
    )
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{
        AssistantMessage, CallId, Entry, Heard, HeardText, InboxId, Replied, Returned, Taint,
        ToolCall, ToolOutcome, TurnId, Usage,
    };
    use serde_json::json;

    use super::{OUTSIDE, calls, listed, mark_of, page, returned};

    /// Returns a turn that read a file of the user's own.
    fn turn(untrusted: bool, inherited: Taint) -> Vec<Entry> {
        let call = ToolCall {
            id: CallId("a1".to_owned()),
            name: "file_read".to_owned(),
            arguments: json!({ "path": "notes.txt" }),
        };
        vec![
            Entry::Heard(Heard {
                messages: vec![HeardText {
                    inbox: InboxId(1),
                    text: "read my notes".to_owned(),
                    untrusted,
                    files: Vec::new(),
                }],
            }),
            Entry::Replied(Replied {
                message: AssistantMessage {
                    calls: vec![call.clone()],
                    ..AssistantMessage::default()
                },
                usage: Usage::default(),
                memory_hits: Vec::new(),
                knowledge_hits: Vec::new(),
                asking: None,
                taint: inherited,
            }),
            Entry::Returned(Returned {
                call: call.id,
                outcome: ToolOutcome::Success {
                    output: "buy milk".to_owned(),
                },
                tainted: true,
                own: true,
                screened: None,
            }),
        ]
    }

    #[test]
    fn whatever_a_turn_with_untrusted_text_in_view_gave_is_marked() {
        let mut earlier = Taint::default();
        earlier.add_others();
        for (entries, mark) in [
            (turn(false, Taint::default()), ""),
            (turn(true, Taint::default()), OUTSIDE),
            (turn(false, earlier), OUTSIDE),
        ] {
            let call = CallId("a1".to_owned());
            let found = calls(&entries).remove(&call).unwrap();
            let result = returned(&entries, &call).unwrap();
            assert_eq!(
                page(found, result, 0, mark_of(&entries)),
                format!("file_read{mark}\nbuy milk")
            );
            let list = listed(&[(TurnId(1), entries)]);
            assert_eq!(list.ends_with(OUTSIDE), !mark.is_empty(), "{list}");
        }
    }
}
