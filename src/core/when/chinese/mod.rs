//! Chinese expressions of time: what the characters from one on say.

mod clocks;
mod days;
mod lengths;
mod numbers;
mod periods;
mod repeats;
mod vocabulary;

use self::vocabulary::{CITIES, EVENTS, PARTS, UNKNOWN_HOLIDAYS, VAGUE};
use super::expression::{Component, Part, Piece};
use super::folded::begins;
use super::question::Why;

/// What was read, and the place of the character behind it.
type Read<T> = Option<(T, usize)>;

/// The characters of a text.
pub(super) struct Chinese<'a> {
    chars: &'a [char],
}

impl<'a> Chinese<'a> {
    pub(super) fn new(chars: &'a [char]) -> Self {
        Self { chars }
    }

    /// Returns what begins at a character.
    pub(super) fn piece_at(&self, at: usize) -> Option<Piece> {
        if self.at(at).is_some_and(|it| it.is_ascii_digit()) && self.continues_number(at) {
            return None;
        }
        let (says, end) = self.longest(at)?;
        Some(Piece { at, end, says })
    }

    /// Reads the longest expression at a character; of two as long, the first in this list.
    fn longest(&self, at: usize) -> Read<Vec<Component>> {
        let readings = [
            self.repeat(at),
            self.clock_range(at),
            self.shift(at),
            self.day_piece(at),
            self.clock_piece(at),
            self.parts(at),
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

    fn at(&self, at: usize) -> Option<char> {
        self.chars.get(at).copied()
    }

    fn before(&self, at: usize) -> Option<char> {
        self.at(at.checked_sub(1)?)
    }

    /// Whether a figure here is in the middle of a number or a word.
    fn continues_number(&self, at: usize) -> bool {
        self.before(at)
            .is_some_and(|it| it.is_ascii_alphanumeric() || matches!(it, ':' | '.' | '/'))
    }

    /// Returns the place behind a word, if it stands here.
    fn word(&self, at: usize, word: &str) -> Option<usize> {
        Some(at + begins(self.chars.get(at..)?, word)?)
    }

    /// Returns the place behind the first of some words that stands here.
    fn one_of(&self, at: usize, words: &[&str]) -> Option<usize> {
        words.iter().find_map(|word| self.word(at, word))
    }

    /// Returns the place behind one of some words, or this place.
    fn past(&self, at: usize, words: &[&str]) -> usize {
        self.one_of(at, words).unwrap_or(at)
    }

    /// Returns what the first word of a table that stands here means.
    fn look_up<T: Copy>(&self, at: usize, table: &[(&str, T)]) -> Read<T> {
        table
            .iter()
            .find_map(|(word, meaning)| Some((*meaning, self.word(at, word)?)))
    }

    /// Reads 早上; 早 and 晚 alone are parts before a time of the clock.
    fn part(&self, at: usize) -> Read<Part> {
        let short = || {
            let (part, behind) = self.look_up(at, &[("早", Part::Morning), ("晚", Part::Night)])?;
            self.clock(behind).map(|_| (part, behind))
        };
        self.look_up(at, &PARTS).or_else(short)
    }

    /// Reads 早上, 早晚.
    fn parts(&self, at: usize) -> Read<Vec<Component>> {
        if let Some(behind) = self.one_of(at, &["早晚", "早中晚"]) {
            let noon = (behind - at == 3).then_some(Component::BarePart(Part::Noon));
            let says = [Component::BarePart(Part::Morning)].into_iter().chain(noon);
            let says = says.chain([Component::BarePart(Part::Night)]).collect();
            return Some((says, behind));
        }
        let start = self.past(at, &["在"]);
        let (part, behind) = self.part(start)?;
        // 早上好 and 晚上好 are greetings.
        let is_greeting = self.at(behind) == Some('好');
        (!is_greeting).then(|| (vec![Component::Part(part)], behind))
    }

    /// Reads 纽约时间.
    fn zone(&self, at: usize) -> Read<Vec<Component>> {
        let (name, behind) = self.look_up(at, &CITIES)?;
        let behind = self.word(behind, "时间")?;
        Some((vec![Component::Zone(name.parse().ok()?)], behind))
    }

    /// Reads words that are no time by themselves: 晚点, 下班后, 开会前十分钟.
    fn unclear(&self, at: usize) -> Read<Vec<Component>> {
        let says = |why| vec![Component::Unclear(why)];
        if let Some(behind) = self.one_of(at, &VAGUE) {
            return Some((says(Why::Vague), self.past(behind, &["儿"])));
        }
        if let Some(behind) = self.one_of(at, &UNKNOWN_HOLIDAYS) {
            return Some((says(Why::Holiday), self.past(behind, &["节"])));
        }
        if let Some(behind) = self.one_of(at, &["前", "后"])
            && let Some((_, end)) = self.length(behind)
        {
            return Some((says(Why::Event), end));
        }
        let behind = self.one_of(at, &EVENTS)?;
        Some((
            says(Why::Event),
            self.past(behind, &["以后", "之后", "之前", "后", "前"]),
        ))
    }
}
