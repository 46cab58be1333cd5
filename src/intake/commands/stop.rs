//! `/stop`: overtakes the queue.

use sayso_channel::{Language, Outbound};

use super::messages;
use crate::approvals;
use crate::bus::Signal;
use crate::delivery::Purpose;
use crate::intake::message::{Heard, say};
use crate::intake::{Door, Followed};
use crate::store::outbox::OutboxRow;
use crate::store::{StoreError, Tx, inbox, turns};
use crate::transcript::{Role, TurnId};

/// Asks the user's turns here to stop, and drops their waiting messages. An owner stops all.
///
/// Each stopped turn says so itself, where it was asked for, so nothing more is said when there was one.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    language: Language,
) -> Result<Followed, StoreError> {
    let only_of = match heard.role {
        Role::Owner => None,
        Role::Member => Some(heard.user),
    };
    let stopped = turns::ask_to_stop(tx, heard.session, only_of, heard.user).await?;
    let dropped = inbox::drop_waiting(tx, heard.session, heard.user).await?;
    let mut said = drop_cards(tx, door, heard, &stopped, language).await?;
    let is_answered = stopped.is_empty() || dropped > 0;
    if is_answered {
        let text = messages::stop(stopped.len(), dropped, language);
        said.extend(say(tx, door, heard, &Outbound::markdown(text)).await?);
    }
    let stops = stopped
        .into_iter()
        .map(|turn| Signal::Stop(heard.session, turn));
    let signals = stops
        .chain([Signal::Work(heard.session, heard.user)])
        .collect();
    let followed = if is_answered {
        Followed::default()
    } else {
        Followed::unanswered()
    };
    Ok(Followed {
        said,
        signals,
        ..followed
    })
}

/// Closes the cards of the stopped turns at once: no button of theirs counts any more.
async fn drop_cards(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    stopped: &[TurnId],
    language: Language,
) -> Result<Vec<OutboxRow>, StoreError> {
    let long_text = door.voice.long_text(&heard.inbound.address.channel);
    let mut said = Vec::new();
    for turn in stopped {
        for view in approvals::drop_cards(tx, *turn).await? {
            let outbound = approvals::document(&view, language, long_text);
            let card = view.card.id.0;
            said.extend(
                door.voice
                    .amend(tx, Purpose::Card, card, None, &outbound)
                    .await?,
            );
        }
    }
    Ok(said)
}
