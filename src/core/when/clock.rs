//! Times of a wall clock as instants, through changes of the clock, and zones by their names.

use chrono::{DateTime, NaiveDateTime, NaiveTime, Offset as _, TimeDelta, TimeZone};
use chrono_tz::{TZ_VARIANTS, Tz};

use super::Span;

/// How far an instant is from the same figures of UTC at most, in hours; whole days that a zone
/// left out, as Samoa did in 2011, included.
const FARTHEST_HOURS: i64 = 40;

/// Returns the instant at which a clock shows a time: of two the first, and where the clock skips
/// the time, the first instant behind the gap.
///
/// `None` only at the ends of the calendar.
pub fn instant_of<Z: TimeZone>(wall: NaiveDateTime, zone: &Z) -> Option<DateTime<Z>> {
    zone.from_local_datetime(&wall)
        .earliest()
        .or_else(|| behind_gap(wall, zone))
}

/// Searches for the second from which on the clock shows more than a time that it skips.
fn behind_gap<Z: TimeZone>(wall: NaiveDateTime, zone: &Z) -> Option<DateTime<Z>> {
    let far = TimeDelta::try_hours(FARTHEST_HOURS)?;
    let mut before = wall.checked_sub_signed(far)?;
    let mut behind = wall.checked_add_signed(far)?;
    while behind - before > TimeDelta::seconds(1) {
        let middle = before + TimeDelta::seconds((behind - before).num_seconds() / 2);
        let offset = zone.offset_from_utc_datetime(&middle).fix();
        if middle.checked_add_offset(offset)? > wall {
            behind = middle;
        } else {
            before = middle;
        }
    }
    Some(zone.from_utc_datetime(&behind))
}

/// Returns a span of a wall clock between two instants.
pub(super) fn instants<Z: TimeZone>(
    span: Span<NaiveDateTime>,
    zone: &Z,
) -> Option<Span<DateTime<Z>>> {
    Some(Span {
        from: instant_of(span.from, zone)?,
        until: instant_of(span.until, zone)?,
    })
}

/// Returns midnight of a wall clock.
pub(super) fn midnight(date: chrono::NaiveDate) -> NaiveDateTime {
    date.and_time(NaiveTime::MIN)
}

/// A name that no zone has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is no zone that is known; write one as `Europe/Berlin`")]
pub struct UnknownZone(pub String);

/// Returns a zone of the IANA database by its name, in any case.
///
/// # Errors
/// There is no such zone. Abbreviations as `CST` stand for several zones and are none.
pub fn zone_named(name: &str) -> Result<Tz, UnknownZone> {
    let name = name.trim();
    let mut zones = TZ_VARIANTS.iter();
    let found = zones.find(|zone| zone.name().eq_ignore_ascii_case(name));
    found.copied().ok_or_else(|| UnknownZone(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDateTime;
    use chrono_tz::Tz;

    use super::{instant_of, zone_named};

    #[track_caller]
    fn check(zone: Tz, wall: &str, expected: &str) {
        let wall = NaiveDateTime::parse_from_str(wall, "%Y-%m-%d %H:%M").unwrap();
        assert_eq!(instant_of(wall, &zone).unwrap().to_rfc3339(), expected);
    }

    #[test]
    fn a_skipped_time_is_the_first_instant_behind_the_gap() {
        check(
            Tz::Europe__Berlin,
            "2027-03-28 02:30",
            "2027-03-28T03:00:00+02:00",
        );
        check(
            Tz::America__Santiago,
            "2026-09-06 00:00",
            "2026-09-06T01:00:00-03:00",
        );
        check(
            Tz::Africa__Cairo,
            "2026-04-24 00:00",
            "2026-04-24T01:00:00+03:00",
        );
        check(
            Tz::Australia__Lord_Howe,
            "2026-10-04 02:15",
            "2026-10-04T02:30:00+11:00",
        );
        check(
            Tz::Pacific__Apia,
            "2011-12-30 09:00",
            "2011-12-31T00:00:00+14:00",
        );
    }

    #[test]
    fn of_a_time_that_comes_twice_it_is_the_first() {
        check(
            Tz::Europe__Berlin,
            "2026-10-25 02:30",
            "2026-10-25T02:30:00+02:00",
        );
        check(
            Tz::America__New_York,
            "2026-11-01 01:30",
            "2026-11-01T01:30:00-04:00",
        );
    }

    #[test]
    fn zones_are_known_by_their_names() {
        assert_eq!(zone_named(" europe/berlin "), Ok(Tz::Europe__Berlin));
        assert_eq!(zone_named("Europe/Kyiv"), Ok(Tz::Europe__Kyiv));
        for unknown in ["CST6", "UTC+8", "Mars/Olympus", ""] {
            assert!(zone_named(unknown).is_err(), "{unknown}");
        }
    }
}
