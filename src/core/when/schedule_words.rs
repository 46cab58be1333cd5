//! A schedule in the words of people: “every weekday at 09:00” for `0 9 * * 1-5`.

use chrono::{NaiveTime, Weekday};

use super::lunar::LunarDay;
use super::schedule::{DaysRule, MonthDay, Rule, Schedule, WeekdaySet};
use crate::Language::{self, Chinese, English};

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
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const NTH: [[&str; 2]; 5] = [
    ["first", "第一个"],
    ["second", "第二个"],
    ["third", "第三个"],
    ["fourth", "第四个"],
    ["fifth", "第五个"],
];

/// Returns a stored schedule in words; `None` where it says more than times of day on some days.
pub fn in_words(schedule: &str, language: Language) -> Option<String> {
    Schedule::stored(schedule)?.in_words(language)
}

impl Schedule {
    /// Returns it in words; `None` where its cron says more than times of day on some days.
    pub fn in_words(&self, language: Language) -> Option<String> {
        let rule = match &self.rule {
            Rule::Once(moment) => {
                let (day, time) = (moment.format("%Y-%m-%d"), moment.format("%H:%M"));
                match language {
                    English => format!("once, on {day} at {time}"),
                    Chinese => format!("一次，{day} {time}"),
                }
            }
            Rule::Every { minutes, .. } => interval(*minutes, language),
            Rule::Cron(cron) => of_cron(cron.as_text(), language)?,
            Rule::Times { times, days } => {
                let days = days_in_words(days, language)?;
                at(&days, &times_in_words(times, language), language)
            }
        };
        let zone = match (self.zone, language) {
            (None, _) => String::new(),
            (Some(zone), English) => format!(" ({zone})"),
            (Some(zone), Chinese) => format!("（{zone}）"),
        };
        let until = match (self.until, language) {
            (None, _) => String::new(),
            (Some(until), English) => format!(", until {until}"),
            (Some(until), Chinese) => format!("，到 {until} 为止"),
        };
        Some(format!("{rule}{zone}{until}"))
    }
}

fn at(days: &str, times: &str, language: Language) -> String {
    match language {
        English => format!("{days} at {times}"),
        Chinese => format!("{days} {times}"),
    }
}

fn interval(minutes: i64, language: Language) -> String {
    match (minutes % 60, language) {
        (0, English) if minutes == 60 => "every hour".to_owned(),
        (0, English) => format!("every {} hours", minutes / 60),
        (0, Chinese) => format!("每 {} 小时", minutes / 60),
        (_, English) if minutes == 1 => "every minute".to_owned(),
        (_, English) => format!("every {minutes} minutes"),
        (_, Chinese) => format!("每 {minutes} 分钟"),
    }
}

fn of_cron(text: &str, language: Language) -> Option<String> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let &[minute, hour, day, month, weekday] = fields.as_slice() else {
        return None;
    };
    let days = days_of_cron([day, month, weekday], language)?;
    if hour == "*" {
        let minute = number(minute, 59)?;
        let is_daily = [day, month, weekday] == ["*", "*", "*"];
        return is_daily.then(|| match language {
            English => format!("every hour at minute {minute:02}"),
            Chinese => format!("每小时的第 {minute:02} 分"),
        });
    }
    let minutes = minute.split(',').map(|minute| number(minute, 59));
    let minutes = minutes.collect::<Option<Vec<u32>>>()?;
    let mut times = Vec::new();
    for hour in hour.split(',') {
        let hour = number(hour, 23)?;
        let in_hour = minutes
            .iter()
            .filter_map(|minute| NaiveTime::from_hms_opt(hour, *minute, 0));
        times.extend(in_hour);
    }
    Some(at(&days, &times_in_words(&times, language), language))
}

fn times_in_words(times: &[NaiveTime], language: Language) -> String {
    let times: Vec<String> = times
        .iter()
        .map(|time| time.format("%H:%M").to_string())
        .collect();
    listed(&times, language)
}

fn listed(items: &[String], language: Language) -> String {
    match (items, language) {
        (items, Chinese) => items.join("、"),
        ([], English) => String::new(),
        ([first @ .., last], English) if !first.is_empty() => {
            format!("{} and {last}", first.join(", "))
        }
        ([one, ..], English) => one.clone(),
    }
}

fn number(text: &str, highest: u32) -> Option<u32> {
    text.parse().ok().filter(|number| *number <= highest)
}

fn days_of_cron([day, month, weekday]: [&str; 3], language: Language) -> Option<String> {
    if month != "*" {
        let month = number(month, 12)?;
        let day = number(day, 31).filter(|_| weekday == "*")?;
        let name = MONTHS.get(month.checked_sub(1)? as usize)?;
        return Some(match language {
            English => format!("every year on {day} {name}"),
            Chinese => format!("每年 {month} 月 {day} 日"),
        });
    }
    let [english, chinese] = match (day, weekday) {
        ("*", "*") => ["every day", "每天"],
        ("*", "1-5") => ["every weekday", "每个工作日"],
        ("*", "0,6" | "6,0" | "6,7" | "6-7") => ["every weekend day", "每个周末"],
        ("L" | "l", "*") => ["on the last day of each month", "每月最后一天"],
        ("*", weekday) => return weekdays_of_cron(weekday, language),
        (day, "*") => {
            let days = day
                .split(',')
                .map(|day| number(day, 31).filter(|day| *day > 0));
            let days = days.collect::<Option<Vec<u32>>>()?;
            let numbers: Vec<String> = days.iter().map(ToString::to_string).collect();
            let listed = listed(&numbers, language);
            return Some(match (language, days.len()) {
                (English, 1) => format!("on day {listed} of each month"),
                (English, _) => format!("on days {listed} of each month"),
                (Chinese, _) => format!("每月 {listed} 日"),
            });
        }
        (_, _) => return None,
    };
    Some(match language {
        English => english.to_owned(),
        Chinese => chinese.to_owned(),
    })
}

fn weekdays_of_cron(weekday: &str, language: Language) -> Option<String> {
    let name = |number: &str| {
        let number = number.parse::<usize>().ok().filter(|number| *number <= 7)?;
        Some(named(*DAYS.get(number % 7)?, language))
    };
    if let Some((day, nth)) = weekday.split_once('#') {
        let nth = NTH.get(nth.parse::<usize>().ok()?.checked_sub(1)?)?;
        let (nth, day) = (named(*nth, language), name(day)?);
        return Some(nth_of_month(&nth, &day, language));
    }
    if let Some(day) = weekday.strip_suffix('L') {
        let last = named(["last", "最后一个"], language);
        return Some(nth_of_month(&last, &name(day)?, language));
    }
    let days = weekday
        .split(',')
        .map(name)
        .collect::<Option<Vec<String>>>()?;
    Some(match language {
        English => format!("every {}", listed(&days, language)),
        Chinese => format!("每{}", listed(&days, language)),
    })
}

fn nth_of_month(nth: &str, day: &str, language: Language) -> String {
    match language {
        English => format!("on the {nth} {day} of each month"),
        Chinese => format!("每月{nth}{day}"),
    }
}

fn named(words: [&str; 2], language: Language) -> String {
    let [english, chinese] = words;
    let word = match language {
        English => english,
        Chinese => chinese,
    };
    word.to_owned()
}

fn weekday_name(day: Weekday, language: Language) -> Option<String> {
    let names = DAYS.get(day.num_days_from_sunday() as usize)?;
    Some(named(*names, language))
}

fn days_in_words(days: &DaysRule, language: Language) -> Option<String> {
    Some(match (days, language) {
        (DaysRule::Cron(days), language) => {
            let fields: Vec<&str> = days.as_text().split(' ').collect();
            let &[day, month, weekday] = fields.as_slice() else {
                return None;
            };
            return days_of_cron([day, month, weekday], language);
        }
        (DaysRule::EveryDays { step, .. }, English) => format!("every {step} days"),
        (DaysRule::EveryDays { step, .. }, Chinese) => format!("每 {step} 天"),
        (DaysRule::EveryWeeks { step, on, .. }, language) => weeks(*step, *on, language)?,
        (DaysRule::EveryMonths { step, on, from }, language) => {
            months(*step, *on, &from.format("%-m").to_string(), language)?
        }
        (DaysRule::Lunar(LunarDay::Eve), English) => {
            "every year on the eve of Chinese New Year".to_owned()
        }
        (DaysRule::Lunar(LunarDay::Eve), Chinese) => "每年除夕".to_owned(),
        (DaysRule::Lunar(LunarDay::Of { month, day }), English) => {
            format!("every year on day {day} of lunar month {month}")
        }
        (DaysRule::Lunar(LunarDay::Of { month, day }), Chinese) => {
            format!("每年农历 {month} 月 {day} 日")
        }
    })
}

fn weeks(step: u32, on: WeekdaySet, language: Language) -> Option<String> {
    let days = on.days().map(|day| weekday_name(day, language));
    let days = listed(&days.collect::<Option<Vec<String>>>()?, language);
    Some(match language {
        English => format!("every {step} weeks on {days}"),
        Chinese => format!("每 {step} 周的{days}"),
    })
}

fn months(step: u32, on: MonthDay, month: &str, language: Language) -> Option<String> {
    let day = match (on, language) {
        (MonthDay::Day(day), English) => format!("day {day}"),
        (MonthDay::Day(day), Chinese) => format!(" {day} 日"),
        (MonthDay::Last, English) => "the last day".to_owned(),
        (MonthDay::Last, Chinese) => "最后一天".to_owned(),
        (MonthDay::Nth(nth, day), language) => {
            let nth = named(*NTH.get(nth.checked_sub(1)? as usize)?, language);
            let day = weekday_name(day, language)?;
            match language {
                English => format!("the {nth} {day}"),
                Chinese => format!("{nth}{day}"),
            }
        }
        (MonthDay::LastOf(day), English) => format!("the last {}", weekday_name(day, language)?),
        (MonthDay::LastOf(day), Chinese) => format!("最后一个{}", weekday_name(day, language)?),
    };
    Some(match (step % 12, language) {
        (0, English) => {
            let name = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
            format!("every {} years on {day} of {name}", step / 12)
        }
        (0, Chinese) => format!("每 {} 年 {month} 月的{day}", step / 12),
        (_, English) => format!("every {step} months on {day}"),
        (_, Chinese) => format!("每 {step} 个月的{day}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // long: a table.
    #[test]
    fn schedules_are_said_in_both_languages() {
        for (schedule, english, chinese) in [
            ("0 9 * * 1-5", "every weekday at 09:00", "每个工作日 09:00"),
            ("30 18 * * *", "every day at 18:30", "每天 18:30"),
            ("0 8 * * 7", "every Sunday at 08:00", "每周日 08:00"),
            (
                "0 9,21 * * *",
                "every day at 09:00 and 21:00",
                "每天 09:00、21:00",
            ),
            (
                "0 18 * * 1,4",
                "every Monday and Thursday at 18:00",
                "每周一、周四 18:00",
            ),
            (
                "0 8 1 * *",
                "on day 1 of each month at 08:00",
                "每月 1 日 08:00",
            ),
            (
                "0 8 1,15 * *",
                "on days 1 and 15 of each month at 08:00",
                "每月 1、15 日 08:00",
            ),
            (
                "0 8 L * *",
                "on the last day of each month at 08:00",
                "每月最后一天 08:00",
            ),
            (
                "0 9 * * 1#1",
                "on the first Monday of each month at 09:00",
                "每月第一个周一 09:00",
            ),
            (
                "0 17 * * 5L",
                "on the last Friday of each month at 17:00",
                "每月最后一个周五 17:00",
            ),
            (
                "0 10 8 3 *",
                "every year on 8 March at 10:00",
                "每年 3 月 8 日 10:00",
            ),
            ("0 * * * *", "every hour at minute 00", "每小时的第 00 分"),
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
            ("every 120 minutes", "every 2 hours", "每 2 小时"),
            (
                "every 90 minutes from 2026-11-18T02:30:00Z",
                "every 90 minutes",
                "每 90 分钟",
            ),
            (
                "times 09:00,18:30 on * * 1-5",
                "every weekday at 09:00 and 18:30",
                "每个工作日 09:00、18:30",
            ),
            (
                "every 2 days at 09:00 from 2026-11-19",
                "every 2 days at 09:00",
                "每 2 天 09:00",
            ),
            (
                "every 2 weeks on fri at 09:00 from 2026-11-20",
                "every 2 weeks on Friday at 09:00",
                "每 2 周的周五 09:00",
            ),
            (
                "every 3 months on last at 08:00 from 2026-11-30",
                "every 3 months on the last day at 08:00",
                "每 3 个月的最后一天 08:00",
            ),
            (
                "every 24 months on 1#mon at 08:00 from 2026-12-07",
                "every 2 years on the first Monday of December at 08:00",
                "每 2 年 12 月的第一个周一 08:00",
            ),
            (
                "lunar eve at 20:00",
                "every year on the eve of Chinese New Year at 20:00",
                "每年除夕 20:00",
            ),
            (
                "0 9 * * * until 2026-12-01",
                "every day at 09:00, until 2026-12-01",
                "每天 09:00，到 2026-12-01 为止",
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
            "0 9 13 * 5",
            "0 9 * 1-3 *",
            "0 9-17 * * *",
            "0 25 * * *",
            "0 9 * * 8",
            "",
        ] {
            assert_eq!(in_words(schedule, English), None, "{schedule}");
        }
    }
}
