//! The answer to the card of an erasure, and what begins with it.

use std::sync::Arc;

use sayso_store::erase::{self, ErasureRow, ErasureState};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, people, stops};

use super::card::{self, Answer, close};
use super::messages;
use crate::audit::{By, Event, Place, Record};
use crate::bus::Signal;
use crate::commands::context::CommandContext;
use crate::delivery::Purpose;
use crate::intake::{Effects, Pressed};
use crate::prompts::{self, Prompt, Refusal};

/// Begins the erasure, or leaves everything.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let found = (Answer::parse(choice), about(tx, prompt).await?);
    let (Some(answer), Some(erasure)) = found else {
        return Ok(None);
    };
    Ok(Some(match answer {
        Answer::Keep => {
            let said = close(tx, ctx, &erasure, ErasureState::Refused).await?;
            Effects::shown(messages::refused(pressed.language), said)
        }
        Answer::Erase => begin(tx, ctx, &erasure, pressed).await?,
        Answer::Explain => explain(tx, ctx, prompt, &erasure, pressed).await?,
    }))
}

/// Says what exactly goes and what stays, and leaves the question open.
async fn explain(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    erasure: &ErasureRow,
    pressed: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    prompts::reopen(tx, prompt).await?;
    let accounts = people::accounts_of(tx, pressed.user).await?.len();
    let outbound = card::explaining(prompt, accounts, pressed.language);
    let outbox = &ctx.outbox;
    let said = outbox
        .amend(tx, Purpose::Card, erasure.id, pressed.this, &outbound)
        .await?;
    Ok(Effects::said(said))
}

/// Leaves everything, since the card was not answered in time.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
) -> Result<Vec<OutboxRow>, StoreError> {
    match about(tx, prompt).await? {
        Some(erasure) => close(tx, ctx, &erasure, ErasureState::Expired).await,
        None => Ok(Vec::new()),
    }
}

/// Returns the erasure that a prompt is about.
async fn about(tx: &mut Tx, prompt: &Prompt) -> Result<Option<ErasureRow>, StoreError> {
    erase::erasure(tx, prompt.subject().unwrap_or_default()).await
}

/// Notes the yes, and stops every turn of the person wherever it goes on.
async fn begin(
    tx: &mut Tx,
    ctx: &CommandContext,
    erasure: &ErasureRow,
    press: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let language = press.language;
    let Some(open) = erase::want(tx, erasure).await? else {
        return Ok(Effects::told(
            Refusal::AlreadyAnswered.text(language).to_owned(),
            true,
        ));
    };
    let place = Place {
        user: Some(press.user),
        ..Place::default()
    };
    let record = Record {
        by: Some(By::User(press.user)),
        ..Record::of(Event::Erased, place)
    };
    ctx.auditor.note(tx, record).await?;
    let mut said = Vec::new();
    let mut signals = Vec::new();
    for (session, user) in open {
        let stopped = stops::ask_to_stop(tx, session, Some(user), press.user).await?;
        for turn in stopped {
            said.extend(ctx.cards().close_of(tx, turn).await?);
            signals.push(Signal::Stop(session, user, turn));
        }
        signals.push(Signal::Work(session, user));
    }
    let outbound = card::ended(ErasureState::Wanted, language);
    let outbox = &ctx.outbox;
    let rows = outbox
        .amend(tx, Purpose::Card, erasure.id, press.this, &outbound)
        .await?;
    said.extend(rows);
    Ok(Effects {
        signals,
        wakes: vec![Arc::clone(&ctx.background.erasing)],
        ..Effects::shown(messages::begun(language), said)
    })
}
