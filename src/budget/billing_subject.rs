//! For whom a model call is, and the rows in which its spending is counted.

use sayso_core::transcript::{SessionId, TurnId, UserId};
use sayso_store::usage::{DayKey, Spender};

use super::day::Day;
use super::rules::Scope;

/// For whom a model call is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BillingSubject {
    /// The user that the turn acts for.
    pub user: UserId,
    /// Its session.
    pub session: SessionId,
    /// The turn; `None` where the call is part of none.
    pub turn: Option<TurnId>,
    /// The routine that it is a run of.
    pub routine: Option<String>,
    /// The fence of the lease under which the turn runs: after losing it, a process cannot spend.
    /// `None` where the call runs without a lease.
    pub fence: Option<i64>,
}

impl BillingSubject {
    /// Returns it as the row that its spending of a day is booked under.
    pub(super) fn on(&self, day: Day) -> Spender {
        Spender {
            user: self.user,
            session: self.session,
            turn: self.turn,
            routine: self.routine.clone().unwrap_or_default(),
            day: day.to_string(),
            fence: self.fence,
        }
    }

    /// Returns whether another's spending of a day is booked in the same row.
    pub(super) fn shares_row(&self, other: &Self) -> bool {
        let row = |it: &Self| (it.user, it.session);
        row(self) == row(other) && self.routine == other.routine
    }

    /// Returns the row of a day's limit; a turn has none, for it is not over with the day.
    pub(super) fn key(&self, scope: Scope, day: Day) -> Option<DayKey> {
        let (user_id, routine) = match scope {
            Scope::Turn => return None,
            Scope::User => (self.user, String::new()),
            Scope::Routine => (UserId(0), self.routine.clone()?),
            Scope::Instance | Scope::Month => (UserId(0), String::new()),
        };
        Some(DayKey {
            user_id,
            day: day.to_string(),
            scope: scope.as_str().to_owned(),
            routine,
        })
    }
}
