//! Buttons, menus and cards in a language that takes two fifths more room than English.

use sayso_channel::markdown::to_styled;
use sayso_channel::split::split_by_text;
use sayso_channel::{Language, TextUnit, text};
use sayso_core::texts::pseudo::spoken;
use sayso_policy::AutonomyLevel;

use super::*;
use crate::commands::layer::Layer;

/// The longest label of a button on Discord, in characters; Telegram cuts none so short.
const LABEL_CHARS: usize = 80;
/// The longest message of Discord, in characters, which is the shortest of all platforms.
const MESSAGE_CHARS: usize = 2_000;

/// What all the buttons with fixed labels say.
fn labels() -> Vec<String> {
    let language = Language::English;
    let [more, double, no] = crate::budget::messages::labels(language);
    let mut labels = vec![more, double, no];
    labels.extend([
        text!(language, "forget-all-of-them"),
        text!(language, "erasure-erase"),
        text!(language, "review-approve"),
        text!(language, "linking-confirm"),
        text!(language, "linking-unlink"),
        text!(language, "undo-leave-them"),
        text!(language, "sessions-interrupt-now"),
    ]);
    let levels = [
        AutonomyLevel::ReadOnly,
        AutonomyLevel::Supervised,
        AutonomyLevel::Full,
    ];
    labels.extend(levels.map(|level| level_button(level, language)));
    labels.extend([Layer::Brief, Layer::Details].map(|layer| layer_button(layer, language)));
    labels.extend([allow, chat_only, allow_fully, block].map(|label| label(language)));
    labels.into_iter().map(str::to_owned).collect()
}

#[test]
fn buttons_fit_in_a_language_that_takes_more_room() {
    let [english, pseudo] = [labels(), spoken(labels)];
    for (english, pseudo) in english.iter().zip(&pseudo) {
        let is_word = english.contains(|letter: char| letter.is_ascii_alphabetic());
        assert!(!is_word || pseudo != english, "`{english}` is in no file");
        assert!(pseudo.chars().count() <= LABEL_CHARS, "{pseudo}");
    }
}

#[test]
fn long_answers_are_split_within_the_limit_and_whole() {
    let long = || {
        let said = [help(Language::English), guest_help(Language::English)].join("\n\n");
        format!("{said}\n\n").repeat(8)
    };
    let answer = spoken(long);
    assert!(answer.chars().count() > long().chars().count() * 6 / 5);
    let styled = to_styled(&answer);
    let pieces = split_by_text(&styled, MESSAGE_CHARS, TextUnit::Scalar);
    assert!(pieces.len() > 2, "{}", pieces.len());
    let letters = |text: &str| -> String { text.split_whitespace().collect() };
    let joined: String = pieces.iter().map(|piece| letters(&piece.text)).collect();
    assert_eq!(joined, letters(&styled.text));
    for piece in &pieces {
        assert!(piece.text.chars().count() <= MESSAGE_CHARS);
    }
}
