//! Reading a document in a helper: what is asked of it, and what it answers.

use std::time::Duration;

use sayso_sandbox::helper::{SealedError, SealedLimits, SealedTask};
use serde_json::{Value, json};

use super::{Problem, Wanted, read};

/// The most that reading may use.
const LIMITS: SealedLimits = SealedLimits {
    memory: 1024 * 1024 * 1024,
    cpu_secs: 30,
};
/// After this the helper is ended.
const WITHIN: Duration = Duration::from_secs(45);

/// Returns what is asked of the helper.
pub(super) fn task(wanted: &Wanted) -> serde_json::Result<SealedTask> {
    Ok(SealedTask {
        wanted: json!({ "document": serde_json::to_value(wanted)? }),
        limits: LIMITS,
        within: WITHIN,
    })
}

/// Reads a document, in a helper.
pub(crate) fn read_sealed(wanted: &Value, bytes: &[u8]) -> Value {
    let wanted: Result<Wanted, _> = serde_json::from_value(wanted.clone());
    let text = match wanted {
        Ok(wanted) => read(bytes, &wanted),
        Err(error) => Err(Problem::Damaged(error.to_string())),
    };
    serde_json::to_value(text).unwrap_or_default()
}

/// Returns what a helper read, or why it could not.
pub(super) fn text_of(
    answer: Result<Value, SealedError>,
) -> Result<Result<String, Problem>, SealedError> {
    match answer {
        Ok(text) => serde_json::from_value(text).map_err(|_no_text| SealedError::Ended),
        Err(SealedError::Panicked) => Ok(Err(Problem::Damaged("the parser panicked".to_owned()))),
        Err(error) => Err(error),
    }
}
