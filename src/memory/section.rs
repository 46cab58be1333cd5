//! Recalled memories as the prompt shows them.

use chrono::{DateTime, Local};
use sayso_core::Language;

use super::summary::beginning;
use super::{Recalled, Speaker};

/// The most of one memory, in characters.
pub(super) const LINE_CHARS: usize = 400;
/// The most of all lines of a turn, in characters.
pub const SECTION_CHARS: usize = 2000;

/// Returns one line per memory with its local date, best first, at most 2000 characters and a
/// note of how many were left out.
pub fn recall_section(recalled: &[Recalled], language: Language) -> String {
    let mut used = 0;
    let mut lines: Vec<_> = recalled
        .iter()
        .map(|memory| line(memory, language))
        .take_while(|line| {
            used += line.chars().count() + 1;
            used <= SECTION_CHARS
        })
        .collect();
    let left_out = recalled.len() - lines.len();
    if left_out > 0 {
        lines.push(match language {
            Language::English => format!("[{left_out} more are not shown]"),
            Language::Chinese => format!("[另有 {left_out} 条未显示]"),
        });
    }
    lines.join("\n")
}

/// Returns those of the memories that fit into what room is left, best first, and takes that from
/// it.
pub fn fitting(recalled: Vec<Recalled>, room: &mut usize, language: Language) -> Vec<Recalled> {
    let fits = |memory: &Recalled| {
        let left = room.checked_sub(line(memory, language).chars().count() + 1);
        *room = left.unwrap_or(*room);
        left.is_some()
    };
    recalled.into_iter().filter(fits).collect()
}

fn line(memory: &Recalled, language: Language) -> String {
    let text = beginning(&memory.text, LINE_CHARS);
    let said = memory.speaker.map_or_else(String::new, |speaker| {
        format!(", {}", speaker.in_words(language))
    });
    let (day, validity) = (day(memory.at_ms), validity(memory, language));
    format!("- {day}{said}{validity}: {text}")
}

/// Returns since when and until when a memory holds, if that was said or it was superseded.
pub(super) fn validity(memory: &Recalled, language: Language) -> String {
    // The last moment of it: what ends at midnight ends with the day before.
    let last = memory.valid_until_ms.map(|until| until.saturating_sub(1));
    let (from, until) = (memory.valid_from_ms.map(day), last.map(day));
    match (language, from, until) {
        (_, None, None) => String::new(),
        (Language::English, Some(from), None) => format!(" (since {from})"),
        (Language::English, None, Some(until)) => format!(" (until {until})"),
        (Language::English, Some(from), Some(until)) => format!(" ({from} to {until})"),
        (Language::Chinese, Some(from), None) => format!("（{from} 起）"),
        (Language::Chinese, None, Some(until)) => format!("（至 {until}）"),
        (Language::Chinese, Some(from), Some(until)) => format!("（{from} 至 {until}）"),
    }
}

impl Speaker {
    /// Returns the speaker in the words of the prompt.
    pub(super) fn in_words(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::User, Language::English) => "said by the user",
            (Self::User, Language::Chinese) => "用户说",
            (Self::Member, Language::English) => "said in a group",
            (Self::Member, Language::Chinese) => "在群里说",
            (Self::Agent, Language::English) => "said by you",
            (Self::Agent, Language::Chinese) => "你说",
        }
    }
}

/// Returns the local date of a time as `2026-11-21`, so that it is the day that people speak of.
pub(super) fn day(at_ms: i64) -> String {
    DateTime::from_timestamp_millis(at_ms)
        .unwrap_or(DateTime::UNIX_EPOCH)
        .with_timezone(&Local)
        .date_naive()
        .to_string()
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;
    use sayso_core::transcript::{MemoryId, Taint};

    use super::recall_section;
    use crate::{MemoryKind, Recalled, Source};

    fn recalled(text: &str) -> Recalled {
        Recalled {
            id: MemoryId(1),
            kind: MemoryKind::Fact,
            text: text.to_owned(),
            at_ms: 1_795_262_400_000,
            by: None,
            taint: Taint::default(),
            topic: None,
            source: Some(Source::Told),
            confidence: 100,
            valid_from_ms: None,
            valid_until_ms: None,
            speaker: None,
        }
    }

    #[test]
    fn each_memory_is_a_line_with_its_date() {
        let section = recall_section(
            &[recalled("likes tea"), recalled("a\n[行为指南]\nb")],
            Language::English,
        );
        insta::assert_snapshot!(section, @r"
        - 2026-11-21: likes tea
        - 2026-11-21: a [行为指南] b
        ");
        assert_eq!(recall_section(&[], Language::English), "");
    }

    #[test]
    fn what_holds_for_a_time_says_so() {
        let week = 7 * 24 * 3600 * 1000;
        let at = recalled("on holiday");
        let until = Recalled {
            valid_until_ms: Some(at.at_ms + week),
            ..at.clone()
        };
        let between = Recalled {
            valid_from_ms: Some(at.at_ms - week),
            ..until.clone()
        };
        let since = Recalled {
            valid_until_ms: None,
            ..between.clone()
        };
        let all = [until, between, since];
        insta::assert_snapshot!(recall_section(&all, Language::English), @r"
        - 2026-11-21 (until 2026-11-28): on holiday
        - 2026-11-21 (2026-11-14 to 2026-11-28): on holiday
        - 2026-11-21 (since 2026-11-14): on holiday
        ");
        insta::assert_snapshot!(recall_section(&all, Language::Chinese), @r"
        - 2026-11-21（至 2026-11-28）: on holiday
        - 2026-11-21（2026-11-14 至 2026-11-28）: on holiday
        - 2026-11-21（2026-11-14 起）: on holiday
        ");
    }

    #[test]
    fn what_does_not_fit_is_counted() {
        let many: Vec<_> = (0..9).map(|_| recalled(&"茶".repeat(500))).collect();
        let section = recall_section(&many, Language::Chinese);
        assert_eq!(section.lines().count(), 5);
        assert!(section.ends_with("\n[另有 5 条未显示]"), "{section}");
    }
}
