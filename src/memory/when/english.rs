//! How English speaks of a time.

use chrono::{Datelike as _, NaiveDateTime, Weekday};

use super::Found;
use super::calendar::{self, Over, Part, Season, Span, Unit};

/// Years that four digits may be.
const YEARS: std::ops::Range<i32> = 1900..2200;
/// What "recently" reaches back, in days.
const RECENTLY: u32 = 30;

/// A word or number, and where it stands.
struct Word {
    text: String,
    at: usize,
    end: usize,
}

/// What the words from one on say: a span, and of how many words.
type Said = Option<(Span, usize)>;

/// Returns the first time that a folded text speaks of.
pub(super) fn find(text: &[char], now: NaiveDateTime) -> Option<Found> {
    let words = words(text);
    (0..words.len()).find_map(|first| {
        let rest = words.get(first..)?;
        let (span, count) = Reader { words: rest, now }.phrase()?;
        let (start, end) = (rest.first()?.at, rest.get(count.checked_sub(1)?)?.end);
        Some(Found {
            at: start,
            length: end - start,
            span,
        })
    })
}

fn words(text: &[char]) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    for (at, character) in text.iter().enumerate() {
        if !character.is_ascii_alphanumeric() {
            continue;
        }
        match words.last_mut() {
            Some(word) if word.end == at => {
                word.text.push(*character);
                word.end += 1;
            }
            _ => words.push(Word {
                text: character.to_string(),
                at,
                end: at + 1,
            }),
        }
    }
    words
}

/// Reads words from the first on.
struct Reader<'a> {
    words: &'a [Word],
    now: NaiveDateTime,
}

impl Reader<'_> {
    fn word(&self, place: usize) -> &str {
        self.words.get(place).map_or("", |word| &word.text)
    }

    fn number(&self, place: usize) -> Option<u32> {
        let word = self.word(place);
        let digits = ["st", "nd", "rd", "th"]
            .iter()
            .find_map(|ending| word.strip_suffix(ending))
            .unwrap_or(word);
        let is_short = digits.len() <= 4 && digits.bytes().all(|byte| byte.is_ascii_digit());
        digits.parse().ok().filter(|_| is_short)
    }

    fn year(&self, place: usize) -> Option<i32> {
        let word = self.word(place);
        let year = word.parse().ok().filter(|_| word.len() == 4)?;
        YEARS.contains(&year).then_some(year)
    }

    /// Reads a time at the first word.
    fn phrase(&self) -> Said {
        let now = self.now;
        match (self.word(0), self.word(1), self.word(2), self.word(3)) {
            ("the", "day", "before", "yesterday") => said(calendar::days_ago(now, 2), 4),
            ("day", "before", "yesterday", _) => said(calendar::days_ago(now, 2), 3),
            ("today" | "tonight", ..) => said(calendar::days_ago(now, 0), 1),
            ("this", "morning" | "afternoon" | "evening", ..) => {
                said(calendar::days_ago(now, 0), 2)
            }
            ("yesterday", "morning" | "afternoon" | "evening", ..) => {
                said(calendar::days_ago(now, 1), 2)
            }
            ("yesterday", ..) => said(calendar::days_ago(now, 1), 1),
            ("last", "night", ..) => said(calendar::days_ago(now, 1), 2),
            ("recently" | "lately", ..) => said(calendar::last(now, RECENTLY, Unit::Day), 1),
            ("since", ..) => {
                let (span, count) = self.behind(1).phrase().or_else(|| self.behind(1).bare())?;
                said(span.up_to(now), count + 1)
            }
            ("in" | "during" | "within" | "over", "the", "last" | "past", _) => self
                .behind(2)
                .counted_last()
                .map(|(span, count)| (span, count + 2)),
            ("last" | "past" | "previous" | "this", ..) => {
                self.counted_last().or_else(|| self.relative())
            }
            ("on" | "in" | "during" | "from" | "at" | "around" | "of", ..) => {
                let (span, count) = self.behind(1).bare()?;
                Some((span, count + 1))
            }
            _ => self.ago().or_else(|| self.dated()),
        }
    }

    fn behind(&self, count: usize) -> Self {
        Self {
            words: self.words.get(count..).unwrap_or_default(),
            now: self.now,
        }
    }

    /// Reads what is a time only behind a word like `in`.
    fn bare(&self) -> Said {
        let skipped = usize::from(self.word(0) == "the");
        let here = self.behind(skipped);
        let dated = here.dated();
        let found = dated.or_else(|| {
            let named = here
                .month_name(0)
                .map(|month| calendar::latest_month(self.now, month, Over::Begun));
            let year = || here.year(0).map(calendar::year);
            let weekday = || {
                weekday(here.word(0))
                    .map(|day| calendar::latest_weekday(self.now, day, Over::Begun))
            };
            let season = || season(here.word(0)).map(|season| season.latest(self.now, Over::Begun));
            named
                .or_else(year)
                .or_else(weekday)
                .or_else(season)
                .flatten()
                .map(|span| (span, 1))
                .or_else(|| here.part())
        })?;
        Some((found.0, found.1 + skipped))
    }

    /// Reads `beginning of March`, `early March`.
    fn part(&self) -> Said {
        let part = match self.word(0) {
            "early" | "beginning" | "start" => Part::Beginning,
            "mid" | "middle" => Part::Middle,
            "late" | "end" => Part::End,
            _ => return None,
        };
        let skipped = 1 + usize::from(self.word(1) == "of");
        let rest = self.behind(skipped);
        let (span, count) = rest.bare().or_else(|| rest.relative())?;
        said(span.part(part), count + skipped)
    }

    /// Reads `last 3 weeks`, `past few days`.
    fn counted_last(&self) -> Said {
        if !matches!(self.word(0), "last" | "past") {
            return None;
        }
        let (count, words) = self.behind(1).count()?;
        let unit = unit(self.word(1 + words))?;
        said(calendar::last(self.now, count, unit), 2 + words)
    }

    /// Reads `last week`, `this month`, `last Wednesday`, `last spring`.
    fn relative(&self) -> Said {
        let is_last = match self.word(0) {
            "last" | "past" | "previous" => true,
            "this" => false,
            _ => return None,
        };
        let now = self.now;
        let back = u32::from(is_last);
        let over = if is_last { Over::Over } else { Over::Begun };
        let name = self.word(1);
        let span = match name {
            "week" => calendar::weeks_ago(now, back.into()),
            "weekend" => {
                let this = calendar::weekend_weeks_ago(now, 0)?;
                if is_last && this.until > now {
                    calendar::weekend_weeks_ago(now, 1)
                } else {
                    Some(this)
                }
            }
            "month" => calendar::months_ago(now, back),
            "year" => calendar::year(now.year() - i32::from(is_last)),
            // "This may be" is no month.
            "may" if !is_last => None,
            _ => match (weekday(name), self.month_name(1), season(name)) {
                (Some(day), ..) => calendar::latest_weekday(now, day, over),
                (_, Some(month), _) => calendar::latest_month(now, month, over),
                (.., Some(season)) => season.latest(now, over),
                _ => None,
            },
        };
        said(span, 2)
    }

    /// Reads `two weeks ago`, `a couple of days ago`.
    fn ago(&self) -> Said {
        let (count, words) = self.count()?;
        let unit = unit(self.word(words))?;
        if !matches!(self.word(words + 1), "ago" | "back" | "earlier") {
            return None;
        }
        said(calendar::ago(self.now, count, unit), words + 2)
    }

    /// Reads a count, and says of how many words it is.
    fn count(&self) -> Option<(u32, usize)> {
        let of = usize::from(self.word(1) == "of");
        let behind_a = usize::from(self.word(2) == "of");
        Some(match (self.word(0), self.word(1)) {
            ("a", "couple") => (2, 2 + behind_a),
            ("a", "few") => (3, 2),
            ("a" | "an" | "one", _) => (1, 1),
            ("couple", _) => (2, 1 + of),
            ("two", _) => (2, 1),
            ("few" | "three" | "several", _) => (3, 1),
            ("four", _) => (4, 1),
            ("five", _) => (5, 1),
            ("six", _) => (6, 1),
            ("seven", _) => (7, 1),
            ("eight", _) => (8, 1),
            ("nine", _) => (9, 1),
            ("ten", _) => (10, 1),
            ("eleven", _) => (11, 1),
            ("twelve", _) => (12, 1),
            _ => (self.number(0)?, 1),
        })
    }

    /// Reads a date that needs no word before it: `March 5`, `5 March 2025`, `2025-03-05`, `March
    /// 2025`.
    fn dated(&self) -> Said {
        self.written()
            .or_else(|| self.day_and_month())
            .or_else(|| self.of_month())
    }

    /// Reads `2025-03-05` and `2025/3`.
    fn written(&self) -> Said {
        let year = self.year(0)?;
        let joined = |place: usize| {
            let (one, other) = (self.words.get(place)?, self.words.get(place + 1)?);
            (other.at == one.end + 1).then_some(())
        };
        joined(0)?;
        let month = self.number(1)?;
        match joined(1).and_then(|()| self.number(2)) {
            Some(day) => said(calendar::date(year, month, day), 3),
            None => said(calendar::month(year, month), 2),
        }
    }

    /// Reads `5 March 2025` and `5th of March`.
    fn day_and_month(&self) -> Said {
        let day = self.number(0)?;
        let of = usize::from(self.word(1) == "of");
        let month = self.month_name(1 + of)?;
        match self.year(2 + of) {
            Some(year) => said(calendar::date(year, month, day), 3 + of),
            None => said(calendar::latest_date(self.now, month, day), 2 + of),
        }
    }

    /// Reads `March 5th, 2025`, `March 5`, `March 2025` and `spring of 2025`.
    fn of_month(&self) -> Said {
        let of = usize::from(self.word(1) == "of");
        if let (Some(season), Some(year)) = (season(self.word(0)), self.year(1 + of)) {
            return said(season.of_year(year), 2 + of);
        }
        let month = self.month_name(0)?;
        if let Some(year) = self.year(1 + of) {
            return said(calendar::month(year, month), 2 + of);
        }
        let day = self.number(1)?;
        match self.year(2) {
            Some(year) => said(calendar::date(year, month, day), 3),
            None => said(calendar::latest_date(self.now, month, day), 2),
        }
    }

    fn month_name(&self, place: usize) -> Option<u32> {
        Some(match self.word(place) {
            "january" | "jan" => 1,
            "february" | "feb" => 2,
            "march" => 3,
            "april" | "apr" => 4,
            "may" => 5,
            "june" => 6,
            "july" => 7,
            "august" | "aug" => 8,
            "september" | "sept" | "sep" => 9,
            "october" | "oct" => 10,
            "november" | "nov" => 11,
            "december" | "dec" => 12,
            _ => return None,
        })
    }
}

fn said(span: Option<Span>, words: usize) -> Said {
    span.map(|span| (span, words))
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "hour" | "hours" => Unit::Hour,
        "day" | "days" => Unit::Day,
        "week" | "weeks" => Unit::Week,
        "month" | "months" => Unit::Month,
        "year" | "years" => Unit::Year,
        _ => return None,
    })
}

fn weekday(word: &str) -> Option<Weekday> {
    Some(match word {
        "monday" | "mondays" => Weekday::Mon,
        "tuesday" | "tuesdays" => Weekday::Tue,
        "wednesday" | "wednesdays" => Weekday::Wed,
        "thursday" | "thursdays" => Weekday::Thu,
        "friday" | "fridays" => Weekday::Fri,
        "saturday" | "saturdays" => Weekday::Sat,
        "sunday" | "sundays" => Weekday::Sun,
        _ => return None,
    })
}

fn season(word: &str) -> Option<Season> {
    Some(match word {
        "spring" => Season::Spring,
        "summer" => Season::Summer,
        "autumn" | "fall" => Season::Autumn,
        "winter" => Season::Winter,
        _ => return None,
    })
}
