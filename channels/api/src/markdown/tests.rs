//! What Markdown becomes, shown as text with its spans in brackets.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::to_styled;
use crate::styled::{Style, Styled};

/// Shows spans as `<name text>`.
fn shown(markdown: &str) -> String {
    let styled = to_styled(markdown);
    assert_eq!(styled.fault(), None);
    let mut shown = String::new();
    for place in 0..=styled.text.len() {
        if !styled.text.is_char_boundary(place) {
            continue;
        }
        for _ in styled.spans.iter().filter(|span| span.end == place) {
            shown.push('>');
        }
        for span in styled.spans.iter().filter(|span| span.start == place) {
            shown.extend(["<", &name(&span.style), " "]);
        }
        shown.extend(styled.text[place..].chars().next());
    }
    shown
}

fn name(style: &Style) -> String {
    match style {
        Style::Bold => "b".to_owned(),
        Style::Italic => "i".to_owned(),
        Style::Strikethrough => "s".to_owned(),
        Style::Code => "code".to_owned(),
        Style::Pre { language } => format!("pre:{}", language.as_deref().unwrap_or_default()),
        Style::Quote => "quote".to_owned(),
        Style::Link { url } => format!("a:{url}"),
    }
}

#[test]
fn inline_styles_nest() {
    assert_snapshot!(
        shown("**bold *both* ~~gone~~** `a*b`"),
        @"<b bold <i both> <s gone>> <code a*b>"
    );
}

#[test]
fn emphasis_needs_no_spaces_in_chinese() {
    assert_snapshot!(shown("**注意：**请看。他说**“你好”**了，**甲**、**乙**。~~旧的。~~新"), @"<b 注意：>请看。他说<b “你好”>了，<b 甲>、<b 乙>。<s 旧的。>新");
    assert_snapshot!(shown("- **步骤1：**运行`a**：b`\n- 2*3*4\n\n```\n**x：**y\n```"), @r"
    • <b 步骤1：>运行<code a**：b>
    • 2<i 3>4

    <pre: **x：**y>
    ");
    assert_snapshot!(shown("a**\"b\"**c"), @r#"a**"b"**c"#);
}

#[test]
fn paragraphs_are_apart_and_line_breaks_stay() {
    assert_snapshot!(shown("# Title\none\ntwo\n\n\n\nthree\n\n---\nend"), @r"
    <b Title>

    one
    two

    three

    ———

    end
    ");
}

#[test]
fn lists_nest_and_count() {
    assert_snapshot!(shown("Do:\n- a\n  - b\n    more\n- [ ] open\n- [x] done\n\n3. three\n4. four\n   - deep"), @r"
    Do:

    • a
      • b
        more
    ☐ open
    ☑ done

    3. three
    4. four
       • deep
    ");
}

#[test]
fn a_loose_list_stays_loose() {
    assert_snapshot!(shown("1. one\n\n   more\n\n2. two\n\n       code\n-\n- - x\n  - y"), @r"
    1. one

       more

    2. two

    <pre: code>

    •
    • • x
      • y
    ");
}

#[test]
fn code_is_literal_and_keeps_its_language() {
    assert_snapshot!(shown("- see:\n  ```rust title\n  fn a() {\n\n      **b**\n  }\n  ```\n  after"), @r"
    • see:

    <pre:rust fn a() {

        **b**
    }>

      after
    ");
    assert_snapshot!(shown("```\nnever closed"), @"<pre: never closed>");
}

#[test]
fn tables_are_aligned_by_columns_also_in_chinese() {
    assert_snapshot!(shown("| 名字 | n | where |\n|:--|--:|:-:|\n| a | 10 | **x** |\n| 北京市 | 2 | [l](http://e.org/) |"), @r"
    <pre: 名字   |  n |       where
    -------+----+------------------
    a      | 10 |         x
    北京市 |  2 | l (http://e.org/)>
    ");
}

#[test]
fn quotes_are_spans_and_inner_quotes_are_marked() {
    assert_snapshot!(shown("> one\n> - two\n>\n> > three\n> > more\n>\n> four\n\nfive"), @r"
    <quote one

    • two

    > three
    > more

    four>

    five
    ");
}

#[test]
fn links_keep_their_address() {
    assert_snapshot!(shown("[text](https://a.b/c) <https://a.b> <me@a.b>"), @"<a:https://a.b/c text> <a:https://a.b https://a.b> <a:mailto:me@a.b me@a.b>");
    assert_snapshot!(shown("![cat](http://c.at) ![](http://d.og) [![in](http://i.n)](http://o.ut)"), @"<a:http://c.at cat> <a:http://d.og http://d.og> <a:http://o.ut in (http://i.n)>");
    assert_snapshot!(shown("[main](src/main.rs) [src/a.rs](src/a.rs) [x]()"), @"main (src/main.rs) src/a.rs x");
}

#[test]
fn what_has_no_style_is_shown_as_text() {
    assert_snapshot!(shown("a <b>tag</b> &amp; 3~5 or 8~10\n\n<div>\n  <p>hi\n</div>\n\n[1]: https://a.b \"t\"\n[2]: /x\n\nsee [1]"), @r#"
    a <b>tag</b> & 3~5 or 8~10

    <div>
      <p>hi
    </div>

    [1]: https://a.b "t"
    [2]: /x

    see <a:https://a.b 1>
    "#);
}

#[test]
fn deep_nesting_stays_small_and_fast() {
    for markdown in [
        "- ".repeat(100_000),
        "> ".repeat(100_000),
        "*a **b ".repeat(100_000),
    ] {
        let styled = to_styled(&format!("{markdown}end"));
        assert!(styled.text.contains("end"));
        assert!(styled.text.len() < 4 * markdown.len());
    }
}

#[test]
fn a_hostile_table_is_not_blown_up() {
    let head = "|a".repeat(500) + "|\n" + &"|-".repeat(500) + "|\n";
    let wide = format!("|{}|\n", "x".repeat(50_000));
    let markdown = head + &wide + &"|b\n".repeat(1_000);
    assert!(to_styled(&markdown).text.len() < 20 * markdown.len() + 4_000_000);
}

proptest! {
    #[test]
    fn any_text_gives_valid_spans(markdown in "([ab中😀\\n]|[*_~`>#|\\[\\]()!<&;-]|  |\\n\\n|```|- |1\\. ){0,60}") {
        let styled: Styled = to_styled(&markdown);
        prop_assert_eq!(styled.fault(), None);
    }

    #[test]
    fn no_letter_is_lost(markdown in "([a-z]{1,5}|[*_~`>#|\\[\\]!<>-]|  |\\n|\\n\\n|- ){0,60}") {
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
        prop_assert_eq!(letters(&to_styled(&markdown).text), letters(&markdown));
    }
}
