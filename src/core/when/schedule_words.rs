//! A stored schedule in the words of people: “every weekday at 09:00” for `0 9 * * 1-5`.

use crate::Language::{self, Chinese, English};

/// What stands in front of a schedule in a time zone of its own.
const ZONE: &str = "CRON_TZ=";
/// The days of the week as cron counts them; 7 is Sunday, too.
const DAYS: [[&str; 2]; 7] = [
    ["Sunday", "周日"],
    ["Monday", "周一"],
    ["Tuesday", "周二"],
    ["Wednesday", "周三"],
    ["Thursday", "周四"],
    ["Friday", "周五"],
    ["Saturday", "周六"],
];

/// What stands in front of a schedule that is due once.
const ONCE: &str = "at ";

/// Returns a schedule in words; `None` where it says more than a time of day on some days.
pub fn in_words(schedule: &str, language: Language) -> Option<String> {
    if let Some(moment) = schedule.strip_prefix(ONCE) {
        let (day, time) = moment.split_once(' ')?;
        return Some(match language {
            English => format!("once, on {day} at {time}"),
            Chinese => format!("一次，{day} {time}"),
        });
    }
    let (zone, fields) = match schedule.strip_prefix(ZONE) {
        Some(rest) => rest.split_once(' ')?,
        None => ("", schedule),
    };
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let &[minute, hour, day, month, weekday] = fields.as_slice() else {
        return None;
    };
    if month != "*" {
        return None;
    }
    let at = time_of_day(hour, minute)?;
    let when = days(day, weekday, language)?;
    let zone = match (zone.is_empty(), language) {
        (true, _) => String::new(),
        (false, English) => format!(" ({zone})"),
        (false, Chinese) => format!("（{zone}）"),
    };
    Some(match language {
        English => format!("{when} at {at}{zone}"),
        Chinese => format!("{when} {at}{zone}"),
    })
}

fn time_of_day(hour: &str, minute: &str) -> Option<String> {
    let hour: u8 = hour.parse().ok().filter(|hour| *hour < 24)?;
    let minute: u8 = minute.parse().ok().filter(|minute| *minute < 60)?;
    Some(format!("{hour:02}:{minute:02}"))
}

fn days(day: &str, weekday: &str, language: Language) -> Option<String> {
    let [english, chinese] = match (day, weekday) {
        ("*", "*") => ["every day", "每天"],
        ("*", "1-5") => ["every weekday", "每个工作日"],
        ("*", "0,6" | "6,0" | "6,7" | "6-7") => ["every weekend day", "每个周末"],
        ("*", weekday) => {
            let number: usize = weekday.parse().ok().filter(|number| *number <= 7)?;
            let [english, chinese] = DAYS.get(number % 7)?;
            return Some(match language {
                English => format!("every {english}"),
                Chinese => format!("每{chinese}"),
            });
        }
        (day, "*") => {
            let day: u8 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
            return Some(match language {
                English => format!("on day {day} of each month"),
                Chinese => format!("每月 {day} 日"),
            });
        }
        (_, _) => return None,
    };
    Some(match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_of_day_are_said_in_both_languages() {
        for (schedule, english, chinese) in [
            ("0 9 * * 1-5", "every weekday at 09:00", "每个工作日 09:00"),
            ("30 18 * * *", "every day at 18:30", "每天 18:30"),
            ("0 8 * * 7", "every Sunday at 08:00", "每周日 08:00"),
            (
                "0 8 1 * *",
                "on day 1 of each month at 08:00",
                "每月 1 日 08:00",
            ),
            (
                "at 2098-12-01 09:00",
                "once, on 2098-12-01 at 09:00",
                "一次，2098-12-01 09:00",
            ),
            (
                "CRON_TZ=Europe/Lisbon 0 9 * * 1",
                "every Monday at 09:00 (Europe/Lisbon)",
                "每周一 09:00（Europe/Lisbon）",
            ),
        ] {
            assert_eq!(in_words(schedule, English).as_deref(), Some(english));
            assert_eq!(in_words(schedule, Chinese).as_deref(), Some(chinese));
        }
    }

    #[test]
    fn what_says_more_is_left_to_its_own_words() {
        for schedule in [
            "*/5 * * * *",
            "0 9 1 1 *",
            "0 9 13 * 5",
            "0 25 * * *",
            "0 9 * * 8",
            "",
        ] {
            assert_eq!(in_words(schedule, English), None, "{schedule}");
        }
    }
}
