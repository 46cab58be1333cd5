//! Discord's ids and times: a snowflake holds the milliseconds since 2015 above 22 bits of its own.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::Value;

/// 2015-01-01T00:00:00Z in milliseconds since 1970: where the time in snowflakes begins.
const EPOCH: i64 = 1_420_070_400_000;

/// Gives out ids that grow and hold the time, as Discord's do.
#[derive(Debug, Default)]
pub(crate) struct Snowflakes {
    last: i64,
}

impl Snowflakes {
    pub(crate) fn next(&mut self) -> i64 {
        self.last = ((now() - EPOCH) << 22).max(self.last + 1);
        self.last
    }
}

/// The id as JSON has it: text.
pub(crate) fn text(id: i64) -> Value {
    id.to_string().into()
}

/// Reads an id from the wire.
pub(crate) fn read(value: &Value) -> Option<i64> {
    value.as_str()?.parse().ok()
}

/// Milliseconds since 1970.
pub(crate) fn now() -> i64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The time as Discord writes it, as in `2026-01-31T08:00:00.000000+00:00`.
pub(crate) fn timestamp(millis: i64) -> String {
    let (days, rest) = (millis.div_euclid(86_400_000), millis.rem_euclid(86_400_000));
    let (year, month, day) = civil(days);
    let (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60);
    let (second, micros) = (rest / 1000 % 60, rest % 1000 * 1000);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{micros:06}+00:00")
}

/// Year, month and day of the days since 1970-01-01, in years that begin with March so that the leap day is last.
fn civil(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_written_as_discord_does() {
        assert_eq!(timestamp(0), "1970-01-01T00:00:00.000000+00:00");
        assert_eq!(timestamp(EPOCH), "2015-01-01T00:00:00.000000+00:00");
        assert_eq!(
            timestamp(1_709_251_199_007),
            "2024-02-29T23:59:59.007000+00:00"
        );
    }

    #[test]
    fn ids_grow_within_a_millisecond() {
        let mut ids = Snowflakes::default();
        let (first, second) = (ids.next(), ids.next());
        assert!(first < second);
    }
}
