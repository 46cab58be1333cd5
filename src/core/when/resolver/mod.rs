//! Turns what an expression says into instants, spans, schedules and questions, as seen from a moment
//! and by the clock of its zone. Both languages share it.

pub(super) mod dates;
mod periods;
mod repeats;
mod times;

use chrono::{DateTime, Datelike as _, NaiveDate, NaiveDateTime, TimeDelta, TimeZone};
use chrono_tz::Tz;

pub(super) use self::dates::Facing;
use self::dates::{LAST_YEAR, dates};
use self::times::{Reading, readings};
use super::clock::{instant_of, instants, midnight};
use super::expression::{Day, Length, Month, Part, Period, Third, Week};
use super::groups::{Expression, TimeOfDay};
use super::intent::Intent;
use super::question::{Candidate, Question, Why};
use super::schedule::MonthDay;
use super::{Answer, Span};

/// Where a time is seen from.
pub(super) struct Resolver<Z: TimeZone> {
    now: DateTime<Z>,
    /// The same by the wall clock.
    wall: NaiveDateTime,
    intent: Intent,
    /// The zone that the text names.
    zone: Option<Tz>,
}

/// Returns a question without candidates.
fn ask<Z: TimeZone>(why: Why) -> Answer<Z> {
    ask_between(why, vec![])
}

/// Returns a question between instants.
fn ask_between<Z: TimeZone>(why: Why, instants: Vec<DateTime<Z>>) -> Answer<Z> {
    Answer::Ask(Question {
        why,
        candidates: instants.into_iter().map(Candidate::At).collect(),
    })
}

impl<Z: TimeZone> Resolver<Z> {
    pub(super) fn new(now: &DateTime<Z>, intent: Intent, zone: Option<Tz>) -> Self {
        Self {
            now: now.clone(),
            wall: now.naive_local(),
            intent,
            zone,
        }
    }

    fn today(&self) -> NaiveDate {
        self.wall.date()
    }

    /// Returns what an expression means.
    pub(super) fn answer(&self, says: &Expression) -> Answer<Z> {
        self.read(says).unwrap_or_else(|| ask(Why::TooFar))
    }

    /// Reads it; `None` where the calendar ends.
    fn read(&self, says: &Expression) -> Option<Answer<Z>> {
        if let Some(why) = &says.unclear {
            return Some(ask(why.clone()));
        }
        if let Some(instant) = says.instant {
            return Some(self.moment(instant.with_timezone(&self.now.timezone())));
        }
        if let Some(moment) = says.moment {
            return Some(self.moment(self.instant(moment)?));
        }
        if !says.repeats.is_empty() {
            return Some(self.recurring(says));
        }
        if let Some(range) = says.clock_range {
            return self.clock_span(says, range);
        }
        if let Some([first, last]) = &says.day_range {
            return self.days(says, first, last);
        }
        if let Some((count, unit)) = says.before {
            let span = periods::span(&Period::Ago(count, unit), self.wall, Facing::Back)?;
            let then = self
                .now
                .clone()
                .checked_sub_signed(periods::elapsed(count, unit)?)?;
            return match self.intent {
                Intent::Question => self.span(span),
                Intent::Reminder | Intent::Open => Some(Answer::Past(then)),
            };
        }
        if let Some(period) = &says.since {
            let span = periods::span(period, self.wall, Facing::Back)?;
            let until = self.wall;
            if span.from >= until {
                return Some(ask(Why::SpanForMoment));
            }
            return self.span(Span { until, ..span });
        }
        if let Some(length) = says.after {
            return self.after(says, length);
        }
        match (says.days.first(), says.periods.first()) {
            (Some(day), Some(period)) => self.on_day(says, &day_in(day, period)),
            (Some(day), None) => self.on_day(says, day),
            (None, Some(period)) => self.period(says, period),
            (None, None) => self.today_or_tomorrow(says),
        }
    }

    /// Returns an instant as an answer: it may be over or too far away.
    fn moment(&self, at: DateTime<Z>) -> Answer<Z> {
        if at.year() > LAST_YEAR {
            ask(Why::TooFar)
        } else if at <= self.now {
            Answer::Past(at)
        } else {
            Answer::At(at)
        }
    }

    /// Returns the instant of a wall clock: of the zone that the text names, else of the person's.
    fn instant(&self, wall: NaiveDateTime) -> Option<DateTime<Z>> {
        match self.zone {
            Some(zone) => {
                let there = instant_of(wall, &zone)?;
                Some(there.with_timezone(&self.now.timezone()))
            }
            None => instant_of(wall, &self.now.timezone()),
        }
    }

    fn span(&self, span: Span<NaiveDateTime>) -> Option<Answer<Z>> {
        let is_far = span.until.year() > LAST_YEAR + 1;
        if is_far {
            return Some(ask(Why::TooFar));
        }
        match self.zone {
            Some(zone) => {
                let there = instants(span, &zone)?;
                let here = self.now.timezone();
                Some(Answer::Span(Span {
                    from: there.from.with_timezone(&here),
                    until: there.until.with_timezone(&here),
                }))
            }
            None => Some(Answer::Span(instants(span, &self.now.timezone())?)),
        }
    }

    fn at_reading(&self, date: NaiveDate, reading: Reading) -> Option<DateTime<Z>> {
        let date = dates::moved(date, reading.days as i64)?;
        self.instant(date.and_time(reading.time))
    }

    /// Reads a day, with or without times.
    fn on_day(&self, says: &Expression, day: &Day) -> Option<Answer<Z>> {
        let found = self.dates_of(says, day);
        if let Day::OneOf(_) = day {
            return Some(self.one_of(says, found));
        }
        let Some(first) = found.first() else {
            return Some(ask(Why::NoSuchDay));
        };
        if first.year() > LAST_YEAR {
            return Some(ask(Why::TooFar));
        }
        let has_clock = says.times.iter().any(|time| time.clock.is_some());
        if self.intent == Intent::Question && !has_clock {
            return self.span_of_day(says, &found);
        }
        match says.times.as_slice() {
            [] => self.first_ahead(&found, None),
            [time] => self.first_ahead(&found, Some(*time)),
            times => self.each_time(&found, times),
        }
    }

    /// Returns the dates of a day; beside a date a weekday only says which: Friday the 13th.
    fn dates_of(&self, says: &Expression, day: &Day) -> Vec<NaiveDate> {
        let [first, second] = says.days.as_slice() else {
            return dates(day, self.today(), Facing::Ahead);
        };
        let (weekday, date) = match (first, second) {
            (Day::Weekday(weekday, _), date) | (date, Day::Weekday(weekday, _)) => (*weekday, date),
            _ => return dates(day, self.today(), Facing::Ahead),
        };
        let mut found = dates(date, self.today(), Facing::Ahead);
        found.retain(|date| date.weekday() == weekday);
        found
    }

    /// Returns the first of some dates whose time is ahead.
    fn first_ahead(&self, found: &[NaiveDate], time: Option<TimeOfDay>) -> Option<Answer<Z>> {
        let due = found.iter().flat_map(|date| {
            let readings = readings(time, *date == self.today() && found.len() == 1);
            readings
                .into_iter()
                .filter_map(|reading| self.at_reading(*date, reading))
        });
        let due: Vec<_> = due.collect();
        if due.is_empty() {
            // The small hours, which name no hour.
            return Some(ask(Why::Vague));
        }
        if let Some(ahead) = due.iter().find(|at| **at > self.now) {
            return Some(self.moment(ahead.clone()));
        }
        let is_today = found == [self.today()];
        let part = time
            .filter(|time| time.clock.is_none())
            .and_then(|time| time.part);
        if is_today
            && part.is_none_or(|part| self.goes_on(part))
            && time.is_none_or(|time| time.clock.is_none())
        {
            return Some(ask(Why::Vague));
        }
        due.into_iter().next_back().map(Answer::Past)
    }

    /// Whether a part of today is not over yet.
    fn goes_on(&self, part: Part) -> bool {
        let [_, until] = times::hours_of(part);
        self.wall < midnight(self.today()) + TimeDelta::hours(until)
    }

    /// Several times of one day are several moments.
    fn each_time(&self, found: &[NaiveDate], times: &[TimeOfDay]) -> Option<Answer<Z>> {
        let mut candidates = Vec::new();
        for time in times {
            if let Answer::At(at) = self.first_ahead(found, Some(*time))? {
                candidates.push(at);
            }
        }
        candidates.dedup();
        match candidates.as_slice() {
            [one] => Some(Answer::At(one.clone())),
            _ => Some(ask_between(Why::SeveralReadings, candidates)),
        }
    }

    fn one_of(&self, says: &Expression, found: Vec<NaiveDate>) -> Answer<Z> {
        let time = says.times.first().copied();
        let readings = readings(time, false);
        let due = found
            .into_iter()
            .filter_map(|date| self.at_reading(date, *readings.first()?));
        let ahead = due.filter(|at| *at > self.now).collect();
        ask_between(Why::SeveralReadings, ahead)
    }

    /// Returns the span of a day, or of its parts that are asked about.
    fn span_of_day(&self, says: &Expression, found: &[NaiveDate]) -> Option<Answer<Z>> {
        let spans = found.iter().filter_map(|date| periods::days(*date, 1));
        let mut spans = spans.filter(|span| found.len() == 1 || span.until > self.wall);
        let day = spans.next()?;
        match says.times.first().and_then(|time| time.part) {
            Some(part) => {
                let [from, until] = times::hours_of(part);
                self.span(Span {
                    from: day.from + TimeDelta::hours(from),
                    until: day.from + TimeDelta::hours(until),
                })
            }
            None => self.span(day),
        }
    }

    /// Reads a time of the clock or a part of the day without a day.
    fn today_or_tomorrow(&self, says: &Expression) -> Option<Answer<Z>> {
        let today = self.today();
        let [time] = says.times.as_slice() else {
            let both = [today, today.succ_opt()?];
            return self.each_time(&both, &says.times);
        };
        if self.intent == Intent::Question && time.clock.is_none() {
            return self.span_of_day(says, &[today]);
        }
        let found = self.first_ahead(&[today], Some(*time))?;
        match found {
            Answer::Past(_) => {
                let tomorrow = today.succ_opt()?;
                let reading = readings(Some(*time), true).into_iter().next()?;
                Some(self.moment(self.at_reading(tomorrow, reading)?))
            }
            found => Some(found),
        }
    }

    /// Reads a range of the clock, on a day or on the nearest.
    fn clock_span(
        &self,
        says: &Expression,
        [from, until]: [super::expression::Clock; 2],
    ) -> Option<Answer<Z>> {
        let part = says.times.first().and_then(|time| time.part);
        let Some([from, until]) = times::range(from, until, part) else {
            return Some(ask(Why::NoSuchTime));
        };
        let found = match says.days.first() {
            Some(day) => dates(day, self.today(), Facing::Ahead),
            None => vec![self.today(), self.today().succ_opt()?],
        };
        let spans = found.iter().filter_map(|date| {
            let at = |reading: Reading| {
                Some(dates::moved(*date, reading.days as i64)?.and_time(reading.time))
            };
            Some(Span {
                from: at(from)?,
                until: at(until)?,
            })
        });
        let spans: Vec<_> = spans.collect();
        let ahead = spans.iter().find(|span| span.until > self.wall);
        match ahead.or(spans.last()) {
            Some(span) => self.span(*span),
            None => Some(ask(Why::NoSuchDay)),
        }
    }

    /// Reads a range of days.
    fn days(&self, says: &Expression, first: &Day, last: &Day) -> Option<Answer<Z>> {
        if says.times.iter().any(|time| time.clock.is_some()) {
            return Some(ask(Why::SeveralReadings));
        }
        let first = month_of(first, last);
        let starts = dates(&first, self.today(), Facing::Ahead);
        let Some(from) = starts.first().copied() else {
            return Some(ask(Why::NoSuchDay));
        };
        let by_today = dates(last, self.today(), Facing::Ahead).into_iter();
        let ends: Vec<_> = by_today.chain(dates(last, from, Facing::Ahead)).collect();
        let Some(until) = ends.iter().find(|date| **date >= from) else {
            return Some(ask(Why::NoSuchDay));
        };
        self.span(Span {
            from: midnight(from),
            until: midnight(until.succ_opt()?),
        })
    }

    /// Reads a length ahead of now: days keep the time of the clock, hours elapse.
    fn after(&self, says: &Expression, length: Length) -> Option<Answer<Z>> {
        let weekday = says.days.iter().find_map(|day| match day {
            Day::Weekday(weekday, Week::Nearest) => Some(*weekday),
            _ => None,
        });
        let date = dates::ahead(self.today(), length)?;
        if let Some(weekday) = weekday {
            let week = super::schedule::days::monday(date);
            let day = dates::moved(week, weekday.num_days_from_monday().into())?;
            return self.first_ahead(&[day], says.times.first().copied());
        }
        if !says.days.is_empty() {
            return Some(ask(Why::SeveralReadings));
        }
        match says.times.first() {
            Some(time) if length.is_days() => self.first_ahead(&[date], Some(*time)),
            Some(_) => Some(ask(Why::SeveralReadings)),
            None => {
                let wall = date.and_time(self.wall.time());
                let start = if date == self.today() {
                    self.now.clone()
                } else {
                    instant_of(wall, &self.now.timezone())?
                };
                let elapsed = TimeDelta::try_seconds(length.seconds)?;
                Some(self.moment(start.checked_add_signed(elapsed)?))
            }
        }
    }

    /// Reads a period: the moment at its edge for a reminder, else its span.
    fn period(&self, says: &Expression, period: &Period) -> Option<Answer<Z>> {
        if let Some(day) = edge(period)
            && self.intent != Intent::Question
        {
            return self.on_day(says, &day);
        }
        if self.intent == Intent::Reminder || !says.times.is_empty() {
            let span = periods::span(period, self.wall, Facing::Ahead)?;
            if span.until <= self.wall {
                return Some(Answer::Past(self.instant(span.from)?));
            }
            let time = says.times.first().copied();
            let reading = readings(time, false).into_iter().next()?;
            let first = self.at_reading(span.from.date(), reading)?;
            let ahead = Some(first).filter(|first| *first > self.now);
            return Some(ask_between(Why::SpanForMoment, ahead.into_iter().collect()));
        }
        self.span(periods::span(period, self.wall, Facing::Ahead)?)
    }
}

/// Returns the day that a weekday or a day of the month is in a period: 下周的周五.
fn day_in(day: &Day, period: &Period) -> Day {
    match (day, period) {
        (Day::Weekday(weekday, Week::Nearest), Period::Week(weeks)) => {
            Day::Weekday(*weekday, Week::Offset(*weeks))
        }
        (Day::OfMonth(on, Month::Nearest), Period::Month(month)) => Day::OfMonth(*on, *month),
        _ => day.clone(),
    }
}

/// Gives the first day of a range the month of the last: from 3 to 5 December.
fn month_of(first: &Day, last: &Day) -> Day {
    match (first, last) {
        (Day::OfMonth(on, Month::Nearest), Day::OfMonth(_, month)) => Day::OfMonth(*on, *month),
        _ => first.clone(),
    }
}

/// Returns the first or last day of a period, where that is meant.
fn edge(period: &Period) -> Option<Day> {
    let Period::PartOf(whole, third) = period else {
        return None;
    };
    let on = match third {
        Third::Beginning => MonthDay::Day(1),
        Third::End => MonthDay::Last,
        Third::Middle | Third::FirstHalf | Third::SecondHalf => return None,
    };
    match (whole.as_ref(), third) {
        (Period::Month(Month::Offset(0)), _) => Some(Day::OfMonth(on, Month::Nearest)),
        (Period::Month(month), _) => Some(Day::OfMonth(on, *month)),
        (Period::Year(year), Third::End) => Some(Day::OfMonth(on, Month::Named(12, *year))),
        _ => None,
    }
}

/// Returns the span that an expression speaks of where it looks back; a time of the clock or a rule
/// is none.
pub(super) fn looking_back(says: &Expression, now: NaiveDateTime) -> Option<Span<NaiveDateTime>> {
    let today = now.date();
    let of = |period: &Period| periods::span(period, now, Facing::Back);
    if let Some(period) = &says.since {
        let span = of(period).filter(|span| span.from < now)?;
        return Some(Span { until: now, ..span });
    }
    if let Some((count, unit)) = says.before {
        return of(&Period::Ago(count, unit));
    }
    if let Some([first, last]) = &says.day_range {
        let last = dates(last, today, Facing::Back).into_iter().next()?;
        let first = dates(first, last, Facing::Back).into_iter().next()?;
        return Some(Span {
            from: midnight(first),
            until: midnight(last.succ_opt()?),
        });
    }
    match (says.days.first(), says.periods.first()) {
        (Some(day), Some(period)) => of(&Period::Day(day_in(day, period))),
        (Some(day), None) => of(&Period::Day(day.clone())),
        (None, Some(period)) => of(period),
        (None, None) => None,
    }
}
