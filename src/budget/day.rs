//! The day that a budget is for: the local date of the instance, which does not go back and forth.

use std::fmt;

use chrono::{DateTime, Datelike as _, Local, NaiveDate, NaiveDateTime, NaiveTime, TimeZone as _};

/// A day of the calendar, in the zone of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(NaiveDate);

impl Day {
    /// Returns the day that is spent on now; `latest` is the latest on which anything was spent.
    ///
    /// A clock that was set back over midnight, by hand or with the end of summer time, would
    /// otherwise give back a day that is over, with all that was spent on it, and later the next one
    /// anew: once a day has begun, it goes on. A clock that was ahead by more was wrong: what was
    /// spent in that future counts for it, and the days that it skipped are there again.
    pub(super) fn now(latest: Option<Self>) -> Self {
        Self::of(Local::now().date_naive(), latest)
    }

    fn of(local: NaiveDate, latest: Option<Self>) -> Self {
        match latest {
            Some(Self(latest)) if local.succ_opt() == Some(latest) => Self(latest),
            Some(_) | None => Self(local),
        }
    }

    /// Parses a day in the format of the database.
    pub(super) fn parse(text: &str) -> Option<Self> {
        text.parse().ok().map(Self)
    }

    /// Returns the first and the last day of the month.
    pub(super) fn month(self) -> (Self, Self) {
        let first = self.0.with_day(1).unwrap_or(self.0);
        let next = next_month(first);
        let last = next.and_then(|next| next.pred_opt()).unwrap_or(self.0);
        (Self(first), Self(last))
    }

    /// Returns the first day of the next month.
    pub(super) fn next_month(self) -> Self {
        next_month(self.0).map_or(self, Self)
    }

    /// Returns when the day is over, in milliseconds since 1970.
    pub fn ends_ms(self) -> i64 {
        let next = self.0.succ_opt().unwrap_or(self.0);
        begins(next).timestamp_millis()
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.format("%Y-%m-%d").fmt(f)
    }
}

fn next_month(day: NaiveDate) -> Option<NaiveDate> {
    let (year, month) = match day.month() {
        12 => (day.year() + 1, 1),
        month => (day.year(), month + 1),
    };
    NaiveDate::from_ymd_opt(year, month, 1)
}

/// Where the clocks skip midnight, a day begins with its first hour.
fn begins(day: NaiveDate) -> DateTime<Local> {
    let midnight = NaiveDateTime::new(day, NaiveTime::MIN);
    let at = |hours| {
        let time = midnight + chrono::Duration::hours(hours);
        Local.from_local_datetime(&time).earliest()
    };
    at(0)
        .or_else(|| at(1))
        .unwrap_or_else(|| Local.from_utc_datetime(&midnight))
}

#[cfg(test)]
mod tests {
    use super::Day;

    fn day(text: &str) -> Day {
        Day::parse(text).unwrap()
    }

    /// Returns the day of spending when the clock says one thing and the books another.
    fn check(local: &str, latest: Option<&str>, expected: &str) {
        let found = Day::of(local.parse().unwrap(), latest.map(day));
        assert_eq!(found.to_string(), expected, "{local} after {latest:?}");
    }

    #[test]
    fn a_day_that_has_begun_goes_on_when_the_clock_is_set_back() {
        check("2026-11-22", None, "2026-11-22");
        check("2026-11-22", Some("2026-11-20"), "2026-11-22");
        check("2026-11-22", Some("2026-11-22"), "2026-11-22");
        check("2026-11-22", Some("2026-11-23"), "2026-11-23");
        check("2026-12-31", Some("2027-01-01"), "2027-01-01");
    }

    #[test]
    fn a_clock_that_was_far_ahead_locks_no_one_out() {
        check("2026-11-22", Some("2026-11-24"), "2026-11-22");
        check("2026-11-22", Some("2099-01-01"), "2026-11-22");
    }

    #[test]
    fn a_month_has_its_first_and_last_day() {
        let month = |text| {
            let (first, last) = day(text).month();
            format!("{first} {last} {}", day(text).next_month())
        };
        assert_eq!(month("2026-11-22"), "2026-11-01 2026-11-30 2026-12-01");
        assert_eq!(month("2026-12-31"), "2026-12-01 2026-12-31 2027-01-01");
        assert_eq!(month("2028-02-01"), "2028-02-01 2028-02-29 2028-03-01");
    }

    #[test]
    fn a_day_ends_where_the_next_begins() {
        let hour_ms = 60 * 60 * 1000;
        let length = day("2026-11-23").ends_ms() - day("2026-11-22").ends_ms();
        assert!((23 * hour_ms..=25 * hour_ms).contains(&length), "{length}");
    }
}
