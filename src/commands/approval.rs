//! A press on the card of held calls.

use sayso_channel::Receipt;

use super::audit_records;
use super::context::CommandContext;
use crate::approvals::{self, Presser};
use crate::bus::Signal;
use crate::intake::{Effects, Pressed};
use crate::prompts::Refusal;
use crate::sessions::PressedMessage;
use crate::store::{StoreError, Tx, new_id, now_ms};

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
    let this = pressed.this.map(|message| PressedMessage { chat, message });
    let writer = ctx.cards();
    let mut said = Vec::new();
    if let Some(view) = &outcome.changed {
        said = writer.amend(tx, view, this).await?;
    }
    if let (Some(view), Some(this)) = (&outcome.stale, this) {
        said = writer.amend_stray(tx, view, this).await?;
    }
    let ready = outcome.ready;
    let signals = ready.map(|session| Signal::Work(session, user));
    Ok(Effects {
        receipt: Receipt::with_notice(Some(outcome.notice)),
        said,
        signals: signals.into_iter().collect(),
        ..Effects::default()
    })
}
