//! Recalled memories as the prompt shows them.

use chrono::DateTime;
use sayso_channel::Language;

use super::Recalled;
use super::summary::beginning;

/// The most of one memory, in characters.
const LINE_CHARS: usize = 400;
/// The most of all lines, in characters.
const SECTION_CHARS: usize = 2000;

/// Returns one line per memory with its date (UTC), best first, at most 2000 characters and a
/// note of how many were left out.
pub fn recall_section(recalled: &[Recalled], language: Language) -> String {
    let mut used = 0;
    let mut lines: Vec<_> = recalled
        .iter()
        .map(|memory| {
            format!(
                "- {}: {}",
                day(memory.at_ms),
                beginning(&memory.text, LINE_CHARS)
            )
        })
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

/// Returns the date of a time as `2026-11-21`.
pub(super) fn day(at_ms: i64) -> String {
    DateTime::from_timestamp_millis(at_ms)
        .unwrap_or(DateTime::UNIX_EPOCH)
        .date_naive()
        .to_string()
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::recall_section;
    use crate::memory::{MemoryKind, Recalled};
    use crate::transcript::{MemoryId, Taint};

    fn recalled(text: &str) -> Recalled {
        Recalled {
            id: MemoryId(1),
            kind: MemoryKind::Fact,
            text: text.to_owned(),
            at_ms: 1_795_300_000_000,
            by: None,
            taint: Taint::default(),
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
    fn what_does_not_fit_is_counted() {
        let many: Vec<_> = (0..9).map(|_| recalled(&"茶".repeat(500))).collect();
        let section = recall_section(&many, Language::Chinese);
        assert_eq!(section.lines().count(), 5);
        assert!(section.ends_with("\n[另有 5 条未显示]"), "{section}");
    }
}
