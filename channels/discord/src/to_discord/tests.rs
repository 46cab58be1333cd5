//! What is rendered: snapshots of parts, and what holds for every text.

use proptest::prelude::*;
use sayso_channel::markdown::to_styled;
use sayso_channel::styled::{Style, Styled};
use sayso_channel::{Button, ButtonLook, Outbound, Part, RESENT_MARK_ROOM};

use super::addresses::without_looks;
use super::reader::{Looks, shown};
use super::{InThread, TEXT_LIMIT, is_carried, render, thread_of};
use crate::LongAnswers;

fn parts(markdown: &str) -> Vec<Part> {
    render(&Outbound::markdown(markdown), LongAnswers::Messages)
}

fn rendered(markdown: &str) -> String {
    let parts = parts(markdown);
    let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
    // Invisible characters are shown as a dot.
    texts.join("\n---\n").replace('\u{200b}', "·")
}

#[test]
fn looks_are_discords_own() {
    insta::assert_snapshot!(
        rendered("**bold** _italic_ ***both*** ~~gone~~ `code` **a _b_**"),
        @"**bold** *italic* ***both*** ~~gone~~ `code` **a *b***"
    );
}

#[test]
fn plain_text_stays_plain() {
    insta::assert_snapshot!(
        rendered("2 \\* 3 snake_case ||spoiler|| \\~x\\~ <@123> @everyone <t:1:R> :fire: 10:30:45"),
        @r"2 \* 3 snake\_case \|\|spoiler\|\| \~x\~ \<@123> @·everyone \<t\:1:R> \:fire: 10\:30:45"
    );
    insta::assert_snapshot!(rendered("\\# no heading\n\\- no list\n\\> no quote"), @r"
    \# no heading
    \- no list
    \> no quote
    ");
}

#[test]
fn addresses_stay_whole() {
    insta::assert_snapshot!(
        rendered("see https://a.example/x_y_z?q=1 and [words](https://b.example/a_(b)) or [mail](mailto:a@b.example)"),
        @"see <https://a.example/x_y_z?q=1> and [words](<https://b.example/a_%28b%29>) or mail (a@b.example)"
    );
}

#[test]
fn chat_f1_addresses_keep_every_character() {
    insta::assert_snapshot!(
        rendered("See https://a.example/x.html#object.__init__ or https://a.example/_next_/*b*/c and *https://a.example/*d*/e f*"),
        @"See <https://a.example/x.html#object.__init__> or <https://a.example/_next_/*b*/c> and <https://a.example/*d*/e> *f*"
    );
    insta::assert_snapshot!(
        rendered("http://nas:5000/~~a~~ (https://a.example/x_(y)) <minimax:tool_call>"),
        @r"<http://nas:5000/~~a~~> (<https://a.example/x_(y)>) \<minimax:tool\_call>"
    );
}

#[test]
fn address_ends_with_its_sentence() {
    insta::assert_snapshot!(
        rendered("(https://a.example/b_c). 见https://b.example。**https://c.example**"),
        @"(<https://a.example/b_c>). 见<https://b.example>。**<https://c.example>**"
    );
}

#[test]
fn address_that_poses_as_another_is_shown() {
    insta::assert_snapshot!(
        rendered("[https://bank.example](https://thief.example)"),
        @"<https://bank.example> (<https://thief.example>)"
    );
}

#[test]
fn blocks_cannot_be_closed_from_inside() {
    insta::assert_snapshot!(rendered("````rust\nlet x = \"```\";\n````"), @r#"
    ```rust
    let x = "``·`";
    ```
    "#);
    insta::assert_snapshot!(rendered("`` a`b `` and ``` a``b ```"), @"``·a`b·`` and ``·a`·`b·``");
}

#[test]
fn quotes_mark_each_line() {
    insta::assert_snapshot!(rendered("> one **two\n> three**\n\nfour"), @r"
    > one **two**
    > **three**

    four
    ");
}

#[test]
fn code_that_crosses_a_cut_is_closed_and_opened_again() {
    let code = format!("```python\n{}```", "print('你好')\n".repeat(300));
    let parts = parts(&code);
    assert!(parts.len() > 1);
    for part in &parts {
        assert!(part.text.starts_with("```python\n") && part.text.ends_with("\n```"));
    }
}

#[test]
fn text_that_shows_nothing_becomes_a_sign() {
    for nothing in ["", " \n", "\u{200b}\u{feff}"] {
        assert_eq!(rendered(nothing), "…", "{nothing:?}");
    }
}

#[test]
fn buttons_sit_on_the_last_part_and_the_reply_on_the_first() {
    let message = Outbound {
        buttons: vec![vec![Button {
            label: "Yes".to_owned(),
            token: "t".to_owned(),
            key: None,
            look: ButtonLook::Yes,
        }]],
        reply_to: Some("5".into()),
        quiet: true,
        ..Outbound::markdown("word ".repeat(1000))
    };
    let parts = render(&message, LongAnswers::Messages);
    assert_eq!(parts.len(), 3);
    for (index, part) in parts.iter().enumerate() {
        assert_eq!(part.reply_to.is_some(), index == 0);
        assert_eq!(!part.buttons.is_empty(), index == 2);
        assert!(part.quiet && thread_of(part).is_none());
    }
}

#[test]
fn more_buttons_than_a_message_carries_stand_above_the_last() {
    let button = |number: usize| Button {
        label: number.to_string(),
        token: number.to_string(),
        key: None,
        look: ButtonLook::Plain,
    };
    let message = Outbound {
        buttons: (0..120).map(|row| vec![button(row), button(row)]).collect(),
        ..Outbound::markdown("May I?")
    };
    let parts = render(&message, LongAnswers::Messages);
    let rows: Vec<usize> = parts.iter().map(|part| part.buttons.len()).collect();
    assert_eq!(rows, [52, 52, 16]);
    assert_eq!(parts[2].text, "May I?");
    let all: Vec<_> = parts.into_iter().flat_map(|part| part.buttons).collect();
    assert_eq!(all, message.buttons);
}

#[test]
fn long_answer_names_the_message_whose_thread_it_goes_to() {
    let long = |text: &str, reply_to: Option<&str>| {
        let message = Outbound {
            reply_to: reply_to.map(Into::into),
            ..Outbound::markdown(text)
        };
        render(&message, LongAnswers::Thread)
    };
    let text = format!("# A plan\n\n{}", "word ".repeat(1000));
    let expected = InThread {
        thread_of: "5".into(),
        title: "A plan".to_owned(),
    };
    for part in long(&text, Some("5")) {
        assert_eq!(thread_of(&part), Some(expected.clone()));
    }
    for part in long(&text, None).iter().chain(&long("short", Some("5"))) {
        assert_eq!(thread_of(part), None);
    }
}

/// Returns what a styled text shows, in the form of the reader.
fn expected(styled: &Styled) -> Vec<(char, Looks)> {
    let letters = styled.text.char_indices();
    let seen = letters.filter(|(_, letter)| !letter.is_whitespace() && *letter != '\u{200b}');
    seen.map(|(place, letter)| (letter, looks_of(styled, place)))
        .collect()
}

fn looks_of(styled: &Styled, place: usize) -> Looks {
    let mut looks = Looks::default();
    for span in &styled.spans {
        if !(span.start..span.end).contains(&place) {
            continue;
        }
        match span.style {
            Style::Bold => looks.bold = true,
            Style::Italic => looks.italic = true,
            Style::Strikethrough => looks.struck = true,
            Style::Code => looks.code = true,
            Style::Pre { .. } => looks.block = true,
            Style::Quote => looks.quote = true,
            Style::Link { .. } => looks.link = true,
        }
    }
    looks
}

/// Checks that a reader sees what was meant, in parts that Discord takes.
fn check(markdown: &str) {
    let mut seen = Vec::new();
    let parts = parts(markdown);
    for part in &parts {
        let length = part.text.chars().count();
        assert!(length + RESENT_MARK_ROOM <= TEXT_LIMIT, "{length}");
        seen.extend(shown(&part.text));
    }
    let meant = to_styled(markdown).write_out_links(&is_carried);
    let meant = expected(&without_looks(meant));
    if meant
        .iter()
        .any(|(letter, _)| !super::is_invisible(*letter))
    {
        assert_eq!(text_of(&seen), text_of(&meant), "{markdown:?} {parts:?}");
        assert_eq!(seen, meant, "{markdown:?} {parts:?}");
    }
}

fn text_of(letters: &[(char, Looks)]) -> String {
    letters.iter().map(|(letter, _)| letter).collect()
}

/// Text that is full of what Discord and Markdown read as marks.
fn full_of_marks() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        3 => "[a-z0-9 ]{1,8}",
        4 => "[*_~`|<>@#:.+(){}!\\\\\\[\\]-]{1,4}",
        1 => prop::sample::select(vec![
            "\n", "\n\n", "\n> ", "\n- ", "\n1. ", "\n```rust\n", "\n```\n", "**", "*", "~~", "`",
            "@everyone", "<@1>", "<#2>", "<t:1:R>", ":fire:", "[a](https://a.example/b_c)",
            "https://a.example/x_y", "http://nas:5/*a*_b_~~c~~", "你好", "👨‍👩‍👧", "**b**", "*i*", "~~s~~", "`c`",
        ]).prop_map(str::to_owned),
    ];
    prop::collection::vec(pieces, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn reader_sees_what_was_meant(markdown in full_of_marks()) {
        check(&markdown);
    }

    #[test]
    fn long_texts_are_whole_in_their_parts(
        markdown in full_of_marks(), times in 1_usize..40
    ) {
        check(&markdown.repeat(times));
    }

    #[test]
    fn any_text_is_rendered(markdown in any::<String>()) {
        check(&markdown);
    }

    #[test]
    fn chat_f1_every_character_of_an_address_is_shown(address in "https?://([a-z]{1,5}\\.)?[a-z]{2,4}(:[0-9]{2,4})?/[A-Za-z0-9_*~&;#?=.,:()!'+%@/\\\\$^{}\"|-]{0,20}") {
        let markdown = format!("**see** {address} and _more_ `x`\n\n- {address} *it*");
        let seen: String = parts(&markdown).iter().map(|part| text_of(&shown(&part.text))).collect();
        prop_assert_eq!(seen.matches(address.as_str()).count(), 2, "{} {}", markdown, seen);
    }
}
