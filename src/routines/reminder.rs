//! A reminder as it stands in its chat: its words, and buttons that settle it or put it off.

use chrono::{Days, NaiveTime};
use chrono_tz::Tz;
use sayso_channel::{Address, Button, ButtonLook, Language, Outbound};
use sayso_core::transcript::{ChatId, Role, SessionId, Taint, UserId};
use sayso_core::when::{Schedule, instant_of};
use sayso_store::outbox::OutboxRow;
use sayso_store::routines::{self, Added, NewRoutine, Notify, RoutineKind, RoutineRow};
use sayso_store::{StoreError, Tx};
use serde::{Deserialize, Serialize};

use super::context::RoutineContext;
use super::messages::{self, ReminderButton};
use super::started::Started;
use super::timetable::by_clock;
use crate::delivery::{Purpose, Saying};
use crate::prompts::{self, Asked, NewPrompt, Place, Prompt, PromptKind};

/// How long its buttons work, in milliseconds: a week.
const BUTTONS_MS: i64 = 7 * 24 * 60 * 60 * 1000;
const MINUTE_MS: i64 = 60_000;
/// The hour to which a reminder is put off until tomorrow.
const TOMORROW_HOUR: u32 = 9;

/// What is kept with the buttons, for what they lead to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaidReminder {
    /// Its words.
    pub text: String,
    /// By whose clock it goes.
    pub zone: String,
    /// Whose it is.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// Where it was made.
    pub chat: ChatId,
    /// The conversation.
    pub session: SessionId,
    /// Where it is said.
    pub address: Address,
    /// The untrusted text that was in view when it was written.
    #[serde(default, skip_serializing_if = "Taint::is_empty")]
    pub taint: Taint,
}

/// Says a reminder that is due.
pub(super) async fn say(
    tx: &mut Tx,
    ctx: &RoutineContext,
    row: &RoutineRow,
    run: Started,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language_of(tx, row.user_id).await?;
    let said = SaidReminder {
        text: row.prompt.clone(),
        zone: row.zone.clone(),
        user: row.user_id,
        role: row.role,
        chat: row.chat_id,
        session: row.session_id,
        address: serde_json::from_str(&row.address)?,
        taint: row.taint()?,
    };
    let zone = row.zone.parse().unwrap_or(ctx.limits.zone);
    let late = if run.is_late {
        by_clock(run.due_ms, zone)
    } else {
        None
    };
    let new = NewPrompt {
        kind: PromptKind::Reminder,
        place: Place::Anywhere,
        asked: Asked::User(row.user_id),
        subject: Some(run.id.0),
        payload: &said,
        expires_ms: Some(sayso_store::now_ms() + BUTTONS_MS),
    };
    let prompt = prompts::open(tx, new).await?;
    let outbound = Outbound {
        buttons: buttons(&prompt, language),
        ..Outbound::markdown(messages::reminder(&said.text, late, run.missed, language))
    };
    let saying = Saying {
        to: &said.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: Some(prompt.id()),
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}

fn buttons(prompt: &Prompt, language: Language) -> Vec<Vec<Button>> {
    let button = |does: &ReminderButton| Button {
        label: messages::reminder_button(*does, language).to_owned(),
        token: prompt.button(does.as_str()),
        key: None,
        look: ButtonLook::Plain,
    };
    vec![ReminderButton::ALL.iter().map(button).collect()]
}

/// What a press on a reminder came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// What stands in the place of the reminder.
    pub text: String,
    /// What the presser is shown.
    pub told: String,
}

/// Settles a reminder, or puts it off: then it is one that comes once. `None` where the choice was
/// forged.
pub async fn answer(
    tx: &mut Tx,
    ctx: &RoutineContext,
    prompt: &Prompt,
    choice: &str,
    now_ms: i64,
) -> Result<Option<Answered>, StoreError> {
    let Some(does) = ReminderButton::named(choice) else {
        return Ok(None);
    };
    let said: SaidReminder = prompt.payload()?;
    let language = ctx.language_of(tx, said.user).await?;
    let zone: Tz = said.zone.parse().unwrap_or(ctx.limits.zone);
    let again_ms = match does {
        ReminderButton::Done => None,
        ReminderButton::TenMinutes => Some(now_ms + 10 * MINUTE_MS),
        ReminderButton::Hour => Some(now_ms + 60 * MINUTE_MS),
        ReminderButton::Tomorrow => tomorrow(now_ms, zone),
    };
    let Some((again_ms, again)) = again_ms.and_then(|at| Some((at, by_clock(at, zone)?))) else {
        return Ok(Some(Answered {
            text: messages::reminder_done(&said.text),
            told: messages::reminder_is_done(language).to_owned(),
        }));
    };
    let new = NewRoutine {
        user: said.user,
        role: said.role,
        chat: said.chat,
        session: said.session,
        address: serde_json::to_string(&said.address)?,
        kind: RoutineKind::Remind,
        name: String::new(),
        schedule: Schedule::once(again.naive_local()).as_text(),
        zone: said.zone.clone(),
        follows: false,
        prompt: said.text.clone(),
        taint: said.taint.clone(),
        notify: Notify::Always,
        late: String::new(),
        anchor_ms: now_ms,
        due_ms: Some(again_ms),
        source: None,
    };
    let most = ctx.limits.most_of(RoutineKind::Remind);
    Ok(Some(
        match routines::add(tx, &new, most, &|_| again_ms).await? {
            Added::New(_) | Added::Same(_) => Answered {
                text: messages::reminder_again(&said.text, again, by_clock(now_ms, zone), language),
                told: messages::reminder_is_put_off(again, language),
            },
            Added::Full => Answered {
                text: messages::reminder(&said.text, None, 0, language),
                told: messages::too_many_reminders(most, language),
            },
        },
    ))
}

/// Returns tomorrow at nine by the clock of a zone.
fn tomorrow(now_ms: i64, zone: Tz) -> Option<i64> {
    let day = by_clock(now_ms, zone)?
        .date_naive()
        .checked_add_days(Days::new(1))?;
    let moment = day.and_time(NaiveTime::from_hms_opt(TOMORROW_HOUR, 0, 0)?);
    Some(instant_of(moment, &zone)?.timestamp_millis())
}
