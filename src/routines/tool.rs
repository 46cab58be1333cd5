//! The `routine` tool: makes, lists, changes, runs and deletes the routines of the user of the turn,
//! and lists and deletes their reminders.
//!
//! Ids are texts here: a number of 63 bits does not survive every JSON reader.

use async_trait::async_trait;
use sayso_channel::Language;
use sayso_core::transcript::{
    ChatId, Owner, RoutineId, Scope, ToolCall, ToolOutcome, ToolSpec, UserId,
};
use sayso_injection::{Treatment, check_tool_result};
use sayso_policy::{
    Action, ClearedCall, Due, RoutineChange as Planned, RoutineState, Summary, ToolFacts,
};
use sayso_store::routines::{self, Added, NextDue, Notify, RoutineChange, RoutineKind, RoutineRow};
use sayso_store::{Store, now_ms};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, spec_of};

use super::asker::{Asker, TurnAsker};
use super::context::RoutineContext;
use super::keeping::{self, Wanted, When};
use super::plan::{spread_of, start};
use super::refusals::{failed, no_such, no_time, not_by_routine, not_here, wrong};
use super::run_now::{self, RunNow};
use super::timetable::Timetable;
use super::tool_arguments::{Arguments, HINTS, STAYS, Said, Step, Switched};
use super::triggers::messages::{tried_for_model, when as trigger_in_words};
use super::triggers::{self, Trigger, TriggeredWanted};
use super::{announcement, listing};

/// Keeps routines.
pub struct RoutineTool {
    spec: ToolSpec,
    store: Store,
    ctx: RoutineContext,
}

impl RoutineTool {
    /// The name of the tool.
    pub const NAME: &'static str = "routine";

    /// Returns the tool over the routines of this database.
    pub fn new(store: Store, ctx: RoutineContext) -> Self {
        let description = "Has you do something for the user at set times, or when a file changes, \
            words are written in a group or a webhook is called, in turns of their own, and lists, \
            changes, runs and deletes that and the user's reminders. To only remind the user of \
            something use `remind`.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            store,
            ctx,
        }
    }

    /// Returns who asks; a turn that was itself scheduled makes and changes nothing.
    async fn asker(&self, scope: &Scope) -> Result<Asker, ToolOutcome> {
        match TurnAsker::of(&self.store, &self.ctx.limits, scope).await {
            Ok(TurnAsker::Person(asker)) => Ok(asker),
            Ok(TurnAsker::NoOne) => Err(not_by_routine()),
            Err(error) => Err(failed(&error)),
        }
    }

    fn when(&self, text: &str, kind: RoutineKind, asker: &Asker) -> Result<When, ToolOutcome> {
        let read = keeping::read_when(text, kind, asker.zone, &self.ctx.limits, asker.at_ms);
        let read = read.map_err(|why| no_time("schedule", text, &why))?;
        Ok(read.when)
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

    async fn do_it(&self, step: Step, context: &ToolContext) -> Result<String, ToolOutcome> {
        let whose = whose(&context.scope);
        match step {
            Step::List => Ok(listing::listed(&self.in_view(whose).await?)),
            Step::Show(id) => self.show(&self.row(whose, id).await?).await,
            Step::Create(schedule, said) => self.create(&schedule, said, context).await,
            Step::CreateOn(trigger, said) => self.create_on(trigger, said, context).await,
            Step::Delete(id) => {
                self.row(whose, id).await?;
                let user = whose.user;
                let deleted = self
                    .store
                    .write(move |tx| Box::pin(async move { routines::delete(tx, user, id).await }));
                let deleted = deleted.await.map_err(|error| failed(&error))?;
                deleted.then(|| "deleted".to_owned()).ok_or_else(no_such)
            }
            Step::Update(id, schedule, said) => {
                let row = self.row(whose, id).await?;
                stays_without_schedule(&row, schedule.as_deref())?;
                let asker = self.asker(&context.scope).await?;
                let when = schedule.map(|it| self.when(&it, row.kind, &asker));
                let when = when.transpose()?;
                let taint = context.taint.clone();
                let change = RoutineChange {
                    next: when
                        .as_ref()
                        .map(|when| self.next(&row, &when.timetable, when.due_ms)),
                    zone: when.as_ref().map(zone_of),
                    schedule: when.map(|when| when.timetable.schedule().as_text()),
                    prompt: said.words.map(|words| (words, taint)),
                    name: said.name,
                    notify: said.notify,
                    late: said.late,
                    enabled: None,
                };
                self.change(whose, id, change).await
            }
            Step::Switch(id, switched) => {
                let row = self.row(whose, id).await?;
                let change = self.switch(&row, switched, &context.scope).await?;
                self.change(whose, id, change).await
            }
            Step::Run(id) => {
                let row = self.row(whose, id).await?;
                self.asker(&context.scope).await?;
                self.run_now(row).await
            }
        }
    }

    async fn switch(
        &self,
        row: &RoutineRow,
        switched: Switched,
        scope: &Scope,
    ) -> Result<RoutineChange, ToolOutcome> {
        if switched == Switched::Off {
            return Ok(RoutineChange {
                enabled: Some(false),
                ..RoutineChange::default()
            });
        }
        self.asker(scope).await?;
        if row.enabled && row.is_to_come() {
            // What is on stays as it was planned, with an occurrence that is due and not started yet.
            return Ok(RoutineChange::default());
        }
        if row.source.is_some() {
            return Ok(RoutineChange {
                enabled: Some(true),
                ..RoutineChange::default()
            });
        }
        let timetable = Timetable::of(row);
        let due = timetable.and_then(|it| Some((it.next_after(now_ms())?, it)));
        let (due_ms, timetable) =
            due.ok_or_else(|| wrong("its time is over; `update` its schedule"))?;
        Ok(RoutineChange {
            enabled: Some(true),
            next: Some(self.next(row, &timetable, due_ms)),
            ..RoutineChange::default()
        })
    }

    /// Returns when an occurrence of a routine is started.
    fn next(&self, row: &RoutineRow, timetable: &Timetable, due_ms: i64) -> NextDue {
        let spread = self.ctx.limits.spread;
        start(
            due_ms,
            spread_of(row.id.0, row.kind, timetable.is_once(), spread),
        )
    }

    async fn create(
        &self,
        schedule: &str,
        said: Said,
        context: &ToolContext,
    ) -> Result<String, ToolOutcome> {
        let asker = self.asker(&context.scope).await?;
        let when = self.when(schedule, RoutineKind::Turn, &asker)?;
        let in_words = when.in_words(Language::English);
        let wanted = Wanted {
            kind: RoutineKind::Turn,
            when,
            words: said.words.unwrap_or_default(),
            taint: context.taint.clone(),
            name: said.name.unwrap_or_default(),
            notify: said.notify.unwrap_or(Notify::Always),
            late: said.late.unwrap_or_default(),
        };
        let kept = announcement::keep(&self.store, &self.ctx, asker, wanted).await;
        let kept = kept.map_err(|error| failed(&error))?;
        self.was_added(kept, &in_words)
    }

    /// Keeps a routine that something besides the clock starts.
    async fn create_on(
        &self,
        trigger: Trigger,
        said: Said,
        context: &ToolContext,
    ) -> Result<String, ToolOutcome> {
        let scope = &context.scope;
        let asker = self.asker(scope).await?;
        let tried = triggers::try_out(&self.store, &self.ctx, scope.chat, scope.owner, &trigger);
        let trial = tried.await.map_err(|error| failed(&error))?;
        let starts = trigger_in_words(&trigger, Language::English);
        let in_words = format!("it starts {starts}; {}", tried_for_model(&trial));
        let wanted = TriggeredWanted {
            trigger,
            words: said.words.unwrap_or_default(),
            taint: context.taint.clone(),
            name: said.name.unwrap_or_default(),
            notify: said.notify.unwrap_or(Notify::Always),
        };
        let kept = triggers::keep(&self.store, &self.ctx, asker, wanted, trial).await;
        self.was_added(kept.map_err(|error| failed(&error))?, &in_words)
    }

    /// Tries what would start a routine, and returns what stands on its card.
    async fn inspect_trigger(
        &self,
        trigger: &Trigger,
        words: String,
        scope: &Scope,
    ) -> Result<(Summary, Option<String>, Action), ToolOutcome> {
        let asker = self.asker(scope).await?;
        let due = triggers::inspect(&self.store, &self.ctx, &asker, scope.owner, trigger).await;
        let due = due.map_err(|error| failed(&error))?.map_err(not_here)?;
        let schedule = trigger_in_words(trigger, Language::English);
        let summary = Summary::Routine(Planned::Create { schedule });
        let action = action_of(&words, Some(due));
        Ok((summary, Some(words), action))
    }

    fn was_added(&self, added: Added, in_words: &str) -> Result<String, ToolOutcome> {
        match added {
            Added::New(id) => Ok(format!(
                "kept (id {id}): {in_words}. The user was shown this in a message of its own."
            )),
            Added::Same(id) => Ok(format!(
                "the user has this very routine (id {id}): {in_words}"
            )),
            Added::Full => Err(wrong(&format!(
                "the user has {} routines, and no more are kept; delete one first",
                self.ctx.limits.most
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
        self.ctx.changed.notify_one();
        let row = self.row(whose, id).await?;
        Ok(format!("changed: {}", listing::line(&row)))
    }

    async fn show(&self, row: &RoutineRow) -> Result<String, ToolOutcome> {
        let runs = run_now::history(&self.store, row.id).await;
        let runs = runs.map_err(|error| failed(&error))?;
        Ok(listing::shown(row, &runs))
    }

    async fn run_now(&self, row: RoutineRow) -> Result<String, ToolOutcome> {
        let run = run_now::run_now(&self.store, &self.ctx, row).await;
        match run.map_err(|error| failed(&error))? {
            RunNow::Begun => Ok(
                "it runs now, in a turn of its own; its report comes when it is \
                over"
                    .to_owned(),
            ),
            RunNow::Open => Err(wrong("a run of it is not over yet")),
            RunNow::NoAccess => Err(no_such()),
        }
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

    async fn inspect_update(
        &self,
        id: RoutineId,
        schedule: Option<String>,
        said: Said,
        scope: &Scope,
    ) -> Result<(Summary, Option<String>, Action), ToolOutcome> {
        let asker = self.asker(scope).await?;
        let before = self.row(whose(scope), id).await?;
        stays_without_schedule(&before, schedule.as_deref())?;
        let when = schedule.map(|it| self.when(&it, before.kind, &asker));
        let when = when.transpose()?;
        let after = RoutineRow {
            schedule: when.as_ref().map_or(before.schedule.clone(), |it| {
                it.timetable.schedule().as_text()
            }),
            prompt: said.words.unwrap_or_else(|| before.prompt.clone()),
            ..before.clone()
        };
        let detail = format!(
            "{}\n{}\n→\n{}\n{}",
            before.schedule, before.prompt, after.schedule, after.prompt
        );
        let due = when.map_or_else(|| due_of(&after), |when| Some(when.due()));
        let action = action_of(&after.prompt, due);
        let summary = Summary::Routine(Planned::Update {
            before: before.schedule,
            after: after.schedule,
        });
        Ok((summary, Some(detail), action))
    }
}

/// Refuses a schedule for a routine that events start.
fn stays_without_schedule(row: &RoutineRow, schedule: Option<&str>) -> Result<(), ToolOutcome> {
    match (&row.source, schedule) {
        (Some(_), Some(_)) => Err(wrong(STAYS)),
        (Some(_) | None, _) => Ok(()),
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

fn zone_of(when: &When) -> (String, bool) {
    (when.timetable.zone().name().to_owned(), when.follows)
}

/// Returns when a routine is due, as its card says it.
fn due_of(row: &RoutineRow) -> Option<Due> {
    let timetable = Timetable::of(row)?;
    let due_ms = timetable.next_after(now_ms())?;
    let when = When {
        timetable,
        follows: row.follows,
        due_ms,
    };
    Some(when.due())
}

/// Says what would be done with a routine whose schedule stays.
fn switched(row: &RoutineRow, to: RoutineState) -> Summary {
    Summary::Routine(Planned::Switch {
        to,
        id: row.id.0,
        schedule: row.schedule.clone(),
    })
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
        let (summary, detail, action) = match Step::of(call, &self.spec)? {
            Step::List | Step::Show(_) => ("routine: show".into(), None, Action::Internal),
            Step::Create(schedule, said) => {
                let asker = self.asker(scope).await?;
                let when = self.when(&schedule, RoutineKind::Turn, &asker)?;
                let words = said.words.unwrap_or_default();
                let action = action_of(&words, Some(when.due()));
                let schedule = when.timetable.schedule().as_text();
                let summary = Summary::Routine(Planned::Create { schedule });
                (summary, Some(words), action)
            }
            Step::CreateOn(trigger, said) => {
                let words = said.words.unwrap_or_default();
                self.inspect_trigger(&trigger, words, scope).await?
            }
            Step::Update(id, schedule, said) => {
                self.inspect_update(id, schedule, said, scope).await?
            }
            Step::Switch(id, Switched::On) | Step::Run(id) => {
                let row = self.row(whose(scope), id).await?;
                let detail = format!("{}\n{}", row.schedule, row.prompt);
                let action = action_of(&row.prompt, due_of(&row));
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
        let done = match Step::of(call.call(), &self.spec) {
            Ok(step) => self.do_it(step, context).await,
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }
}
