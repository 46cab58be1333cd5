//! A check of a project that a person asked for: a job, whose turn no model takes part in.

use sayso_channel::Address;
use sayso_core::transcript::{Origin, Role, SessionId, UserId};
use sayso_store::jobs::{self, JobWork, NewJob};
use sayso_store::{StoreError, Tx, now_ms};
use serde_json::Value;

/// Who asked for a check, and where.
#[derive(Debug)]
pub struct CheckRequest<'a> {
    /// The session, whose project is checked.
    pub session: SessionId,
    /// The person.
    pub user: UserId,
    /// What they may do.
    pub role: Role,
    /// Where the receipt goes.
    pub address: &'a Address,
    /// How the turn is named to people.
    pub request: String,
}

/// Adds the job; the caller wakes the session after the commit.
pub async fn request_check(tx: &mut Tx, wanted: CheckRequest<'_>) -> Result<(), StoreError> {
    let job = NewJob {
        session: wanted.session,
        user: wanted.user,
        origin: Origin::Check,
        due_ms: now_ms(),
        work: JobWork {
            address: wanted.address.clone(),
            request: wanted.request,
            role: wanted.role,
            payload: Value::Null,
        },
    };
    jobs::add(tx, &job).await?;
    Ok(())
}
