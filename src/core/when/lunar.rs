//! The Chinese lunar calendar, calculated: new moons and the sun's longitude by the series of Jean
//! Meeus, "Astronomical Algorithms" (2nd edition, chapters 25 and 49), reckoned in UTC+8 as the
//! standard GB/T 33661-2017 has it.
//!
//! A month begins on the day of its new moon. The month with the winter solstice is the eleventh; of
//! thirteen months between two such the first without a principal term is a leap month. It is exact
//! to some minutes, which decides the day except where a new moon falls that close to midnight; a
//! test compares the days of New Year with the published ones.

use chrono::{Datelike as _, Days, NaiveDate};

/// The years that are calculated.
const YEARS: std::ops::RangeInclusive<i32> = 1950..=2099;
/// 2000-01-01 12:00, in Julian days.
const J2000: f64 = 2_451_545.0;
/// The mean new moon of 6 January 2000, in Julian days, and the mean length of a month.
const FIRST_NEW_MOON: f64 = 2_451_550.097_66;
const MONTH: f64 = 29.530_588_861;
/// China's clock ahead of UTC, in days.
const CHINA: f64 = 8.0 / 24.0;
/// The Julian day number of the day before 0001-01-01, counted as chrono counts days.
const JULIAN_OF_CE: f64 = 1_721_424.5;

/// A day of the lunar calendar.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LunarDay {
    /// A numbered day of a month that is no leap month: 1 to 12, 1 to 30.
    Of {
        /// The month, 1 to 12.
        month: u32,
        /// The day, 1 to 30.
        day: u32,
    },
    /// 除夕: the day before New Year.
    Eve,
}

impl LunarDay {
    /// Returns the day in the lunar year that begins in a year of the common calendar; `None` where
    /// the month has no such day, and outside of the years 1950 to 2099.
    pub fn in_year(self, year: i32) -> Option<NaiveDate> {
        match self {
            Self::Of { month, day } => {
                let first = month_begins(year, month)?;
                let date = first.checked_add_days(Days::new(u64::from(day.checked_sub(1)?)))?;
                let next = following_new_moon(first)?;
                (date < next).then_some(date)
            }
            Self::Eve => month_begins(year.checked_add(1)?, 1)?.pred_opt(),
        }
    }

    /// Returns the first such day that is not before a date.
    pub fn from(self, date: NaiveDate) -> Option<NaiveDate> {
        let year = date.year();
        let found = (year - 1..year + 3).filter_map(|year| self.in_year(year));
        found.filter(|found| *found >= date).min()
    }
}

/// Returns the first day of a month of the lunar year that begins in `year`.
fn month_begins(year: i32, month: u32) -> Option<NaiveDate> {
    if !YEARS.contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    // The eleventh and twelfth month end the year whose others follow the solstice before it.
    let solstice_year = if month >= 11 { year } else { year - 1 };
    let months = months_from_eleventh(solstice_year)?;
    let number = (month + 1) % 12;
    let found = months.iter().find(|it| !it.is_leap && it.number == number);
    found.map(|found| found.first)
}

/// A month: how many behind the eleventh its number is, and its first day.
struct Month {
    number: u32,
    is_leap: bool,
    first: NaiveDate,
}

/// Returns the months from that of the winter solstice of a year up to the next such month.
fn months_from_eleventh(year: i32) -> Option<Vec<Month>> {
    let first = new_moon_until(solstice(year)?)?;
    let end = new_moon_until(solstice(year + 1)?)?;
    let mut starts = vec![first];
    while let Some(next) = starts.last().copied().and_then(following_new_moon) {
        if next >= end {
            break;
        }
        starts.push(next);
    }
    starts.push(end);
    let has_thirteen = starts.len() > 13;
    let mut number = 0;
    let mut leap_is_past = !has_thirteen;
    let mut months = Vec::new();
    for pair in starts.windows(2) {
        let &[start, next] = pair else { continue };
        let is_leap = !leap_is_past && !has_principal_term(start, next);
        leap_is_past |= is_leap;
        if !is_leap && !months.is_empty() {
            number += 1;
        }
        months.push(Month {
            number,
            is_leap,
            first: start,
        });
    }
    Some(months)
}

/// Whether the sun passes a multiple of 30 degrees between two midnights in China.
fn has_principal_term(from: NaiveDate, until: NaiveDate) -> bool {
    let sector = |date| (longitude(midnight(date)) / 30.0).floor() as i64;
    sector(from) != sector(until)
}

/// Returns the day of the winter solstice.
fn solstice(year: i32) -> Option<NaiveDate> {
    (20..=23)
        .filter_map(|day| NaiveDate::from_ymd_opt(year, 12, day))
        .find(|date| {
            let next = longitude(midnight(*date) + 1.0);
            (longitude(midnight(*date)) < 270.0) && next >= 270.0
        })
}

/// Returns the day of the last new moon up to a date.
fn new_moon_until(date: NaiveDate) -> Option<NaiveDate> {
    let number = ((midnight(date) - FIRST_NEW_MOON) / MONTH).round() as i64;
    let days = (number - 1..=number + 1).filter_map(|number| day_of(new_moon(number)));
    days.filter(|day| *day <= date).max()
}

fn following_new_moon(date: NaiveDate) -> Option<NaiveDate> {
    let number = ((midnight(date) - FIRST_NEW_MOON) / MONTH).round() as i64;
    let days = (number..=number + 2).filter_map(|number| day_of(new_moon(number)));
    days.filter(|day| *day > date).min()
}

/// Returns midnight in China in Julian days.
fn midnight(date: NaiveDate) -> f64 {
    JULIAN_OF_CE + f64::from(date.num_days_from_ce()) - CHINA
}

/// Returns the day in China of an instant in Julian days.
fn day_of(julian: f64) -> Option<NaiveDate> {
    NaiveDate::from_num_days_from_ce_opt((julian + CHINA - JULIAN_OF_CE).floor() as i32)
}

/// Returns how far Terrestrial Time is ahead of UTC, in days: a fit to 1950 to 2100, some seconds
/// exact.
fn delta_t(julian: f64) -> f64 {
    let years = (julian - J2000) / 365.25;
    let seconds = if years < 0.0 {
        63.9 + 0.69 * years
    } else {
        63.9 + 0.24 * years + 0.0035 * years * years
    };
    seconds / 86_400.0
}

/// Returns the apparent longitude of the sun in degrees (Meeus, chapter 25).
fn longitude(julian: f64) -> f64 {
    let t = (julian + delta_t(julian) - J2000) / 36_525.0;
    let mean = 280.466_46 + t * (36_000.769_83 + t * 0.000_303_2);
    let anomaly = (357.529_11 + t * (35_999.050_29 - t * 0.000_153_7)).to_radians();
    let centre = (1.914_602 - t * (0.004_817 + t * 0.000_014)) * anomaly.sin()
        + (0.019_993 - t * 0.000_101) * (2.0 * anomaly).sin()
        + 0.000_289 * (3.0 * anomaly).sin();
    let node = (125.04 - 1_934.136 * t).to_radians();
    (mean + centre - 0.005_69 - 0.004_78 * node.sin()).rem_euclid(360.0)
}

/// The periodic terms of a new moon: the factor in days, the power of the eccentricity, and how often
/// the anomalies of sun and moon and the moon's argument of latitude are taken (Meeus, chapter 49).
const TERMS: [(f64, i32, f64, f64, f64); 16] = [
    (-0.407_20, 0, 0.0, 1.0, 0.0),
    (0.172_41, 1, 1.0, 0.0, 0.0),
    (0.016_08, 0, 0.0, 2.0, 0.0),
    (0.010_39, 0, 0.0, 0.0, 2.0),
    (0.007_39, 1, -1.0, 1.0, 0.0),
    (-0.005_14, 1, 1.0, 1.0, 0.0),
    (0.002_08, 2, 2.0, 0.0, 0.0),
    (-0.001_11, 0, 0.0, 1.0, -2.0),
    (-0.000_57, 0, 0.0, 1.0, 2.0),
    (0.000_56, 1, 1.0, 2.0, 0.0),
    (-0.000_42, 0, 0.0, 3.0, 0.0),
    (0.000_42, 1, 1.0, 0.0, 2.0),
    (0.000_38, 1, 1.0, 0.0, -2.0),
    (-0.000_24, 1, -1.0, 2.0, 0.0),
    (-0.000_07, 0, 2.0, 1.0, 0.0),
    (0.000_04, 0, 0.0, 2.0, -2.0),
];

/// Returns a new moon by its number from that of January 2000, in Julian days of UTC.
fn new_moon(number: i64) -> f64 {
    let k = number as f64;
    let t = k / 1_236.85;
    let mean = FIRST_NEW_MOON + 5.0e-10 + MONTH * k + t * t * 0.000_154_37;
    let eccentricity = 1.0 - t * (0.002_516 + t * 0.000_007_4);
    let sun = (2.553_4 + 29.105_356_70 * k - t * t * 0.000_001_4).to_radians();
    let moon = (201.564_3 + 385.816_935_28 * k + t * t * 0.010_758_2).to_radians();
    let latitude = (160.710_8 + 390.670_502_84 * k - t * t * 0.001_611_8).to_radians();
    let node = (124.774_6 - 1.563_755_88 * k + t * t * 0.002_067_2).to_radians();
    let periodic: f64 = TERMS
        .iter()
        .map(|(factor, power, of_sun, of_moon, of_latitude)| {
            let angle = of_sun * sun + of_moon * moon + of_latitude * latitude;
            factor * eccentricity.powi(*power) * angle.sin()
        })
        .sum();
    let planets = 0.000_325
        * (299.77 + 0.107_408 * k - 0.009_173 * t * t)
            .to_radians()
            .sin()
        + 0.000_165 * (251.88 + 0.016_321 * k).to_radians().sin();
    let dynamical = mean + periodic - 0.000_17 * node.sin() + planets;
    dynamical - delta_t(dynamical)
}

#[cfg(test)]
mod tests {
    use super::LunarDay;

    /// The days of New Year as published, month and day from 2000 on.
    const NEW_YEARS: [(u32, u32); 51] = [
        (2, 5),
        (1, 24),
        (2, 12),
        (2, 1),
        (1, 22),
        (2, 9),
        (1, 29),
        (2, 18),
        (2, 7),
        (1, 26),
        (2, 14),
        (2, 3),
        (1, 23),
        (2, 10),
        (1, 31),
        (2, 19),
        (2, 8),
        (1, 28),
        (2, 16),
        (2, 5),
        (1, 25),
        (2, 12),
        (2, 1),
        (1, 22),
        (2, 10),
        (1, 29),
        (2, 17),
        (2, 6),
        (1, 26),
        (2, 13),
        (2, 3),
        (1, 23),
        (2, 11),
        (1, 31),
        (2, 19),
        (2, 8),
        (1, 28),
        (2, 15),
        (2, 4),
        (1, 24),
        (2, 12),
        (2, 1),
        (1, 22),
        (2, 10),
        (1, 30),
        (2, 17),
        (2, 6),
        (1, 26),
        (2, 14),
        (2, 2),
        (1, 23),
    ];

    fn day(year: i32, month: u32, day: u32) -> String {
        let found = LunarDay::Of { month, day }.in_year(year);
        found.map_or_else(String::new, |date| date.to_string())
    }

    #[test]
    fn new_year_is_on_the_published_days() {
        for (year, (month, of_month)) in (2000..).zip(NEW_YEARS) {
            assert_eq!(day(year, 1, 1), format!("{year}-{month:02}-{of_month:02}"));
        }
    }

    #[test]
    fn festivals_and_years_with_a_leap_month_are_right() {
        assert_eq!(day(2023, 8, 15), "2023-09-29");
        assert_eq!(day(2024, 8, 15), "2024-09-17");
        assert_eq!(day(2025, 8, 15), "2025-10-06");
        assert_eq!(day(2026, 8, 15), "2026-09-25");
        assert_eq!(day(2023, 5, 5), "2023-06-22");
        assert_eq!(day(2025, 5, 5), "2025-05-31");
        assert_eq!(day(2026, 5, 5), "2026-06-19");
        // 2033 has its leap month behind the eleventh, which simple rules get wrong.
        assert_eq!(day(2033, 12, 1), "2034-01-20");
        assert_eq!(day(2034, 1, 1), "2034-02-19");
        let eve = LunarDay::Eve.in_year(2026).map(|date| date.to_string());
        assert_eq!(eve.as_deref(), Some("2027-02-05"));
    }

    #[test]
    fn days_that_a_month_does_not_have_are_none() {
        assert_eq!(day(2026, 13, 1), "");
        assert_eq!(day(2026, 1, 31), "");
        assert_eq!(day(2026, 1, 0), "");
        assert_eq!(day(2200, 1, 1), "");
        assert_eq!(day(i32::MAX, 1, 1), "");
        let eve = LunarDay::Eve.in_year(i32::MAX);
        assert_eq!(eve, None);
    }
}
