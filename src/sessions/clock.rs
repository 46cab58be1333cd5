//! The date and time as written in the prompt.

use chrono::Local;

/// Returns the local date, weekday and time with its zone.
pub fn local_time() -> String {
    Local::now().format("%Y-%m-%d %A %H:%M UTC%:z").to_string()
}
