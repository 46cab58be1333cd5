//! Entities: what they decode to is shown, and commands no screen, wherever in Markdown they stand.

use proptest::prelude::*;

use super::to_styled;
use crate::replace_control_chars;
use crate::styled::{Style, Styled};

/// Characters that command a screen: C0, DEL, C1, and what reverses the reading order.
fn command() -> impl Strategy<Value = char> {
    prop_oneof![
        prop::char::range('\u{0}', '\u{1f}'),
        prop::char::range('\u{7f}', '\u{9f}'),
        prop::char::range('\u{202a}', '\u{202e}'),
        prop::char::range('\u{2066}', '\u{2069}'),
    ]
}

/// A character as it may be written: itself, by its number in any form, or by its name.
fn written() -> impl Strategy<Value = String> {
    let forms = (command(), 0..6_usize, 0..4_usize).prop_map(|(letter, form, zeros)| {
        let (number, zeros) = (letter as u32, "0".repeat(zeros));
        match form {
            0 => letter.to_string(),
            1 => format!("&#{zeros}{number};"),
            2 => format!("&#x{zeros}{number:x};"),
            3 => format!("&#X{zeros}{number:X};"),
            4 => format!("&amp;#{number};"),
            _ => format!("&#{number}"),
        }
    });
    let named = prop::sample::select(vec!["&Tab;", "&NewLine;", "&rlm;", "&shy;", "&nbsp;"]);
    prop_oneof![5 => forms, 1 => named.prop_map(str::to_owned)]
}

/// Puts a text in one place of Markdown.
fn placed(text: &str, place: usize) -> String {
    match place {
        0 => format!("say {text} so"),
        1 => format!("# {text} head"),
        2 => format!("> quoted {text}\n> > inner {text}"),
        3 => format!("- item {text}\n  1. inner {text}"),
        4 => format!("[words](http://a.example/{text}x)"),
        5 => format!("[w{text}](<http://a.example/{text} x>)"),
        6 => format!("![image {text}](http://a.example/{text} \"title {text}\")"),
        7 => {
            format!("| head {text} | b |\n|--|--|\n| cell {text} | [l](http://e.example/{text}) |")
        }
        8 => format!("```lang{text} more\ncode {text}\n```"),
        9 => format!("`code {text}` **bold {text}** ~~gone {text}~~"),
        10 => format!("[see][1]\n\n[1]: http://a.example/{text} \"title {text}\""),
        11 => format!("<http://a.example/{text}> <b title=\"{text}\">x</b>"),
        12 => format!("<div>\n{text}\n</div>\n\n    indented {text}"),
        _ => format!("- [ ] task {text}\n\n{text}[x](mailto:{text}@a.example)"),
    }
}

fn commands(text: &str) -> Option<String> {
    let cleaned = replace_control_chars(text);
    (cleaned != text).then(|| format!("{text:?}"))
}

fn urls(styled: &Styled) -> impl Iterator<Item = &str> {
    styled.spans.iter().filter_map(|span| match &span.style {
        Style::Link { url } => Some(url.as_str()),
        Style::Pre { language } => language.as_deref(),
        Style::Bold | Style::Italic | Style::Strikethrough | Style::Code | Style::Quote => None,
    })
}

#[test]
fn r1_entities_of_control_characters_are_shown_and_not_obeyed() {
    let styled = to_styled("a&#27;]0;t&#7; &#x1b;[2J &#x9b;31m &#8;&#127; &#x202e;rtl &#x2066;x");
    assert_eq!(
        styled.text,
        "a\u{fffd}]0;t\u{fffd} \u{fffd}[2J \u{fffd}31m \u{fffd}\u{fffd} \u{fffd}rtl \u{fffd}x"
    );
    let styled = to_styled("[a](http://x.example/&#27;[5mX&NewLine;y)");
    assert_eq!(
        urls(&styled).collect::<Vec<_>>(),
        ["http://x.example/\u{fffd}[5mX y"]
    );
}

#[test]
fn r1_a_line_break_in_a_cell_makes_no_row() {
    let styled = to_styled("| a | b |\n|--|--|\n| one&#10;two&#13;three | x |");
    assert_eq!(styled.text.lines().count(), 3, "{}", styled.text);
}

proptest! {
    #[test]
    fn r1_no_entity_in_any_place_commands_a_screen(
        pieces in prop::collection::vec((prop::collection::vec(written(), 1..4), 0..14_usize), 1..5),
        between in "([a-z ]{0,6}|重点|\\*\\*|`|\\|){0,3}",
    ) {
        let blocks = pieces.iter().map(|(texts, place)| placed(&texts.join(&between), *place));
        let markdown = blocks.collect::<Vec<_>>().join("\n\n");
        let styled = to_styled(&markdown);
        prop_assert_eq!(styled.fault(), None, "{}", markdown);
        prop_assert_eq!(commands(&styled.text), None);
        for url in urls(&styled) {
            prop_assert_eq!(commands(url), None);
            prop_assert!(!url.contains(['\n', '\t']), "{:?}", url);
        }
    }
}
