//! The expressions of time of a text: pieces that stand beside each other are one, and one of several
//! is chosen.

use chrono::{DateTime, NaiveDateTime, Utc};
use chrono_tz::Tz;

use super::chinese::Chinese;
use super::english::English;
use super::expression::{Clock, Component, Day, Length, Part, Period, Piece, Repeat, Unit, Week};
use super::folded::Folded;
use super::intent::{self, Intent};
use super::question::Why;

/// Words that join the pieces of one expression.
const GLUE: [&str; 19] = [
    "at", "on", "in", "the", "of", "by", "and", "for", "around", "please", "的", "在", "就", "于",
    "和", "及", "那天", "当天", "时",
];
/// Words before a time that belongs to what follows: `the 10 o'clock meeting`.
const OWNERS: [&str; 8] = ["the", "my", "our", "your", "his", "her", "their", "a"];

/// A time of the day: a part of it, a time of the clock, or both.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct TimeOfDay {
    pub(super) part: Option<Part>,
    pub(super) clock: Option<Clock>,
}

/// What an expression says, by kind.
#[derive(Debug, Clone, Default)]
pub(super) struct Expression {
    pub(super) days: Vec<Day>,
    pub(super) day_range: Option<[Day; 2]>,
    pub(super) periods: Vec<Period>,
    pub(super) times: Vec<TimeOfDay>,
    pub(super) clock_range: Option<[Clock; 2]>,
    pub(super) after: Option<Length>,
    pub(super) before: Option<(u32, Unit)>,
    pub(super) repeats: Vec<Repeat>,
    pub(super) until: Option<Day>,
    pub(super) since: Option<Period>,
    pub(super) zone: Option<Tz>,
    pub(super) instant: Option<DateTime<Utc>>,
    pub(super) moment: Option<NaiveDateTime>,
    pub(super) unclear: Option<Why>,
    has_bare_part: bool,
}

/// An expression, and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// The first character.
    pub(super) at: usize,
    /// The character behind the last.
    pub(super) end: usize,
    /// What it says.
    pub(super) says: Expression,
    /// Whether it belongs to the matter: `tomorrow's meeting`, 十点的会.
    pub(super) is_attribute: bool,
    /// Whether `and` joins it to the one before it: `Monday at 9 and Tuesday at 10`.
    is_another: bool,
}

/// Returns the expressions of a text, in order.
pub(super) fn find(folded: &Folded) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for piece in pieces(folded) {
        let between = groups
            .last()
            .map_or(&[][..], |last| folded.between(last.end, piece.at));
        let is_another = is_and(between);
        let joined = groups.last_mut().filter(|group| {
            is_glue(folded.between(group.end, piece.at)) && group.says.takes(&piece.says)
        });
        let group = if let Some(group) = joined {
            group
        } else {
            groups.push(Group {
                at: piece.at,
                end: piece.end,
                says: Expression::default(),
                is_attribute: false,
                is_another,
            });
            let Some(group) = groups.last_mut() else {
                continue;
            };
            group
        };
        group.end = piece.end;
        piece
            .says
            .into_iter()
            .for_each(|component| group.says.add(component));
    }
    groups.retain(|group| group.says.is_time());
    for group in &mut groups {
        group.is_attribute = is_attribute(folded, group.at, group.end);
    }
    groups
}

/// Chooses the expression that a text means, with others that complete it.
pub(super) fn chosen(folded: &Folded, intent: Intent) -> Vec<Group> {
    let mut groups = find(folded);
    for group in &mut groups {
        group.says.forget_loose(intent);
    }
    groups.retain(|group| group.says.is_time());
    let best = (0..groups.len()).max_by_key(|place| {
        let group = groups.get(*place);
        // The first of those that say as much.
        (
            group.map(|group| group.weight(folded)),
            std::cmp::Reverse(*place),
        )
    });
    let Some(best) = best else {
        return groups;
    };
    let has_another = groups
        .get(best + 1)
        .is_some_and(|next| next.is_another && next.says.has_date())
        || groups
            .get(best)
            .is_some_and(|group| group.is_another && best > 0);
    let mut chosen = groups.remove(best);
    // "Remind me after the meeting tomorrow".
    let has_event = intent == Intent::Reminder
        && groups
            .iter()
            .any(|group| group.says.unclear == Some(Why::Event));
    if has_event && chosen.says.has_day_alone() {
        chosen.says.unclear = Some(Why::Event);
    }
    if has_another {
        chosen.says.unclear = Some(Why::SeveralReadings);
    }
    let mut merged = chosen.says.clone();
    let mut all = vec![chosen];
    for group in groups {
        if !group.is_attribute && merged.completes(&group.says) {
            merged.merge(group.says.clone());
            all.push(group);
        }
    }
    if let Some(first) = all.first_mut() {
        first.says = merged;
    }
    all
}

fn pieces(folded: &Folded) -> Vec<Piece> {
    let english = English::new(folded);
    let chinese = Chinese::new(&folded.chars);
    let mut pieces = Vec::new();
    let mut at = 0;
    while at < folded.chars.len() {
        let in_english = english.piece_at(at);
        let in_chinese = chinese.piece_at(at);
        let longer = match (in_english, in_chinese) {
            (Some(one), Some(other)) if other.end > one.end => Some(other),
            (Some(one), _) => Some(one),
            (None, other) => other,
        };
        match longer {
            Some(piece) => {
                at = piece.end.max(at + 1);
                pieces.push(piece);
            }
            None => at += 1,
        }
    }
    pieces
}

fn is_and(between: &[char]) -> bool {
    let text: String = between.iter().collect();
    matches!(text.trim(), "and" | "&" | "和" | "及" | "与" | ",和")
}

fn is_glue(between: &[char]) -> bool {
    let text: String = between.iter().collect();
    let mut words = text
        .split([' ', ',', '(', ')', ';'])
        .filter(|word| !word.is_empty());
    words.all(|word| GLUE.contains(&word))
}

fn is_attribute(folded: &Folded, at: usize, end: usize) -> bool {
    if let Some(behind) = folded.begins(end, "的") {
        return folded
            .chars
            .get(end + behind)
            .is_some_and(|it| it.is_alphanumeric())
            && folded.begins(end, "的时候").is_none();
    }
    if folded.begins(end, "'s").is_some() {
        return true;
    }
    let before: String = folded.between(at.saturating_sub(8), at).iter().collect();
    let is_owned = before
        .strip_suffix(' ')
        .and_then(|before| before.rsplit(' ').next())
        .is_some_and(|word| OWNERS.contains(&word));
    let goes_on = matches!(folded.between(end, end + 2), [' ', next] if next.is_ascii_lowercase());
    is_owned && goes_on
}

impl Group {
    /// Whether its words stay with the matter: `tomorrow's meeting`, `before the meeting`.
    pub(super) fn is_matter(&self) -> bool {
        self.is_attribute || self.says.unclear == Some(Why::Event)
    }

    /// Returns how much it says.
    fn weight(&self, folded: &Folded) -> i32 {
        let Expression {
            days,
            periods,
            times,
            repeats,
            ..
        } = &self.says;
        let says = &self.says;
        let count = |is_there: bool, weight: i32| if is_there { weight } else { 0 };
        let near: String = folded.between(self.end, self.end + 8).iter().collect();
        let before: String = folded
            .between(self.at.saturating_sub(10), self.at)
            .iter()
            .collect();
        let is_near = near.trim_start().starts_with("remind")
            || near.starts_with("提醒")
            || before.trim_end().ends_with("remind me")
            || before.ends_with("提醒我");
        count(!repeats.is_empty(), 8)
            + count(says.instant.is_some() || says.moment.is_some(), 8)
            + count(says.after.is_some(), 6)
            + count(says.before.is_some() || says.since.is_some(), 4)
            + count(!days.is_empty() || says.day_range.is_some(), 4)
            + count(!periods.is_empty(), 4)
            + count(says.clock_range.is_some(), 4)
            + count(times.iter().any(|time| time.clock.is_some()), 3)
            + count(times.iter().any(|time| time.part.is_some()), 2)
            + count(says.unclear.is_some(), 1)
            + count(is_near, 1)
            - count(self.is_attribute, 5)
    }
}

impl Expression {
    fn add(&mut self, component: Component) {
        match component {
            Component::Day(day) => self.days.push(day),
            Component::Days(first, last) => self.day_range = Some([first, last]),
            Component::Period(period) => self.periods.push(period),
            Component::Part(part) => self.add_part(part),
            Component::BarePart(part) => {
                self.has_bare_part = true;
                self.add_part(part);
            }
            Component::Clock(clock) => self.add_clock(clock),
            Component::Clocks(from, until) => self.clock_range = Some([from, until]),
            Component::After(length) => self.after = Some(length),
            Component::Before(count, unit) => self.before = Some((count, unit)),
            Component::Repeat(repeat) => self.repeats.push(repeat),
            Component::Until(day) => self.until = Some(day),
            Component::Since(period) => self.since = Some(period),
            Component::Zone(zone) => self.zone = Some(zone),
            Component::Instant(instant) => self.instant = Some(instant),
            Component::Moment(moment) => self.moment = Some(moment),
            Component::Unclear(why) => self.unclear = Some(why),
        }
    }

    /// A part behind an open time of the clock says which half of the day it is in.
    fn add_part(&mut self, part: Part) {
        match self.times.last_mut() {
            // "Every night at midnight".
            Some(last) if last.clock.is_none() && matches!(part, Part::Noon | Part::Midnight) => {
                last.part = Some(part);
            }
            Some(last) if last.part.is_none() && last.clock.is_some_and(Clock::is_open) => {
                last.part = Some(part);
            }
            _ => self.times.push(TimeOfDay {
                part: Some(part),
                clock: None,
            }),
        }
    }

    fn add_clock(&mut self, clock: Clock) {
        match self.times.last_mut() {
            Some(last) if last.clock.is_none() => last.clock = Some(clock),
            _ => self.times.push(TimeOfDay {
                part: None,
                clock: Some(clock),
            }),
        }
    }

    /// Whether a further piece can belong to it, rather than to an expression of its own.
    fn takes(&self, says: &[Component]) -> bool {
        says.iter().all(|component| match component {
            // Days of one rule: every month on the 1st and 15th.
            Component::Day(Day::OfMonth(..) | Day::Weekday(..)) if !self.repeats.is_empty() => true,
            // Friday, 20 November.
            Component::Day(Day::Weekday(_, Week::Nearest)) if self.days.len() == 1 => {
                matches!(self.days.as_slice(), [Day::OfMonth(..)])
            }
            Component::Day(Day::OfMonth(..)) if self.days.len() == 1 => {
                matches!(self.days.as_slice(), [Day::Weekday(_, Week::Nearest)])
            }
            Component::Day(_) => {
                self.days.is_empty()
                    && self.day_range.is_none()
                    && self.after.is_none_or(Length::is_days)
            }
            Component::Instant(_) | Component::Moment(_) | Component::Days(..) => {
                self.days.is_empty()
            }
            Component::After(_) | Component::Before(..) => {
                self.times.is_empty() && self.days.is_empty()
            }
            Component::Clocks(..) => self.clock_range.is_none(),
            Component::Unclear(_) => self.unclear.is_none(),
            // "Fridays at 16:00 weekly review": one rule, and a word of the matter.
            Component::Repeat(_) => self.repeats.is_empty(),
            Component::Period(_)
            | Component::Part(_)
            | Component::BarePart(_)
            | Component::Clock(_)
            | Component::Until(_)
            | Component::Since(_)
            | Component::Zone(_) => true,
        })
    }

    /// Whether it says a time at all: a bare part of the day, a zone or an end alone is none.
    fn is_time(&self) -> bool {
        let is_bare = self.has_bare_part && self.times.iter().all(|time| time.clock.is_none());
        self.has_date()
            || self.clock_range.is_some()
            || self.unclear.is_some()
            || (!self.times.is_empty() && !is_bare)
    }

    /// Whether it says a day and no time of it.
    fn has_day_alone(&self) -> bool {
        !self.days.is_empty() && self.times.is_empty() && self.repeats.is_empty()
    }

    fn has_date(&self) -> bool {
        let Self {
            days,
            periods,
            repeats,
            ..
        } = self;
        !(days.is_empty() && periods.is_empty() && repeats.is_empty())
            || self.day_range.is_some()
            || self.after.is_some()
            || self.before.is_some()
            || self.since.is_some()
            || self.instant.is_some()
            || self.moment.is_some()
    }

    /// Drops words that are a time only to a reminder: `later`, 有空.
    fn forget_loose(&mut self, intent: Intent) {
        let is_loose = matches!(self.unclear, Some(Why::Vague | Why::Event));
        if is_loose && intent != Intent::Reminder {
            self.unclear = None;
        }
    }

    /// Whether another expression says just what this one leaves open: a day or a time of day.
    fn completes(&self, other: &Self) -> bool {
        let has_times = |it: &Self| !it.times.is_empty() || it.clock_range.is_some();
        let is_whole = self.instant.is_some()
            || self.moment.is_some()
            || self.after.is_some_and(|length| !length.is_days())
            || self.unclear.is_some()
            || other.unclear.is_some();
        let gives_time = has_times(other) && !other.has_date() && !has_times(self);
        let gives_date = other.has_date() && !has_times(other) && !self.has_date();
        !is_whole && (gives_time || gives_date)
    }

    fn merge(&mut self, other: Self) {
        self.days.extend(other.days);
        self.periods.extend(other.periods);
        self.times.extend(other.times);
        self.repeats.extend(other.repeats);
        self.day_range = self.day_range.take().or(other.day_range);
        self.clock_range = self.clock_range.take().or(other.clock_range);
        self.after = self.after.or(other.after);
        self.before = self.before.or(other.before);
        self.until = self.until.take().or(other.until);
        self.since = self.since.take().or(other.since);
        self.zone = self.zone.or(other.zone);
    }
}

/// Returns what a text wants, and the expression that it means.
pub(super) fn of(folded: &Folded) -> (Intent, Vec<Group>) {
    let intent = intent::of(folded);
    (intent, chosen(folded, intent))
}
