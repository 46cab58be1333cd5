//! `/status`: how the connections are, what is going on here, and whether what is read in the
//! workspace counts as text from outside.

use sayso_channel::{ChatKind, Language};

use super::context::CommandContext;
use super::messages::background;
use super::{messages, model};
use crate::intake::ResolvedMessage;
use crate::store::{StoreError, Tx, chats, now_ms, processes, turns, workspaces};
use crate::transcript::OutsideReason;

/// Writes the status of this instance and this session.
pub async fn status(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    let open = turns::open_turns(tx, heard.session).await?;
    let turns: Vec<(bool, String)> = open
        .into_iter()
        .map(|turn| (turn.state == "parked", turn.request))
        .collect();
    let channels: Vec<String> = ctx
        .status
        .health
        .iter()
        .map(|(name, health)| messages::channel_line(name, &health.read(), language))
        .collect();
    let mode = ctx.policy.rules.confinement.mode;
    let sandbox = messages::sandbox(mode, ctx.policy.sandbox.in_language(language), language);
    let session = chats::session(tx, heard.session).await?;
    let model = model::chosen(ctx, session.model.as_deref()).unwrap_or(&ctx.models.configured);
    let status = messages::status(model, &sandbox, &channels, &turns, language);
    let outside = match heard.inbound.chat_kind {
        ChatKind::Direct => workspaces::outside_since(tx, heard.user).await?,
        ChatKind::Group => Some((0, OutsideReason::Shared)),
    };
    let workspace = messages::workspace(outside, language);
    let embedder = ctx.status.embedder.as_ref();
    let embedder = embedder.map(|(name, health)| (name.as_str(), health.read()));
    let memory = messages::found_by(embedder, language);
    let waiting = messages::wait_for_logins(&ctx.status.waiting_logins.borrow(), language);
    let left_out = messages::tools_left_out(&(ctx.status.tools_left_out)(), language);
    let running = processes::running_in(tx, heard.session).await?;
    let running = background::lines(&running, now_ms(), language);
    let changed = messages::changed_in_chat(&ctx.status.changed, language);
    let parts = [
        Some(status),
        running,
        waiting,
        left_out,
        Some(memory),
        Some(workspace),
        changed,
    ];
    Ok(parts.into_iter().flatten().collect::<Vec<_>>().join("\n\n"))
}
