//! `/compact`: has the earlier part of the conversation summed up, as soon as nothing goes on in
//! it.
//!
//! The receipt comes from who does it.

use sayso_channel::Language;

use crate::intake::ResolvedMessage;
use crate::sessions::messages;
use crate::store::{StoreError, Tx, compactions, now_ms};

/// With fewer turns than this there is nothing to summarize, because the newest is kept verbatim.
const FEWEST_TURNS: i64 = 2;

/// Has it summed up.
pub async fn run(
    tx: &mut Tx,
    heard: &ResolvedMessage<'_>,
    language: Language,
) -> Result<String, StoreError> {
    if compactions::uncovered(tx, heard.session).await? < FEWEST_TURNS {
        return Ok(messages::nothing_to_compact(language).to_owned());
    }
    let address = serde_json::to_string(&heard.inbound.address)?;
    let whose = (heard.session, heard.user);
    compactions::want(tx, whose, &address, true, now_ms()).await?;
    Ok(messages::compacting(language).to_owned())
}
