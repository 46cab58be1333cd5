//! The clock as a model is told it.

use time::OffsetDateTime;
use time::macros::format_description;

/// Returns the local date, weekday and time with its zone; UTC where the zone is not known.
pub fn local_time() -> String {
    let now = OffsetDateTime::now_local().unwrap_or_else(|_| OffsetDateTime::now_utc());
    let format = format_description!(
        "[year]-[month]-[day] [weekday] [hour]:[minute] UTC[offset_hour sign:mandatory]:[offset_minute]"
    );
    now.format(&format)
        .unwrap_or_else(|_| now.date().to_string())
}
