//! Whose words stand in a message of Sayso's that somebody quotes. We said them, and yet they may
//! be those of a web page or a file: what we say has the provenance of the turn that said it.

use sayso_channel::Quoted;
use sayso_core::transcript::TurnState;
use sayso_store::outbox::{self, MessageAt};
use sayso_store::{StoreError, Tx, turns};

use super::resolved::ResolvedMessage;

/// Returns whether a quoted message of Sayso's may hold untrusted text for its quoting user: its
/// turn had some in view, acted for somebody else, or is not known.
pub async fn is_untrusted(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    quoted: &Quoted,
) -> Result<bool, StoreError> {
    let at = MessageAt::of(&heard.inbound.address, &quoted.message);
    let turns = outbox::turns_of_message(tx, at).await?;
    for turn in &turns {
        let Some(turn) = *turn else {
            return Ok(true);
        };
        let is_own = turns::user_of(tx, turn).await? == Some(heard.user);
        let entries = turns::entries(tx, turn).await?;
        if !is_own || entries.is_empty() || !TurnState::fold(&entries).taint.is_empty() {
            return Ok(true);
        }
    }
    Ok(turns.is_empty())
}
