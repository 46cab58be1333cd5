//! A summary as text for a model, within a budget: what decides comes first, and what has no room
//! is counted.

use std::fmt::Write as _;

use super::findings::{Diagnostic, Failure};
use super::view::Shown;
use super::{Severity, Summary};

/// What is left out first has the highest rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Counts, the first error, names of failing tests.
    Facts,
    /// One line for each failure's message and each further error.
    Messages,
    /// The rest of the messages, and source excerpts.
    Excerpts,
    /// Lines around keywords.
    Windows,
    /// The beginning, the end, and warnings.
    Text,
}

/// A line to be shown if there is room.
struct Item {
    rank: Rank,
    text: String,
}

/// The most errors that are listed beside the first.
const LISTED_ERRORS: usize = 20;

/// The most warnings that are listed.
const LISTED_WARNINGS: usize = 5;

/// The most lines of a failing test's message.
const MESSAGE_LINES: usize = 6;

/// How many lines of the beginning and end are shown beside findings, and how many without any.
struct Ends {
    head: usize,
    tail: usize,
}

const BESIDE_FINDINGS: Ends = Ends { head: 2, tail: 4 };
const ALONE: Ends = Ends { head: 10, tail: 30 };

/// Room that is kept for the notice of what is left out, in characters.
const NOTICE: usize = 40;

impl Summary {
    /// Writes the summary in at most `budget` characters.
    ///
    /// Names of failing tests and the place of the first error come before everything else; the
    /// messages, excerpts, windows around keywords, and the beginning and end follow in this order
    /// as far as there is room. An output that is shorter than its summary is shown whole.
    pub fn render(&self, budget: usize) -> String {
        let items = self.items();
        let structured = fitted(&items, budget);
        let Some(whole) = &self.view.whole else {
            return structured;
        };
        let mut text = self.header();
        for line in whole {
            text.push('\n');
            text.push_str(&shown(line));
        }
        let size = text.chars().count();
        let is_shorter = size <= structured.chars().count() || self.has_no_findings();
        // A place may be spelled in a way that a reader has to put together.
        let says_place = self
            .first_place()
            .is_none_or(|place| text.contains(&place.to_string()));
        if size <= budget && is_shorter && says_place {
            text
        } else {
            structured
        }
    }

    fn has_no_findings(&self) -> bool {
        self.failures.is_empty() && self.errors.is_empty()
    }

    fn items(&self) -> Vec<Item> {
        let mut items = vec![Item {
            rank: Rank::Facts,
            text: self.header(),
        }];
        self.first_error(&mut items);
        self.failing_tests(&mut items);
        self.further_errors(&mut items);
        self.warnings(&mut items);
        self.windows(&mut items);
        self.ends(&mut items);
        items
    }

    /// `cargo: exit 101; tests: 140 passed, 6 failed; 2 errors`
    fn header(&self) -> String {
        let mut text = self.tool.map_or("command", |tool| tool.name()).to_owned();
        // Writing to a string cannot fail.
        let _ = match self.exit {
            Some(code) => write!(text, ": exit {code}"),
            None => write!(text, ": no exit code"),
        };
        let counts = [
            (self.counts.passed, "passed"),
            (self.counts.failed, "failed"),
            (
                self.counts.skipped.filter(|skipped| *skipped > 0),
                "skipped",
            ),
        ];
        let tests: Vec<_> = counts
            .iter()
            .filter_map(|(count, word)| count.map(|count| format!("{count} {word}")))
            .collect();
        if !tests.is_empty() {
            let _ = write!(text, "; tests: {}", tests.join(", "));
        }
        for (count, word) in [
            (self.counts.errors, "error"),
            (self.counts.warnings, "warning"),
        ] {
            if count > 0 {
                let plural = if count == 1 { "" } else { "s" };
                let _ = write!(text, "; {count} {word}{plural}");
            }
        }
        let _ = write!(text, "; {} lines", self.view.total);
        if self.skipped > 0 {
            let _ = write!(text, "; {} bytes in the middle were not read", self.skipped);
        }
        text
    }

    fn first_error(&self, items: &mut Vec<Item>) {
        let Some(first) = self.errors.first() else {
            return;
        };
        push(
            items,
            Rank::Facts,
            &format!("first error: {}", one_line(first)),
        );
        for line in &first.excerpt {
            push(items, Rank::Excerpts, &format!("  {line}"));
        }
    }

    fn failing_tests(&self, items: &mut Vec<Item>) {
        if self.failures.is_empty() {
            return;
        }
        push(items, Rank::Facts, "failing tests:");
        for failure in &self.failures {
            push(items, Rank::Facts, &format!("- {}", named(failure)));
            for (at, line) in failure.message.iter().take(MESSAGE_LINES).enumerate() {
                let rank = if at == 0 {
                    Rank::Messages
                } else {
                    Rank::Excerpts
                };
                push(items, rank, &format!("    {line}"));
            }
        }
        if self.more_failures > 0 {
            push(
                items,
                Rank::Facts,
                &format!("- {} more", self.more_failures),
            );
        }
    }

    fn further_errors(&self, items: &mut Vec<Item>) {
        let further = self.errors.iter().skip(1).take(LISTED_ERRORS);
        let mut is_first = true;
        for error in further {
            if std::mem::take(&mut is_first) {
                push(items, Rank::Messages, "further errors:");
            }
            push(items, Rank::Messages, &format!("- {}", one_line(error)));
        }
        let more = self.counts.errors.saturating_sub(LISTED_ERRORS + 1);
        if more > 0 {
            push(items, Rank::Messages, &format!("- {more} more errors"));
        }
    }

    fn warnings(&self, items: &mut Vec<Item>) {
        // Beside errors, warnings are seldom what is worked on.
        let most = if self.has_no_findings() {
            LISTED_WARNINGS * 2
        } else {
            LISTED_WARNINGS - 2
        };
        let mut is_first = true;
        for warning in self.warnings.iter().take(most) {
            if std::mem::take(&mut is_first) {
                push(items, Rank::Text, "warnings:");
            }
            push(items, Rank::Text, &format!("- {}", one_line(warning)));
        }
    }

    fn windows(&self, items: &mut Vec<Item>) {
        let known: String = items.iter().map(|item| item.text.as_str()).collect();
        let is_new = |line: &Shown| !known.contains(line.text.trim());
        for window in &self.view.windows {
            if !window.lines.iter().any(is_new) {
                continue;
            }
            let first = window.lines.first().map_or(0, |line| line.number);
            push(
                items,
                Rank::Windows,
                &format!("lines from {first} (keywords):"),
            );
            for line in &window.lines {
                push(items, Rank::Windows, &format!("  {}", shown(line)));
            }
        }
    }

    fn ends(&self, items: &mut Vec<Item>) {
        let is_bad = self.exit != Some(0);
        let ends = if self.has_no_findings() {
            ALONE
        } else {
            BESIDE_FINDINGS
        };
        let tail_start = self.view.tail.len().saturating_sub(ends.tail);
        // A text that ends before the head is full has its end in the head.
        let wanted = if self.view.tail.is_empty() {
            let end = self
                .view
                .head
                .len()
                .saturating_sub(ends.tail)
                .max(ends.head.min(self.view.head.len()));
            self.view
                .head
                .get(end..)
                .unwrap_or_default()
                .iter()
                .collect::<Vec<_>>()
        } else {
            self.view.tail.iter().skip(tail_start).collect()
        };
        if self.has_no_findings() && is_bad {
            for line in self.view.alarming.iter().take(10) {
                push(
                    items,
                    Rank::Messages,
                    &format!("line {}: {}", line.number, shown(line)),
                );
            }
        }
        let head: Vec<_> = self.view.head.iter().take(ends.head).collect();
        push_part(items, "beginning:", &head);
        push_part(items, "end:", &wanted);
    }
}

fn push(items: &mut Vec<Item>, rank: Rank, text: &str) {
    items.push(Item {
        rank,
        text: text.to_owned(),
    });
}

fn push_part(items: &mut Vec<Item>, title: &str, lines: &[&Shown]) {
    if lines.is_empty() {
        return;
    }
    push(items, Rank::Text, title);
    for line in lines {
        push(items, Rank::Text, &format!("  {}", shown(line)));
    }
}

fn shown(line: &Shown) -> String {
    if line.times > 1 {
        format!("{} (×{})", line.text, line.times)
    } else {
        line.text.clone()
    }
}

/// `tests::name (package) at src/lib.rs:3:4 from src/main.rs:9`
fn named(failure: &Failure) -> String {
    let mut text = failure.name.clone();
    if let Some(group) = &failure.group {
        let _ = write!(text, " ({group})");
    }
    push_places(&mut text, &failure.places);
    text
}

/// `src/lib.rs:3:4: E0308: mismatched types`
fn one_line(diagnostic: &Diagnostic) -> String {
    let mut text = String::new();
    if let Some(place) = diagnostic.places.first() {
        let _ = write!(text, "{place}: ");
    }
    if diagnostic.severity == Severity::Error && diagnostic.places.is_empty() {
        text.push_str("error: ");
    }
    if let Some(code) = &diagnostic.code {
        let _ = write!(text, "{code}: ");
    }
    text.push_str(&diagnostic.message);
    for place in diagnostic.places.iter().skip(1) {
        let _ = write!(text, " from {place}");
    }
    text
}

fn push_places(text: &mut String, places: &[super::Place]) {
    for (place, word) in places.iter().zip(["at", "from", "from"]) {
        let _ = write!(text, " {word} {place}");
    }
}

/// Joins the items that fit, by rank and then by order.
fn fitted(items: &[Item], budget: usize) -> String {
    let sizes: Vec<_> = items
        .iter()
        .map(|item| item.text.chars().count() + 1)
        .collect();
    let total: usize = sizes.iter().sum();
    // The last line end is not written.
    let room = if total <= budget + 1 {
        budget + 1
    } else {
        budget.saturating_sub(NOTICE)
    };
    let mut order: Vec<_> = (0..items.len()).collect();
    order.sort_by_key(|at| items.get(*at).map(|item| item.rank));
    let mut is_kept = vec![false; items.len()];
    let mut used = 0;
    for at in order {
        let size = sizes.get(at).copied().unwrap_or(0);
        if used + size > room {
            // What follows in rank is less important than this, so a short one does not overtake it.
            break;
        }
        used += size;
        if let Some(kept) = is_kept.get_mut(at) {
            *kept = true;
        }
    }
    joined(items, &is_kept, budget)
}

fn joined(items: &[Item], is_kept: &[bool], budget: usize) -> String {
    let kept = items.iter().zip(is_kept).filter(|(_, kept)| **kept);
    let mut text = kept
        .map(|(item, _)| item.text.as_str())
        .collect::<Vec<_>>()
        .join("\n");
    let left_out = is_kept.iter().filter(|kept| !**kept).count();
    if left_out > 0 {
        let _ = write!(text, "\n({left_out} lines left out)");
    }
    // A budget too small for the first line cuts it.
    match text.char_indices().nth(budget) {
        Some((at, _)) => text.get(..at).unwrap_or_default().to_owned(),
        None => text,
    }
}
