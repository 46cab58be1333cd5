//! `/new`: the history of a session ends here.

use sayso_channel::Language;
use sayso_store::{StoreError, Tx, chats, lessons, now_ms, seen_files};
use serde_json::json;

use super::context::CommandContext;
use super::{audit_records, messages};
use crate::approvals;
use crate::audit::Event;
use crate::intake::ResolvedMessage;

/// Begins a new conversation, and has the one before learned from soon.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    chats::begin_anew(tx, heard.session).await?;
    if let Some(learning) = ctx.limits.learning {
        lessons::hurry(tx, heard.session, now_ms() + learning.after_new_ms()).await?;
    }
    // History ends here for everybody, and so does what anybody allowed in view of it.
    approvals::revoke_session(tx, heard.session).await?;
    seen_files::forget_session(tx, heard.session).await?;
    let all = json!({ "grants": "all of the session" });
    audit_records::command(tx, ctx, heard, Event::Revoked, all).await?;
    Ok(messages::begun_anew(language))
}
