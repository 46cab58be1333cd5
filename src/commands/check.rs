//! `/check`: every check of the project that the conversation works in, without a model.

use sayso_store::{StoreError, Tx, chats};

use super::context::CommandContext;
use super::messages;
use crate::bus::Signal;
use crate::intake::{Effects, ResolvedMessage, tell};
use crate::sessions::{CheckRequest, request_check};

/// Begins a turn that runs the checks and answers with their receipt.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    if chats::session(tx, heard.session).await?.project.is_none() {
        let text = messages::check_without_project(language);
        return tell(tx, &ctx.outbox, heard, text).await;
    }
    let wanted = CheckRequest {
        session: heard.session,
        user: heard.user,
        role: heard.role,
        address: &heard.inbound.address,
        request: messages::check_request(language),
    };
    request_check(tx, wanted).await?;
    let mut effects = Effects::default();
    effects
        .signals
        .push(Signal::Work(heard.session, heard.user));
    Ok(effects)
}
