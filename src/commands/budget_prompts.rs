//! Owners who are asked about limits: what their answer changes, and prompts of days that are over.

use sayso_channel::{Language, Outbound};
use sayso_store::outbox::OutboxRow;
use sayso_store::{StoreError, Tx};

use super::audit_records;
use super::context::CommandContext;
use crate::budget::{self, RaiseState, Waiting};
use crate::delivery::{Purpose, Saying};
use crate::intake::{Effects, Pressed};
use crate::prompts::Prompt;

/// Raises a limit or leaves it, as an owner answered.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    choice: &str,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let rules = &ctx.budget;
    let Some(raised) = budget::answer(tx, rules, prompt, choice, pressed.language).await? else {
        return Ok(None);
    };
    audit_records::raised(tx, ctx, &raised.answered, pressed.user).await?;
    let mut said = rewrite(tx, ctx, prompt, &raised.closed).await?;
    for waiting in &raised.told {
        said.extend(tell(tx, ctx, waiting).await?);
    }
    Ok(Some(Effects::shown(raised.notice.to_owned(), said)))
}

/// Says that the day is over.
pub async fn expired(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
) -> Result<Vec<OutboxRow>, StoreError> {
    let (rules, state) = (&ctx.budget, RaiseState::Expired);
    let english = budget::document(tx, rules, prompt, state, Language::English).await?;
    let chinese = budget::document(tx, rules, prompt, state, Language::Chinese).await?;
    let words = |reads: &str| match ctx.language(reads) {
        Language::English => english.clone(),
        Language::Chinese => chinese.clone(),
    };
    ctx.outbox
        .amend_each(tx, Purpose::Card, prompt.id(), &words)
        .await
}

async fn rewrite(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    outbound: &Outbound,
) -> Result<Vec<OutboxRow>, StoreError> {
    let outbox = &ctx.outbox;
    outbox
        .amend(tx, Purpose::Card, prompt.id(), None, outbound)
        .await
}

async fn tell(
    tx: &mut Tx,
    ctx: &CommandContext,
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
