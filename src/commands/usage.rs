//! `/usage`: what was spent today, and what is left.

use sayso_core::transcript::Role;
use sayso_store::{StoreError, Tx, now_ms};

use super::context::CommandContext;
use super::layer::Layer;
use super::viewer::Viewer;
use crate::budget::{self, BillingSubject};

/// Writes what the user spent. What everybody spent is for owners, and not for those around them.
pub(super) async fn text(
    tx: &mut Tx,
    ctx: &CommandContext,
    viewer: &Viewer<'_>,
    layer: Layer,
) -> Result<String, StoreError> {
    let payer = BillingSubject {
        user: viewer.user,
        session: viewer.session,
        turn: None,
        routine: None,
        fence: None,
    };
    let for_owner = viewer.role == Role::Owner && viewer.is_private();
    let report = budget::report(tx, &ctx.budget, &payer, for_owner).await?;
    let prices = &ctx.budget.prices;
    let (now, language) = (now_ms(), viewer.language);
    Ok(match layer {
        Layer::Brief => budget::messages::brief_usage(&report, prices, now, language),
        Layer::Details => {
            let model = &ctx.models.configured;
            budget::messages::usage(&report, prices, model, now, language)
        }
    })
}
