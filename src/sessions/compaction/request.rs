//! `/compact`: requests the compaction of a session, as soon as no turn runs in it. The receipt is
//! sent by the worker that does it.

use sayso_channel::{Address, Language};
use sayso_core::transcript::{SessionId, UserId};
use sayso_store::{StoreError, Tx, compactions, now_ms};

use crate::sessions::messages;

/// With fewer turns than this there is nothing to summarize, because the newest is kept verbatim.
const FEWEST_TURNS: i64 = 2;

/// Requests the compaction, and returns what the user is informed of now.
pub async fn request_compaction(
    tx: &mut Tx,
    session: SessionId,
    user: UserId,
    address: &Address,
    language: Language,
) -> Result<String, StoreError> {
    if compactions::uncovered(tx, session).await? < FEWEST_TURNS {
        return Ok(messages::nothing_to_compact(language).to_owned());
    }
    let address = serde_json::to_string(address)?;
    compactions::want(tx, session, user, &address, true, now_ms()).await?;
    Ok(messages::compacting(language).to_owned())
}
