//! The `report` tool: the one way in which a routine speaks that is to speak only of news. What it
//! reported is known by the keys of the items, so nothing is said again in other words.

use async_trait::async_trait;
use sayso_channel::Outbound;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec, TurnId};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use sayso_store::outbox::OutboxRow;
use sayso_store::routines::{self, Notify};
use sayso_store::{Store, StoreError, Tx, now_ms, routine_runs};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::context::RoutineContext;
use super::messages;
use super::refusals::{failed, wrong};
use super::timetable::by_clock;
use crate::delivery::{Purpose, Saying};

/// For how long what was reported is not news any more, in milliseconds: 30 days.
pub(super) const KNOWN_MS: i64 = 30 * 24 * 60 * 60 * 1000;
/// How many items one report has at most.
const KEYS: usize = 50;
/// The longest key, in characters.
const KEY_CHARS: usize = 200;
/// The longest report, in characters.
const TEXT_CHARS: usize = 4000;

/// Reports news.
pub struct ReportTool {
    spec: ToolSpec,
    store: Store,
    ctx: RoutineContext,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What the user reads.
    text: String,
    /// What names each item for good: the id of a mail, an address, a word. What was reported under
    /// the same key before is not reported again.
    #[serde(default)]
    keys: Vec<String>,
}

/// What became of a report.
enum Reported {
    /// It is said.
    Said(Vec<OutboxRow>),
    /// All of it was reported before.
    Known,
    /// This turn is no run that speaks by it.
    NotHere,
}

impl ReportTool {
    /// The name of the tool.
    pub const NAME: &'static str = "report";

    /// Returns the tool over the routines of this database.
    pub fn new(store: Store, ctx: RoutineContext) -> Self {
        let description = "In the run of a routine that speaks only of news: says what is new to \
            the user. Nothing else that you answer there is shown.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            store,
            ctx,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<Arguments, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let length = arguments.text.trim().chars().count();
        if !(1..=TEXT_CHARS).contains(&length) {
            return Err(wrong(&format!(
                "`text` has {length} characters; 1 to {TEXT_CHARS} are allowed"
            )));
        }
        let is_key = |key: &String| (1..=KEY_CHARS).contains(&key.trim().chars().count());
        if arguments.keys.len() > KEYS || !arguments.keys.iter().all(is_key) {
            return Err(wrong(&format!(
                "`keys` are at most {KEYS} of 1 to {KEY_CHARS} characters"
            )));
        }
        Ok(arguments)
    }

    async fn report(&self, arguments: Arguments, turn: TurnId) -> Result<String, ToolOutcome> {
        let ctx = self.ctx.clone();
        let reported = self
            .store
            .write(move |tx| Box::pin(async move { report(tx, &ctx, &arguments, turn).await }));
        match reported.await.map_err(|error| failed(&error))? {
            Reported::Said(said) => {
                self.ctx.outbox.offer(said);
                Ok("reported".to_owned())
            }
            Reported::Known => {
                Ok("all of these were reported before; nothing was said again".to_owned())
            }
            Reported::NotHere => Err(wrong(
                "this turn reports by its answer; `report` is for routines that speak only of news",
            )),
        }
    }
}

/// Says what is new, in the transaction that notes its keys.
async fn report(
    tx: &mut Tx,
    ctx: &RoutineContext,
    arguments: &Arguments,
    turn: TurnId,
) -> Result<Reported, StoreError> {
    let Some(run) = routine_runs::of_turn(tx, turn).await? else {
        return Ok(Reported::NotHere);
    };
    let row = routines::routine(tx, run.routine_id).await?;
    let Some(row) = row.filter(|row| row.notify == Notify::News) else {
        return Ok(Reported::NotHere);
    };
    let keys: Vec<String> = arguments
        .keys
        .iter()
        .map(|key| key.trim().to_owned())
        .collect();
    let fresh = routine_runs::tell(tx, row.id, &keys, now_ms() - KNOWN_MS).await?;
    if !keys.is_empty() && fresh.is_empty() {
        return Ok(Reported::Known);
    }
    routine_runs::note_reported(tx, run.id).await?;
    let language = ctx.language_of(tx, row.user_id).await?;
    let due = by_clock(run.due_ms, ctx.zone_named(&row.zone));
    let name = super::run_request::shown_name(&row.name, &row.prompt);
    let text = messages::report(arguments.text.trim(), &name, due, false, language);
    let outbound = Outbound::markdown(text);
    let saying = Saying {
        to: &serde_json::from_str(&row.address)?,
        purpose: Purpose::Notice,
        turn: Some(turn),
        subject: None,
        outbound: &outbound,
    };
    Ok(Reported::Said(ctx.outbox.say(tx, saying).await?))
}

#[async_trait]
impl Tool for ReportTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        // The request of such a run names it.
        SchemaVisibility::When(vec!["`report`"])
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        self.arguments(call)?;
        Ok(ToolFacts {
            summary: "report".into(),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let done = match self.arguments(call.call()) {
            Ok(arguments) => self.report(arguments, context.scope.turn).await,
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }
}
