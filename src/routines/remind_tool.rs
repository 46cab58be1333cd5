//! The `remind` tool: words that are said to the user at a time, by no model.

use async_trait::async_trait;
use sayso_channel::Language;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_injection::{Treatment, check_tool_result};
use sayso_policy::{Action, ClearedCall, RoutineChange as Planned, Summary, ToolFacts};
use sayso_store::Store;
use sayso_store::routines::{Added, Notify, RoutineKind};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::announcement;
use super::asker::{Asker, TurnAsker};
use super::context::RoutineContext;
use super::keeping::{self, Wanted, When};
use super::refusals::{failed, no_time, not_by_routine, wrong, wrong_words};

/// Words that speak for it in a request.
const HINTS: [&str; 10] = [
    "remind",
    "reminder",
    "reminders",
    "alarm",
    "wake",
    "forget",
    "提醒",
    "叫我",
    "闹钟",
    "别忘",
];

/// Keeps reminders.
pub struct RemindTool {
    spec: ToolSpec,
    store: Store,
    ctx: RoutineContext,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// When, in the user's words: `tomorrow at 9`, `in 20 minutes`, `明天下午3点`, and for one that
    /// comes again `every Monday at 8`, `每天早上8点`.
    when: String,
    /// What to remind them of, in their language, as it will be shown.
    text: String,
}

struct Step {
    asker: Asker,
    when: When,
    words: String,
}

impl RemindTool {
    /// The name of the tool.
    pub const NAME: &'static str = "remind";

    /// Returns the tool over the routines of this database.
    pub fn new(store: Store, ctx: RoutineContext) -> Self {
        let description = "Reminds the user of something at a time, once or again and again, here \
            in this chat. Copy what they said of the time into `when`; do not reckon it out.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            store,
            ctx,
        }
    }

    async fn step(&self, call: &ToolCall, scope: &Scope) -> Result<Step, ToolOutcome> {
        let Arguments {
            when: text_of_when,
            text,
        } = parse_arguments(call, &self.spec)?;
        let words = keeping::words_of(&text).map_err(|why| wrong_words("text", why))?;
        let asker = match TurnAsker::of(&self.store, &self.ctx.limits, scope).await {
            Ok(TurnAsker::Person(asker)) => asker,
            Ok(TurnAsker::NoOne) => return Err(not_by_routine()),
            Err(error) => return Err(failed(&error)),
        };
        let (kind, limits) = (RoutineKind::Remind, &self.ctx.limits);
        let when = keeping::read_when(&text_of_when, kind, asker.zone, limits, asker.at_ms)
            .map_err(|why| no_time("when", &text_of_when, &why))?
            .when;
        Ok(Step { asker, when, words })
    }

    async fn keep(&self, step: Step, context: &ToolContext) -> Result<String, ToolOutcome> {
        let Step { asker, when, words } = step;
        let in_words = when.in_words(Language::English);
        let wanted = Wanted {
            kind: RoutineKind::Remind,
            when,
            words,
            taint: context.taint.clone(),
            name: String::new(),
            notify: Notify::Always,
            late: String::new(),
        };
        let kept = announcement::keep(&self.store, &self.ctx, asker, wanted).await;
        match kept.map_err(|error| failed(&error))? {
            Added::New(id) | Added::Same(id) => Ok(format!(
                "kept (id {id}): {in_words}. The user was shown this in a message of its own; a \
                 word from you is enough."
            )),
            Added::Full => Err(wrong(&format!(
                "the user has {} reminders, and no more are kept; delete one first",
                self.ctx.limits.most_of(RoutineKind::Remind)
            ))),
        }
    }
}

#[async_trait]
impl Tool for RemindTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let Step { when, words, .. } = self.step(call, scope).await?;
        // A person's own words are said to that person again: no more than a memory.
        let is_suspicious = match check_tool_result(&words).treatment {
            Treatment::Clean | Treatment::Warn => false,
            Treatment::Review | Treatment::Block => true,
        };
        let detail = format!("{}\n{words}", when.in_words(Language::English));
        Ok(ToolFacts {
            summary: Summary::Routine(Planned::Remind {
                schedule: when.timetable.schedule().as_text(),
            }),
            detail: Some(detail),
            action: Action::Remember {
                is_suspicious,
                text: Some(words),
            },
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let done = match self.step(call.call(), &context.scope).await {
            Ok(step) => self.keep(step, context).await,
            Err(refusal) => Err(refusal),
        };
        match done {
            Ok(output) => ToolOutcome::Success { output },
            Err(outcome) => outcome,
        }
    }
}
