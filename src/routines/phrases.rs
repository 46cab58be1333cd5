//! Schedules as people say them, in English and Chinese, read without a model. What is not read
//! whole is not read at all.

use chrono::{Datelike as _, Days, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, Timelike as _};

use super::schedule::Schedule;

const DAYS: [(&str, u8); 14] = [
    ("sunday", 0),
    ("monday", 1),
    ("tuesday", 2),
    ("wednesday", 3),
    ("thursday", 4),
    ("friday", 5),
    ("saturday", 6),
    ("sun", 0),
    ("mon", 1),
    ("tue", 2),
    ("wed", 3),
    ("thu", 4),
    ("fri", 5),
    ("sat", 6),
];
const DAYS_CHINESE: [(&str, u8); 8] = [
    ("一", 1),
    ("二", 2),
    ("三", 3),
    ("四", 4),
    ("五", 5),
    ("六", 6),
    ("日", 0),
    ("天", 0),
];
/// Parts of the day, and whether an hour below twelve is meant behind noon.
const PARTS_OF_DAY: [(&str, bool); 8] = [
    ("早上", false),
    ("上午", false),
    ("凌晨", false),
    ("早晨", false),
    ("下午", true),
    ("晚上", true),
    ("傍晚", true),
    ("中午", true),
];
/// Below this an hour of noon is one behind it.
const NOON_UNTIL: u32 = 3;
/// The time if none is given.
const MORNING: (u32, u32) = (9, 0);

/// Reads a schedule that is said in words; `None` when it is not understood whole.
pub(super) fn read(text: &str, now: NaiveDateTime) -> Option<Schedule> {
    let text = text.trim().to_lowercase();
    english(&text, now).or_else(|| chinese(&text, now))
}

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
/// The time if an evening without an hour is given.
const EVENING: (u32, u32) = (20, 0);

fn english(text: &str, now: NaiveDateTime) -> Option<Schedule> {
    if text.starts_with('@') {
        let named = NAMED.into_iter().find(|(name, _)| *name == text);
        let named = named.map(|(_, fields)| Schedule::Cron(fields.to_owned()));
        let interval = || text.strip_prefix("@every ").and_then(length_of);
        return named.or_else(|| interval().map(Schedule::Every));
    }
    if let Some(moment) = text.strip_prefix("at ").map(str::trim) {
        return moment_of(moment)
            .or_else(|| once(moment, now))
            .or_else(|| next_at(moment, now));
    }
    if let Some(day) = text.strip_prefix("on ") {
        return moment_of(day.trim()).or_else(|| once(day.trim(), now));
    }
    if let Some(length) = text.strip_prefix("in ") {
        let minutes = length_of(length)?;
        return Some(Schedule::At(now + TimeDelta::try_minutes(minutes)?));
    }
    if let Some(schedule) = moment_of(text).or_else(|| once(text, now)) {
        return Some(schedule);
    }
    match text {
        "hourly" | "every hour" => return Some(hourly()),
        _ => {}
    }
    if let Some(minutes) = text.strip_prefix("every ").and_then(length_of) {
        return Some(Schedule::Every(minutes));
    }
    let (days, rest) = days_of(text)?;
    let (hour, minute) = time_behind_at(rest)?;
    Some(Schedule::Cron(format!("{minute} {hour} * * {days}")))
}

/// Reads one day and its time, in either order: `tomorrow at 9am`, `9am tomorrow`, `next monday at
/// 18:00`.
fn once(text: &str, now: NaiveDateTime) -> Option<Schedule> {
    let near = [
        ("day after tomorrow", 2),
        ("tomorrow", 1),
        ("today", 0),
        ("tonight", 0),
    ];
    for (name, days) in near {
        if let Some(rest) = text.strip_prefix(name).or_else(|| text.strip_suffix(name)) {
            let (hour, minute) = if name == "tonight" {
                evening(rest)?
            } else {
                time_behind_at(rest)?
            };
            return on_day(now, days, hour, minute);
        }
    }
    DAYS.into_iter().find_map(|(name, number)| {
        let behind = text.strip_prefix("next ").unwrap_or(text);
        let before = text.strip_suffix(name);
        let rest = behind.strip_prefix(name).or(before)?;
        let rest = rest
            .trim()
            .trim_end_matches(" on")
            .trim_end_matches(" next");
        let (hour, minute) = time_behind_at(rest)?;
        let today = now.weekday().num_days_from_sunday();
        let ahead = (u32::from(number) + 7 - today) % 7;
        let is_over = ahead == 0 && NaiveTime::from_hms_opt(hour, minute, 0)? <= now.time();
        let is_next_week = is_over || (ahead == 0 && text.contains("next "));
        on_day(
            now,
            u64::from(ahead) + if is_next_week { 7 } else { 0 },
            hour,
            minute,
        )
    })
}

/// Reads a time of day, which is meant for today or else for tomorrow.
fn next_at(text: &str, now: NaiveDateTime) -> Option<Schedule> {
    let (hour, minute) = time_behind_at(text)?;
    let is_over = NaiveTime::from_hms_opt(hour, minute, 0)? <= now.time();
    on_day(now, u64::from(is_over), hour, minute)
}

/// Reads a time of tonight, at which `8` is behind noon.
fn evening(text: &str) -> Option<(u32, u32)> {
    if text.trim().is_empty() {
        return Some(EVENING);
    }
    let (hour, minute) = time_behind_at(text)?;
    Some((if hour < 12 { hour + 12 } else { hour }, minute))
}

/// Reads which days are meant, and returns what stands behind them.
fn days_of(text: &str) -> Option<(String, &str)> {
    let named = [
        ("every weekday", "1-5"),
        ("weekdays", "1-5"),
        ("every day", "*"),
        ("daily", "*"),
        ("every weekend", "0,6"),
        ("weekends", "0,6"),
    ];
    if let Some((days, rest)) = named
        .into_iter()
        .find_map(|(name, days)| Some((days, text.strip_prefix(name)?)))
    {
        return Some((days.to_owned(), rest));
    }
    let day = text.strip_prefix("every ")?;
    DAYS.into_iter()
        .find_map(|(name, number)| Some((number.to_string(), day.strip_prefix(name)?)))
}

/// Reads ` at 9`, ` 9:30 pm`, or nothing, which is the morning.
fn time_behind_at(text: &str) -> Option<(u32, u32)> {
    let text = text.trim();
    if text.is_empty() {
        return Some(MORNING);
    }
    let text = text.strip_prefix("at ").unwrap_or(text).trim();
    match text {
        "noon" => return Some((12, 0)),
        "midnight" => return Some((0, 0)),
        _ => {}
    }
    let (clock, half) = match (text.strip_suffix("am"), text.strip_suffix("pm")) {
        (Some(clock), _) => (clock, Some(false)),
        (_, Some(clock)) => (clock, Some(true)),
        (None, None) => (text, None),
    };
    let (hour, minute) = clock_of(clock.trim())?;
    match half {
        None => Some((hour, minute)),
        Some(_) if !(1..=12).contains(&hour) => None,
        Some(is_behind_noon) => Some((hour % 12 + if is_behind_noon { 12 } else { 0 }, minute)),
    }
}

/// Reads `9` or `9:30`.
fn clock_of(text: &str) -> Option<(u32, u32)> {
    let (hour, minute) = text.split_once([':', '：']).unwrap_or((text, "0"));
    let (hour, minute) = (number(hour)?, number(minute)?);
    (hour < 24 && minute < 60).then_some((hour, minute))
}

/// Reads `30 minutes`, `2h`, `1 day`, `1h30m` in minutes.
fn length_of(text: &str) -> Option<i64> {
    let mut rest = text.trim();
    let mut minutes = 0;
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let count = i64::from(number(rest.get(..digits)?)?);
        rest = rest.get(digits..)?.trim_start();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        minutes += count
            * match rest.get(..letters)? {
                "m" | "min" | "mins" | "minute" | "minutes" => 1,
                "h" | "hour" | "hours" => 60,
                "d" | "day" | "days" => 24 * 60,
                "s" if count == 0 => 0,
                _ => return None,
            };
        rest = rest.get(letters..)?.trim_start();
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    (!text.trim().is_empty()).then_some(minutes)
}

/// Reads a date with a time by the local clock: `2026-12-01 09:00`, `2026-12-01t09:00:00`,
/// `2026-12-01 9am`.
fn moment_of(text: &str) -> Option<Schedule> {
    let (day, time) = text.split_at_checked("2026-12-01".len())?;
    let day = NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    let time = time.strip_prefix('t').unwrap_or(time).trim();
    if time.is_empty() {
        return None;
    }
    let clock = NaiveTime::parse_from_str(time, "%H:%M:%S").ok();
    let clock = clock.map(|time| (time.hour(), time.minute()));
    let (hour, minute) = clock.or_else(|| time_behind_at(time))?;
    Some(Schedule::At(day.and_hms_opt(hour, minute, 0)?))
}

fn on_day(now: NaiveDateTime, days: u64, hour: u32, minute: u32) -> Option<Schedule> {
    let day = now.date().checked_add_days(Days::new(days))?;
    let time = NaiveTime::from_hms_opt(hour, minute, 0)?;
    Some(Schedule::At(day.and_time(time)))
}

fn hourly() -> Schedule {
    Schedule::Cron("0 * * * *".to_owned())
}

fn chinese(text: &str, now: NaiveDateTime) -> Option<Schedule> {
    let text: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace())
        .collect();
    for (name, days) in [("今天", 0), ("明天", 1), ("后天", 2)] {
        if let Some(time) = text.strip_prefix(name) {
            let (hour, minute) = time_chinese(time)?;
            return on_day(now, days, hour, minute);
        }
    }
    if let Some(time) = text
        .strip_prefix('今')
        .filter(|time| time.starts_with('晚'))
    {
        let time = time.replacen('晚', "晚上", usize::from(!time.starts_with("晚上")));
        let (hour, minute) = time_chinese(&time)?;
        return on_day(now, 0, hour, minute);
    }
    let rest = text.strip_prefix('每')?;
    if rest == "小时" || rest == "个小时" {
        return Some(hourly());
    }
    if let Some(minutes) = length_chinese(rest) {
        return Some(Schedule::Every(minutes));
    }
    let (fields, time) = days_chinese(rest)?;
    let (hour, minute) = time_chinese(time)?;
    Some(Schedule::Cron(format!("{minute} {hour} {fields}")))
}

/// Reads which days are meant, as the last three fields, and returns what stands behind them.
fn days_chinese(rest: &str) -> Option<(String, &str)> {
    let named = [
        ("个工作日", "* * 1-5"),
        ("工作日", "* * 1-5"),
        ("个周末", "* * 0,6"),
        ("周末", "* * 0,6"),
        ("天", "* * *"),
        ("日", "* * *"),
    ];
    if let Some((fields, time)) = named
        .into_iter()
        .find_map(|(name, fields)| Some((fields, rest.strip_prefix(name)?)))
    {
        return Some((fields.to_owned(), time));
    }
    if let Some(day) = rest
        .strip_prefix("个月")
        .or_else(|| rest.strip_prefix('月'))
    {
        let (day, time) = day.split_once(['号', '日'])?;
        let day = number_chinese(day).filter(|day| (1..=31).contains(day))?;
        return Some((format!("{day} * *"), time));
    }
    let week = ["个星期", "星期", "周", "个礼拜", "礼拜"];
    let day = week.into_iter().find_map(|name| rest.strip_prefix(name))?;
    DAYS_CHINESE
        .into_iter()
        .find_map(|(name, number)| Some((format!("* * {number}"), day.strip_prefix(name)?)))
}

/// Reads `隔2小时`, `30分钟` in minutes.
fn length_chinese(rest: &str) -> Option<i64> {
    let rest = rest.strip_prefix('隔').unwrap_or(rest);
    let units = [("个小时", 60), ("小时", 60), ("分钟", 1)];
    units.into_iter().find_map(|(unit, minutes)| {
        let count = number_chinese(rest.strip_suffix(unit)?)?;
        Some(i64::from(count) * minutes)
    })
}

/// Reads `早上8点`, `下午3点半`, `晚上9点20分`, `10:15`, or nothing, which is the morning.
fn time_chinese(text: &str) -> Option<(u32, u32)> {
    if text.is_empty() {
        return Some(MORNING);
    }
    let part = PARTS_OF_DAY
        .into_iter()
        .find_map(|(name, is_behind_noon)| Some((name, is_behind_noon, text.strip_prefix(name)?)));
    let clock = part.map_or(text, |(_, _, clock)| clock);
    let (hour, minute) = match clock.split_once('点') {
        None => clock_of(clock)?,
        Some((hour, minute)) => (number_chinese(hour)?, minute_chinese(minute)?),
    };
    let is_behind_noon = match part {
        Some(("中午", ..)) => hour < NOON_UNTIL,
        Some((_, is_behind_noon, _)) => is_behind_noon && hour < 12,
        None => false,
    };
    let hour = if is_behind_noon { hour + 12 } else { hour };
    (hour < 24 && minute < 60).then_some((hour, minute))
}

fn minute_chinese(text: &str) -> Option<u32> {
    match text {
        "" | "整" => Some(0),
        "半" => Some(30),
        "一刻" => Some(15),
        "三刻" => Some(45),
        minute => number_chinese(minute.strip_suffix('分').unwrap_or(minute)),
    }
}

fn number(text: &str) -> Option<u32> {
    let is_number =
        !text.is_empty() && text.len() <= 4 && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

/// Reads a number below a hundred, in digits or in characters.
fn number_chinese(text: &str) -> Option<u32> {
    if let Some(number) = number(text) {
        return Some(number);
    }
    let digit = |text: &str| match text {
        "一" => Some(1),
        "二" | "两" => Some(2),
        "三" => Some(3),
        "四" => Some(4),
        "五" => Some(5),
        "六" => Some(6),
        "七" => Some(7),
        "八" => Some(8),
        "九" => Some(9),
        _ => None,
    };
    match text.split_once('十') {
        None => digit(text),
        Some((tens, ones)) => {
            let tens = if tens.is_empty() {
                Some(1)
            } else {
                digit(tens)
            };
            let ones = if ones.is_empty() {
                Some(0)
            } else {
                digit(ones)
            };
            Some(tens? * 10 + ones?)
        }
    }
}
