//! English expressions of time: what the words from one on say.

mod clocks;
mod days;
mod lengths;
mod lexer;
mod periods;
mod repeats;
mod vocabulary;
mod zones;

use self::lexer::Word;
use self::vocabulary::{HOLIDAYS, LUNAR_HOLIDAYS, NUMBERS, ORDINALS, UNKNOWN_HOLIDAYS, VAGUE};
use super::expression::{Component, Part, Piece};
use super::folded::Folded;
use super::question::Why;

/// What was read, and the place of the word behind it.
type Read<T> = Option<(T, usize)>;

/// The words of a text.
pub(super) struct English {
    words: Vec<Word>,
}

impl English {
    pub(super) fn new(folded: &Folded) -> Self {
        Self {
            words: lexer::words(folded),
        }
    }

    /// Returns what begins at a character, if a word does.
    pub(super) fn piece_at(&self, character: usize) -> Option<Piece> {
        let place = self
            .words
            .binary_search_by_key(&character, |word| word.at)
            .ok()?;
        let (says, behind) = self.longest(place)?;
        let end = self.words.get(behind.checked_sub(1)?)?.end;
        Some(Piece {
            at: character,
            end,
            says,
        })
    }

    /// Reads the longest expression at a word; of two as long, the first in this list.
    fn longest(&self, at: usize) -> Read<Vec<Component>> {
        let readings = [
            self.repeat(at),
            self.clock_range(at),
            self.written_moment(at),
            self.shift(at),
            self.day_piece(at),
            self.clock_piece(at),
            self.part_piece(at),
            self.period_piece(at),
            self.zone(at),
            self.unclear(at),
        ];
        readings.into_iter().flatten().reduce(
            |longest, other| {
                if other.1 > longest.1 { other } else { longest }
            },
        )
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |word| &word.text)
    }

    fn is(&self, at: usize, words: &[&str]) -> bool {
        words.contains(&self.word(at))
    }

    /// Returns the place behind a word, if it is one of these.
    fn past(&self, at: usize, words: &[&str]) -> usize {
        at + usize::from(self.is(at, words))
    }

    /// Returns the place behind a row of words, if they stand here.
    fn row(&self, at: usize, row: &[&str]) -> Option<usize> {
        let is_here = row
            .iter()
            .enumerate()
            .all(|(index, word)| self.word(at + index) == *word);
        is_here.then_some(at + row.len())
    }

    /// Returns the place behind the longest of some rows that stands here.
    fn one_row(&self, at: usize, rows: &[&[&str]]) -> Option<usize> {
        rows.iter().filter_map(|row| self.row(at, row)).max()
    }

    /// Whether two neighbours touch.
    fn touches(&self, at: usize) -> bool {
        match (self.words.get(at), self.words.get(at + 1)) {
            (Some(one), Some(other)) => one.end == other.at,
            _ => false,
        }
    }

    fn is_capital(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| word.is_capital)
    }

    /// Reads digits, at most six.
    fn digits(&self, at: usize) -> Option<u32> {
        let word = self.word(at);
        let is_number = (1..=6).contains(&word.len()) && word.bytes().all(|it| it.is_ascii_digit());
        is_number.then(|| word.parse().ok()).flatten()
    }

    /// Reads a number in digits or words: `45`, `forty-five`.
    fn number(&self, at: usize) -> Read<u32> {
        if let Some(number) = self.digits(at) {
            return Some((number, at + 1));
        }
        let tens = vocabulary::look_up(&NUMBERS, self.word(at))?;
        let behind = self.past(at + 1, &["-"]);
        let ones = vocabulary::look_up(&NUMBERS, self.word(behind)).filter(|ones| *ones < 10);
        match ones {
            Some(ones) if (20..100).contains(&tens) => Some((tens + ones, behind + 1)),
            _ => Some((tens, at + 1)),
        }
    }

    /// Reads `5th` and `first`.
    fn ordinal(&self, at: usize) -> Read<u32> {
        if let Some(number) = self.digits(at) {
            let is_ordinal = self.touches(at) && self.is(at + 1, &["st", "nd", "rd", "th"]);
            return is_ordinal.then_some((number, at + 2));
        }
        let tens = vocabulary::look_up(&[("twenty", 20), ("thirty", 30)], self.word(at));
        if let Some(tens) = tens {
            let behind = self.past(at + 1, &["-"]);
            let ones = vocabulary::look_up(&ORDINALS, self.word(behind))?;
            return (ones < 10).then_some((tens + ones, behind + 1));
        }
        Some((vocabulary::look_up(&ORDINALS, self.word(at))?, at + 1))
    }

    /// Reads a year of four digits.
    fn year(&self, at: usize) -> Option<i32> {
        let year = self.digits(at).filter(|_| self.word(at).len() == 4)?;
        i32::try_from(year).ok().filter(|year| *year >= 1_900)
    }

    /// Reads `in the morning`, `this evening`, `tonight`, `at noon`, `first thing`.
    fn part_piece(&self, at: usize) -> Read<Vec<Component>> {
        use super::expression::Day::Offset;
        if self.is(at, &["tonight", "tonite"]) {
            let says = vec![Component::Day(Offset(0)), Component::Part(Part::Night)];
            return Some((says, at + 1));
        }
        if let Some(behind) = self.row(at, &["last", "night"]) {
            let says = vec![Component::Day(Offset(-1)), Component::Part(Part::Night)];
            return Some((says, behind));
        }
        if let Some(behind) = self.row(at, &["first", "thing"]) {
            return Some((vec![Component::Part(Part::Morning)], behind));
        }
        let part = |at| vocabulary::look_up(&vocabulary::PARTS, self.word(at));
        if let (true, Some(part)) = (self.is(at, &["this"]), part(at + 1)) {
            let says = vec![Component::Day(Offset(0)), Component::Part(part)];
            return Some((says, at + 2));
        }
        let early = |at| self.past(at, &["early", "late"]);
        if self.is(at, &["in", "at", "by", "during", "around"]) {
            let the = self.past(at + 1, &["the"]);
            let at = early(the);
            let says = vec![Component::Part(part(at)?)];
            return Some((says, at + 1));
        }
        let at = early(at);
        let says = match part(at)? {
            part @ (Part::Noon | Part::Midnight) => Component::Part(part),
            part => Component::BarePart(part),
        };
        Some((vec![says], at + 1))
    }

    /// Reads words that are no time by themselves: `later`, `Easter`, `before the meeting`.
    fn unclear(&self, at: usize) -> Read<Vec<Component>> {
        let says = |why| vec![Component::Unclear(why)];
        if let Some(behind) = self.one_row(at, &VAGUE) {
            return Some((says(Why::Vague), behind));
        }
        let on = self.past(at, &["on", "at"]);
        if let Some(behind) = self.one_row(on, &UNKNOWN_HOLIDAYS) {
            return Some((says(Why::Holiday), behind));
        }
        if let Some((_, behind)) = self.length(at)
            && self.is(behind, &["before", "after", "until", "prior"])
        {
            return Some((says(Why::Event), behind + 1));
        }
        let is_event = match self.word(at) {
            "before" | "after" => self.is(
                at + 1,
                &[
                    "the",
                    "my",
                    "our",
                    "his",
                    "her",
                    "their",
                    "work",
                    "lunch",
                    "dinner",
                    "breakfast",
                    "school",
                    "class",
                    "i",
                    "we",
                ],
            ),
            "when" | "once" | "whenever" => self.is(
                at + 1,
                &["i", "we", "he", "she", "they", "you", "im", "the", "my"],
            ),
            "as" => self.row(at, &["as", "soon", "as"]).is_some(),
            _ => false,
        };
        is_event.then(|| (says(Why::Event), at + 1))
    }

    /// Reads a holiday whose date is known.
    fn holiday(&self, at: usize) -> Read<super::expression::Day> {
        use super::expression::{Day, Year};
        use super::lunar::LunarDay;
        if let Some(behind) = self.one_row(
            at,
            &[
                &["chinese", "new", "years", "eve"][..],
                &["lunar", "new", "years", "eve"][..],
            ],
        ) {
            return Some((Day::Lunar(LunarDay::Eve, Year::Nearest), behind));
        }
        for (row, month, day) in LUNAR_HOLIDAYS {
            if let Some(behind) = self.row(at, row) {
                let day = LunarDay::Of { month, day };
                return Some((Day::Lunar(day, Year::Nearest), behind));
            }
        }
        HOLIDAYS.into_iter().find_map(|(row, month, day)| {
            Some((vocabulary::yearly(month, day), self.row(at, row)?))
        })
    }
}

/// Returns a length in seconds that is written alone: `90m`, `2 hours`; days of 24 hours.
pub(super) fn length_of(text: &str) -> Option<i64> {
    let english = English::new(&Folded::new(text));
    let (length, behind) = english.length(0)?;
    let is_whole = behind == english.words.len() && length.months == 0;
    is_whole.then(|| length.days * 86_400 + length.seconds)
}
