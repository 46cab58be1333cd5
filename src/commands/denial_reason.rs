//! The words of a denial: a reply to the card, or in a direct chat whatever the one
//! who pressed says next.

use sayso_channel::ChatKind;
use sayso_core::transcript::CardId;
use sayso_store::cards::CardRow;
use sayso_store::{StoreError, Tx, now_ms};

use super::card_words::shown_in;
use super::context::CommandContext;
use crate::approvals;
use crate::bus::Signal;
use crate::intake::{Effects, ResolvedMessage};

/// Takes a message as the reason of a denial that waits for one; `None` when it is none.
pub async fn take(
    tx: &mut Tx,
    ctx: &CommandContext,
    heard: &ResolvedMessage<'_>,
) -> Result<Option<Effects>, StoreError> {
    let words = heard.message.text.trim();
    if !heard.owes_words || words.is_empty() || heard.message.edited {
        return Ok(None);
    }
    let Some(card) = awaited(tx, heard).await? else {
        return Ok(None);
    };
    let (session, asker) = (card.session_id, card.user_id);
    let by = &heard.inbound.sender.name;
    let Some(view) = approvals::take_reason(tx, card, words, by).await? else {
        return Ok(None);
    };
    let said = ctx.cards().amend(tx, &view, None).await?;
    Ok(Some(Effects {
        said,
        signals: vec![Signal::Work(session, asker)],
        ..Effects::default()
    }))
}

/// Returns the card whose denial this message explains: the one that it replies to, or in a
/// direct chat without a reply the newest.
async fn awaited(tx: &mut Tx, heard: &ResolvedMessage<'_>) -> Result<Option<CardRow>, StoreError> {
    let replied_to = match &heard.message.quoted {
        Some(quoted) if quoted.from_us => {
            let shown = shown_in(tx, heard, &quoted.message).await?;
            let Some(card) = shown.map(CardId) else {
                return Ok(None);
            };
            Some(card)
        }
        None if heard.inbound.chat_kind == ChatKind::Direct => None,
        Some(_) | None => return Ok(None),
    };
    approvals::reason_awaited(tx, heard.session, heard.user, replied_to, now_ms()).await
}
