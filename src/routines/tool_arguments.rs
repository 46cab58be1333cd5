//! What the `routine` tool is asked: its arguments, read and checked as far as they tell by themselves.

use sayso_core::transcript::{RoutineId, ToolCall, ToolOutcome, ToolSpec};
use sayso_store::routines::Notify;
use sayso_tools::parse_arguments;
use schemars::JsonSchema;
use serde::Deserialize;

use super::keeping;
use super::plan::Late;
use super::refusals::{bad_trigger, wrong, wrong_words};
use super::triggers::Trigger;

/// Words that speak for it in a request.
pub(super) const HINTS: [&str; 24] = [
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
    "whenever",
    "webhook",
    "changes",
    "每当",
    "一旦",
    "有变化",
];

/// Why what starts a routine is not changed.
pub(super) const STAYS: &str =
    "what starts a routine is not changed: delete it and create another one";

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Arguments {
    action: Verb,
    /// Which one, from `list`.
    id: Option<String>,
    /// When, in the user's words: `every weekday at 9`, `每天早上8点`, `every 2h`, `0 9 * * 1-5`,
    /// `at 2026-12-01 09:00`; `CRON_TZ=Europe/Berlin 0 9 * * *` in another zone.
    schedule: Option<String>,
    /// Instead of `schedule`: it starts when a file of the workspace changes: `reports/*.csv`.
    on_file: Option<String>,
    /// Instead of `schedule`: it starts when somebody writes one of these words or phrases in this
    /// group.
    on_words: Option<Vec<String>>,
    /// Instead of `schedule`: `true` starts it by signed HTTP calls; the user is shown how.
    on_webhook: Option<bool>,
    /// What is to be done, as a request to you. It is all that the run will know.
    prompt: Option<String>,
    /// What to call it, in a word or two.
    name: Option<String>,
    /// `news`: it speaks only when the run has something to report.
    notify: Option<Notified>,
    /// A run that was missed is made up for within: `half` its period, `skip`, or a time such as
    /// `6h`.
    late: Option<String>,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Notified {
    Always,
    News,
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
    Run,
}

/// What is said of a routine beside when it is due.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) words: Option<String>,
    pub(super) name: Option<String>,
    pub(super) notify: Option<Notify>,
    pub(super) late: Option<String>,
}

/// A call whose arguments are in order. What is said of times is read when it is known whose clock
/// counts.
pub(super) enum Step {
    Create(String, Said),
    CreateOn(Trigger, Said),
    List,
    Show(RoutineId),
    Update(RoutineId, Option<String>, Said),
    Delete(RoutineId),
    Switch(RoutineId, Switched),
    Run(RoutineId),
}

/// What a routine is switched to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Switched {
    On,
    Off,
}

impl Step {
    /// Reads a call.
    ///
    /// # Errors
    /// What is wrong with its arguments, for the model.
    pub(super) fn of(call: &ToolCall, spec: &ToolSpec) -> Result<Self, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, spec)?;
        let (action, schedule) = (arguments.action, arguments.schedule.clone());
        let id = arguments.id.as_deref().map(id_of).transpose()?;
        let said = said_in(&arguments)?;
        if let Some(trigger) = trigger_in(&arguments)? {
            return Self::on_trigger(trigger, &arguments, said);
        }
        match (action, id, schedule) {
            (Verb::List, ..) => Ok(Self::List),
            (Verb::Create, _, Some(schedule)) if said.words.is_some() => {
                Ok(Self::Create(schedule, said))
            }
            (Verb::Create, ..) => Err(wrong("`create` needs `schedule` and `prompt`")),
            (_, None, _) => Err(wrong("`id` is missing; take one from `list`")),
            (Verb::Show, Some(id), _) => Ok(Self::Show(id)),
            (Verb::Delete, Some(id), _) => Ok(Self::Delete(id)),
            (Verb::Enable, Some(id), _) => Ok(Self::Switch(id, Switched::On)),
            (Verb::Disable, Some(id), _) => Ok(Self::Switch(id, Switched::Off)),
            (Verb::Run, Some(id), _) => Ok(Self::Run(id)),
            (Verb::Update, Some(_), None) if said.is_empty() => {
                Err(wrong("`update` needs something that changes"))
            }
            (Verb::Update, Some(id), schedule) => Ok(Self::Update(id, schedule, said)),
        }
    }

    fn on_trigger(
        trigger: Trigger,
        arguments: &Arguments,
        said: Said,
    ) -> Result<Self, ToolOutcome> {
        match (arguments.action, &arguments.schedule) {
            (Verb::Create, None) if said.words.is_some() => Ok(Self::CreateOn(trigger, said)),
            (Verb::Create, _) => Err(wrong(
                "`create` needs `prompt` and one of `schedule`, `on_file`, `on_words` and \
                 `on_webhook`",
            )),
            _ => Err(wrong(STAYS)),
        }
    }
}

impl Said {
    fn is_empty(&self) -> bool {
        let Self {
            words,
            name,
            notify,
            late,
        } = self;
        words.is_none() && name.is_none() && notify.is_none() && late.is_none()
    }
}

fn said_in(arguments: &Arguments) -> Result<Said, ToolOutcome> {
    let words = arguments.prompt.as_deref().map(keeping::words_of);
    let late = match arguments.late.as_deref() {
        Some(text) => Some(
            Late::named(text).ok_or_else(|| wrong("`late` is `half`, `skip` or a time: `6h`"))?,
        ),
        None => None,
    };
    let name = arguments.name.as_deref().map(keeping::name_of);
    Ok(Said {
        words: words
            .transpose()
            .map_err(|why| wrong_words("prompt", why))?,
        name: name.transpose().map_err(|why| wrong_words("name", why))?,
        notify: arguments.notify.map(|notify| match notify {
            Notified::Always => Notify::Always,
            Notified::News => Notify::News,
        }),
        late: late.map(Late::as_text),
    })
}

/// Returns what starts a routine besides the clock, as the arguments have it.
fn trigger_in(arguments: &Arguments) -> Result<Option<Trigger>, ToolOutcome> {
    let (file, words) = (arguments.on_file.as_deref(), arguments.on_words.as_deref());
    let trigger = match (file, words, arguments.on_webhook.unwrap_or_default()) {
        (None, None, false) => return Ok(None),
        (Some(glob), None, false) => Trigger::file(glob),
        (None, Some(words), false) => Trigger::words(words),
        (None, None, true) => Ok(Trigger::Webhook),
        _ => {
            return Err(wrong(
                "only one of `on_file`, `on_words` and `on_webhook` starts it",
            ));
        }
    };
    trigger.map(Some).map_err(bad_trigger)
}

fn id_of(text: &str) -> Result<RoutineId, ToolOutcome> {
    let number = text.trim().parse().map(RoutineId);
    number.map_err(|_| wrong(&format!("`id` is `{text}`; take one from `list`")))
}
