//! What of a page is read, and that no markup breaks the reading or slows it down.

use std::time::{Duration, Instant};

use proptest::prelude::*;

use super::{as_text, is_too_deep, links, main_text};

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

#[test]
fn code_keeps_its_lines_and_tables_their_rows() {
    let page = "<p>Run:<pre><code>\nfn main() {\n    a &amp;&amp; b<br>}\n</code></pre>\
        <pre>make</pre><table><caption>Prices</caption><tr><th>Fish<th>Each\
        <tr><td><p>Cod</p><p>fresh</p><td><div>5</div></table>\
        <ul><li><p>one</p><li><div>two<br>lines</div><li></ul><dl><dt>Hake<dd>a fish</dl>";
    insta::assert_snapshot!(as_text(page), @r"
    Run:
    ```
    fn main() {
        a && b
    }
    ```
    make
    Prices
    | Fish | Each
    | Cod fresh | 5
    - one
    - two
    lines
    Hake
    a fish
    ");
}

#[test]
fn a_table_that_frames_a_page_is_read_in_lines() {
    let page = "<table><tr><td><h1>News</h1><p>First.</p><p>Second.</p>\
        <td><ul><li>Menu</ul></table><noscript>Needs scripts</noscript>";
    insta::assert_snapshot!(as_text(page), @r"
    # News
    First.
    Second.
    - Menu
    Needs scripts
    ");
}

/// A page with an article of some paragraphs, and all that stands around one.
fn article() -> String {
    let paragraph = |number: usize| {
        format!(
            "<p>Paragraph {number} of the report says what was found in the harbour, who measured \
             it and when, and why the figures of the year before were too high by a third.</p>"
        )
    };
    let body: String = (1..=6).map(paragraph).collect();
    format!(
        "<html><head><title>Fish in the harbour</title></head><body>\
         <nav><ul><li><a href=/>Home</a><li><a href=/shop>Shop</a></ul></nav>\
         <div class=ad>Buy a boat now</div><article><h1>Fish in the harbour</h1>{body}\
         <h2 class=sidebar>Method</h2><pre>count --all\nsort</pre>{body}</article>\
         <div class=comments><p>First!</p></div><footer>Imprint</footer></body></html>"
    )
}

#[test]
fn the_main_text_is_without_what_is_around_it() {
    let page = article();
    let main = main_text(&page);
    for kept in [
        "# Fish in the harbour",
        "Paragraph 6",
        "## Method",
        "count --all\nsort",
    ] {
        assert!(main.text.contains(kept), "{kept}: {}", main.text);
    }
    for around in ["Shop", "Buy a boat", "First!", "Imprint"] {
        assert!(!main.text.contains(around), "{around}: {}", main.text);
    }
    assert_eq!(main.left_out, as_text(&page).len() - main.text.len());
    assert_eq!(links(&page), ["/", "/shop"]);
}

#[test]
fn the_main_text_says_who_wrote_it() {
    let heading = "<h1>Fish in the harbour</h1>";
    let byline = "<div class=byline>By Ann Reporter,\n 5 May 2026</div>";
    let page = article().replace(heading, &format!("{heading}{byline}"));
    let main = main_text(&page).text;
    let beginning = "# Fish in the harbour\nBy Ann Reporter, 5 May 2026\n";
    assert!(main.starts_with(beginning), "{main}");
}

#[test]
fn a_title_is_not_cut_at_its_colon() {
    let title = "<title>The basics (fish: a portable interface for harbours)</title>";
    let page = article().replace("<title>Fish in the harbour</title>", title);
    let main = main_text(&page).text;
    let beginning = "# The basics (fish: a portable interface for harbours)\n";
    assert!(main.starts_with(beginning), "{main}");
}

#[test]
fn words_of_two_cells_are_not_joined() {
    let framed = |body: &str| format!("<table><tr><td>Guestbook<td><b>Fish</b>{body}</table>");
    let page = article().replace("<article>", "").replace("</article>", "");
    let begin = page.find("<h1>").unwrap();
    let end = page.find("<div class=comments>").unwrap();
    let page = format!(
        "{}{}{}",
        &page[..begin],
        framed(&page[begin..end]),
        &page[end..]
    );
    let main = main_text(&page).text;
    assert!(main.contains("Paragraph 6"), "{main}");
    assert!(!main.contains("GuestbookFish"), "{main}");
}

#[test]
fn a_page_without_a_main_text_is_given_whole() {
    let page = "<nav><a href=/a>Apples</a></nav><ul><li><a href=/b>Pears</a></ul>";
    let main = main_text(page);
    assert_eq!(main.text, as_text(page));
    assert_eq!(main.left_out, 0);
}

#[test]
fn pages_that_open_without_end_are_refused_at_once() {
    let many = |piece: &str| piece.repeat(1_000_000 / piece.len());
    let formats: Vec<String> = (0..100_000).map(|n| format!("<p><b a={n}>x</p>")).collect();
    let formats = formats.concat();
    let begun = Instant::now();
    for page in [
        many("<div>"),
        many("<ul><li>"),
        many("<table><tr><td>"),
        formats,
    ] {
        assert!(is_too_deep(&page), "{}", &page[..40]);
    }
    assert!(
        begun.elapsed() < Duration::from_secs(10),
        "{:?}",
        begun.elapsed()
    );
    for page in [
        many("<p>x<br><li>y"),
        many("<div><b>x</b></div>"),
        many("<a name=x>"),
        many("<script>if (a<b) {}</script>"),
        many("<svg><path d=M0/><path d=M1/></svg>"),
        article(),
    ] {
        assert!(!is_too_deep(&page), "{}", &page[..40]);
    }
}

#[test]
fn no_main_text_is_looked_for_in_a_deep_page() {
    let deep = format!("{}<p>word</p>", "<span>".repeat(900)).repeat(2);
    assert!(!is_too_deep("<span>") && is_too_deep(&deep));
    let deep = format!("{}<p>word</p>", "<span>".repeat(900));
    assert_eq!(main_text(&deep).text, "word");
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
