//! `/autonomy`: the one effective level, which an owner can lower here.

use sayso_channel::Language;
use serde_json::json;

use super::messages;
use crate::audit::Event;
use crate::intake::message::Heard;
use crate::intake::{Door, auditing};
use crate::policy::AutonomyLevel;
use crate::sessions::effective_autonomy;
use crate::store::{StoreError, Tx, chats};
use crate::transcript::Role;

/// Shows what holds here, or lowers it. The configuration is the ceiling.
pub async fn run(
    tx: &mut Tx,
    door: &Door,
    heard: &Heard<'_>,
    wanted: &str,
    language: Language,
) -> Result<String, StoreError> {
    let ceiling = door.autonomy;
    let session = chats::session(tx, heard.session).await?;
    if matches!(wanted, "" | messages::SHOW) {
        let level = effective_autonomy(ceiling, session.autonomy.as_deref());
        return Ok(messages::autonomy(level, ceiling, language));
    }
    if heard.role != Role::Owner {
        return Ok(messages::autonomy_owners_only(language));
    }
    let Some(level) = parse(wanted) else {
        return Ok(messages::autonomy_unknown(wanted, language));
    };
    if level > ceiling {
        return Ok(messages::autonomy_above_ceiling(level, ceiling, language));
    }
    let lowered = (level < ceiling).then(|| level.as_str());
    chats::set_autonomy(tx, heard.session, lowered).await?;
    let level_now = json!({ "level": level.as_str() });
    auditing::command(tx, door, heard, Event::Autonomy, level_now).await?;
    Ok(messages::autonomy(level, ceiling, language))
}

fn parse(wanted: &str) -> Option<AutonomyLevel> {
    let wanted = wanted.trim().to_lowercase().replace(['-', ' '], "_");
    [
        AutonomyLevel::ReadOnly,
        AutonomyLevel::Supervised,
        AutonomyLevel::Full,
    ]
    .into_iter()
    .find(|level| level.as_str() == wanted)
}
