//! The zones that people name: as IANA does, or by a city.

use chrono_tz::{TZ_VARIANTS, Tz};
use sayso_core::when::{UnknownZone, zone_named};

/// Zones that are offered to somebody whose zone is not known: one for each part of the world in which
/// many people live.
const OFFERED: [&str; 6] = [
    "Asia/Shanghai",
    "Europe/Berlin",
    "Europe/London",
    "America/New_York",
    "America/Los_Angeles",
    "Asia/Kolkata",
];
/// How many are offered beside the one that is taken so far.
const OTHERS: usize = 5;

/// Returns the zones that are offered beside one.
pub(super) fn offered_beside(zone: &str) -> impl Iterator<Item = &'static str> {
    let others = OFFERED.into_iter().filter(move |other| *other != zone);
    others.take(OTHERS)
}

/// Cities by their Chinese names.
const CHINESE: [(&str, Tz); 18] = [
    ("北京", Tz::Asia__Shanghai),
    ("上海", Tz::Asia__Shanghai),
    ("广州", Tz::Asia__Shanghai),
    ("深圳", Tz::Asia__Shanghai),
    ("香港", Tz::Asia__Hong_Kong),
    ("台北", Tz::Asia__Taipei),
    ("新加坡", Tz::Asia__Singapore),
    ("东京", Tz::Asia__Tokyo),
    ("首尔", Tz::Asia__Seoul),
    ("悉尼", Tz::Australia__Sydney),
    ("伦敦", Tz::Europe__London),
    ("巴黎", Tz::Europe__Paris),
    ("柏林", Tz::Europe__Berlin),
    ("莫斯科", Tz::Europe__Moscow),
    ("迪拜", Tz::Asia__Dubai),
    ("纽约", Tz::America__New_York),
    ("洛杉矶", Tz::America__Los_Angeles),
    ("多伦多", Tz::America__Toronto),
];

/// Returns the zone that a person names.
///
/// # Errors
/// There is no such zone, and no zone is named after such a city.
pub fn named(text: &str) -> Result<Tz, UnknownZone> {
    let text = text.trim().trim_matches(['`', '"', '\'']).trim();
    let spelled = text.replace(' ', "_");
    let is_city = |zone: &&Tz| {
        let city = zone.name().rsplit_once('/');
        city.is_some_and(|(_, city)| city.eq_ignore_ascii_case(&spelled))
    };
    let chinese = CHINESE.iter().find(|(city, _)| text.contains(city));
    let city = || TZ_VARIANTS.iter().find(is_city).copied();
    match chinese {
        Some((_, zone)) => Ok(*zone),
        None => zone_named(&spelled)
            .or_else(|_unknown| city().ok_or_else(|| UnknownZone(text.to_owned()))),
    }
}

#[cfg(test)]
mod tests {
    use chrono_tz::Tz;

    use super::{OFFERED, named};

    #[test]
    fn zones_are_named_by_iana_and_by_cities() {
        for (text, zone) in [
            ("Europe/Berlin", Tz::Europe__Berlin),
            ("europe/berlin", Tz::Europe__Berlin),
            ("`Asia/Tokyo`", Tz::Asia__Tokyo),
            ("new york", Tz::America__New_York),
            ("Berlin", Tz::Europe__Berlin),
            ("我在东京", Tz::Asia__Tokyo),
            ("UTC", Tz::UTC),
        ] {
            assert_eq!(named(text), Ok(zone), "{text}");
        }
        for text in ["", "Mars/Olympus", "CST8", "Berlin Wall", "火星"] {
            assert!(named(text).is_err(), "{text}");
        }
        assert!(OFFERED.iter().all(|zone| zone.parse::<Tz>().is_ok()));
    }
}
