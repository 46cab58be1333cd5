//! What is rendered: snapshots of parts, and what holds for every text.

use std::path::Path;

use proptest::prelude::*;
use sayso_channel::{
    Button, ButtonLook, FileSource, OutFile, Outbound, Part, RESENT_MARK_ROOM, TextUnit,
};
use serde_json::Value;

use super::{CAPTION_LIMIT, ENTITY_LIMIT, TEXT_LIMIT, from_markup, render};

/// Shows a part as its text and the stretches that have a style.
fn shown(part: &Part) -> String {
    let units: Vec<u16> = part.text.encode_utf16().collect();
    let mut lines = vec![part.text.clone()];
    for entity in from_markup(&part.markup) {
        let stretch = &units[entity.offset..entity.offset + entity.length];
        let detail = entity.url.or(entity.language).unwrap_or_default();
        lines.push(format!(
            "[{} {detail}] {}",
            entity.kind,
            String::from_utf16(stretch).unwrap()
        ));
    }
    lines.join("\n")
}

fn rendered(markdown: &str) -> String {
    let parts = render(&Outbound::markdown(markdown));
    parts.iter().map(shown).collect::<Vec<_>>().join("\n---\n")
}

#[test]
fn styles_are_entities_in_utf16_units() {
    insta::assert_snapshot!(rendered("👍 **bold** _italic_ ~~gone~~ `code`"), @r"
    👍 bold italic gone code
    [bold ] bold
    [italic ] italic
    [strikethrough ] gone
    [code ] code
    ");
}

#[test]
fn blocks_are_entities() {
    insta::assert_snapshot!(rendered("> said\n\n```rust\nfn main() {}\n```"), @r"
    said

    fn main() {}
    [blockquote ] said
    [pre rust] fn main() {}
    ");
}

#[test]
fn links_that_telegram_drops_are_written_out() {
    insta::assert_snapshot!(
        rendered("**[site](https://a.example/x) or [mail](mailto:a@b.example)** <mailto:c@d.example>"),
        @r"
    site or mail (a@b.example) mailto:c@d.example
    [bold ] site or mail (a@b.example)
    [text_link https://a.example/x] site
    "
    );
}

#[test]
fn chat_f2_links_that_telegram_refuses_are_written_out_and_the_others_stay() {
    insta::assert_snapshot!(
        rendered("Your **app** runs at [the dev server](http://localhost:3000/login), see [docs](https://a.example/b) and [main.rs](src/main.rs), [x](http://a.example:99999/)"),
        @r"
    Your app runs at the dev server (http://localhost:3000/login), see docs and main.rs (src/main.rs), x (http://a.example:99999/)
    [bold ] app
    [text_link https://a.example/b] docs
    "
    );
}

#[test]
fn chat_f2_bytes_of_links_are_spread_over_messages() {
    let link = |number: u32| {
        format!(
            "- [item {number}](https://a.example/{}{number})\n",
            "p".repeat(300)
        )
    };
    let parts = render(&Outbound::markdown((0..60).map(link).collect::<String>()));
    let mut links = 0;
    for part in &parts {
        let entities = from_markup(&part.markup);
        links += entities.len();
        let bytes: usize = entities
            .iter()
            .filter_map(|entity| entity.url.as_ref())
            .map(|url| url.len() + 16)
            .sum();
        assert!(bytes <= 9000, "{bytes}");
    }
    assert_eq!((links, parts.len()), (60, 3));
}

#[test]
fn chat_f2_a_part_knows_its_text_with_the_addresses() {
    let parts = render(&Outbound::markdown("**a** [docs](https://a.example/b) c"));
    assert_eq!(
        parts[0].plain.as_deref(),
        Some("a docs (https://a.example/b) c")
    );
    assert_eq!(render(&Outbound::markdown("**a**"))[0].plain, None);
}

#[test]
fn text_that_shows_nothing_becomes_a_sign() {
    for nothing in ["", " \n", "\u{200b}\u{feff}", "\u{2800}"] {
        let parts = render(&Outbound::markdown(nothing));
        let texts: Vec<_> = parts.iter().map(|part| part.text.as_str()).collect();
        assert_eq!(texts, ["…"], "{nothing:?}");
    }
}

fn message_with_everything(markdown: &str) -> Outbound {
    Outbound {
        buttons: vec![vec![Button {
            label: "Yes".to_owned(),
            token: "t".to_owned(),
            key: None,
            look: ButtonLook::Yes,
        }]],
        file: Some(OutFile {
            name: "a.txt".to_owned(),
            source: FileSource::Path("a.txt".into()),
        }),
        reply_to: Some("5".into()),
        quiet: true,
        ..Outbound::markdown(markdown)
    }
}

#[test]
fn buttons_and_file_sit_on_the_last_part_and_the_reply_on_the_first() {
    let parts = render(&message_with_everything(&"word ".repeat(2000)));
    assert_eq!(parts.len(), 4, "three parts of text, and the file");
    for (index, part) in parts.iter().enumerate() {
        assert_eq!(part.reply_to.is_some(), index == 0);
        assert_eq!(
            (part.file.is_some(), !part.buttons.is_empty()),
            (index == 3, index == 3)
        );
        assert!(part.quiet);
    }
    assert_eq!(parts[3].text, "");
}

#[test]
fn short_text_is_the_caption_of_its_file() {
    let longest = CAPTION_LIMIT - RESENT_MARK_ROOM;
    assert_eq!(render(&message_with_everything("")).len(), 1);
    assert_eq!(
        render(&message_with_everything(&"a".repeat(longest))).len(),
        1
    );
    assert_eq!(
        render(&message_with_everything(&"a".repeat(longest + 1))).len(),
        2
    );
}

#[test]
fn many_styles_make_more_parts_and_lose_none() {
    let parts = render(&Outbound::markdown("**a** b ".repeat(250)));
    let bold: usize = parts
        .iter()
        .map(|part| from_markup(&part.markup).len())
        .sum();
    assert_eq!(bold, 250);
    for part in &parts {
        assert!(from_markup(&part.markup).len() <= ENTITY_LIMIT);
    }
}

#[track_caller]
fn check_part(part: &Part) {
    let length = TextUnit::Utf16.measure(&part.text);
    assert!(length <= TEXT_LIMIT - RESENT_MARK_ROOM, "{length} units");
    assert!(!part.text.trim().is_empty());
    let units: Vec<u16> = part.text.encode_utf16().collect();
    let entities = from_markup(&part.markup);
    assert!(entities.len() <= ENTITY_LIMIT);
    for entity in entities {
        let stretch = &units[entity.offset..entity.offset + entity.length];
        assert!(String::from_utf16(stretch).is_ok_and(|text| !text.is_empty()));
    }
}

proptest! {
    #[test]
    fn chat_f1_every_character_of_an_address_is_shown(address in "https?://([a-z]{1,5}\\.)?[a-z]{2,4}(:[0-9]{2,4})?/[A-Za-z0-9_*~&;#?=.,:()!'+%@/\\\\$^{}\"|-]{0,20}") {
        let markdown = format!("**see** {address} and _more_ `x`\n\n- {address} *it*");
        let text = &render(&Outbound::markdown(markdown))[0].text;
        prop_assert_eq!(text.matches(address.as_str()).count(), 2, "{}", text);
    }

    #[test]
    fn every_text_renders_within_the_limits(markdown in "([a-z*_`~>#\\-\\[\\]()|\n 你👍]{0,40}(\n\n)?){0,60}") {
        let parts = render(&Outbound::markdown(markdown));
        prop_assert!(!parts.is_empty());
        parts.iter().for_each(check_part);
    }

    #[test]
    fn any_text_renders_within_the_limits(markdown in any::<String>()) {
        render(&Outbound::markdown(markdown)).iter().for_each(check_part);
    }

    #[test]
    fn no_letter_is_lost_in_the_parts(
        markdown in "([a-z]{1,5}|[*_~`>#|\\[\\]!<-]|  |\\n|\\n\\n|- ){0,60}", times in 1_usize..60
    ) {
        let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
        let markdown = markdown.repeat(times);
        prop_assume!(!letters(&markdown).is_empty());
        let parts = render(&Outbound::markdown(&*markdown));
        let shown: String = parts.iter().map(|part| letters(&part.text)).collect();
        prop_assert_eq!(shown, letters(&markdown));
    }
}

/// The texts are those that Telegram's own parser gives in its tests: full of surrogate pairs,
/// joiners and punctuation. Written literally, they must come back as they are.
#[test]
fn texts_of_telegrams_own_tests_come_back_unchanged() {
    let Some(folder) = std::env::var_os("SAYSO_MATERIAL") else {
        println!("skipped: SAYSO_MATERIAL names no folder");
        return;
    };
    let path = Path::new(&folder).join("telegram/tdlib_vectors.json");
    let vectors: Vec<Value> = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    let mut compared = 0;
    for text in vectors.iter().filter_map(|vector| vector["text"].as_str()) {
        if text.chars().all(super::is_invisible) {
            continue;
        }
        let piece = sayso_channel::styled::Styled::plain(text);
        let part = super::part(
            &piece.write_out_links(&super::links::is_carried),
            &Outbound::default(),
        );
        assert_eq!(part.text, text);
        assert_eq!(part.markup, Value::Null);
        let literal: String = text.chars().map(escaped).collect();
        let parts = render(&Outbound::markdown(literal));
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&parts[0].text), words(text), "{text:?}");
        compared += 1;
    }
    assert!(compared > 100, "only {compared} texts were compared");
}

/// Escapes a character so that Markdown takes it literally.
fn escaped(letter: char) -> String {
    if letter.is_ascii_punctuation() {
        format!("\\{letter}")
    } else {
        letter.to_string()
    }
}
