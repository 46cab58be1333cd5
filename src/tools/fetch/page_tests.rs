//! What of a page is read, and that no markup breaks the reading or slows it down.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::as_text;

#[test]
fn words_headings_lists_and_links_are_kept() {
    let page = r#"<!DOCTYPE html><html><head><title>Fish &amp; chips</title>
        <style>p { color: red }</style><script>alert("<p>no</p>")</script></head>
        <body><h1>Menu</h1><p>Fresh   every
        <b>day</b>.</p><!-- <p>not this</p> --><ul><li>Cod <li><a href="/hake?a=1">Hake</a></ul>
        <table><tr><td>Cod</td><td>5&nbsp;&euro;</td></tr></table>
        <img src=x.png alt='A fish'><br/>Open&#58; 9&#x2013;17, 1 < 2 &unknown; &</body></html>"#;
    insta::assert_snapshot!(as_text(page), @"
    # Fish & chips
    # Menu
    Fresh every day.
    - Cod
    - Hake </hake?a=1>
    | Cod | 5 €
    A fish
    Open: 9–17, 1 < 2 &unknown; &
    ");
}

#[test]
fn what_is_left_open_ends_with_the_page() {
    assert_eq!(as_text("a<script>b"), "a");
    assert_eq!(as_text("a<!-- b"), "a");
    assert_eq!(as_text("a<p class=\"b"), "a");
    assert_eq!(as_text("<p class=b\">a</p>"), "a");
    assert_eq!(as_text("a<"), "a<");
    assert_eq!(as_text("a</"), "a</");
    assert_eq!(as_text("a<a href"), "a");
    assert_eq!(as_text("<SCRIPT>b</Script >c"), "c");
}

#[test]
fn links_that_lead_nowhere_are_left_out() {
    assert_eq!(as_text("<a href='#x'>a</a>"), "a");
    assert_eq!(as_text("<a HREF=JavaScript:x()>a</a>"), "a");
    assert_eq!(as_text("<a>a</a>"), "a");
    assert_eq!(as_text("<a title='>' href=b>a</a>"), "a <b>");
}

#[test]
fn a_page_is_read_in_the_time_of_its_length() {
    for piece in [
        "<script>",
        "<!--",
        "<a href='",
        "<p ",
        "&",
        "<",
        "</a",
        "<a b=c ",
        "&#x",
    ] {
        let page = piece.repeat(1_000_000 / piece.len());
        let begun = Instant::now();
        let text = as_text(&page);
        assert!(text.len() <= page.len(), "{piece}");
        let took = begun.elapsed();
        assert!(took < Duration::from_secs(10), "{piece}: {took:?}");
    }
}

proptest! {
    #[test]
    fn no_markup_breaks_the_reading(page in "[<>/!a-cp='\" &;#x1\u{4f60}-]{0,80}") {
        as_text(&page);
    }

    #[test]
    fn text_without_markup_is_kept(words in "[a-z\u{4f60}]{1,8}( [a-z\u{4f60}.,]{1,8}){0,8}") {
        prop_assert_eq!(as_text(&words), words.clone());
        prop_assert_eq!(as_text(&format!("<div><p>{words}</p></div>")), words);
    }
}
