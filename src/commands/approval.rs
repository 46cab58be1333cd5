//! A press on the card of held calls.

use sayso_channel::{Language, Notice, NoticeKind, Receipt};
use sayso_core::transcript::{TurnId, UserId};
use sayso_store::{StoreError, Tx, inbox, new_id, now_ms};
use serde_json::json;

use super::context::CommandContext;
use super::{audit_records, messages};
use crate::approvals::{self, Presser};
use crate::audit::Event;
use crate::bus::Signal;
use crate::intake::{Effects, Pressed, PressedJob};
use crate::prompts::Refusal;
use crate::sessions::PressedMessage;

/// Judges a press on a card, and rewrites what changed by it.
pub async fn press(
    tx: &mut Tx,
    ctx: &CommandContext,
    pressed: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let Pressed {
        user,
        chat,
        language,
        ..
    } = *pressed;
    let presser = Presser {
        user,
        role: pressed.role,
        name: pressed.name.to_owned(),
        chat,
        now_ms: now_ms(),
        language,
    };
    let before = new_id();
    let Some(outcome) = approvals::press(tx, pressed.data, &presser).await? else {
        return Ok(Effects::refused(Refusal::Unknown.text(language).to_owned()));
    };
    if let Some(view) = &outcome.changed {
        audit_records::granted(tx, ctx, &view.card, user, before).await?;
    }
    if let Some(pattern) = &outcome.revoked {
        let payload = json!({ "grants": [pattern] });
        audit_records::pressed(tx, ctx, pressed, Event::Revoked, payload).await?;
    }
    let this = pressed.this.map(|message| PressedMessage { chat, message });
    let writer = ctx.cards();
    let mut said = Vec::new();
    if let Some(view) = &outcome.changed {
        said = writer.amend(tx, view, this).await?;
    }
    if let (Some(view), Some(this)) = (&outcome.stale, this) {
        said = writer.amend_stray(tx, view, this).await?;
    }
    let job = match outcome.again {
        Some(turn) => request_of(tx, turn, user).await?,
        None => None,
    };
    let is_gone = outcome.again.is_some() && job.is_none();
    let gone = is_gone.then(|| gone(language));
    let notice = gone.unwrap_or(outcome.notice);
    let again = job.is_some().then_some(pressed.session);
    let wakes = outcome.ready.into_iter().chain(again);
    Ok(Effects {
        receipt: Receipt::with_notice(Some(notice)),
        said,
        signals: wakes.map(|session| Signal::Work(session, user)).collect(),
        job,
        ..Effects::default()
    })
}

/// What is answered where the request of an expired card is not kept any more.
fn gone(language: Language) -> Notice {
    Notice {
        text: messages::request_is_gone(language),
        kind: NoticeKind::Alert,
    }
}

/// Returns what a person had asked a turn for, as it was said; `None` where none of it is left.
async fn request_of(
    tx: &mut Tx,
    turn: TurnId,
    user: UserId,
) -> Result<Option<PressedJob>, StoreError> {
    let mut job = PressedJob::default();
    let mut words: Vec<String> = Vec::new();
    for said in inbox::said_to(tx, turn, user).await? {
        job.untrusted |= said.untrusted;
        job.files.extend(said.files()?);
        words.push(said.said);
    }
    job.words = words.join("\n");
    let is_left = !job.words.trim().is_empty() || !job.files.is_empty();
    Ok(is_left.then_some(job))
}
