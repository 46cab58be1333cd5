//! The proof that a person said yes.

use crate::transcript::CallId;

/// Says that a person approved exactly one call. Only this room makes one, from a row whose
/// token was consumed; it can be neither cloned nor read from bytes.
#[derive(Debug)]
pub struct Approved {
    call: CallId,
    digest: String,
}

impl Approved {
    pub(super) fn new(call: CallId, digest: String) -> Self {
        Self { call, digest }
    }

    /// Makes a proof without a row, for the tests of rooms that take one.
    #[cfg(test)]
    pub fn for_test(call: CallId, digest: String) -> Self {
        Self::new(call, digest)
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
