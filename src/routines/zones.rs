//! The zones that schedules name, and the next time of one in words.

use chrono::{DateTime, Datelike as _, Local, Offset as _, TimeZone, Weekday};
use chrono_tz::Tz;

use super::schedule::Schedule;
use crate::policy::Due;

/// How a zone stands before five fields of cron.
pub(super) const PREFIX: &str = "CRON_TZ=";
/// The same as others write it.
const PREFIXES: [&str; 2] = [PREFIX, "TZ="];

/// Splits the zone off a schedule: before it as cron has it, or behind it by its name.
///
/// # Errors
/// There is no such zone.
pub(super) fn split(text: &str) -> Result<(Option<Tz>, &str), String> {
    for prefix in PREFIXES {
        if let Some(zoned) = text.strip_prefix(prefix) {
            let (name, rest) = zoned.split_once(char::is_whitespace).unwrap_or((zoned, ""));
            let name = name.trim_matches(['"', '\'']);
            let zone = name.parse().map_err(|_unknown| unknown(name))?;
            return Ok((Some(zone), rest.trim()));
        }
    }
    let Some((rest, last)) = text.rsplit_once(char::is_whitespace) else {
        return Ok((None, text));
    };
    let last = last.trim_matches(['(', ')']);
    let is_name = last == "UTC" || (last.contains('/') && last.starts_with(char::is_uppercase));
    match last.parse() {
        Ok(zone) if is_name => Ok((Some(zone), rest.trim().trim_end_matches(" in"))),
        _ => Ok((None, text)),
    }
}

fn unknown(name: &str) -> String {
    format!("`{name}` is no zone that is known; write one as `Europe/Berlin`")
}

impl Schedule {
    /// Returns when it is due next, in words, by the clock that it goes by; `None`: never again.
    pub fn due(&self, now: DateTime<Local>) -> Option<Due> {
        let next = self.next_after(now)?;
        Some(match self {
            Self::CronIn(zone, _) => in_words(&next.with_timezone(zone), Some(zone.name())),
            Self::Cron(_) | Self::Every(_) | Self::At(_) => in_words(&next, here(&next).as_deref()),
        })
    }
}

/// Returns what the zone of this machine is called, where that name stands for its clock.
fn here(moment: &DateTime<Local>) -> Option<String> {
    let name = iana_time_zone::get_timezone().ok()?;
    let zone: Tz = name.parse().ok()?;
    let there = moment.with_timezone(&zone);
    (there.offset().fix() == moment.offset().fix()).then_some(name)
}

fn in_words<Z: TimeZone>(moment: &DateTime<Z>, zone: Option<&str>) -> Due
where
    Z::Offset: std::fmt::Display,
{
    let offset = format!("UTC{}", moment.offset().fix());
    let zone = zone.filter(|zone| *zone != "UTC");
    let (english, chinese) = match zone {
        Some(zone) => (format!("{zone}, {offset}"), format!("{zone}，{offset}")),
        None => (offset.clone(), offset),
    };
    let (day, time) = (moment.format("%Y-%m-%d"), moment.format("%H:%M"));
    Due {
        english: format!(
            "Next time: {}, {day} at {time} ({english}).",
            moment.format("%A")
        ),
        chinese: format!(
            "下次执行：{day} {} {time}（{chinese}）。",
            weekday(moment.weekday())
        ),
    }
}

fn weekday(day: Weekday) -> &'static str {
    match day {
        Weekday::Mon => "星期一",
        Weekday::Tue => "星期二",
        Weekday::Wed => "星期三",
        Weekday::Thu => "星期四",
        Weekday::Fri => "星期五",
        Weekday::Sat => "星期六",
        Weekday::Sun => "星期日",
    }
}
