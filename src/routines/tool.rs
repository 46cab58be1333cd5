//! The `routine` tool: makes, lists, changes and deletes the routines of the user of the turn.
//!
//! Ids are texts here: a number of 63 bits does not survive every JSON reader.

use std::fmt::Write as _;

use async_trait::async_trait;
use chrono::Local;
use sayso_core::transcript::{
    ChatId, Owner, RoutineId, Scope, ToolCall, ToolOutcome, ToolSpec, UserId,
};
use sayso_injection::{Treatment, check_tool_result};
use sayso_policy::{
    Action, ClearedCall, Due, RoutineChange as Planned, RoutineState, Summary, ToolFacts,
};
use sayso_store::routines::{self, NewRoutine, RoutineChange, RoutineRow};
use sayso_store::{Store, StoreError};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::schedule::{Schedule, moment_of};
use super::{next_time, schedule_parser};

/// How many routines a person has at most.
const MOST: usize = 20;
/// The longest text of what is to be done, in characters.
const PROMPT_CHARS: usize = 1000;
/// What the description says about making a routine.
const NOT_RUN: &str = "Routines are kept and shown, and this version does not run them yet: tell \
    the user so.";

/// Words that speak for it in a request.
const HINTS: [&str; 18] = [
    "routine",
    "routines",
    "schedule",
    "scheduled",
    "cron",
    "every",
    "daily",
    "weekly",
    "hourly",
    "remind",
    "reminder",
    "定时",
    "每天",
    "每周",
    "每月",
    "每隔",
    "提醒",
    "例行",
];

/// Keeps routines.
pub struct RoutineTool {
    spec: ToolSpec,
    store: Store,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    action: Verb,
    /// Which one, from `list`.
    id: Option<String>,
    /// When: `0 9 * * 1-5`, `every 2h`, `every weekday at 9`, `at 2026-12-01 09:00`, `每天早上8点`;
    /// `CRON_TZ=Europe/Berlin 0 9 * * *` in another zone.
    schedule: Option<String>,
    /// What is to be done, as a request to you.
    prompt: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Verb {
    Create,
    List,
    Show,
    Update,
    Delete,
    Enable,
    Disable,
}

/// A call whose arguments are in order.
enum Step {
    Create(Schedule, String),
    List,
    Show(RoutineId),
    Update(RoutineId, Option<Schedule>, Option<String>),
    Delete(RoutineId),
    Switch(RoutineId, Switched),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Switched {
    On,
    Off,
}

impl RoutineTool {
    /// The name of the tool.
    pub const NAME: &'static str = "routine";

    /// Returns the tool over the routines of this database.
    pub fn new(store: Store) -> Self {
        let description = "Keeps what the user wants done at set times (not run yet in this \
            version). Times are local.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            store,
        }
    }

    fn step(&self, call: &ToolCall) -> Result<Step, ToolOutcome> {
        let Arguments {
            action,
            id,
            schedule,
            prompt,
        } = parse_arguments(call, &self.spec)?;
        let schedule = schedule.as_deref().map(schedule_of).transpose()?;
        let prompt = prompt.as_deref().map(prompt_of).transpose()?;
        let id = id.as_deref().map(id_of).transpose()?;
        match (action, id, schedule, prompt) {
            (Verb::List, ..) => Ok(Step::List),
            (Verb::Create, _, Some(schedule), Some(prompt)) => Ok(Step::Create(schedule, prompt)),
            (Verb::Create, ..) => Err(wrong("`create` needs `schedule` and `prompt`")),
            (_, None, ..) => Err(wrong("`id` is missing; take one from `list`")),
            (Verb::Show, Some(id), ..) => Ok(Step::Show(id)),
            (Verb::Delete, Some(id), ..) => Ok(Step::Delete(id)),
            (Verb::Enable, Some(id), ..) => Ok(Step::Switch(id, Switched::On)),
            (Verb::Disable, Some(id), ..) => Ok(Step::Switch(id, Switched::Off)),
            (Verb::Update, Some(_), None, None) => {
                Err(wrong("`update` needs `schedule` or `prompt`"))
            }
            (Verb::Update, Some(id), schedule, prompt) => Ok(Step::Update(id, schedule, prompt)),
        }
    }

    /// Returns the routines that are in view here: in a group those of this user that were made in it.
    async fn in_view(&self, whose: Whose) -> Result<Vec<RoutineRow>, ToolOutcome> {
        let rows = routines::of(self.store.reader(), whose.user, whose.chat).await;
        rows.map_err(|error| failed(&error))
    }

    async fn row(&self, whose: Whose, id: RoutineId) -> Result<RoutineRow, ToolOutcome> {
        let rows = self.in_view(whose).await?.into_iter();
        let mut found = rows.filter(|row| row.id == id);
        found.next().ok_or_else(no_such)
    }

    /// Returns what stands on the card of a call that keeps a routine from running.
    async fn let_go(
        &self,
        to: RoutineState,
        id: RoutineId,
        scope: &Scope,
    ) -> Result<(Summary, Option<String>, Action), ToolOutcome> {
        let row = self.row(whose(scope), id).await?;
        let summary = switched(&row, to);
        let action = Action::Remember {
            is_suspicious: false,
            text: None,
        };
        Ok((summary, Some(row.prompt), action))
    }

    async fn do_it(&self, step: Step, context: &ToolContext) -> Result<String, ToolOutcome> {
        let whose = whose(&context.scope);
        match step {
            Step::List => Ok(listed(&self.in_view(whose).await?)),
            Step::Show(id) => Ok(line(&self.row(whose, id).await?)),
            Step::Create(schedule, prompt) => self.create(schedule, prompt, context).await,
            Step::Delete(id) => {
                self.row(whose, id).await?;
                let user = whose.user;
                let deleted = self
                    .store
                    .write(move |tx| Box::pin(async move { routines::delete(tx, user, id).await }));
                let deleted = deleted.await.map_err(|error| failed(&error))?;
                deleted.then(|| "deleted".to_owned()).ok_or_else(no_such)
            }
            Step::Update(id, schedule, prompt) => {
                self.row(whose, id).await?;
                let change = RoutineChange {
                    next_ms: schedule.as_ref().and_then(next_ms),
                    schedule: schedule.as_ref().map(Schedule::as_text),
                    prompt: prompt.map(|prompt| (prompt, context.taint.clone())),
                    enabled: None,
                };
                self.change(whose, id, change).await
            }
            Step::Switch(id, switched) => {
                let row = self.row(whose, id).await?;
                let next = Schedule::stored(&row.schedule).as_ref().and_then(next_ms);
                if switched == Switched::On && next.is_none() {
                    return Err(wrong("its time is over; `update` its schedule"));
                }
                let change = RoutineChange {
                    enabled: Some(switched == Switched::On),
                    next_ms: next,
                    ..RoutineChange::default()
                };
                self.change(whose, id, change).await
            }
        }
    }

    async fn create(
        &self,
        schedule: Schedule,
        prompt: String,
        context: &ToolContext,
    ) -> Result<String, ToolOutcome> {
        let next_ms = next_ms(&schedule).ok_or_else(|| wrong("`schedule` is never due"))?;
        let scope = &context.scope;
        let new = NewRoutine {
            user: scope.user,
            chat: scope.chat,
            session: scope.session,
            schedule: schedule.as_text(),
            prompt,
            taint: context.taint.clone(),
            next_ms,
        };
        let added = self
            .store
            .write(move |tx| Box::pin(async move { routines::add(tx, &new, MOST).await }));
        match added.await.map_err(|error| failed(&error))? {
            Some(id) => Ok(format!(
                "kept (id {id}), {}, due {}\n{NOT_RUN}",
                schedule.as_text(),
                moment_of(next_ms)
            )),
            None => Err(wrong(&format!(
                "the user has {MOST} routines, and no more are kept; delete one first"
            ))),
        }
    }

    async fn change(
        &self,
        whose: Whose,
        id: RoutineId,
        change: RoutineChange,
    ) -> Result<String, ToolOutcome> {
        let user = whose.user;
        let changed = self.store.write(move |tx| {
            Box::pin(async move { routines::change(tx, user, id, &change).await })
        });
        if !changed.await.map_err(|error| failed(&error))? {
            return Err(no_such());
        }
        let row = self.row(whose, id).await?;
        Ok(format!("changed: {}\n{NOT_RUN}", line(&row)))
    }
}

/// Whose routines, and of which chat, where not of all.
#[derive(Clone, Copy)]
struct Whose {
    user: UserId,
    chat: Option<ChatId>,
}

fn whose(scope: &Scope) -> Whose {
    let chat = match scope.owner {
        Owner::User(_) => None,
        Owner::Chat(chat) => Some(chat),
    };
    let user = scope.user;
    Whose { user, chat }
}

fn schedule_of(text: &str) -> Result<Schedule, ToolOutcome> {
    schedule_parser::parse(text, Local::now()).map_err(|why| wrong(&format!("`schedule`: {why}")))
}

/// What a later turn will be asked is not to be what a page wants.
fn prompt_of(text: &str) -> Result<String, ToolOutcome> {
    let text = text.trim();
    let length = text.chars().count();
    if !(1..=PROMPT_CHARS).contains(&length) {
        return Err(wrong(&format!(
            "`prompt` has {length} characters; 1 to {PROMPT_CHARS} are allowed"
        )));
    }
    match check_tool_result(text).treatment {
        Treatment::Clean | Treatment::Warn | Treatment::Review => Ok(text.to_owned()),
        Treatment::Block => Err(ToolOutcome::denied(
            "the text gives orders to get around the rules of a model, and such a text is not kept",
        )),
    }
}

/// A text that reads like orders to a model is asked about at any level.
fn action_of(prompt: &str, due: Option<Due>) -> Action {
    match check_tool_result(prompt).treatment {
        Treatment::Clean | Treatment::Warn => Action::Schedule(due),
        Treatment::Review | Treatment::Block => Action::Remember {
            is_suspicious: true,
            text: None,
        },
    }
}

fn id_of(text: &str) -> Result<RoutineId, ToolOutcome> {
    let number = text.trim().parse().map(RoutineId);
    number.map_err(|_| wrong(&format!("`id` is `{text}`; take one from `list`")))
}

fn next_ms(schedule: &Schedule) -> Option<i64> {
    let next = schedule.next_after(Local::now());
    next.map(|next| next.timestamp_millis())
}

fn listed(rows: &[RoutineRow]) -> String {
    if rows.is_empty() {
        return "no routines".to_owned();
    }
    let mut text = rows.iter().map(line).collect::<Vec<_>>().join("\n");
    // Writing to a string cannot fail.
    let _ = write!(text, "\n{NOT_RUN}");
    text
}

fn line(row: &RoutineRow) -> String {
    let RoutineRow {
        id,
        schedule,
        prompt,
        enabled,
        next_ms,
        ..
    } = row;
    let state = match (enabled, next_ms) {
        (false, _) => "off".to_owned(),
        (true, Some(next)) => format!("due {}", moment_of(*next)),
        (true, None) => "over".to_owned(),
    };
    format!("- {prompt} (id {id}; {schedule}; {state})")
}

/// Says what would be done with a routine whose schedule stays.
fn switched(row: &RoutineRow, to: RoutineState) -> Summary {
    Summary::Routine(Planned::Switch {
        to,
        id: row.id.0,
        schedule: row.schedule.clone(),
    })
}

fn wrong(message: &str) -> ToolOutcome {
    ToolOutcome::invalid(message)
}

fn no_such() -> ToolOutcome {
    wrong("the user has no such routine here; take an `id` from `list`")
}

/// The reason is for the operator.
fn failed(error: &StoreError) -> ToolOutcome {
    tracing::error!(%error, "cannot read or write routines");
    ToolOutcome::not_run("routines cannot be reached at the moment; tell the user")
}

#[async_trait]
impl Tool for RoutineTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (summary, detail, action) = match self.step(call)? {
            Step::List | Step::Show(_) => ("routine: show".into(), None, Action::Internal),
            Step::Create(schedule, prompt) => {
                let action = action_of(&prompt, next_time::due(&schedule, Local::now()));
                let schedule = schedule.as_text();
                let summary = Summary::Routine(Planned::Create { schedule });
                (summary, Some(prompt), action)
            }
            Step::Update(id, schedule, prompt) => {
                let before = self.row(whose(scope), id).await?;
                let after = RoutineRow {
                    schedule: schedule.map_or(before.schedule.clone(), |it| it.as_text()),
                    prompt: prompt.unwrap_or_else(|| before.prompt.clone()),
                    ..before.clone()
                };
                let detail = format!(
                    "{}\n{}\n→\n{}\n{}",
                    before.schedule, before.prompt, after.schedule, after.prompt
                );
                let due = Schedule::stored(&after.schedule)
                    .and_then(|it| next_time::due(&it, Local::now()));
                let action = action_of(&after.prompt, due);
                let summary = Summary::Routine(Planned::Update {
                    before: before.schedule,
                    after: after.schedule,
                });
                (summary, Some(detail), action)
            }
            Step::Switch(id, Switched::On) => {
                let row = self.row(whose(scope), id).await?;
                let detail = format!("{}\n{}", row.schedule, row.prompt);
                let due = Schedule::stored(&row.schedule)
                    .and_then(|it| next_time::due(&it, Local::now()));
                let action = action_of(&row.prompt, due);
                (switched(&row, RoutineState::On), Some(detail), action)
            }
            Step::Switch(id, Switched::Off) => self.let_go(RoutineState::Off, id, scope).await?,
            Step::Delete(id) => self.let_go(RoutineState::Deleted, id, scope).await?,
        };
        Ok(ToolFacts {
            summary,
            detail,
            action,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let done = match self.step(call.call()) {
            Ok(step) => self.do_it(step, context).await,
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }
}
