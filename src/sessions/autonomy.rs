//! How far the agent may go in a session: never further than the configuration says of the account,
//! and than the session was lowered to.

use sayso_channel::{ChannelName, SenderKey};
use sayso_core::transcript::UserId;
use sayso_policy::{AutonomyLevel, SecurityPolicy};
use sayso_store::chats::SessionRow;
use sayso_store::{StoreError, Tx, people};

/// Returns how far the agent may go now for a user of a session: as far as the configuration says
/// of the account, and no further than the session was lowered to.
pub(super) async fn level_here(
    tx: &mut Tx,
    policy: &SecurityPolicy,
    session: &SessionRow,
    user: UserId,
) -> Result<AutonomyLevel, StoreError> {
    let account = if policy.levels.is_empty() {
        None
    } else {
        people::account_of(tx, user).await?
    };
    let own = account.and_then(|(channel, sender)| {
        let (channel, sender) = (ChannelName::new(channel), SenderKey::new(sender));
        policy.levels.of(&channel, &sender)
    });
    let level = own.unwrap_or(policy.autonomy);
    Ok(effective_autonomy(level, session.autonomy.as_deref()))
}

/// Returns a level, no higher than the one of this name. A name that is no level lowers nothing.
pub fn effective_autonomy(level: AutonomyLevel, lowered: Option<&str>) -> AutonomyLevel {
    let lowered = lowered.and_then(AutonomyLevel::named);
    lowered.map_or(level, |lowered| lowered.min(level))
}
