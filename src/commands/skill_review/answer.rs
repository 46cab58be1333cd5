//! The answer to the card about a skill, and what begins with it.

use std::sync::Arc;

use sayso_store::outbox::OutboxRow;
use sayso_store::skill_reviews::{self, ReviewRow, ReviewState};
use sayso_store::{StoreError, Tx};

use super::card::close;
use super::messages::{self, Answer};
use crate::audit::{By, Event, Place, Record};
use crate::commands::context::CommandContext;
use crate::delivery::MessageRef;
use crate::intake::{Effects, Pressed};
use crate::prompts::Prompt;

/// Has a skill put in place, or left, as an owner answered.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let found = (Answer::parse(choice), about(tx, prompt).await?);
    let (Some(answer), Some(review)) = found else {
        return Ok(None);
    };
    let state = match answer {
        Answer::Approve => ReviewState::Approved,
        Answer::Deny => ReviewState::Denied,
    };
    note(tx, ctx, &review, answer, pressed).await?;
    let said = close(tx, ctx, &review, state, pressed.this).await?;
    Ok(Some(Effects {
        wakes: vec![Arc::clone(&ctx.background.reviewing)],
        ..Effects::shown(messages::pressed(answer, pressed.language), said)
    }))
}

/// Says that no owner answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    match about(tx, prompt).await? {
        Some(review) => close(tx, ctx, &review, ReviewState::Expired, this).await,
        None => Ok(Vec::new()),
    }
}

/// Returns the wish that a prompt is about.
async fn about(tx: &mut Tx, prompt: &Prompt) -> Result<Option<ReviewRow>, StoreError> {
    skill_reviews::review(tx, prompt.subject().unwrap_or_default()).await
}

/// Writes down who decided what, by the hash of what was shown.
async fn note(
    tx: &mut Tx,
    ctx: &CommandContext,
    review: &ReviewRow,
    answer: Answer,
    press: &Pressed<'_>,
) -> Result<(), StoreError> {
    let decided = match answer {
        Answer::Approve => "approved",
        Answer::Deny => "denied",
    };
    let place = Place {
        chat: Some(press.chat),
        user: Some(press.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(press.user)),
        payload: Some(serde_json::json!({
            "skill": review.name,
            "is": decided,
            "from": review.source,
            "hash": review.hash,
        })),
        ..Record::of(Event::Skill, place)
    };
    ctx.auditor.note(tx, record).await
}
