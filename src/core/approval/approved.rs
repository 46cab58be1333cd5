//! The proof that a person said yes.

use crate::transcript::CallId;

/// Says that a person approved exactly one call. Only `approvals` makes one, from a row whose token
/// was consumed; it can be neither cloned nor read from bytes.
#[derive(Debug)]
pub struct Approved {
    call: CallId,
    digest: String,
}

impl Approved {
    /// Makes the proof of a row whose token was just consumed. A crate cannot say who may call this;
    /// `tests/it/layers` does: `approvals/open.rs` alone.
    pub fn redeemed(call: CallId, digest: String) -> Self {
        Self { call, digest }
    }

    /// Returns the call that was approved.
    pub fn call(&self) -> &CallId {
        &self.call
    }

    /// Returns the digest of the call and facts as they were shown.
    pub fn digest(&self) -> &str {
        &self.digest
    }
}
