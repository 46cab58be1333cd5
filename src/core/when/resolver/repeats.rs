//! What is done again and again, as a schedule.

use std::fmt::Write as _;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveTime, TimeZone, Timelike as _, Weekday};

use super::dates::{Facing, dates};
use super::times::{Reading, range, readings};
use super::{Resolver, ask};
use crate::when::Answer;
use crate::when::expression::{Day, Month, Repeat, Week};
use crate::when::groups::{Expression, TimeOfDay};
use crate::when::question::Why;
use crate::when::schedule::{Cron, DaysRule, MonthDay, Rule, Schedule, WeekdaySet, lunar};

/// A whole hour, in seconds.
const HOUR: i64 = 3_600;
/// The longest interval, in minutes: a year.
const LONGEST_MINUTES: i64 = 366 * 24 * 60;
/// How many days ahead a first day is searched.
const FIRST_WITHIN: usize = 800;

/// The times of a rule, of the days that are named or of those behind them.
struct Times {
    times: Vec<NaiveTime>,
    is_next_day: bool,
}

impl<Z: TimeZone> Resolver<Z> {
    /// Reads a rule.
    pub(super) fn recurring(&self, says: &Expression) -> Answer<Z> {
        let Some(repeat) = says.repeats.first().filter(|_| says.repeats.len() == 1) else {
            return ask(Why::SeveralReadings);
        };
        let schedule = match self.schedule(says, repeat) {
            Ok(schedule) => schedule,
            Err(why) => return ask(why),
        };
        match schedule.next_after(&self.now) {
            Some(_) => Answer::Recurring(schedule),
            None => ask(Why::NeverDue),
        }
    }

    fn schedule(&self, says: &Expression, repeat: &Repeat) -> Result<Schedule, Why> {
        let mut schedule = match repeat {
            Repeat::Interval(length) => self.interval(says, length.seconds)?,
            _ => self.on_days(says, repeat)?,
        };
        schedule.zone = self.zone;
        if let Some(day) = &says.until {
            let last = dates(day, self.today(), Facing::Ahead);
            schedule.until = Some(*last.first().ok_or(Why::NoSuchDay)?);
        }
        Ok(schedule)
    }

    /// Reads `every 2 hours`, and `every hour between 9 and 5`.
    fn interval(&self, says: &Expression, seconds: i64) -> Result<Schedule, Why> {
        if seconds < 60 || seconds % 60 != 0 {
            return Err(Why::TooOften);
        }
        if seconds / 60 > LONGEST_MINUTES {
            return Err(Why::TooFar);
        }
        let has_days = !says.days.is_empty() || !says.periods.is_empty() || says.after.is_some();
        if has_days || !says.times.is_empty() {
            return Err(Why::SeveralReadings);
        }
        if let Some([from, until]) = says.clock_range {
            let [from, until] = range(from, until, None).ok_or(Why::NoSuchTime)?;
            let step = usize::try_from(seconds / HOUR).unwrap_or(0);
            let is_whole = seconds % HOUR == 0 && until.days == 0 && step > 0;
            let hours = (from.time.hour()..=until.time.hour()).step_by(step.max(1));
            let hours: Vec<String> = hours.map(|hour| hour.to_string()).collect();
            let fields = format!("{} {} * * *", from.time.minute(), hours.join(","));
            return if is_whole {
                cron(&fields)
            } else {
                Err(Why::SeveralReadings)
            };
        }
        if seconds == HOUR {
            return cron("0 * * * *");
        }
        Ok(Schedule::every(seconds / 60).anchored(self.now.to_utc()))
    }

    fn on_days(&self, says: &Expression, repeat: &Repeat) -> Result<Schedule, Why> {
        if says.clock_range.is_some() || says.day_range.is_some() || says.after.is_some() {
            return Err(Why::SeveralReadings);
        }
        let Times { times, is_next_day } = times_of(&says.times)?;
        match repeat {
            Repeat::Interval(_) => Err(Why::SeveralReadings),
            Repeat::Days(0) | Repeat::Weeks(0, _) | Repeat::Months(0, _) | Repeat::Years(0, _) => {
                Err(Why::TooOften)
            }
            Repeat::Days(1) => fields(&times, "* * *"),
            Repeat::Days(step) => {
                let from = self.first_day(&times, |_| true).ok_or(Why::TooFar)?;
                let days = DaysRule::EveryDays { step: *step, from };
                Ok(Rule::Times { times, days }.into())
            }
            Repeat::Weeks(step, on) => {
                let named = self.weekdays(says, *on);
                let due_on = if is_next_day { named.shifted() } else { named };
                self.weekly(times, *step, due_on)
            }
            _ if is_next_day => Err(Why::SeveralReadings),
            Repeat::Months(step, on) => self.monthly(says, times, *step, on),
            Repeat::Years(step, day) => self.yearly(says, &times, *step, day.as_ref()),
        }
    }

    /// Returns the days of a week that are named, or the one of today.
    fn weekdays(&self, says: &Expression, on: WeekdaySet) -> WeekdaySet {
        if !on.is_empty() {
            return on;
        }
        let named = says.days.iter().filter_map(|day| match day {
            Day::Weekday(weekday, Week::Nearest) => Some(*weekday),
            _ => None,
        });
        let named: WeekdaySet = named.collect();
        if named.is_empty() {
            WeekdaySet::NONE.with(self.today().weekday())
        } else {
            named
        }
    }

    fn weekly(&self, times: Vec<NaiveTime>, step: u32, on: WeekdaySet) -> Result<Schedule, Why> {
        if step == 1 {
            return fields(&times, &format!("* * {}", weekday_field(on)));
        }
        let from = self
            .first_day(&times, |date| on.has(date.weekday()))
            .ok_or(Why::TooFar)?;
        let days = DaysRule::EveryWeeks { step, on, from };
        Ok(Rule::Times { times, days }.into())
    }

    fn monthly(
        &self,
        says: &Expression,
        times: Vec<NaiveTime>,
        step: u32,
        on: &[MonthDay],
    ) -> Result<Schedule, Why> {
        let named = says.days.iter().filter_map(|day| match day {
            Day::OfMonth(on, Month::Nearest | Month::Offset(0)) => Some(*on),
            _ => None,
        });
        let named: Vec<MonthDay> = on.iter().copied().chain(named).collect();
        if let Some(MonthDay::Day(32..)) = named.iter().max_by_key(|on| number_of(**on)) {
            return Err(Why::NoSuchDay);
        }
        let on = if named.is_empty() {
            vec![MonthDay::Day(self.today().day())]
        } else {
            named
        };
        match (step, on.as_slice()) {
            (1, on) => fields(&times, &month_fields(on, "*").ok_or(Why::SeveralReadings)?),
            (_, &[on]) => {
                let from = self
                    .first_day(&times, |date| on.is_on(date))
                    .ok_or(Why::NoSuchDay)?;
                let days = DaysRule::EveryMonths { step, on, from };
                Ok(Rule::Times { times, days }.into())
            }
            _ => Err(Why::SeveralReadings),
        }
    }

    fn yearly(
        &self,
        says: &Expression,
        times: &[NaiveTime],
        step: u32,
        day: Option<&Day>,
    ) -> Result<Schedule, Why> {
        let today = Day::OfMonth(
            MonthDay::Day(self.today().day()),
            Month::Named(self.today().month(), crate::when::expression::Year::Nearest),
        );
        let day = day.or(says.days.first()).unwrap_or(&today);
        let found = dates(day, self.today(), Facing::Ahead);
        let from = found.first().copied().ok_or(Why::NoSuchDay)?;
        match day {
            Day::Lunar(day, _) if step == 1 => Ok(lunar(times.to_vec(), *day)),
            Day::OfMonth(on, Month::Named(month, _)) if step == 1 => {
                let days = month_fields(&[*on], &month.to_string()).ok_or(Why::NoSuchDay)?;
                fields(times, &days)
            }
            Day::OfMonth(on, _) => {
                let days = DaysRule::EveryMonths {
                    step: step.saturating_mul(12),
                    on: *on,
                    from,
                };
                let times = times.to_vec();
                Ok(Rule::Times { times, days }.into())
            }
            _ => Err(Why::SeveralReadings),
        }
    }

    /// Returns the first day on which one of the times is ahead.
    fn first_day(
        &self,
        times: &[NaiveTime],
        is_on: impl Fn(NaiveDate) -> bool,
    ) -> Option<NaiveDate> {
        let mut days = self
            .today()
            .iter_days()
            .take(FIRST_WITHIN)
            .filter(|date| is_on(*date));
        days.find(|date| {
            let mut due = times
                .iter()
                .filter_map(|time| self.instant(date.and_time(*time)));
            due.any(|at: DateTime<Z>| at > self.now)
        })
    }
}

/// Returns the times of a rule: parts of the day before a time share it (早晚九点).
fn times_of(said: &[TimeOfDay]) -> Result<Times, Why> {
    let mut said = said.to_vec();
    let clock = said.last().and_then(|last| last.clock);
    let is_shared = said.len() > 1
        && said.iter().rev().skip(1).all(|time| time.clock.is_none())
        && said.iter().all(|time| time.part.is_some());
    if is_shared {
        for time in &mut said {
            time.clock = clock;
        }
    }
    let each: Vec<Reading> = match said.as_slice() {
        [] => readings(None, false),
        said => said
            .iter()
            .flat_map(|time| readings(Some(*time), false))
            .collect(),
    };
    let is_next_day = each.iter().all(|reading| reading.days > 0);
    if each.is_empty() {
        return Err(Why::Vague);
    }
    if !is_next_day && each.iter().any(|reading| reading.days > 0) && said.len() > 1 {
        return Err(Why::SeveralReadings);
    }
    let mut times: Vec<NaiveTime> = each.into_iter().map(|reading| reading.time).collect();
    times.sort_unstable();
    times.dedup();
    if times.iter().any(|time| time.second() != 0) {
        return Err(Why::TooOften);
    }
    Ok(Times { times, is_next_day })
}

fn cron(fields: &str) -> Result<Schedule, Why> {
    match Cron::parse(fields) {
        Ok(cron) => Ok(Rule::Cron(cron).into()),
        Err(error) => Err(Why::BadCron(error.to_string())),
    }
}

/// Returns the rule of times on days of cron: five fields where these can say it.
fn fields(times: &[NaiveTime], days: &str) -> Result<Schedule, Why> {
    let minute = times.first().map_or(0, NaiveTime::minute);
    if times.iter().all(|time| time.minute() == minute) {
        let hours: Vec<String> = times.iter().map(|time| time.hour().to_string()).collect();
        return cron(&format!("{minute} {} {days}", hours.join(",")));
    }
    let stored: Vec<String> = times
        .iter()
        .map(|time| time.format("%H:%M").to_string())
        .collect();
    Schedule::stored(&format!("times {} on {days}", stored.join(","))).ok_or(Why::NoSuchDay)
}

fn weekday_field(on: WeekdaySet) -> String {
    if on == WeekdaySet::WORKDAYS {
        return "1-5".to_owned();
    }
    if on == WeekdaySet::ALL {
        return "*".to_owned();
    }
    let mut numbers: Vec<u32> = on.days().map(number_from_sunday).collect();
    numbers.sort_unstable();
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    numbers.join(",")
}

fn number_from_sunday(day: Weekday) -> u32 {
    day.num_days_from_sunday()
}

fn number_of(on: MonthDay) -> u32 {
    match on {
        MonthDay::Day(day) => day,
        MonthDay::Last | MonthDay::Nth(..) | MonthDay::LastOf(_) => 0,
    }
}

/// Returns the fields for day, month and weekday; `None` where numbered days and weekdays mix.
fn month_fields(on: &[MonthDay], month: &str) -> Option<String> {
    let (mut days, mut weekdays) = (String::new(), String::new());
    for on in on {
        let field = match on {
            MonthDay::Day(_) | MonthDay::Last => &mut days,
            MonthDay::Nth(..) | MonthDay::LastOf(_) => &mut weekdays,
        };
        if !field.is_empty() {
            field.push(',');
        }
        // Writing to a string cannot fail.
        let _ = match on {
            MonthDay::Day(day) => write!(field, "{day}"),
            MonthDay::Last => write!(field, "L"),
            MonthDay::Nth(nth, day) => write!(field, "{}#{nth}", number_from_sunday(*day)),
            MonthDay::LastOf(day) => write!(field, "{}L", number_from_sunday(*day)),
        };
    }
    match (days.is_empty(), weekdays.is_empty()) {
        (false, true) => Some(format!("{days} {month} *")),
        (true, false) => Some(format!("* {month} {weekdays}")),
        _ => None,
    }
}
