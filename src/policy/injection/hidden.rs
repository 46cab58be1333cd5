//! What a page holds that people do not see: comments, elements that are not shown, descriptions.
//!
//! Hiding is no finding by itself, pages are full of it; it counts where something was found
//! inside.

use std::ops::Range;
use std::sync::LazyLock;

use regex::bytes::Regex;

use super::fold::Folded;
use super::{Finding, expression};

/// How many hidden places of one text are looked at.
const MAX_PLACES: usize = 1024;
/// How long a hidden place may be, in bytes of the folded text.
const MAX_LENGTH: usize = 4096;
/// What hiding adds to what is hidden.
const WEIGHT: f32 = 0.6;
/// From this sum of phrases on, hidden text can only be meant for a model.
const BLOCK: f32 = 1.0;

/// What opens a hidden place, and what closes it.
static PLACES: LazyLock<Vec<(Option<Regex>, &str)>> = LazyLock::new(|| {
    [
        ("<!--", "-->"),
        (concat!(
            r"<[a-z][a-z0-9]{0,15} [^>]*(?:display ?: ?none|visibility ?: ?hidden|font-size ?: ?0|opacity ?: ?0|",
            r#"color ?: ?(?:white|#fff(?:fff)?\b|transparent)|[ ]hidden\b|aria-hidden ?= ?"true")[^>]*>"#,
        ), "<"),
        (r#"\b(?:alt|title|aria-label|placeholder|content) ?= ?""#, "\""),
        (r"\b(?:alt|title|aria-label|placeholder|content) ?= ?'", "'"),
        (r"\[(?://|comment)\] ?: ?(?:#|<>) ?", "\n"),
    ]
    .into_iter()
    .map(|(opening, closing)| (expression(opening), closing))
    .collect()
});

/// Records findings in places that are not visible to people.
pub(crate) fn scan(folded: &Folded, findings: &mut Vec<Finding>) {
    if findings.is_empty() {
        return;
    }
    let mut hidden = Vec::new();
    for place in places(folded.text()) {
        let span = folded.origin(&place);
        let inside = findings
            .iter()
            .filter(|finding| finding.span.start >= span.start && finding.span.end <= span.end);
        let (mut all, mut phrases) = (0.0, 0.0);
        for finding in inside {
            all += finding.weight;
            phrases += if finding.rule == "request" {
                0.0
            } else {
                finding.weight
            };
        }
        if all >= WEIGHT {
            hidden.push(Finding {
                rule: "hidden-text",
                span,
                weight: WEIGHT,
                may_block: phrases >= BLOCK,
            });
        }
    }
    findings.append(&mut hidden);
}

fn places(text: &str) -> impl Iterator<Item = Range<usize>> {
    PLACES
        .iter()
        .filter_map(|(opening, closing)| Some((opening.as_ref()?, *closing)))
        .flat_map(move |(opening, closing)| {
            opening.find_iter(text.as_bytes()).map(move |found| {
                let end = text.floor_char_boundary(found.end() + MAX_LENGTH);
                let inside = text.get(found.end()..end).unwrap_or_default();
                let length = inside.find(closing).unwrap_or(inside.len());
                found.end()..found.end() + length
            })
        })
        .take(MAX_PLACES)
}
