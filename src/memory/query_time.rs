//! The time that a query asks about, by the local clock.

use chrono::{Local, NaiveDateTime};
use sayso_core::when::{Spoken, instant_of, spoken_time};

use super::rank::Query;

/// Returns the query that a text asks now: the words for a time are those of the local clock.
pub(super) fn asked(text: &str) -> Query {
    asked_at(text, Local::now().naive_local(), moment)
}

/// Returns the query that a text asks at a local time; `moment` tells the milliseconds since 1970
/// of such a time.
pub fn asked_at(text: &str, now: NaiveDateTime, moment: impl Fn(NaiveDateTime) -> i64) -> Query {
    let query = Query::new(text);
    match spoken_time(text, now) {
        Some(Spoken { span, rest }) => query.about(moment(span.from)..moment(span.until), &rest),
        None => query,
    }
}

/// Returns a local time in milliseconds since 1970; of one that the clock skips, the first behind it.
pub(super) fn moment(local: NaiveDateTime) -> i64 {
    let there = instant_of(local, &Local);
    there.map_or_else(
        || local.and_utc().timestamp_millis(),
        |there| there.timestamp_millis(),
    )
}
