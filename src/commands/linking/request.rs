//! A request as a whole: closed, or dropped because the persons that it shows have changed.

use sayso_core::transcript::UserId;
use sayso_store::links::{self, RequestRow, RequestState};
use sayso_store::outbox::OutboxRow;
use sayso_store::people::AccountStanding;
use sayso_store::{StoreError, Tx};

use super::card::{self, PressedCard};
use crate::commands::context::CommandContext;
use crate::intake::{Account, Standing};
use crate::prompts::{self, PromptKind};

/// Closes an open request and rewrites its cards.
pub(super) async fn close(
    tx: &mut Tx,
    ctx: &CommandContext,
    request: RequestRow,
    state: RequestState,
    pressed: Option<PressedCard<'_>>,
) -> Result<Vec<OutboxRow>, StoreError> {
    links::close(tx, request.id, state).await?;
    let closed = RequestRow { state, ..request };
    let sides = links::sides_of(tx, request.id).await?;
    for side in &sides {
        prompts::withdraw_about(tx, PromptKind::Link, side.id).await?;
    }
    let mut said = Vec::new();
    for side in &sides {
        said.extend(card::rewrite(tx, ctx, &closed, side, &sides, pressed).await?);
    }
    Ok(said)
}

/// Drops the open requests that one of these users is asked about, and rewrites their cards.
pub(super) async fn drop_requests(
    tx: &mut Tx,
    ctx: &CommandContext,
    users: &[UserId],
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for request in links::open_requests(tx, users).await? {
        said.extend(close(tx, ctx, request, RequestState::Dropped, None).await?);
    }
    Ok(said)
}

/// Returns whether an account may come in by its direct chat, where it has no roles.
pub(super) fn is_admitted(
    ctx: &CommandContext,
    channel: &str,
    sender: &str,
    stored: AccountStanding,
) -> bool {
    let account = Account {
        channel: &channel.into(),
        key: &sender.into(),
        roles: &[],
    };
    matches!(
        ctx.access.standing(account, Some(stored)),
        Standing::Admitted(_)
    )
}
