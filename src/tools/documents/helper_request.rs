//! Reading a document in a helper: the request that it receives, and its limits.

use std::io::{self, Read};

use serde::{Deserialize, Serialize};

use super::{Problem, Wanted, read};
use crate::tools::sandbox::SandboxProfile;
use crate::tools::sealed::{SealedLimits, work_sealed};

/// The most that reading may use.
const LIMITS: SealedLimits = SealedLimits {
    memory: 1024 * 1024 * 1024,
    cpu_secs: 30,
};

/// A document to read: its bytes come behind the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reading {
    /// How many bytes come.
    pub bytes: u64,
    /// What is wanted of it.
    pub wanted: Wanted,
    /// The sandbox of the helper; `None` where commands are not confined.
    pub plan: Option<SandboxProfile>,
}

/// Reads a document in this process, which must be a helper: from now on it can do little else.
pub fn read_here(reading: &Reading, from: &mut impl Read) -> io::Result<Result<String, Problem>> {
    let mut bytes = Vec::new();
    from.take(reading.bytes).read_to_end(&mut bytes)?;
    let work = || read(&bytes, &reading.wanted);
    let read = work_sealed(reading.plan.as_ref(), LIMITS, work)?;
    Ok(read.unwrap_or_else(|| Err(Problem::Damaged("the parser panicked".to_owned()))))
}
