//! Ids, tokens and times of rows.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use super::StoreError;

/// Bits of an id below the millisecond: over a million ids per millisecond and process.
const SEQUENCE_BITS: u32 = 20;
/// 2024-01-01, so that 43 bits of milliseconds last past the year 2300.
const EPOCH_MS: i64 = 1_704_067_200_000;

/// 128 bits, so that a token cannot be guessed.
const TOKEN_BYTES: usize = 16;

static LAST: AtomicI64 = AtomicI64::new(0);

/// Returns a row id: greater than every earlier one of this process, in the order of time.
pub fn new_id() -> i64 {
    let now = (now_ms() - EPOCH_MS) << SEQUENCE_BITS;
    let next = |last: i64| Some(now.max(last + 1));
    let last = LAST
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, next)
        .unwrap_or_default();
    now.max(last + 1)
}

/// Has every further id be greater than this one, also when the clock was set back since it was
/// made.
pub(super) fn go_on_behind(id: i64) {
    LAST.fetch_max(id, Ordering::Relaxed);
}

/// Returns an id that no row made before this time has.
pub fn first_id_of(at_ms: i64) -> i64 {
    (at_ms - EPOCH_MS) << SEQUENCE_BITS
}

/// Returns the time in milliseconds since 1970.
pub fn now_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64)
}

/// Returns a new random token of 32 hexadecimal digits: what a button carries in place of a row.
///
/// # Errors
/// Fails when the system gives no random numbers; then nothing may be asked.
pub fn new_token() -> Result<String, StoreError> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| StoreError::Broken(format!("no random numbers: {error}")))?;
    let mut token = String::with_capacity(2 * TOKEN_BYTES);
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(token, "{byte:02x}");
    }
    Ok(token)
}
