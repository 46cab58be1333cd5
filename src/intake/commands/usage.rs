//! `/usage`: what was spent today, and what is left.

use sayso_channel::{ChatKind, Language};

use crate::budget::{self, Payer};
use crate::intake::Door;
use crate::intake::message::Heard;
use crate::store::{StoreError, Tx, now_ms};
use crate::transcript::Role;

/// Writes what the user spent. What everybody spent is for owners, and not for those around them.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let payer = Payer {
        user: heard.user,
        session: heard.session,
        turn: None,
        routine: None,
        fence: None,
    };
    let is_private = heard.inbound.chat_kind == ChatKind::Direct;
    let for_owner = heard.role == Role::Owner && is_private;
    let report = budget::report(tx, &door.budget, &payer, for_owner).await?;
    let prices = &door.budget.prices;
    Ok(budget::messages::usage(
        &report,
        prices,
        &door.model,
        now_ms(),
        language,
    ))
}
