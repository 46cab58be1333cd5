//! The clock: that of the machine.
//!
//! In builds for tests (feature `testing`) it may be set: the variable `SAYSO_TEST_CLOCK` names a file
//! with the milliseconds that are added to it, which may be negative. The file is read each time, so
//! a test sets the clock of a process that runs, forward and back. Without the variable, without the
//! file, and in every other build the clock is that of the machine.

use std::time::{SystemTime, UNIX_EPOCH};

/// Returns the time in milliseconds since 1970.
pub fn now_ms() -> i64 {
    let machine_ms = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64);
    machine_ms + ahead_ms()
}

/// Returns by how much a test has set the clock ahead.
#[cfg(feature = "testing")]
fn ahead_ms() -> i64 {
    use std::path::PathBuf;
    use std::sync::OnceLock;

    static FILE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let file = FILE.get_or_init(|| std::env::var_os("SAYSO_TEST_CLOCK").map(PathBuf::from));
    let written = file
        .as_ref()
        .and_then(|file| std::fs::read_to_string(file).ok());
    written
        .and_then(|text| text.trim().parse().ok())
        .unwrap_or_default()
}

/// Returns nothing: no test is run with this build.
#[cfg(not(feature = "testing"))]
const fn ahead_ms() -> i64 {
    0
}
