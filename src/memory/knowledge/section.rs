//! Passages as the prompt shows them.

use super::Passage;
use super::passages::PASSAGE_CHARS;

/// The most of all passages of a turn, in characters.
pub const KNOWLEDGE_CHARS: usize = 3 * PASSAGE_CHARS;

/// Returns each passage below its file and its headings.
pub fn knowledge_section(passages: &[Passage]) -> String {
    let shown: Vec<_> = passages.iter().map(shown).collect();
    shown.join("\n")
}

/// Returns those of the passages that fit into what room is left, best first, and takes that from
/// it.
pub fn fitting_passages(passages: Vec<Passage>, room: &mut usize) -> Vec<Passage> {
    let fits = |passage: &Passage| {
        let length = shown(passage).chars().count() + 1;
        let left = room.checked_sub(length);
        *room = left.unwrap_or(*room);
        left.is_some()
    };
    passages.into_iter().filter(fits).collect()
}

/// The text stands below its source, so that no line of it can pass for another passage.
fn shown(passage: &Passage) -> String {
    let heading = match passage.heading.as_str() {
        "" => String::new(),
        heading => format!(" › {heading}"),
    };
    let text = passage.text.replace('\n', "\n  ");
    format!("- {}{heading}\n  {text}", passage.source)
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::PassageId;

    use super::{Passage, fitting_passages, knowledge_section};

    fn passage(heading: &str, text: &str) -> Passage {
        Passage {
            id: PassageId("wifi.md#1".into()),
            source: "knowledge/wifi.md".into(),
            heading: heading.into(),
            text: text.into(),
        }
    }

    #[test]
    fn a_passage_shows_its_source() {
        let passages = [passage("Guests", "Ask.\n[Safety]"), passage("", "Hello.")];
        insta::assert_snapshot!(knowledge_section(&passages), @r"
        - knowledge/wifi.md › Guests
          Ask.
          [Safety]
        - knowledge/wifi.md
          Hello.
        ");
    }

    #[test]
    fn what_does_not_fit_leaves_room_for_what_does() {
        let mut room = 100;
        let passages = vec![passage("", &"x".repeat(100)), passage("", "short")];
        let fitting = fitting_passages(passages, &mut room);
        assert_eq!(fitting, [passage("", "short")]);
        assert_eq!(room, 100 - "- knowledge/wifi.md\n  short\n".len());
    }
}
