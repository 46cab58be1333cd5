//! Where texts are cut, and what every cut keeps.

use proptest::prelude::*;

use super::{split, split_by_text};
use crate::markdown::to_styled;
use crate::styled::{Style, Styled};
use crate::{TextUnit, styled::Span};

#[track_caller]
fn check(text: &str, limit: usize, expected: &[&str]) {
    let pieces = split_by_text(&Styled::plain(text), limit, TextUnit::Utf16);
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn a_short_text_is_one_piece() {
    check("hello", 5, &["hello"]);
    check("", 5, &[]);
    check(" \n ", 5, &[]);
}

#[test]
fn a_cut_is_made_where_a_reader_would_make_it() {
    check("one two\n\nthree four", 16, &["one two", "three four"]);
    check("one two\nthree four", 16, &["one two", "three four"]);
    check("Yes. One two three", 8, &["Yes.", "One two", "three"]);
    check("one two three", 9, &["one two", "three"]);
    check("你好。再见，朋友们", 8, &["你好。再见，", "朋友们"]);
    check("abcdefghij", 4, &["abcd", "efgh", "ij"]);
    check("a\n\n  b\n  c", 7, &["a", "  b\n  c"]);
}

#[test]
fn a_character_is_never_torn_apart() {
    check("😀😀😀", 3, &["😀", "😀", "😀"]);
    check("ab👨‍👩‍👧cd", 9, &["ab", "👨‍👩‍👧c", "d"]);
    check("🇩🇪🇫🇷", 6, &["🇩🇪", "🇫🇷"]);
    check("👍🏽👍🏽", 6, &["👍🏽", "👍🏽"]);
    check("😀", 1, &["😀"]);
}

#[test]
fn a_code_block_goes_on_as_a_code_block_in_its_language() {
    let styled = to_styled("```rust\nlet a = 1;\n\n    let b = 2;\n```\nend");
    let pieces = split_by_text(&styled, 16, TextUnit::Utf16);
    let texts: Vec<&str> = pieces.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(texts, ["let a = 1;\n\n", "    let b = 2;", "end"]);
    let rust = |end| {
        vec![Span {
            start: 0,
            end,
            style: Style::Pre {
                language: Some("rust".to_owned()),
            },
        }]
    };
    assert_eq!(pieces[0].spans, rust(10));
    assert_eq!(pieces[1].spans, rust(14));
    assert_eq!(pieces[2].spans, []);
}

#[test]
fn a_dump_of_five_megabytes_is_cut_in_linear_time() {
    let measured = std::cell::Cell::new(0_usize);
    let text = "**词** word `code` 😀 ".repeat(5_000_000 / 27);
    let styled = to_styled(&text);
    let pieces = split(&styled, 4096, &|piece| {
        measured.set(measured.get() + piece.text.len());
        piece.measure(TextUnit::Utf16)
    });
    assert!(pieces.len() > 500, "{}", pieces.len());
    let per_byte = measured.get() / styled.text.len();
    assert!(per_byte < 20, "each byte was measured {per_byte} times");
}

/// Text as people and models write it, and some unusual text.
fn markdown() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z ]{1,12}",
        "[你好世界，。 ]{1,8}",
        Just("👨‍👩‍👧🇩🇪".to_owned()),
        Just("**bold *both* ~~gone~~**".to_owned()),
        Just("`code` [link](https://example.com)".to_owned()),
        Just("\n```rust\nfn a() {\n\n    b()\n}\n```\n".to_owned()),
        Just("\n\n> quoted\n> more\n\n".to_owned()),
        Just("\n- one\n  - two\n".to_owned()),
        Just("\n| a | b |\n|---|--:|\n| 中 | 2 |\n".to_owned()),
        Just("\n\n".to_owned()),
        "\\PC{0,6}",
    ];
    proptest::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn without_whitespace<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts
        .flat_map(str::chars)
        .filter(|letter| !letter.is_whitespace())
        .collect()
}

proptest! {
    #[test]
    fn pieces_keep_the_text_the_limit_and_valid_spans(text in markdown(), limit in 4_usize..80) {
        for unit in [TextUnit::Utf16, TextUnit::Scalar] {
            let styled = to_styled(&text);
            let pieces = split_by_text(&styled, limit, unit);
            for piece in &pieces {
                prop_assert!(piece.measure(unit) <= limit);
                prop_assert!(!piece.is_blank());
                prop_assert_eq!(piece.fault(), None);
            }
            let kept = without_whitespace(pieces.iter().map(|piece| piece.text.as_str()));
            prop_assert_eq!(kept, without_whitespace([styled.text.as_str()].into_iter()));
        }
    }

    #[test]
    fn every_character_keeps_its_styles(text in markdown(), limit in 4_usize..80) {
        let styled = to_styled(&text);
        let pieces = split_by_text(&styled, limit, TextUnit::Scalar);
        let kept: Vec<_> = pieces.iter().flat_map(looks).collect();
        prop_assert_eq!(kept, looks(&styled));
    }

    #[test]
    fn a_cost_beyond_the_text_is_respected(text in markdown(), limit in 40_usize..90) {
        let cost = |piece: &Styled| piece.text.chars().count() + 8 * piece.spans.len();
        for piece in split(&to_styled(&text), limit, &cost) {
            prop_assert!(cost(&piece) <= limit || piece.text.chars().count() == 1);
        }
    }
}

/// Each visible character with its styles.
fn looks(styled: &Styled) -> Vec<(char, Vec<Style>)> {
    let letters = styled.text.char_indices();
    letters
        .filter(|(_, letter)| !letter.is_whitespace())
        .map(|(index, letter)| {
            let spans = styled.spans.iter();
            let on = spans.filter(|span| span.start <= index && index < span.end);
            (letter, on.map(|span| span.style.clone()).collect())
        })
        .collect()
}
