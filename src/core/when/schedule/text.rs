//! Schedules as they are kept.
//!
//! `0 9 * * 1-5`, `every 120 minutes`, `every 120 minutes from 2026-11-18T02:30:00Z`,
//! `at 2026-12-01 09:00`, `times 09:00,18:30 on * * 1-5`, `every 2 days at 09:00 from 2026-11-19`,
//! `every 2 weeks on fri at 09:00 from 2026-11-20`, `every 3 months on 1 at 09:00 from 2026-12-01`
//! (`on last`, `on 1#mon`, `on last#fri`), `lunar 8-15 at 09:00`, `lunar eve at 09:00`; before it
//! `CRON_TZ=Europe/Berlin ` for the clock of a zone, behind it ` until 2026-12-31`.

use std::fmt;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, SecondsFormat, Utc, Weekday};

use super::cron::{Cron, CronDays};
use super::days::{DaysRule, MonthDay, WEEK, WeekdaySet};
use super::{Rule, Schedule};
use crate::when::lunar::LunarDay;

/// How a zone stands before the rest.
pub(in crate::when) const ZONE: &str = "CRON_TZ=";
const UNTIL: &str = " until ";
const DATE: &str = "%Y-%m-%d";
/// How a moment is written.
const MOMENT: &str = "%Y-%m-%d %H:%M";
const MOMENT_WITH_SECONDS: &str = "%Y-%m-%d %H:%M:%S";
const DAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl Schedule {
    /// Reads what [`Schedule::as_text`] wrote.
    pub fn stored(text: &str) -> Option<Self> {
        let (zone, rest) = match text.strip_prefix(ZONE) {
            Some(zoned) => {
                let (zone, rest) = zoned.split_once(' ')?;
                (Some(zone.parse().ok()?), rest)
            }
            None => (None, text),
        };
        let (rest, until) = match rest.rsplit_once(UNTIL) {
            Some((rest, until)) => (rest, Some(date(until)?)),
            None => (rest, None),
        };
        let rule = rule(rest)?;
        Some(Self { rule, zone, until })
    }

    /// Returns how it is kept.
    pub fn as_text(&self) -> String {
        self.to_string()
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(zone) = self.zone {
            write!(formatter, "{ZONE}{zone} ")?;
        }
        match &self.rule {
            Rule::Once(moment) => {
                let has_seconds = moment.and_utc().timestamp() % 60 != 0;
                let form = if has_seconds {
                    MOMENT_WITH_SECONDS
                } else {
                    MOMENT
                };
                write!(formatter, "at {}", moment.format(form))?;
            }
            Rule::Every { minutes, from } => {
                write!(formatter, "every {minutes} minutes")?;
                if let Some(from) = from {
                    let from = from.to_rfc3339_opts(SecondsFormat::Secs, true);
                    write!(formatter, " from {from}")?;
                }
            }
            Rule::Cron(cron) => formatter.write_str(cron.as_text())?,
            Rule::Times { times, days } => write_days(formatter, &joined(times), days)?,
        }
        match self.until {
            Some(until) => write!(formatter, "{UNTIL}{}", until.format(DATE)),
            None => Ok(()),
        }
    }
}

fn write_days(formatter: &mut fmt::Formatter<'_>, times: &str, days: &DaysRule) -> fmt::Result {
    match days {
        DaysRule::Cron(days) => write!(formatter, "times {times} on {}", days.as_text()),
        DaysRule::EveryDays { step, from } => {
            write!(formatter, "every {step} days at {times} from {from}")
        }
        DaysRule::EveryWeeks { step, on, from } => {
            let names: Vec<&str> = on.days().map(short).collect();
            let on = names.join(",");
            write!(
                formatter,
                "every {step} weeks on {on} at {times} from {from}"
            )
        }
        DaysRule::EveryMonths { step, on, from } => {
            let on = match on {
                MonthDay::Day(day) => day.to_string(),
                MonthDay::Last => "last".to_owned(),
                MonthDay::Nth(nth, day) => format!("{nth}#{}", short(*day)),
                MonthDay::LastOf(day) => format!("last#{}", short(*day)),
            };
            write!(
                formatter,
                "every {step} months on {on} at {times} from {from}"
            )
        }
        DaysRule::Lunar(LunarDay::Eve) => write!(formatter, "lunar eve at {times}"),
        DaysRule::Lunar(LunarDay::Of { month, day }) => {
            write!(formatter, "lunar {month}-{day} at {times}")
        }
    }
}

fn short(day: Weekday) -> &'static str {
    let place = day.num_days_from_monday() as usize;
    DAYS.get(place).copied().unwrap_or_default()
}

fn joined(times: &[NaiveTime]) -> String {
    let times: Vec<String> = times
        .iter()
        .map(|time| time.format("%H:%M").to_string())
        .collect();
    times.join(",")
}

fn rule(text: &str) -> Option<Rule> {
    let words: Vec<&str> = text.split(' ').collect();
    match words.as_slice() {
        ["at", day, time] => {
            let moment = format!("{day} {time}");
            let forms = [MOMENT, MOMENT_WITH_SECONDS].into_iter();
            let mut read =
                forms.filter_map(|form| NaiveDateTime::parse_from_str(&moment, form).ok());
            read.next().map(Rule::Once)
        }
        ["every", minutes, "minutes"] => Some(Rule::Every {
            minutes: minutes.parse().ok()?,
            from: None,
        }),
        ["every", minutes, "minutes", "from", from] => Some(Rule::Every {
            minutes: minutes.parse().ok()?,
            from: Some(DateTime::parse_from_rfc3339(from).ok()?.with_timezone(&Utc)),
        }),
        ["times", at, "on", day, month, weekday] => on(at, cron_days(&[day, month, weekday])?),
        ["every", step, "days", "at", at, "from", from] => on(
            at,
            DaysRule::EveryDays {
                step: count(step)?,
                from: date(from)?,
            },
        ),
        ["every", step, "weeks", "on", days, "at", at, "from", from] => on(
            at,
            DaysRule::EveryWeeks {
                step: count(step)?,
                on: weekdays(days)?,
                from: date(from)?,
            },
        ),
        ["every", step, "months", "on", day, "at", at, "from", from] => on(
            at,
            DaysRule::EveryMonths {
                step: count(step)?,
                on: month_day(day)?,
                from: date(from)?,
            },
        ),
        ["lunar", day, "at", at] => on(at, DaysRule::Lunar(lunar_day(day)?)),
        _ => Cron::parse(text).ok().map(Rule::Cron),
    }
}

fn on(at: &str, days: DaysRule) -> Option<Rule> {
    let times = at
        .split(',')
        .map(|at| NaiveTime::parse_from_str(at, "%H:%M").ok());
    let times = times.collect::<Option<Vec<_>>>()?;
    Some(Rule::Times { times, days })
}

fn cron_days(fields: &[&str; 3]) -> Option<DaysRule> {
    CronDays::parse(fields).ok().map(DaysRule::Cron)
}

fn count(text: &str) -> Option<u32> {
    text.parse().ok().filter(|count| *count > 0)
}

fn date(text: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(text, DATE).ok()
}

fn weekday(text: &str) -> Option<Weekday> {
    let place = DAYS.iter().position(|day| *day == text)?;
    WEEK.get(place).copied()
}

fn weekdays(text: &str) -> Option<WeekdaySet> {
    text.split(',').map(weekday).collect::<Option<WeekdaySet>>()
}

fn month_day(text: &str) -> Option<MonthDay> {
    match text.split_once('#') {
        Some(("last", day)) => Some(MonthDay::LastOf(weekday(day)?)),
        Some((nth, day)) => Some(MonthDay::Nth(count(nth)?, weekday(day)?)),
        None if text == "last" => Some(MonthDay::Last),
        None => Some(MonthDay::Day(count(text)?)),
    }
}

fn lunar_day(text: &str) -> Option<LunarDay> {
    if text == "eve" {
        return Some(LunarDay::Eve);
    }
    let (month, day) = text.split_once('-')?;
    Some(LunarDay::Of {
        month: count(month)?,
        day: count(day)?,
    })
}
