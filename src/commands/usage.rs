//! `/usage`: what was spent today, and what is left.

use sayso_channel::{ChatKind, Language};

use super::context::CommandContext;
use crate::budget::{self, BillingSubject};
use crate::intake::ResolvedMessage;
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::Role;

/// Writes what the user spent. What everybody spent is for owners, and not for those around them.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let payer = BillingSubject {
        user: heard.user,
        session: heard.session,
        turn: None,
        routine: None,
        fence: None,
    };
    let is_private = heard.inbound.chat_kind == ChatKind::Direct;
    let for_owner = heard.role == Role::Owner && is_private;
    let report = budget::report(tx, &ctx.budget, &payer, for_owner).await?;
    let prices = &ctx.budget.prices;
    Ok(budget::messages::usage(
        &report,
        prices,
        &ctx.models.configured,
        now_ms(),
        language,
    ))
}
