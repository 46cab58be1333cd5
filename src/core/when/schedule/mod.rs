//! When something is due: once, after an interval again and again, or at clock times of certain
//! days; kept as a text, and enumerated through changes of the clock.
//!
//! A clock time that a change of the clock skips is due at the first instant behind the gap; one that
//! comes twice is due once, the first time. Intervals elapse. Cron fields with a wildcard for minute
//! or hour are due whenever the clock shows them, both times included.

mod cron;
pub(in crate::when) mod days;
#[cfg(test)]
mod tests;
mod text;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Utc};
use chrono_tz::Tz;

pub use self::cron::{BadCron, Cron};
pub use self::days::{DaysRule, MonthDay, WeekdaySet};
use super::clock::instant_of;
use super::lunar::LunarDay;

/// How many days ahead of a moment the next time is searched: the 29th of February of a given
/// weekday comes every 28 years, and every 40 around 2100.
const HORIZON_DAYS: usize = 41 * 366;

/// When something is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    /// The rule.
    pub rule: Rule,
    /// The zone whose clock it goes by; `None`: that of the person or machine that it is for.
    pub zone: Option<Tz>,
    /// The last day on which it is due.
    pub until: Option<NaiveDate>,
}

/// A rule of a [`Schedule`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rule {
    /// Once, at this time of the clock.
    Once(NaiveDateTime),
    /// Again and again when this many minutes have passed.
    Every {
        /// The interval in minutes.
        minutes: i64,
        /// What it counts from; `None`: from when it is asked.
        from: Option<DateTime<Utc>>,
    },
    /// By five fields of cron.
    Cron(Cron),
    /// At times of the clock, sorted, on certain days.
    Times {
        /// The times.
        times: Vec<NaiveTime>,
        /// The days.
        days: DaysRule,
    },
}

impl From<Rule> for Schedule {
    fn from(rule: Rule) -> Self {
        Self {
            rule,
            zone: None,
            until: None,
        }
    }
}

impl Schedule {
    /// Returns the schedule that is due once.
    pub fn once(moment: NaiveDateTime) -> Self {
        Rule::Once(moment).into()
    }

    /// Returns the schedule of an interval in minutes, which counts from when it is asked.
    pub fn every(minutes: i64) -> Self {
        Rule::Every {
            minutes,
            from: None,
        }
        .into()
    }

    /// Returns it with an interval that counts from an instant.
    pub fn anchored(mut self, anchor: DateTime<Utc>) -> Self {
        if let Rule::Every { from, .. } = &mut self.rule {
            *from = Some(anchor);
        }
        self
    }

    /// Returns when it is due next after a moment, by the clock of the moment's zone or by that of
    /// its own; `None`: never again, or not within 41 years.
    pub fn next_after<Z: TimeZone>(&self, after: &DateTime<Z>) -> Option<DateTime<Z>> {
        match self.zone {
            Some(zone) => {
                let next = self.next_by_clock(&after.with_timezone(&zone))?;
                Some(next.with_timezone(&after.timezone()))
            }
            None => self.next_by_clock(after),
        }
    }

    /// Returns its times after a moment, in order.
    pub fn occurrences<Z: TimeZone>(
        &self,
        after: &DateTime<Z>,
    ) -> impl Iterator<Item = DateTime<Z>> + use<'_, Z> {
        std::iter::successors(self.next_after(after), |last| self.next_after(last))
    }

    fn next_by_clock<Z: TimeZone>(&self, after: &DateTime<Z>) -> Option<DateTime<Z>> {
        let next = match &self.rule {
            Rule::Once(moment) => {
                let at = instant_of(*moment, &after.timezone());
                at.filter(|at| at > after)
            }
            Rule::Every { minutes, from } => next_interval(after, *minutes, *from),
            Rule::Cron(cron) => match cron.fixed_times() {
                Some(times) => next_time(after, times, |date| cron.is_on(date)),
                None => next_shown(after, cron),
            },
            Rule::Times {
                times,
                days: DaysRule::Lunar(day),
            } => {
                let first = after.naive_local().date().pred_opt()?;
                let days =
                    std::iter::successors(day.from(first), |last| day.from(last.succ_opt()?));
                first_behind(after, times, days)
            }
            Rule::Times { times, days } => next_time(after, times, |date| days.is_on(date)),
        }?;
        let is_over = self
            .until
            .is_some_and(|until| next.naive_local().date() > until);
        (!is_over).then_some(next)
    }
}

fn next_interval<Z: TimeZone>(
    after: &DateTime<Z>,
    minutes: i64,
    from: Option<DateTime<Utc>>,
) -> Option<DateTime<Z>> {
    let interval = TimeDelta::try_minutes(minutes).filter(|it| *it > TimeDelta::zero())?;
    let Some(from) = from else {
        return after.clone().checked_add_signed(interval);
    };
    let passed = after.to_utc().signed_duration_since(from);
    let whole = passed
        .num_milliseconds()
        .div_euclid(interval.num_milliseconds());
    let steps = i32::try_from(whole.max(0) + 1).ok()?;
    let next = from.checked_add_signed(interval.checked_mul(steps)?)?;
    Some(next.with_timezone(&after.timezone()))
}

/// Returns the next of some clock times on days that a rule allows.
fn next_time<Z: TimeZone>(
    after: &DateTime<Z>,
    times: &[NaiveTime],
    is_on: impl Fn(NaiveDate) -> bool,
) -> Option<DateTime<Z>> {
    // What the clock skipped yesterday may be due today.
    let first = after.naive_local().date().pred_opt()?;
    let days = first
        .iter_days()
        .take(HORIZON_DAYS)
        .filter(|date| is_on(*date));
    first_behind(after, times, days)
}

/// Returns the first of some clock times of days that lies behind a moment.
fn first_behind<Z: TimeZone>(
    after: &DateTime<Z>,
    times: &[NaiveTime],
    days: impl Iterator<Item = NaiveDate>,
) -> Option<DateTime<Z>> {
    let zone = after.timezone();
    let due = days.flat_map(|date| times.iter().map(move |time| date.and_time(*time)));
    due.filter_map(|wall| instant_of(wall, &zone))
        .find(|instant| instant > after)
}

/// Returns the next minute at which the clock shows what a rule allows.
fn next_shown<Z: TimeZone>(after: &DateTime<Z>, cron: &Cron) -> Option<DateTime<Z>> {
    let zone = after.timezone();
    let minute = TimeDelta::minutes(1);
    let second = TimeDelta::seconds(after.timestamp().rem_euclid(60));
    let fraction = TimeDelta::nanoseconds(after.timestamp_subsec_nanos().into());
    let mut at = after.clone() - second - fraction + minute;
    let mut days = 0;
    while days < HORIZON_DAYS {
        let wall = at.naive_local();
        if cron.is_on(wall.date()) {
            if cron.shows(wall.time()) {
                return Some(at);
            }
            at = at.checked_add_signed(minute)?;
            days += usize::from(at.naive_local().date() != wall.date());
        } else {
            let tomorrow = instant_of(wall.date().succ_opt()?.and_time(NaiveTime::MIN), &zone)?;
            // Where midnight comes twice, the next minute is ahead of it.
            at = tomorrow.max(at.checked_add_signed(minute)?);
            days += 1;
        }
    }
    None
}

/// Returns the schedule at clock times of the days of a lunar date, every year.
pub(super) fn lunar(times: Vec<NaiveTime>, day: LunarDay) -> Schedule {
    let days = DaysRule::Lunar(day);
    Rule::Times { times, days }.into()
}
