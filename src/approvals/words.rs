//! The reason for a denial: a user who pressed "Deny and say why" has limited time to give it.
//!
//! The call is denied by the press already. Its card stays open for the words, so that the turn
//! goes on with them; when none come, the card expires as a plain denial.

use std::time::Duration;

use sayso_core::transcript::{CardId, SessionId, UserId};
use sayso_store::cards::CardState;
use sayso_store::cards::{self, CardRow};
use sayso_store::{StoreError, Tx};

use super::card_view::CardView;

/// How long the words of a denial are waited for.
pub const WORDS_WITHIN: Duration = Duration::from_mins(2);
/// The longest reason that is kept, in characters: it is one more line for the model.
const REASON_CHARS: usize = 1_000;

/// Returns the card whose denial this user still has to explain in a session: the one that they
/// replied to, or with `None` the newest.
pub async fn reason_awaited(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    replied_to: Option<CardId>,
    now_ms: i64,
) -> Result<Option<CardRow>, StoreError> {
    let waiting = cards::wanting_words(tx, session, user, now_ms).await?;
    let means = |card: &CardRow| replied_to.is_none_or(|id| card.id == id);
    Ok(waiting.into_iter().find(means))
}

/// Keeps the words of a denial and closes its card; returns the card as it reads now, or `None`
/// when its time was over in this very moment.
pub async fn take_reason(
    tx: &mut Tx,
    mut card: CardRow,
    words: &str,
    by: &str,
) -> Result<Option<CardView>, StoreError> {
    if !cards::close(tx, card.id).await? {
        return Ok(None);
    }
    let kept: String = words.trim().chars().take(REASON_CHARS).collect();
    cards::set_words(tx, card.id, &kept).await?;
    card.state = CardState::Closed;
    let calls = cards::calls_of(tx, card.id).await?;
    Ok(Some(CardView {
        card,
        calls,
        decided_by: Some(by.to_owned()),
    }))
}
