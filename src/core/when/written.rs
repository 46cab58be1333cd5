//! Schedules as they are written for machines: five fields of cron, `@daily`, with a zone before or
//! behind them.

use chrono::{DateTime, TimeZone};
use chrono_tz::Tz;

use super::clock::zone_named;
use super::english::length_of;
use super::question::{Question, Why};
use super::schedule::{Cron, Rule, Schedule};
use super::{Answer, understand};

/// How a zone stands before five fields of cron; the longer one first.
const PREFIXES: [&str; 2] = ["CRON_TZ=", "TZ="];

/// What cron calls by a name, and its five fields.
const NAMED: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// Reads a text that is written in such a form; `None` where it is not.
pub(super) fn read<Z: TimeZone>(text: &str, now: &DateTime<Z>) -> Option<Answer<Z>> {
    let text = text.trim();
    if let Some((name, rest)) = zone_before(text) {
        let zone = match zone_named(name) {
            Ok(zone) => zone,
            Err(unknown) => return Some(ask(Why::UnknownZone(unknown.0))),
        };
        return Some(in_zone(rest, zone, now));
    }
    if let Some((rest, name)) = text.rsplit_once(char::is_whitespace)
        && let Some(rule) = rule(rest.trim())
    {
        let is_name = name.contains('/') && name.starts_with(char::is_uppercase);
        if is_name || name == "UTC" {
            return Some(match zone_named(name) {
                Ok(zone) => of_rule(rule, Some(zone), now),
                Err(unknown) => ask(Why::UnknownZone(unknown.0)),
            });
        }
    }
    Some(of_rule(rule(text)?, None, now))
}

fn zone_before(text: &str) -> Option<(&str, &str)> {
    let zoned = PREFIXES
        .iter()
        .find_map(|prefix| text.strip_prefix(prefix))?;
    let (name, rest) = zoned.split_once(char::is_whitespace).unwrap_or((zoned, ""));
    Some((name.trim_matches(['"', '\'']), rest.trim()))
}

/// Reads the rest of a text by the clock of a zone.
fn in_zone<Z: TimeZone>(rest: &str, zone: Tz, now: &DateTime<Z>) -> Answer<Z> {
    if let Some(rule) = rule(rest) {
        return of_rule(rule, Some(zone), now);
    }
    let here = now.timezone();
    match understand(rest, &now.with_timezone(&zone)).answer {
        Answer::At(at) => Answer::At(at.with_timezone(&here)),
        Answer::Past(at) => Answer::Past(at.with_timezone(&here)),
        Answer::Recurring(mut schedule) => {
            schedule.zone = schedule.zone.or(Some(zone));
            Answer::Recurring(schedule)
        }
        Answer::Span(span) => Answer::Span(super::Span {
            from: span.from.with_timezone(&here),
            until: span.until.with_timezone(&here),
        }),
        Answer::Nothing => Answer::Nothing,
        Answer::Ask(question) => ask(question.why),
    }
}

fn of_rule<Z: TimeZone>(rule: Result<Rule, Why>, zone: Option<Tz>, now: &DateTime<Z>) -> Answer<Z> {
    let rule = match rule {
        Ok(rule) => rule,
        Err(why) => return ask(why),
    };
    let mut schedule = Schedule::from(rule).anchored(now.to_utc());
    schedule.zone = zone;
    match schedule.next_after(now) {
        Some(_) => Answer::Recurring(schedule),
        None => ask(Why::NeverDue),
    }
}

fn ask<Z: TimeZone>(why: Why) -> Answer<Z> {
    Answer::Ask(Question {
        why,
        candidates: vec![],
    })
}

/// Reads `@daily`, `@every 90m` and fields of cron, which may be wrong.
fn rule(text: &str) -> Option<Result<Rule, Why>> {
    let lower = text.to_ascii_lowercase();
    if let Some(length) = lower.strip_prefix("@every ") {
        let seconds = length_of(length)?;
        let rule = Rule::Every {
            minutes: seconds / 60,
            from: None,
        };
        let is_whole = seconds >= 60 && seconds % 60 == 0;
        return Some(if is_whole {
            Ok(rule)
        } else {
            Err(Why::TooOften)
        });
    }
    let named = NAMED.into_iter().find(|(name, _)| *name == lower);
    let text = named.map_or(text, |(_, fields)| fields);
    let count = text.split_whitespace().count();
    if !is_cron(text) || !(5..=7).contains(&count) {
        return None;
    }
    if count > 5 {
        return Some(Err(Why::SixFields));
    }
    let cron = Cron::parse(text).map(Rule::Cron);
    Some(cron.map_err(|error| Why::BadCron(error.to_string())))
}

/// Whether a text looks like fields of cron: figures and marks, and a wildcard or a bare list of
/// figures.
fn is_cron(text: &str) -> bool {
    let mut fields = text.split_whitespace();
    let is_field = |field: &str| {
        let begins =
            field.starts_with(|it: char| it.is_ascii_digit() || matches!(it, '*' | '?' | 'L'));
        let is_name = field.len() >= 3
            && field
                .bytes()
                .all(|it| it.is_ascii_alphabetic() || b",-#".contains(&it));
        let is_marks = field
            .bytes()
            .all(|it| it.is_ascii_alphanumeric() || b"*/,-?#".contains(&it));
        is_marks && (begins || is_name)
    };
    fields.all(is_field) && text.contains('*')
}
