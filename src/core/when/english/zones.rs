//! Zones in English: `New York time`, `3pm EST`, `Europe/Berlin`.

use chrono_tz::{TZ_VARIANTS, Tz};

use super::vocabulary::{CITIES, ZONES, look_up};
use super::{English, Read};
use crate::when::clock::zone_named;
use crate::when::expression::Component;
use crate::when::question::Why;

/// The most words of a city.
const CITY_WORDS: usize = 3;

impl English {
    pub(super) fn zone(&self, at: usize) -> Read<Vec<Component>> {
        let start = self.past(self.past(at, &["in", "("]), &["the"]);
        let (says, behind) = self
            .iana(start)
            .or_else(|| self.city(start))
            .or_else(|| self.abbreviation(start))?;
        let behind = self.past(behind, &["time", "timezone"]);
        Some((vec![says], self.past(behind, &[")"])))
    }

    /// Reads `Europe/Berlin` and `America/Argentina/Buenos_Aires`.
    fn iana(&self, at: usize) -> Read<Component> {
        let mut name = self.word(at).to_owned();
        let mut behind = at + 1;
        while self.touches(behind - 1) && self.is(behind, &["/", "_"]) && self.touches(behind) {
            name.push_str(self.word(behind));
            name.push_str(self.word(behind + 1));
            behind += 2;
        }
        let is_name = name.contains('/')
            && self.is_capital(at)
            && name.bytes().all(|it| !it.is_ascii_digit());
        if !is_name {
            return None;
        }
        Some(match zone_named(&name) {
            Ok(zone) => (Component::Zone(zone), behind),
            // `Mars/Olympus` looks like one; `Tea/Coffee` is left alone where it is no area.
            Err(unknown) if self.row(at.saturating_sub(1), &["in"]).is_some() => {
                (Component::Unclear(Why::UnknownZone(unknown.0)), behind)
            }
            Err(_) => return None,
        })
    }

    /// Reads `New York time`.
    fn city(&self, at: usize) -> Read<Component> {
        let words = (1..=CITY_WORDS).rev().find(|count| {
            let behind = at + count;
            self.is(behind, &["time", "timezone"])
        })?;
        let name: Vec<&str> = (at..at + words).map(|place| self.word(place)).collect();
        let name = name.join(" ");
        let named = look_up(&CITIES, &name).and_then(|zone| zone.parse().ok());
        let zone = named.or_else(|| of_city(&name))?;
        Some((Component::Zone(zone), at + words))
    }

    /// Reads `EST` behind a time of the clock.
    fn abbreviation(&self, at: usize) -> Read<Component> {
        let zone: Tz = look_up(&ZONES, self.word(at))?.parse().ok()?;
        let before = at.checked_sub(1)?;
        let is_behind_clock =
            self.digits(before).is_some() || self.is(before, &["am", "pm", "oclock", "noon"]);
        let is_named = is_behind_clock || self.is(at + 1, &["time", "timezone"]);
        is_named.then_some((Component::Zone(zone), at + 1))
    }
}

/// Returns the zone that has a city in its name.
fn of_city(name: &str) -> Option<Tz> {
    let found = TZ_VARIANTS.iter().find(|zone| {
        let city = zone.name().rsplit_once('/').map_or("", |(_, city)| city);
        city.len() == name.len() && city.replace('_', " ").eq_ignore_ascii_case(name)
    });
    found.copied()
}
