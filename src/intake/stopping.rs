//! What every stop does at the door: the cards of its turn are closed at once.

use sayso_channel::ChannelName;

use super::Door;
use crate::approvals;
use crate::delivery::Purpose;
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, chats};
use crate::transcript::{SessionId, TurnId};

/// Closes the cards of a stopped turn at once: no button of theirs counts any more.
pub async fn close_cards(
    tx: &mut Tx,
    door: &Door,
    session: SessionId,
    turn: TurnId,
) -> Result<Vec<OutboxRow>, StoreError> {
    let session = chats::session(tx, session).await?;
    let language = door.language(&session.language);
    let long_text = door.voice.long_text(&ChannelName::new(session.channel));
    let mut said = Vec::new();
    for view in approvals::drop_cards(tx, turn).await? {
        let outbound = approvals::document(&view, language, long_text);
        let card = view.card.id.0;
        let voice = &door.voice;
        said.extend(
            voice
                .amend(tx, Purpose::Card, card, None, &outbound)
                .await?,
        );
    }
    Ok(said)
}
