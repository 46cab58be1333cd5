//! Which function runs a command: one match over all of them.

use sayso_channel::CommandCall;

use super::context::CommandContext;
use super::menu::{CommandKind, menu};
use super::{
    autonomy, compact, erasure, forget, grants, linking, memory, messages, model, new, routines,
    skills, status, stop, undo, usage,
};
use crate::intake::{Effects, ResolvedMessage, tell};
use crate::store::{StoreError, Tx};

/// Runs a command in the transaction that stores its message.
pub async fn run(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
    call: &CommandCall,
) -> Result<Effects, StoreError> {
    let language = ctx.language(&heard.chat.language);
    let Some(kind) = CommandKind::named(&call.name) else {
        return Ok(Effects::default());
    };
    let text = match kind {
        CommandKind::Start | CommandKind::Help => messages::help(&menu(), language),
        CommandKind::New => new::run(tx, ctx, heard, language).await?,
        CommandKind::Stop => return stop::run(tx, ctx, heard).await,
        // Their words are a job, which intake takes as such.
        CommandKind::Steer | CommandKind::Queue | CommandKind::Interrupt => {
            return Ok(Effects::default());
        }
        CommandKind::Undo => return undo::command(tx, ctx, heard).await,
        CommandKind::Status => status::status(tx, ctx, heard, language).await?,
        CommandKind::WhoAmI => {
            let linked = linking::linked_accounts(tx, heard).await?;
            messages::who_am_i(heard.inbound, heard.role, &linked, language)
        }
        CommandKind::Link => return linking::link(tx, ctx, heard, &call.arguments).await,
        CommandKind::Unlink => return linking::unlink(tx, ctx, heard).await,
        CommandKind::Autonomy => autonomy::run(tx, ctx, heard, &call.arguments, language).await?,
        CommandKind::Grants => grants::run(tx, ctx, heard, &call.arguments, language).await?,
        CommandKind::Forget if erasure::is_everything(&call.arguments) => {
            return erasure::ask(tx, ctx, heard).await;
        }
        CommandKind::Memory => return memory::run(tx, ctx, heard, &call.arguments, language).await,
        CommandKind::Forget if !call.arguments.trim().is_empty() => {
            return forget::ask(tx, ctx, heard, &call.arguments).await;
        }
        CommandKind::Forget => erasure::usage(language),
        CommandKind::Model => return model::run(tx, ctx, heard, &call.arguments, language).await,
        CommandKind::Skills => return skills::run(tx, ctx, heard, &call.arguments, language).await,
        CommandKind::Routines => return routines::run(tx, ctx, heard, language).await,
        CommandKind::Compact => compact::run(tx, heard, language).await?,
        CommandKind::Usage => usage::run(tx, ctx, heard, language).await?,
    };
    tell(tx, &ctx.outbox, heard, text).await
}
