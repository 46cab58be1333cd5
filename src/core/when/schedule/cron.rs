//! The five fields of cron: minute, hour, day of the month, month, day of the week.
//!
//! Lists, ranges, steps and English names as in crontab(5); 0 and 7 are Sunday; besides `L` (the last
//! day of the month, or `5L`: its last Friday), `1#2` (its second Monday) and `15W` (the workday
//! nearest to the 15th). Where day of the month and day of the week are both given, either is enough,
//! as POSIX has it.

use chrono::{Datelike as _, NaiveDate, NaiveTime, Timelike as _, Weekday};

/// Why five fields are no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadCron {
    /// There are more or fewer fields.
    #[error("there are {0} fields instead of five")]
    FieldCount(usize),
    /// A field cannot be read.
    #[error("`{0}` is no {1}")]
    Field(String, &'static str),
}

/// A rule of five fields.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cron {
    minutes: u64,
    hours: u64,
    times: Option<Vec<NaiveTime>>,
    days: CronDays,
    text: String,
}

/// What the last three fields allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CronDays {
    days: Option<MonthDays>,
    months: u64,
    weekdays: Option<WeekDays>,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct MonthDays {
    set: u64,
    nearest_workday: u64,
    is_last: bool,
}

/// Days of the week, counted from Sunday: any, the nth and the last of a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct WeekDays {
    any: u64,
    nth: [u64; 5],
    last: u64,
}

/// What a field is called, and its lowest and highest number.
struct Field {
    name: &'static str,
    lowest: u32,
    highest: u32,
    names: &'static [&'static str],
}

const MINUTE: Field = Field {
    name: "minute (0 to 59)",
    lowest: 0,
    highest: 59,
    names: &[],
};
const HOUR: Field = Field {
    name: "hour (0 to 23)",
    lowest: 0,
    highest: 23,
    names: &[],
};
const DAY: Field = Field {
    name: "day of the month (1 to 31)",
    lowest: 1,
    highest: 31,
    names: &[],
};
const MONTH: Field = Field {
    name: "month (1 to 12)",
    lowest: 1,
    highest: 12,
    names: &[
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ],
};
const WEEKDAY: Field = Field {
    name: "day of the week (0 to 7)",
    lowest: 0,
    highest: 7,
    names: &["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
};

impl Cron {
    /// Reads five fields.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(text: &str) -> Result<Self, BadCron> {
        let fields: Vec<&str> = text.split_whitespace().collect();
        let &[minute, hour, day, month, weekday] = fields.as_slice() else {
            return Err(BadCron::FieldCount(fields.len()));
        };
        let minutes = MINUTE.set(minute)?;
        let hours = HOUR.set(hour)?;
        let is_fixed = !minute.starts_with('*') && !hour.starts_with('*');
        Ok(Self {
            minutes,
            hours,
            times: is_fixed.then(|| times(minutes, hours)),
            days: CronDays::parse(&[day, month, weekday])?,
            text: fields.join(" "),
        })
    }

    /// Returns its times of the clock, sorted, where neither minute nor hour is a wildcard.
    pub(super) fn fixed_times(&self) -> Option<&[NaiveTime]> {
        self.times.as_deref()
    }

    /// Whether a date is one of its days.
    pub fn is_on(&self, date: NaiveDate) -> bool {
        self.days.is_on(date)
    }

    /// Whether a minute of the clock is one of its times.
    pub(super) fn shows(&self, time: NaiveTime) -> bool {
        has(self.hours, time.hour()) && has(self.minutes, time.minute())
    }

    /// Returns the five fields as they were written.
    pub fn as_text(&self) -> &str {
        &self.text
    }
}

impl CronDays {
    /// Reads day of the month, month and day of the week.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn parse(fields: &[&str; 3]) -> Result<Self, BadCron> {
        let [day, month, weekday] = fields;
        Ok(Self {
            days: month_days(day)?,
            months: MONTH.set(month)?,
            weekdays: week_days(weekday)?,
            text: fields.join(" "),
        })
    }

    /// Whether a date is one of the days.
    pub fn is_on(&self, date: NaiveDate) -> bool {
        let by_month = self.days.map(|days| days.is_on(date));
        let by_week = self.weekdays.map(|days| days.is_on(date));
        has(self.months, date.month())
            && match (by_month, by_week) {
                (Some(by_month), Some(by_week)) => by_month || by_week,
                (Some(one), None) | (None, Some(one)) => one,
                (None, None) => true,
            }
    }

    /// Returns the three fields as they were written.
    pub fn as_text(&self) -> &str {
        &self.text
    }
}

impl MonthDays {
    fn is_on(self, date: NaiveDate) -> bool {
        has(self.set, date.day())
            || (self.is_last && date.day() == last_of_month(date))
            || self.is_nearest(date)
    }

    /// A Saturday is kept on the Friday before it, a Sunday on the Monday behind it, both within the
    /// month.
    fn is_nearest(self, date: NaiveDate) -> bool {
        let last = last_of_month(date);
        let wanted = |day: u32| has(self.nearest_workday, day);
        let day = date.day();
        match date.weekday() {
            Weekday::Sat | Weekday::Sun => false,
            Weekday::Fri => {
                wanted(day) || (day < last && wanted(day + 1)) || (day + 2 == last && wanted(last))
            }
            Weekday::Mon => wanted(day) || (day > 1 && wanted(day - 1)) || (day == 3 && wanted(1)),
            Weekday::Tue | Weekday::Wed | Weekday::Thu => wanted(day),
        }
    }
}

impl WeekDays {
    fn is_on(self, date: NaiveDate) -> bool {
        let weekday = date.weekday().num_days_from_sunday();
        let nth = date.day().div_ceil(7) as usize - 1;
        has(self.any, weekday)
            || self.nth.get(nth).is_some_and(|set| has(*set, weekday))
            || (date.day() + 7 > last_of_month(date) && has(self.last, weekday))
    }
}

impl Field {
    /// Reads a list of numbers, ranges and steps.
    fn set(&self, text: &str) -> Result<u64, BadCron> {
        let mut parts = text.split(',').map(|part| self.part(part));
        let set = parts.try_fold(0, |set, part| Some(set | part?));
        set.filter(|set| *set != 0).ok_or_else(|| self.bad(text))
    }

    fn bad(&self, text: &str) -> BadCron {
        BadCron::Field(text.to_owned(), self.name)
    }

    fn part(&self, text: &str) -> Option<u64> {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(number(step).filter(|step| *step > 0)?)),
            None => (text, None),
        };
        let (from, to) = match range.split_once('-') {
            _ if range == "*" || range == "?" => (self.lowest, self.highest),
            Some((from, to)) => (self.value(from)?, self.value(to)?),
            // `5/15` goes on to the end of the range.
            None if step.is_some() => (self.value(range)?, self.highest),
            None => (self.value(range)?, self.value(range)?),
        };
        let steps = (from..=to).step_by(step.unwrap_or(1) as usize);
        (from <= to).then(|| steps.fold(0, |set, value| set | 1 << value))
    }

    fn value(&self, text: &str) -> Option<u32> {
        let named = || {
            let place = self
                .names
                .iter()
                .position(|name| text.eq_ignore_ascii_case(name))?;
            Some(place as u32 + self.lowest)
        };
        let value = number(text).or_else(named)?;
        (self.lowest..=self.highest)
            .contains(&value)
            .then_some(value)
    }
}

fn month_days(text: &str) -> Result<Option<MonthDays>, BadCron> {
    if text == "*" || text == "?" {
        return Ok(None);
    }
    let mut days = MonthDays::default();
    for part in text.split(',') {
        if part.eq_ignore_ascii_case("l") {
            days.is_last = true;
        } else if let Some(day) = part.strip_suffix(['w', 'W']) {
            let day = DAY.value(day).ok_or_else(|| DAY.bad(text))?;
            days.nearest_workday |= 1 << day;
        } else {
            days.set |= DAY.part(part).ok_or_else(|| DAY.bad(text))?;
        }
    }
    Ok(Some(days))
}

fn week_days(text: &str) -> Result<Option<WeekDays>, BadCron> {
    if text == "*" || text == "?" {
        return Ok(None);
    }
    let mut days = WeekDays::default();
    for part in text.split(',') {
        let bad = || WEEKDAY.bad(text);
        if let Some((day, nth)) = part.split_once('#') {
            let bits = WEEKDAY
                .value(day)
                .map(|day| sunday_once(1 << day))
                .ok_or_else(bad)?;
            let last = nth.eq_ignore_ascii_case("l");
            let nth = number(nth).and_then(|nth| (nth as usize).checked_sub(1));
            match (last, nth.and_then(|nth| days.nth.get_mut(nth))) {
                (true, _) => days.last |= bits,
                (false, Some(set)) => *set |= bits,
                (false, None) => return Err(bad()),
            }
        } else if let Some(day) = part.strip_suffix(['l', 'L']).filter(|day| !day.is_empty()) {
            let day = WEEKDAY.value(day).ok_or_else(bad)?;
            days.last |= sunday_once(1 << day);
        } else {
            days.any |= sunday_once(WEEKDAY.part(part).ok_or_else(bad)?);
        }
    }
    Ok(Some(days))
}

/// Makes the seventh day the one numbered 0.
fn sunday_once(set: u64) -> u64 {
    (set & 0b111_1111) | (set >> 7 & 1)
}

/// Returns how many days the month of a date has.
pub(super) fn last_of_month(date: NaiveDate) -> u32 {
    u32::from(date.num_days_in_month())
}

fn number(text: &str) -> Option<u32> {
    let is_number = text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

fn has(set: u64, value: u32) -> bool {
    set >> value & 1 == 1
}

fn times(minutes: u64, hours: u64) -> Vec<NaiveTime> {
    let hours = (0..24).filter(|hour| has(hours, *hour));
    let times = hours.flat_map(|hour| {
        let minutes = (0..60).filter(move |minute| has(minutes, *minute));
        minutes.filter_map(move |minute| NaiveTime::from_hms_opt(hour, minute, 0))
    });
    times.collect()
}
