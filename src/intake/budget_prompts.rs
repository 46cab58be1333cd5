//! Owners who are asked about limits: where they are, what their press changes, and cards of days
//! that are over.

use async_trait::async_trait;
use sayso_channel::{Address, Language, Notice, Outbound};

use super::access::Access;
use super::{IntakeContext, audit_records, pairing};
use crate::budget::{self, Waiting};
use crate::delivery::{OutboxWriter, Purpose, Saying};
use crate::sessions::Owners;
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::UserId;

/// The direct chats of the owners, as the door knows them.
pub struct OwnerChats {
    access: Access,
    outbox: OutboxWriter,
}

impl OwnerChats {
    /// Knows owners by these lists, and what can be reached by this voice.
    pub fn new(access: Access, outbox: OutboxWriter) -> Self {
        Self { access, outbox }
    }
}

#[async_trait]
impl Owners for OwnerChats {
    async fn direct_chats(&self, tx: &mut Tx) -> Result<Vec<Address>, StoreError> {
        pairing::owner_addresses(tx, &self.access, &self.outbox).await
    }
}

/// What a press on a card about a limit came to; `None` when the data is no such button.
pub async fn press(
    tx: &mut Tx,
    ctx: &IntakeContext,
    data: &str,
    (user, is_owner): (UserId, bool),
    language: Language,
) -> Result<Option<(Notice, Vec<OutboxRow>)>, StoreError> {
    let now = (now_ms(), language);
    let Some(raised) = budget::answer(tx, &ctx.budget, data, is_owner, now).await? else {
        return Ok(None);
    };
    if let Some(answered) = &raised.answered {
        audit_records::raised(tx, ctx, answered, user).await?;
    }
    let mut said = rewrite(tx, ctx, raised.closed.into_iter().collect()).await?;
    for waiting in &raised.told {
        said.extend(tell(tx, ctx, waiting).await?);
    }
    Ok(Some((raised.notice, said)))
}

/// Closes the cards whose day is over.
pub async fn expire(
    tx: &mut Tx,
    ctx: &IntakeContext,
    now_ms: i64,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.limits.language.unwrap_or_default();
    let closed = budget::expire(tx, &ctx.budget, now_ms, language).await?;
    rewrite(tx, ctx, closed).await
}

async fn rewrite(
    tx: &mut Tx,
    ctx: &IntakeContext,
    closed: Vec<(i64, Outbound)>,
) -> Result<Vec<OutboxRow>, StoreError> {
    let mut said = Vec::new();
    for (card, outbound) in closed {
        let outbox = &ctx.outbox;
        said.extend(
            outbox
                .amend(tx, Purpose::Card, card, None, &outbound)
                .await?,
        );
    }
    Ok(said)
}

async fn tell(
    tx: &mut Tx,
    ctx: &IntakeContext,
    waiting: &Waiting,
) -> Result<Vec<OutboxRow>, StoreError> {
    let language = ctx.language(&waiting.language);
    let outbound = Outbound::markdown(budget::messages::raised(language));
    let saying = Saying {
        to: &waiting.address,
        purpose: Purpose::Notice,
        turn: None,
        subject: None,
        outbound: &outbound,
    };
    ctx.outbox.say(tx, saying).await
}
