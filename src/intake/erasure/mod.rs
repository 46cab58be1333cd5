//! `/forget everything`: a person is asked once more, and then erased, wherever a kill cuts in.
//!
//! The confirmation is a row. The remaining work is done by [`run`], which resumes at the next
//! start: the person's turns end, the tables are cleared in one transaction, then the trace, the
//! workspaces and the file of the database. Nothing that is said about it holds anything of the
//! person.

mod card;
pub mod messages;
mod press;
mod run;

use sayso_channel::{ChatKind, Outbound};

pub use press::press;
pub use run::run;

use super::message::{ResolvedMessage, tell};
use super::{Effects, IntakeContext};
use crate::approvals::new_token;
use crate::delivery::{Purpose, Saying};
use crate::store::erase::{self, ErasureRow, ErasureState};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, now_ms, people};

/// How long the card may be answered, in milliseconds.
const HOLDS_MS: i64 = 10 * 60 * 1000;

/// Asks the user to confirm the erasure of all their data: in their direct chat only.
pub async fn ask(
    tx: &mut Tx,
    ctx: &IntakeContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if heard.inbound.chat_kind == ChatKind::Group {
        return tell(tx, ctx, heard, messages::only_direct(language)).await;
    }
    if erase::is_wanted(tx, heard.user).await? {
        return tell(tx, ctx, heard, messages::under_way(language)).await;
    }
    let mut said = Vec::new();
    for earlier in erase::open_of(tx, heard.user).await? {
        said.extend(close(tx, ctx, &earlier, ErasureState::Expired).await?);
    }
    let token =
        new_token().map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let address = serde_json::to_string(&heard.inbound.address)?;
    let until = now_ms() + HOLDS_MS;
    let chat = heard.chat.id;
    let id = erase::ask(tx, heard.user, chat, (&token, &address), until).await?;
    let accounts = people::accounts_of(tx, heard.user).await?.len();
    let outbound = Outbound {
        reply_to: super::message::reply_to(heard),
        ..card::asking(&token, accounts, language)
    };
    let saying = Saying {
        to: &heard.inbound.address,
        purpose: Purpose::Card,
        turn: None,
        subject: Some(id),
        outbound: &outbound,
    };
    said.extend(ctx.outbox.say(tx, saying).await?);
    Ok(Effects {
        said,
        ..Effects::default()
    })
}

/// Closes the cards that expired without an answer.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for overdue in erase::expired(tx, now_ms).await? {
        said.extend(close(tx, ctx, &overdue, ErasureState::Expired).await?);
    }
    Ok(said)
}

/// Closes an open erasure without a yes and rewrites its card.
async fn close(
    tx: &mut Tx,
    ctx: &IntakeContext,
    erasure: &ErasureRow,
    state: ErasureState,
) -> Result<Vec<OutboxRow>, StoreError> {
    erase::close(tx, erasure.id, state).await?;
    let language = ctx.language(&erasure.language);
    let outbound = card::ended(state, language);
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Card, erasure.id, None, &outbound)
        .await
}
