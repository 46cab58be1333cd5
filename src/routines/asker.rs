//! Who asks for a routine, where and when: what the tools know beside the arguments of a call.

use sayso_core::transcript::{ChatId, Role, Scope, SessionId, UserId};
use sayso_store::{Store, StoreError, personal_times, routines};

use super::context::{PersonalZone, RoutineLimits};

/// Whose something is, and where it was asked for.
#[derive(Debug, Clone)]
pub struct Asker {
    /// Whose it is.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// The chat.
    pub chat: ChatId,
    /// The conversation.
    pub session: SessionId,
    /// Where it is said, as JSON.
    pub address: String,
    /// When they asked: from then relative times count.
    pub at_ms: i64,
    /// By whose clock they live.
    pub zone: PersonalZone,
}

/// Who asks in a turn.
#[derive(Debug, Clone)]
pub enum TurnAsker {
    /// A person.
    Person(Asker),
    /// No one: the turn is itself one that was scheduled.
    NoOne,
}

impl TurnAsker {
    /// Returns who asks in the turn of a scope.
    pub async fn of(
        store: &Store,
        limits: &RoutineLimits,
        scope: &Scope,
    ) -> Result<Self, StoreError> {
        let asked = routines::asked_at(store.reader(), scope.turn).await?;
        if asked.background {
            return Ok(Self::NoOne);
        }
        let set = personal_times::of(store.reader(), scope.user).await?;
        Ok(Self::Person(Asker {
            user: scope.user,
            role: scope.role,
            chat: scope.chat,
            session: scope.session,
            address: asked.address,
            at_ms: asked.at_ms,
            zone: limits.zone_by(&set),
        }))
    }
}
