//! A text cut into passages: at its headings, and where what stands below one is long.

use std::collections::HashSet;

use sayso_core::transcript::{PassageId, first_chars};
use sha2::{Digest as _, Sha256};

use super::Passage;

/// The most of a passage, in characters.
pub(super) const PASSAGE_CHARS: usize = 1000;
/// The most of the headings above one, in characters.
const HEADING_CHARS: usize = 120;
/// How many digits of its digest name a passage in its file.
const DIGEST_DIGITS: usize = 10;

/// Returns the passages of a file, in its order; what stands there twice counts once.
pub(crate) fn passages(name: &str, text: &str) -> Vec<Passage> {
    let mut seen = HashSet::new();
    sections(text)
        .iter()
        .flat_map(|section| {
            let heading = section.heading();
            let pieces = pieces(&section.body);
            pieces.map(move |text| passage(name, &heading, text))
        })
        .filter(|passage| seen.insert(passage.id.clone()))
        .collect()
}

fn passage(name: &str, heading: &str, text: String) -> Passage {
    let mut hasher = Sha256::new();
    hasher.update(heading);
    hasher.update([0]);
    hasher.update(&text);
    let digest = format!("{:x}", hasher.finalize());
    let digest = first_chars(&digest, DIGEST_DIGITS).unwrap_or(&digest);
    Passage {
        id: PassageId(format!("{name}#{digest}")),
        source: format!("knowledge/{name}"),
        heading: heading.to_owned(),
        text,
    }
}

/// What stands below one heading, up to the next.
struct Section {
    headings: Vec<String>,
    body: String,
}

impl Section {
    fn heading(&self) -> String {
        let path = self.headings.join(" › ");
        match first_chars(&path, HEADING_CHARS) {
            Some(kept) => format!("{kept}…"),
            None => path,
        }
    }
}

fn sections(text: &str) -> Vec<Section> {
    let mut above: Vec<(usize, String)> = Vec::new();
    let mut sections = vec![Section {
        headings: vec![],
        body: String::new(),
    }];
    let mut in_code = false;
    for line in text.lines() {
        let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
        in_code ^= is_fence;
        match heading(line).filter(|_| !in_code && !is_fence) {
            Some((level, title)) => {
                above.retain(|(higher, _)| *higher < level);
                above.push((level, title.to_owned()));
                sections.push(Section {
                    headings: above.iter().map(|(_, title)| title.clone()).collect(),
                    body: String::new(),
                });
            }
            None => {
                if let Some(section) = sections.last_mut() {
                    section.body.push_str(line);
                    section.body.push('\n');
                }
            }
        }
    }
    sections
}

/// Returns the level and the words of a heading.
fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.chars().take_while(|letter| *letter == '#').count();
    let title = line.get(level..)?;
    let is_heading = (1..=6).contains(&level) && title.starts_with([' ', '\t']);
    is_heading.then(|| (level, title.trim().trim_end_matches('#').trim_end()))
}

/// Returns a text in pieces of at most [`PASSAGE_CHARS`]: whole paragraphs where they fit, else
/// whole lines, else what fits.
fn pieces(body: &str) -> impl Iterator<Item = String> + use<> {
    let mut pieces = vec![String::new()];
    for paragraph in paragraphs(body) {
        let parts = if length(&paragraph) <= PASSAGE_CHARS {
            vec![paragraph]
        } else {
            paragraph.lines().flat_map(slices).collect()
        };
        for part in parts {
            add(&mut pieces, &part);
        }
    }
    pieces.into_iter().filter(|piece| !piece.is_empty())
}

fn paragraphs(body: &str) -> Vec<String> {
    let mut paragraphs = vec![String::new()];
    for line in body.lines() {
        match paragraphs.last_mut() {
            Some(last) if !line.trim().is_empty() => {
                if !last.is_empty() {
                    last.push('\n');
                }
                last.push_str(line.trim_end());
            }
            _ => paragraphs.push(String::new()),
        }
    }
    paragraphs.retain(|paragraph| !paragraph.is_empty());
    paragraphs
}

fn slices(line: &str) -> Vec<String> {
    let characters: Vec<char> = line.chars().collect();
    let slices = characters.chunks(PASSAGE_CHARS);
    slices.map(|slice| slice.iter().collect()).collect()
}

fn add(pieces: &mut Vec<String>, part: &str) {
    match pieces.last_mut() {
        Some(last) if last.is_empty() => last.push_str(part),
        Some(last) if length(last) + 1 + length(part) <= PASSAGE_CHARS => {
            last.push('\n');
            last.push_str(part);
        }
        _ => pieces.push(part.to_owned()),
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::{PASSAGE_CHARS, passages};

    /// Returns each passage as `heading: text`.
    fn cut(text: &str) -> Vec<String> {
        let shown = passages("house.md", text).into_iter();
        shown
            .map(|passage| format!("{}: {}", passage.heading, passage.text))
            .collect()
    }

    #[test]
    fn a_text_is_cut_at_its_headings() {
        let text = "Before.\n\n# House\n\n## Wi-Fi ##\nThe name\nis Aurora.\n\n### Guests\nAsk.\n## Bins\nTuesday.\n";
        assert_eq!(
            cut(text),
            [
                ": Before.",
                "House › Wi-Fi: The name\nis Aurora.",
                "House › Wi-Fi › Guests: Ask.",
                "House › Bins: Tuesday.",
            ]
        );
        assert!(cut("# Only\n## Headings\n").is_empty());
    }

    #[test]
    fn what_stands_in_code_is_no_heading() {
        let text = "# Setup\n```sh\n# a comment\nls\n```\n#tag is none either\n";
        assert_eq!(
            cut(text),
            ["Setup: ```sh\n# a comment\nls\n```\n#tag is none either"]
        );
    }

    #[test]
    fn no_passage_is_too_long_and_none_is_lost() {
        let paragraph = "字".repeat(400);
        let long_line = format!("{}{}", "长".repeat(1000), "短".repeat(1500));
        let text = format!("# A\n{paragraph}\n\n{paragraph}\n\n{paragraph}\n\n{long_line}\n");
        let cut = passages("house.md", &text);
        let lengths: Vec<_> = cut.iter().map(|it| it.text.chars().count()).collect();
        assert_eq!(lengths, [801, 400, 1000, 1000, 500]);
        assert!(lengths.iter().all(|length| *length <= PASSAGE_CHARS));
    }

    #[test]
    fn a_passage_is_named_by_what_it_says() {
        let [one, other] = &passages("a.md", "# A\nx\n# B\nx\n# A\nx\n")[..] else {
            panic!("what stands there twice counts once")
        };
        assert_ne!(one.id, other.id);
        assert!(one.id.0.starts_with("a.md#"), "{}", one.id);
        assert_eq!(passages("a.md", "intro\n# A\nx\n")[1].id, one.id);
    }
}
