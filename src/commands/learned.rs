//! The note about what was learned: the one whose words it was learned from can undo it, once.

use super::context::CommandContext;
use super::messages;
use crate::intake::{Effects, Pressed};
use crate::prompts::Prompt;
use crate::sessions::undo_learned;
use crate::store::{StoreError, Tx};

/// Takes back what was learned.
pub async fn answer(
    tx: &mut Tx,
    ctx: &CommandContext,
    prompt: &Prompt,
    pressed: &Pressed<'_>,
) -> Result<Option<Effects>, StoreError> {
    let (writers, language) = ((&ctx.outbox, &ctx.auditor), pressed.language);
    let whose = (prompt, pressed.user);
    let said = undo_learned(tx, writers, whose, pressed.this, language).await?;
    Ok(Some(Effects {
        said,
        ..Effects::told(messages::undone(language), false)
    }))
}
