//! What `/remind`, `/timezone` and `/quiet` say.

use chrono_tz::Tz;
use sayso_channel::Language::{self, Chinese, English};
use sayso_core::when::UnknownZone;

use crate::routines::messages::{moment, moment_in_zone};
use crate::routines::{MovedRoutine, NoTime, PersonalZone, QuietHours, by_clock};

/// How many routines are listed that moved with the zone of their person.
const MOVED: usize = 10;

/// How `/remind` is written.
pub fn how_to_remind(language: Language) -> String {
    match language {
        English => {
            "Write when and what: `/remind tomorrow at 9 call mum`, `/remind every Monday at 8 water \
             the plants`"
        }
        Chinese => "写上时间和事情：`/remind 明天早上9点 给妈妈打电话`、`/remind 每周一早上8点 浇花`",
    }
    .to_owned()
}

/// A reminder that was not understood.
pub fn cannot_remind(why: &NoTime, language: Language) -> String {
    let reason = match (why, language) {
        (NoTime::TooOften(minutes), English) => {
            format!("A reminder comes at most every {minutes} minute(s).")
        }
        (NoTime::TooOften(minutes), Chinese) => format!("提醒最多每{minutes}分钟一次。"),
        (NoTime::Over, English) => "That time is over.".to_owned(),
        (NoTime::Over, Chinese) => "这个时间已经过了。".to_owned(),
        (NoTime::Missing, English) => "I do not understand when.".to_owned(),
        (NoTime::Missing, Chinese) => "我没看懂时间。".to_owned(),
        (NoTime::Unclear(why, readings), _) => {
            let readings = readings
                .iter()
                .map(|at| format!("\n• {}", moment(*at, language)));
            format!("{}{}", why.in_words(language), readings.collect::<String>())
        }
    };
    format!("{reason}\n{}", how_to_remind(language))
}

/// `/timezone`: by whose clock the person lives.
pub fn zone(here: PersonalZone, now_ms: i64, language: Language) -> String {
    let name = here.zone.name();
    let now = clock(here.zone, now_ms);
    match (here.is_known, language) {
        (true, English) => format!("Your time zone is `{name}`; it is {now} there."),
        (true, Chinese) => format!("你的时区是 `{name}`，现在那里是{now}。"),
        (false, English) => format!(
            "You have not told me your time zone, so I take `{name}`, where it is {now}. Any other: \
             `/timezone Tokyo`"
        ),
        (false, Chinese) => format!(
            "你还没告诉我时区，我先用 `{name}`，现在那里是{now}。其他时区：`/timezone 东京`"
        ),
    }
}

/// The zone was set; with what is due at another moment now.
pub fn zone_set(zone: Tz, now_ms: i64, moved: &[MovedRoutine], language: Language) -> String {
    let (name, now) = (zone.name(), clock(zone, now_ms));
    let mut lines = vec![match language {
        English => format!("Your time zone is `{name}` now; it is {now} there."),
        Chinese => format!("你的时区现在是 `{name}`，那里是{now}。"),
    }];
    lines.extend(moved.iter().take(MOVED).map(|moved| {
        let at = |at_ms: i64, zone: Tz| {
            by_clock(at_ms, zone).map_or_else(String::new, |at| moment_in_zone(at, language))
        };
        format!(
            "• {}: {} → {}",
            moved.words,
            at(moved.before_ms, moved.before_zone),
            at(moved.after_ms, zone)
        )
    }));
    lines.join("\n")
}

/// The notice for who set it.
pub fn zone_is_set(zone: Tz, language: Language) -> String {
    match language {
        English => format!("Your time zone: {}", zone.name()),
        Chinese => format!("你的时区：{}", zone.name()),
    }
}

/// There is no such zone.
pub fn no_such_zone(unknown: &UnknownZone, language: Language) -> String {
    let name = &unknown.0;
    match language {
        English => {
            format!("I know no time zone `{name}`. Write it like `Europe/Berlin`, or a city.")
        }
        Chinese => format!("我不认识时区 `{name}`。请写成 `Europe/Berlin` 这样，或写城市名。"),
    }
}

/// `/quiet`: when unasked messages wait.
pub fn quiet_hours(hours: QuietHours, language: Language) -> String {
    match (hours, language) {
        (QuietHours::Off, English) => {
            "I send you messages of my own at any hour. Quiet hours: `/quiet 22:30-07:30`"
                .to_owned()
        }
        (QuietHours::Off, Chinese) => {
            "我会随时主动发消息给你。设置免打扰：`/quiet 22:30-07:30`".to_owned()
        }
        (hours @ QuietHours::Between(..), English) => format!(
            "From {hours} I send nothing that you did not ask for; reminders come at their time. \
             Change: `/quiet 23:00-08:00`, `/quiet off`"
        ),
        (hours @ QuietHours::Between(..), Chinese) => format!(
            "{hours} 期间我不会主动发消息，提醒仍准时送达。更改：`/quiet 23:00-08:00`、`/quiet off`"
        ),
    }
}

/// What was written are no quiet hours.
pub fn no_quiet_hours(language: Language) -> String {
    match language {
        English => "Write from when to when: `/quiet 22:30-07:30`, or `/quiet off`.",
        Chinese => "请写明起止时间：`/quiet 22:30-07:30`，或 `/quiet off`。",
    }
    .to_owned()
}

fn clock(zone: Tz, now_ms: i64) -> String {
    by_clock(now_ms, zone).map_or_else(String::new, |now| now.format("%H:%M").to_string())
}
