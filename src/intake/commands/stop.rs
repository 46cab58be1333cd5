//! `/stop`: overtakes the queue.

use sayso_channel::{Language, Outbound};

use super::messages;
use crate::bus::Signal;
use crate::intake::message::{Heard, say};
use crate::intake::{Door, Followed};
use crate::store::{StoreError, Tx, inbox, turns};
use crate::transcript::Role;

/// Asks the user's turns here to stop, and drops their waiting messages. An owner stops all.
///
/// Each stopped turn says so itself, so nothing more is said when there was one.
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
    let said = if stopped.is_empty() || dropped > 0 {
        let text = messages::stop(stopped.len(), dropped, language);
        say(tx, door, heard, &Outbound::markdown(text)).await?
    } else {
        Vec::new()
    };
    let signals = vec![
        Signal::Stop(heard.session),
        Signal::Work(heard.session, heard.user),
    ];
    Ok(Followed {
        said,
        signals,
        ..Followed::default()
    })
}
