//! The next time of a schedule, in words.

use chrono::{DateTime, Datelike as _, Local, Offset as _, TimeZone, Weekday};
use chrono_tz::Tz;
use sayso_policy::Due;

use super::schedule::Schedule;

/// Returns when a schedule is due next, in words, by the clock that it goes by; `None`: never again.
pub(super) fn due(schedule: &Schedule, now: DateTime<Local>) -> Option<Due> {
    let next = schedule.next_after(now)?;
    Some(match schedule {
        Schedule::CronIn(zone, _) => in_words(&next.with_timezone(zone), Some(zone.name())),
        Schedule::Cron(_) | Schedule::Every(_) | Schedule::At(_) => {
            in_words(&next, here(&next).as_deref())
        }
    })
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
