//! The answer of one account to a request, and what it changes.

use sayso_core::transcript::UserId;
use sayso_store::links::{self, RequestRow, RequestState, SideRow, Wish};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx, people};

use super::card::{self, Answer, PressedCard};
use super::messages;
use super::request::{close, drop_requests, is_admitted};
use crate::audit::Event;
use crate::commands::audit_records;
use crate::commands::context::CommandContext;
use crate::delivery::{MessageRef, Purpose};
use crate::intake::{Effects, Pressed};
use crate::prompts::{self, Prompt, Refusal};

/// Returns the card that a prompt is on, and its request.
async fn about(tx: &mut Tx, prompt: &Prompt) -> Result<Option<(SideRow, RequestRow)>, StoreError> {
    let Some(side) = links::side(tx, prompt.subject().unwrap_or_default()).await? else {
        return Ok(None);
    };
    let request = links::request(tx, side.request_id).await?;
    Ok(Some((side, request)))
}

/// Confirms or refuses a request.
///
/// Runs in one transaction with everything that follows from it, so accounts are joined or they are
/// not.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    press: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let found = (Answer::parse(choice), about(tx, prompt).await?);
    let (Some(answer), Some((side, request))) = found else {
        return Ok(None);
    };
    Ok(Some(match answer {
        Answer::Refuse => {
            let this = PressedCard::of(&side, press.this);
            let said = close(tx, ctx, request, RequestState::Refused, this).await?;
            Effects::shown(messages::refused(press.language), said)
        }
        Answer::Confirm => confirm(tx, ctx, request, &side, prompt, press).await?,
    }))
}

/// Closes a request that was not confirmed in time, and rewrites its cards.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    this: Option<MessageRef<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    match about(tx, prompt).await? {
        // The other side of it may have expired just before.
        Some((side, request)) if request.state == RequestState::Open => {
            close(
                tx,
                ctx,
                request,
                RequestState::Expired,
                PressedCard::of(&side, this),
            )
            .await
        }
        Some(_) | None => Ok(Vec::new()),
    }
}

/// Notes a yes, and does what was asked when it was the last.
async fn confirm(
    tx: &mut Tx,
    ctx: &CommandContext,
    request: RequestRow,
    side: &SideRow,
    prompt: &Prompt,
    press: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let language = press.language;
    if !links::confirm(tx, side.id).await? {
        prompts::reopen(tx, prompt).await?;
        return Ok(Effects::refused(messages::confirmed_already(language)));
    }
    let this = PressedCard::of(side, press.this);
    let sides = links::sides_of(tx, request.id).await?;
    if sides.iter().any(|side| side.confirmed_ms.is_none()) {
        // It may still be refused.
        prompts::reopen(tx, prompt).await?;
        let confirmed = sides.iter().find(|one| one.id == side.id).unwrap_or(side);
        let said = card::rewrite(tx, ctx, &request, confirmed, &sides, this).await?;
        return Ok(Effects::shown(messages::confirmed(language), said));
    }
    // An account that was blocked after its confirmation is not linked.
    let all_come_in = sides
        .iter()
        .all(|side| is_admitted(ctx, &side.channel, &side.sender, side.standing));
    if !all_come_in {
        let said = close(tx, ctx, request, RequestState::Dropped, this).await?;
        return Ok(Effects {
            said,
            ..Effects::refused(messages::not_let_in(language))
        });
    }
    let mut said = close(tx, ctx, request, RequestState::Done, this).await?;
    let touched = fulfil(tx, request.wish, &sides).await?;
    let confirmed: Vec<UserId> = sides.iter().map(|side| side.user_id).collect();
    let event = match request.wish {
        Wish::Join => Event::Linked,
        Wish::Part => Event::Unlinked,
    };
    audit_records::linking(tx, ctx, event, &confirmed).await?;
    // Their cards show persons that are no more.
    said.extend(drop_requests(tx, ctx, &touched).await?);
    Ok(Effects::shown(messages::done(request.wish, language), said))
}

/// Joins or parts, and returns every user whose person changed by it.
async fn fulfil(tx: &mut Tx, wish: Wish, sides: &[SideRow]) -> Result<Vec<UserId>, StoreError> {
    let Some(first) = sides.first() else {
        return Ok(Vec::new());
    };
    let before = people::accounts_of(tx, first.user_id).await?;
    match wish {
        Wish::Part => people::part(tx, first.user_id).await?,
        Wish::Join => {
            for other in sides.iter().skip(1) {
                people::join(tx, first.user_id, other.user_id).await?;
            }
        }
    }
    let after = people::accounts_of(tx, first.user_id).await?;
    tracing::info!(?wish, accounts = after.len(), "linked accounts changed");
    let touched = before.iter().chain(&after);
    Ok(touched.map(|account| account.user_id).collect())
}

/// A press on a closed card: a copy that was not recorded as sent still has its buttons.
pub async fn stale(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    refusal: Refusal,
    press: &Pressed<'_>,
) -> Result<Effects, StoreError> {
    let language = press.language;
    let Some((side, request)) = about(tx, prompt).await? else {
        return Ok(Effects::refused(refusal.text(language).to_owned()));
    };
    let why = match request.state {
        RequestState::Expired => Refusal::Expired.text(language).to_owned(),
        RequestState::Dropped => messages::dropped(language),
        RequestState::Open | RequestState::Done | RequestState::Refused => {
            refusal.text(language).to_owned()
        }
    };
    let mut said = Vec::new();
    if let Some(this) = press.this {
        let sides = links::sides_of(tx, request.id).await?;
        let outbound = card::document(tx, ctx, &request, &side, &sides).await?;
        said = ctx
            .outbox
            .amend_stray(tx, Purpose::Card, side.id, this, &outbound)
            .await?;
    }
    Ok(Effects {
        said,
        ..Effects::refused(why)
    })
}
