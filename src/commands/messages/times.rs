//! What `/remind`, `/timezone` and `/quiet` say.

use chrono_tz::Tz;
use sayso_channel::{Language, text};
use sayso_core::when::UnknownZone;

use crate::routines::messages::{moment, moment_in_zone};
use crate::routines::{MovedRoutine, NoTime, PersonalZone, QuietHours, by_clock};

/// How many routines are listed that moved with the zone of their person.
const MOVED: usize = 10;

/// How `/remind` is written.
pub fn how_to_remind(language: Language) -> String {
    text!(language, "commands-remind-how").to_owned()
}

/// A reminder that was not understood.
pub fn cannot_remind(why: &NoTime, language: Language) -> String {
    let reason = match why {
        NoTime::TooOften(minutes) => text!(language, "commands-remind-too-often", minutes),
        NoTime::Over => text!(language, "commands-remind-over").to_owned(),
        NoTime::Missing => text!(language, "commands-remind-missing").to_owned(),
        NoTime::Unclear(why, readings) => {
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
    if here.is_known {
        return text!(language, "commands-timezone-known", name, now);
    }
    text!(language, "commands-timezone-taken", name, now)
}

/// The zone was set; with what is due at another moment now.
pub fn zone_set(zone: Tz, now_ms: i64, moved: &[MovedRoutine], language: Language) -> String {
    let (name, now) = (zone.name(), clock(zone, now_ms));
    let mut lines = vec![text!(language, "commands-timezone-set", name, now)];
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
    text!(language, "commands-timezone-is-set", name = zone.name())
}

/// There is no such zone.
pub fn no_such_zone(unknown: &UnknownZone, language: Language) -> String {
    let name = &unknown.0;
    text!(language, "commands-timezone-unknown", name)
}

/// `/quiet`: when unasked messages wait.
pub fn quiet_hours(hours: QuietHours, language: Language) -> String {
    match hours {
        QuietHours::Off => text!(language, "commands-quiet-off").to_owned(),
        QuietHours::Between(..) => {
            let hours = hours.to_string();
            text!(language, "commands-quiet-between", hours)
        }
    }
}

/// What was written are no quiet hours.
pub fn no_quiet_hours(language: Language) -> String {
    text!(language, "commands-quiet-unreadable").to_owned()
}

fn clock(zone: Tz, now_ms: i64) -> String {
    by_clock(now_ms, zone).map_or_else(String::new, |now| now.format("%H:%M").to_string())
}
