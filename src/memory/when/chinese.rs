//! How Chinese speaks of a time.

use chrono::{Datelike as _, NaiveDateTime, Weekday};

use super::Found;
use super::calendar::{self, Over, Part, Season, Span, Unit};

/// Years that a number before 年 may be.
const YEARS: std::ops::Range<u32> = 1900..2200;
/// What 最近 reaches back, in days.
const RECENTLY: u32 = 30;
/// How many 几 is.
const SEVERAL: u32 = 3;
/// Words for a day, and how many days ago it was.
const DAYS: [(&str, u64); 15] = [
    ("大前天", 3),
    ("前天", 2),
    ("前日", 2),
    ("前晚", 2),
    ("昨天", 1),
    ("昨日", 1),
    ("昨晚", 1),
    ("昨夜", 1),
    ("昨早", 1),
    ("今天", 0),
    ("今日", 0),
    ("今晚", 0),
    ("今早", 0),
    ("今晨", 0),
    ("刚才", 0),
];
/// Words for a year, and how many years ago it was.
const YEARS_AGO: [(&str, i32); 5] = [
    ("大前年", 3),
    ("前年", 2),
    ("去年", 1),
    ("今年", 0),
    ("本年", 0),
];
/// Words before a week or a month, and how many of them ago it was.
const BACK: [(&str, u32); 8] = [
    ("上上个", 2),
    ("上上", 2),
    ("上个", 1),
    ("上", 1),
    ("这个", 0),
    ("这", 0),
    ("本", 0),
    ("当", 0),
];
/// Words for a week.
const WEEK: [&str; 3] = ["星期", "礼拜", "周"];
/// Words for a part of a year or month.
const PARTS: [(&str, Part); 14] = [
    ("上半年", Part::FirstHalf),
    ("下半年", Part::SecondHalf),
    ("上旬", Part::Beginning),
    ("中旬", Part::Middle),
    ("下旬", Part::End),
    ("年初", Part::Beginning),
    ("年中", Part::Middle),
    ("年底", Part::End),
    ("年末", Part::End),
    ("初", Part::Beginning),
    ("中", Part::Middle),
    ("底", Part::End),
    ("末", Part::End),
    ("尾", Part::End),
];
/// Words for a season.
const SEASONS: [(&str, Season); 8] = [
    ("春天", Season::Spring),
    ("春季", Season::Spring),
    ("夏天", Season::Summer),
    ("夏季", Season::Summer),
    ("秋天", Season::Autumn),
    ("秋季", Season::Autumn),
    ("冬天", Season::Winter),
    ("冬季", Season::Winter),
];
/// Words for units, the longer ones first.
const UNITS: [(&str, Unit); 12] = [
    ("个小时", Unit::Hour),
    ("小时", Unit::Hour),
    ("个星期", Unit::Week),
    ("个礼拜", Unit::Week),
    ("星期", Unit::Week),
    ("礼拜", Unit::Week),
    ("个月", Unit::Month),
    ("天", Unit::Day),
    ("日", Unit::Day),
    ("周", Unit::Week),
    ("月", Unit::Month),
    ("年", Unit::Year),
];

/// What a text says from its first character on: a span, and of how many characters.
type Said = Option<(Span, usize)>;

/// Returns the first time that a folded text speaks of.
pub(super) fn find(text: &[char], now: NaiveDateTime) -> Option<Found> {
    (0..text.len()).find_map(|at| {
        let text = text.get(at..)?;
        let (span, length) = Reader { text, now }.phrase()?;
        Some(Found { at, length, span })
    })
}

/// Reads characters from the first on.
#[derive(Clone, Copy)]
struct Reader<'a> {
    text: &'a [char],
    now: NaiveDateTime,
}

impl Reader<'_> {
    fn phrase(self) -> Said {
        self.day()
            .or_else(|| self.year())
            .or_else(|| self.back())
            .or_else(|| self.counted())
            .or_else(|| self.month_of(None))
            .or_else(|| self.weekday_alone())
            .or_else(|| self.recent())
            .or_else(|| self.season_alone())
    }

    fn behind(self, count: usize) -> Self {
        Self {
            text: self.text.get(count..).unwrap_or_default(),
            now: self.now,
        }
    }

    /// Returns how long a word is, if the text begins with it.
    fn begins(self, word: &str) -> Option<usize> {
        let mut length = 0;
        for character in word.chars() {
            if self.text.get(length) != Some(&character) {
                return None;
            }
            length += 1;
        }
        Some(length)
    }

    /// Returns what the first word of a table that the text begins with stands for.
    fn one_of<T: Copy>(self, table: &[(&str, T)]) -> Option<(T, usize)> {
        table
            .iter()
            .find_map(|(word, meaning)| Some((*meaning, self.begins(word)?)))
    }

    /// Reads 前天.
    fn day(self) -> Said {
        let (back, length) = self.one_of(&DAYS)?;
        said(calendar::days_ago(self.now, back), length)
    }

    /// Reads 去年春天, 今年三月, 2025年3月5日, 去年底.
    fn year(self) -> Said {
        let (year, length) = self.year_number()?;
        let skipped = self.behind(length).begins("的").unwrap_or(0);
        let rest = self.behind(length + skipped);
        if let Some((span, more)) = rest.month_of(Some(year)) {
            return Some((span, length + skipped + more));
        }
        if let Some((season, more)) = rest.one_of(&SEASONS) {
            return said(season.of_year(year), length + skipped + more);
        }
        let whole = calendar::year(year)?;
        match self.behind(length).one_of(&PARTS) {
            Some((part, more)) => said(whole.part(part), length + more),
            None => Some((whole, length)),
        }
    }

    /// Reads 去年 and 2025年.
    fn year_number(self) -> Option<(i32, usize)> {
        if let Some((back, length)) = self.one_of(&YEARS_AGO) {
            return Some((self.now.year() - back, length));
        }
        let (year, length) = self.number()?;
        let unit = self.behind(length).begins("年")?;
        let year = YEARS.contains(&year).then_some(year)?;
        Some((i32::try_from(year).ok()?, length + unit))
    }

    /// Reads 三月, 5月初, 三月五号, of a year or of the last one in which it has begun.
    fn month_of(self, year: Option<i32>) -> Said {
        let (month, digits) = self.number()?;
        let length = digits + self.behind(digits).begins("月")?;
        let rest = self.behind(length);
        if let Some((day, more)) = rest.number() {
            let unit = rest.behind(more);
            let unit = unit.begins("号").or_else(|| unit.begins("日"));
            let date = match year {
                Some(year) => calendar::date(year, month, day),
                None => calendar::latest_date(self.now, month, day),
            };
            if let (Some(span), Some(unit)) = (date, unit) {
                return Some((span, length + more + unit));
            }
        }
        let span = match year {
            Some(year) => calendar::month(year, month),
            None => calendar::latest_month(self.now, month, Over::Begun),
        }?;
        match rest.one_of(&PARTS) {
            Some((part, more)) => said(span.part(part), length + more),
            None => Some((span, length)),
        }
    }

    /// Reads 上周三, 上个月, 这个月初, 上个冬天.
    fn back(self) -> Said {
        BACK.iter().find_map(|(word, back)| {
            let length = self.begins(word)?;
            let rest = self.behind(length);
            let (span, more) = rest
                .week(*back)
                .or_else(|| rest.month_back(*back))
                .or_else(|| rest.season_back(*back))?;
            Some((span, length + more))
        })
    }

    fn week(self, back: u32) -> Said {
        let length = WEEK.iter().find_map(|word| self.begins(word))?;
        let rest = self.behind(length);
        if let Some(more) = rest.begins("末") {
            let weekend = calendar::weekend_weeks_ago(self.now, back.into());
            return said(weekend, length + more);
        }
        match rest.weekday() {
            Some(day) => {
                let span = calendar::weekday_weeks_ago(self.now, day, back.into());
                said(span, length + 1)
            }
            None => said(calendar::weeks_ago(self.now, back.into()), length),
        }
    }

    fn month_back(self, back: u32) -> Said {
        let length = self.begins("月")?;
        let span = calendar::months_ago(self.now, back)?;
        let rest = self.behind(length);
        if let Some((day, more)) = rest.number() {
            let unit = rest.behind(more);
            let unit = unit.begins("号").or_else(|| unit.begins("日"));
            let first = span.from.date();
            let date = calendar::date(first.year(), first.month(), day);
            if let (Some(date), Some(unit)) = (date, unit) {
                return Some((date, length + more + unit));
            }
        }
        match rest.one_of(&PARTS) {
            Some((part, more)) => said(span.part(part), length + more),
            None => Some((span, length)),
        }
    }

    fn season_back(self, back: u32) -> Said {
        let (season, length) = self.one_of(&SEASONS)?;
        let over = if back > 0 { Over::Over } else { Over::Begun };
        said(season.latest(self.now, over), length)
    }

    /// Reads 三个月前, 两周以前, 半年前.
    fn counted(self) -> Said {
        let (count, unit, length) = self.count_of_units()?;
        let rest = self.behind(length);
        let ago = ["以前", "之前", "前"];
        let more = ago.iter().find_map(|word| rest.begins(word))?;
        // 前天 and 前年 are words of their own.
        let span = match (count, unit) {
            (0, Unit::Year) => calendar::ago(self.now, 6, Unit::Month),
            (0, _) => calendar::ago(self.now, 2, Unit::Week),
            (count, unit) => calendar::ago(self.now, count, unit),
        };
        said(span, length + more)
    }

    /// Reads 最近, 最近三天, 过去两周, 这几天.
    fn recent(self) -> Said {
        let words = ["过去", "最近", "近", "这"];
        words.iter().find_map(|word| {
            let length = self.begins(word)?;
            let rest = self.behind(length);
            let skipped = rest.begins("这").unwrap_or(0);
            if let Some((count, unit, more)) = rest.behind(skipped).count_of_units()
                && count > 0
            {
                let span = calendar::last(self.now, count, unit);
                return said(span, length + skipped + more);
            }
            if *word == "最近" {
                return said(calendar::last(self.now, RECENTLY, Unit::Day), length);
            }
            None
        })
    }

    /// Reads 三个月; half of a unit counts 0.
    fn count_of_units(self) -> Option<(u32, Unit, usize)> {
        let (count, length) = match (self.begins("半"), self.begins("几")) {
            (Some(length), _) => (0, length),
            (_, Some(length)) => (SEVERAL, length),
            _ => self.number()?,
        };
        let (unit, more) = self.behind(length).one_of(&UNITS)?;
        Some((count, unit, length + more))
    }

    /// Reads 周三 and 星期天, the last such day.
    fn weekday_alone(self) -> Said {
        let length = WEEK.iter().find_map(|word| self.begins(word))?;
        let rest = self.behind(length);
        if let Some(more) = rest.begins("末") {
            let this = calendar::weekend_weeks_ago(self.now, 0)?;
            let back = u64::from(this.from > self.now);
            return said(calendar::weekend_weeks_ago(self.now, back), length + more);
        }
        let span = calendar::latest_weekday(self.now, rest.weekday()?, Over::Begun);
        said(span, length + 1)
    }

    fn season_alone(self) -> Said {
        let (season, length) = self.one_of(&SEASONS)?;
        said(season.latest(self.now, Over::Begun), length)
    }

    fn weekday(self) -> Option<Weekday> {
        Some(match self.text.first()? {
            '一' | '1' => Weekday::Mon,
            '二' | '2' => Weekday::Tue,
            '三' | '3' => Weekday::Wed,
            '四' | '4' => Weekday::Thu,
            '五' | '5' => Weekday::Fri,
            '六' | '6' => Weekday::Sat,
            '日' | '天' | '7' => Weekday::Sun,
            _ => return None,
        })
    }

    /// Reads a number in digits or in characters (二〇二五, 十二, 三十), at most four of them.
    fn number(self) -> Option<(u32, usize)> {
        let mut length = 0;
        let (mut whole, mut last) = (0, None);
        while length < 4 {
            let Some(character) = self.text.get(length) else {
                break;
            };
            match (digit(*character), *character) {
                (Some(digit), _) => last = Some(last.unwrap_or(0) * 10 + digit),
                (None, '十') => {
                    whole += last.take().unwrap_or(1) * 10;
                }
                (None, '百') => whole += last.take()? * 100,
                _ => break,
            }
            length += 1;
        }
        (length > 0).then(|| (whole + last.unwrap_or(0), length))
    }
}

fn digit(character: char) -> Option<u32> {
    Some(match character {
        '〇' | '零' => 0,
        '一' => 1,
        '二' | '两' => 2,
        '三' => 3,
        '四' => 4,
        '五' => 5,
        '六' => 6,
        '七' => 7,
        '八' => 8,
        '九' => 9,
        _ => return character.to_digit(10),
    })
}

fn said(span: Option<Span>, characters: usize) -> Said {
    span.map(|span| (span, characters))
}
