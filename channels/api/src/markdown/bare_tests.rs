//! Bare addresses: whatever stands in them is shown as it was written, and what stands around them
//! is Markdown still.

use proptest::prelude::*;

use super::to_styled;
use crate::styled::{Style, Styled};

#[track_caller]
fn check(markdown: &str, text: &str, looks: &[&str]) {
    let styled = to_styled(markdown);
    assert_eq!(styled.fault(), None, "{markdown}");
    assert_eq!(styled.text, text, "{markdown}");
    let spans = styled.spans.iter();
    let found: Vec<&str> = spans
        .map(|span| &styled.text[span.start..span.end])
        .collect();
    assert_eq!(found, looks, "{markdown}");
}

#[test]
fn chat_f1_marks_in_bare_addresses_are_text() {
    let documentation = "See https://a.example/datamodel.html#object.__init__ and https://a.example/_next_/x.js or https://a.example/*a*/b.";
    check(documentation, documentation, &[]);
    check(
        "http://nas:5000/~~a~~/[b] x",
        "http://nas:5000/~~a~~/[b] x",
        &[],
    );
    check(
        "请看https://a.example/__a__。**重点**",
        "请看https://a.example/__a__。重点",
        &["重点"],
    );
    check(
        "www.a.example/_b_ and WWW.a.example/*c*d",
        "www.a.example/_b_ and WWW.a.example/*c*d",
        &[],
    );
    check(
        "write to __me__@a.example or a_b_@c.example",
        "write to __me__@a.example or a_b_@c.example",
        &[],
    );
    check(
        "https://a.example/?a=1&lt=2&#35;x&copy;",
        "https://a.example/?a=1&lt=2&#35;x&copy;",
        &[],
    );
    check(
        "https://a.example/a\\_b\\",
        "https://a.example/a\\_b\\",
        &[],
    );
}

#[test]
fn chat_f1_looks_around_a_bare_address_stay() {
    check(
        "**https://a.example/__a__**",
        "https://a.example/__a__",
        &["https://a.example/__a__"],
    );
    check(
        "_see https://a.example/b_c_ *d*",
        "see https://a.example/b_c d",
        &["see https://a.example/b_c", "d"],
    );
    check(
        "_me@a.example_ and **b@c.example**",
        "me@a.example and b@c.example",
        &["me@a.example", "b@c.example"],
    );
    check(
        "**https://a.example**是 **b**",
        "https://a.example是 b",
        &["https://a.example", "b"],
    );
    check(
        "(https://a.example/x_(y)_), `https://b.example` *c*",
        "(https://a.example/x_(y)_), https://b.example c",
        &["https://b.example", "c"],
    );
    check(
        "`a` https://a.example/__b__ `c`",
        "a https://a.example/__b__ c",
        &["a", "c"],
    );
    check("a\\_b@c.example \\*x", "a_b@c.example *x", &[]);
}

#[test]
fn chat_f1_addresses_of_links_and_in_code_are_read_as_ever() {
    let styled = to_styled(
        "[__a__](https://a.example/b_c&amp;d) [https://b.example/_x_](https://b.example/_x_) <https://c.example/_y_>",
    );
    assert_eq!(styled.text, "a https://b.example/_x_ https://c.example/_y_");
    let urls: Vec<&str> = styled
        .spans
        .iter()
        .filter_map(|span| match &span.style {
            Style::Link { url } => Some(url.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        urls,
        [
            "https://a.example/b_c&d",
            "https://b.example/_x_",
            "https://c.example/_y_"
        ]
    );
    let code =
        "- a\n\n      https://a.example/_x_\n\n```\nhttps://b.example/_y_ \\ www.c.example\n```";
    assert!(
        !to_styled(code).text.replace("\\ www", "").contains('\\'),
        "{}",
        to_styled(code).text
    );
    let table =
        to_styled("| a | b |\n|---|---|\n|https://a.example/_x_|https://b.example/_y_ **c**|");
    assert!(
        table.text.contains("https://a.example/_x_")
            && table.text.contains("https://b.example/_y_ c"),
        "{}",
        table.text
    );
    let image = to_styled("[![a_b_](https://a.example/_i_)](https://b.example/_j_) **k**");
    assert!(image.text.ends_with('k'), "{}", image.text);
}

#[test]
fn chat_f1_what_is_no_address_between_angles_is_text() {
    check("a <minimax:tool_call> b", "a <minimax:tool_call> b", &[]);
    check("<std:vector> <urn:a_b_c>", "<std:vector> <urn:a_b_c>", &[]);
    check(
        "<https://a.example> <me@a.example>",
        "https://a.example me@a.example",
        &["https://a.example", "me@a.example"],
    );
}

#[test]
fn chat_f2_a_relative_link_keeps_its_folder() {
    check(
        "[main.rs](src/main.rs) [a](b/a) [c.md](c.md)",
        "main.rs (src/main.rs) a (b/a) c.md",
        &[],
    );
}

/// An address with everything in it that Markdown reads as a mark.
fn address() -> impl Strategy<Value = String> {
    let body = "[A-Za-z0-9_*~&;#?=.,:()!'+%@/\\\\\\[\\]$^{}\"|-]{0,20}";
    ("https?://([a-z]{1,5}\\.)?[a-z]{2,4}(:[0-9]{2,4})?/", body)
        .prop_map(|(host, body)| format!("{host}{body}"))
}

/// Puts an address in a place where it stands between spaces; `_` for what was said before.
fn placed(address: &str, place: usize) -> String {
    match place {
        0 => format!("words {address} more *words*"),
        1 => format!("**bold** {address} `code` {address} ~~gone~~"),
        2 => format!("- item {address}\n  1. {address} x"),
        3 => format!("> quoted {address}\n> [w](https://a.example/b_c) {address} x"),
        4 => format!("# {address} head"),
        5 => format!("{address}\n{address} `a` b"),
        6 => format!("_i_ {address}\n\n```\n{address}\n```"),
        _ => format!("看 {address} **重点：**看"),
    }
}

/// Returns every address of a text, up to the next space.
fn addresses(text: &str) -> Vec<&str> {
    text.split_whitespace()
        .filter(|word| word.starts_with("http"))
        .collect()
}

fn without_code(styled: &Styled) -> String {
    let mut text = styled.text.clone();
    let is_code = |style: &Style| matches!(style, Style::Code | Style::Pre { .. });
    for span in styled
        .spans
        .iter()
        .rev()
        .filter(|span| is_code(&span.style))
    {
        text.replace_range(span.start..span.end, "");
    }
    text
}

proptest! {
    #[test]
    fn chat_f1_no_character_of_a_bare_address_changes(
        said in prop::collection::vec((address(), 0..8_usize), 1..5)
    ) {
        let blocks = said.iter().map(|(address, place)| placed(address, *place));
        let markdown = blocks.collect::<Vec<_>>().join("\n\n");
        let styled = to_styled(&markdown);
        prop_assert_eq!(styled.fault(), None);
        let shown = without_code(&styled);
        let meant = markdown.split("```").step_by(2).collect::<Vec<_>>().join(" ");
        prop_assert_eq!(addresses(&shown), addresses(&meant), "{}", markdown);
    }
}
