//! Reading a document in a helper: the request that it receives, and what it answers.

use sayso_sandbox::SandboxProfile;
use sayso_sandbox::helper::{SealedEnd, SealedLimits, SealedWork};
use serde_json::Value;

use super::{Problem, Wanted, read};

/// The most that reading may use.
const LIMITS: SealedLimits = SealedLimits {
    memory: 1024 * 1024 * 1024,
    cpu_secs: 30,
};

/// Returns the request to read a document of so many bytes.
pub fn work(
    bytes: usize,
    wanted: &Wanted,
    plan: Option<SandboxProfile>,
) -> serde_json::Result<SealedWork> {
    Ok(SealedWork {
        bytes: bytes as u64,
        wanted: serde_json::to_value(wanted)?,
        limits: LIMITS,
        plan,
    })
}

/// Reads a document, in a helper.
pub fn read_sealed(wanted: &Value, bytes: &[u8]) -> Value {
    let wanted: Result<Wanted, _> = serde_json::from_value(wanted.clone());
    let text = match wanted {
        Ok(wanted) => read(bytes, &wanted),
        Err(error) => Err(Problem::Damaged(error.to_string())),
    };
    serde_json::to_value(text).unwrap_or_default()
}

/// Returns what a helper read, or why it could not.
pub fn text_of(end: SealedEnd) -> Result<String, Problem> {
    match end {
        SealedEnd::Done(text) => serde_json::from_value(text)
            .unwrap_or_else(|error| Err(Problem::Damaged(error.to_string()))),
        SealedEnd::Panicked => Err(Problem::Damaged("the parser panicked".to_owned())),
    }
}
