//! A message as parts: plain text with spans, where nothing depends on the terminal at hand.

use std::borrow::Cow;

use sayso_channel::{
    Button, ButtonLook, Outbound, Part, RESENT_MARK_ROOM, Span, Style, Styled, TextUnit, markdown,
    replace_control_chars, split, web_address::words_are_address,
};

/// The longest text of one message, in characters. The terminal has no limit; memory does.
pub(crate) const TEXT_LIMIT: usize = 100_000;

/// What each line of a quote begins with.
const QUOTE_BAR: &str = "│ ";

/// Renders a message into parts. The spans are the markup.
pub(crate) fn render(message: &Outbound) -> Vec<Part> {
    let styled = spell_out(&markdown::to_styled(&message.markdown));
    let pieces = split::split_by_text(&styled, TEXT_LIMIT - RESENT_MARK_ROOM, TextUnit::Scalar);
    let pieces = pieces.into_iter().map(|piece| {
        // Spans are plain values; there is none that JSON could refuse.
        let markup = serde_json::to_value(&piece.spans).unwrap_or_default();
        (piece.text, markup)
    });
    let mut parts = split::into_parts(message, pieces.collect());
    for part in &mut parts {
        part.buttons = typed(&part.buttons);
    }
    parts
}

/// Leaves out what is only there to be tapped: Ctrl-C and `/stop` do it here, and a line that was
/// meant for somebody's turn must not end it.
fn typed(rows: &[Vec<Button>]) -> Vec<Vec<Button>> {
    let is_typed = |button: &&Button| button.look != ButtonLook::Stop;
    rows.iter()
        .map(|row| row.iter().filter(is_typed).cloned().collect())
        .filter(|row: &Vec<Button>| !row.is_empty())
        .collect()
}

/// Reads a part back. Markup that does not fit the text is no markup, nor is that of a text that
/// still has control characters: parts wait in the outbox and may come from an older version.
pub(crate) fn styled(part: &Part) -> Styled {
    if let Cow::Owned(text) = replace_control_chars(&part.text) {
        return Styled::plain(text);
    }
    let spans: Vec<Span> = serde_json::from_value(part.markup.clone()).unwrap_or_default();
    let styled = Styled {
        text: part.text.clone(),
        spans,
    };
    match styled.fault() {
        None => styled,
        Some(_) => Styled::plain(styled.text),
    }
}

/// Takes the power from a text to move the cursor, to colour the screen, or to read backwards.
///
/// What is said may come from anywhere; a card must look on the screen as it was written. Markdown
/// is cleaned by its reader, which decodes entities; this is for what is no Markdown.
pub(crate) fn harmless(text: &str) -> String {
    replace_control_chars(text).into_owned()
}

/// Writes out what a terminal cannot show otherwise: where links lead, and what is quoted.
fn spell_out(styled: &Styled) -> Styled {
    let mut additions: Vec<(usize, String)> = Vec::new();
    for span in &styled.spans {
        let Some(text) = styled.text.get(span.start..span.end) else {
            continue;
        };
        match &span.style {
            Style::Link { url } if !words_are_address(text, url) => {
                additions.push((span.end, format!(" ({url})")));
            }
            Style::Quote => {
                let breaks = text.match_indices('\n').map(|(at, _)| span.start + at + 1);
                let lines = std::iter::once(span.start).chain(breaks);
                additions.extend(lines.map(|line| (line, QUOTE_BAR.to_owned())));
            }
            Style::Link { .. }
            | Style::Bold
            | Style::Italic
            | Style::Strikethrough
            | Style::Code
            | Style::Pre { .. } => {}
        }
    }
    additions.sort_by_key(|(place, _)| *place);
    with_additions(styled, &additions)
}

/// Inserts texts at places that are in order; spans that end at such a place do not grow.
fn with_additions(styled: &Styled, additions: &[(usize, String)]) -> Styled {
    let mut text = String::new();
    let mut grown = Vec::new();
    let mut copied = 0;
    for (place, addition) in additions {
        text.push_str(styled.text.get(copied..*place).unwrap_or_default());
        text.push_str(addition);
        copied = *place;
        grown.push(text.len() - copied);
    }
    text.push_str(styled.text.get(copied..).unwrap_or_default());
    let growth = |count: usize| match count {
        0 => 0,
        _ => grown.get(count - 1).copied().unwrap_or_default(),
    };
    let spans = styled.spans.iter().map(|span| Span {
        start: span.start + growth(additions.partition_point(|(at, _)| *at <= span.start)),
        end: span.end + growth(additions.partition_point(|(at, _)| *at < span.end)),
        style: span.style.clone(),
    });
    Styled {
        spans: spans.collect(),
        text,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use proptest::prelude::*;
    use sayso_channel::{Button, ButtonLook, Language, Outbound};

    use super::{TEXT_LIMIT, render, styled};
    use crate::rows::{Paint, rows};

    fn text(markdown: &str) -> String {
        let part = render(&Outbound::markdown(markdown)).remove(0);
        assert_eq!(styled(&part).fault(), None);
        assert_eq!(part.text, styled(&part).text);
        part.text
    }

    #[test]
    fn what_can_only_be_tapped_is_left_out() {
        let button = |label: &str, look| Button {
            label: label.to_owned(),
            token: label.to_owned(),
            key: None,
            look,
        };
        let message = Outbound {
            buttons: vec![
                vec![button("Stop", ButtonLook::Stop)],
                vec![
                    button("Yes", ButtonLook::Yes),
                    button("End", ButtonLook::Stop),
                ],
            ],
            ..Outbound::markdown("Working.")
        };
        let part = render(&message).remove(0);
        assert_eq!(part.buttons, [[button("Yes", ButtonLook::Yes)]]);
    }

    #[test]
    fn links_and_quotes_are_written_out() {
        assert_snapshot!(text("[docs](https://a.b) <https://c.d>\n\n> **one**\n> [two](https://e.f)\n\nend"), @r"
        docs (https://a.b) https://c.d

        │ one
        │ two (https://e.f)

        end
        ");
    }

    #[test]
    fn r1_addresses_that_are_written_out_command_nothing() {
        assert_eq!(
            text("[a](http://x.example/&#27;[5mX&#x202e;) ![i&#7;](http://y.example/&#x9b;m)"),
            "a (http://x.example/\u{fffd}[5mX\u{fffd}) i\u{fffd} (http://y.example/\u{fffd}m)"
        );
    }

    #[test]
    fn r1_a_part_of_an_older_version_commands_nothing() {
        let mut part = render(&Outbound::markdown("**bold** and plain")).remove(0);
        part.text = "**\u{1b}[2J** and plain".to_owned();
        assert_eq!(styled(&part).text, "**\u{fffd}[2J** and plain");
    }

    #[test]
    fn a_text_cannot_command_the_terminal() {
        assert_snapshot!(text("a\u{1b}[2Jb\rc\u{202e}d\u{7f}"), @"
        a�[2Jb
        c�d�
        ");
    }

    proptest! {
        #[test]
        fn chat_f1_every_character_of_an_address_is_shown(address in "https?://([a-z]{1,5}\\.)?[a-z]{2,4}(:[0-9]{2,4})?/[A-Za-z0-9_*~&;#?=.,:()!'+%@/\\\\$^{}\"|-]{0,20}") {
            let markdown = format!("**see** {address} and _more_ `x`\n\n- {address} *it*");
            let text = &render(&Outbound::markdown(markdown))[0].text;
            prop_assert_eq!(text.matches(address.as_str()).count(), 2, "{}", text);
        }

        #[test]
        fn every_text_renders_within_the_limit_and_keeps_its_letters(
            markdown in "([a-z]{1,5}|[*_~`>#|\\[\\]()!<-]|  |\\n|\\n\\n|- |1\\. ){0,60}"
        ) {
            let parts = render(&Outbound::markdown(&*markdown));
            let letters = |text: &str| text.chars().filter(char::is_ascii_alphabetic).collect::<String>();
            let shown: String = parts.iter().map(|part| letters(&part.text)).collect();
            // Where links lead is written out beside their words.
            let mut rest = shown.chars();
            prop_assert!(letters(&markdown).chars().all(|letter| rest.any(|other| other == letter)));
            for part in &parts {
                prop_assert!(part.text.chars().count() <= TEXT_LIMIT);
                prop_assert_eq!(styled(part).text, part.text.clone());
            }
        }

        #[test]
        fn no_text_commands_the_terminal_or_breaks_the_rendering(markdown in any::<String>()) {
            for part in render(&Outbound::markdown(markdown)) {
                let commands = part.text.chars().find(|letter| {
                    letter.is_control() && !matches!(letter, '\n' | '\t')
                });
                prop_assert_eq!(commands, None);
            }
        }

        #[test]
        fn r1_no_entity_commands_the_terminal(
            markdown in "([a-z ]{1,4}|&#(27|7|8|13|127|155|8238|8294);|&#x(1b|7|9b|9d|202e|2066);|[|\\[\\]()!`#>*\\\\]|http://a.example/|\\|--|\\||\\n|\\n\\n|- |```){1,40}"
        ) {
            let commands = |text: &str| text.chars().any(|letter| {
                (letter.is_control() && letter != '\n')
                    || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
            });
            for part in render(&Outbound::markdown(&*markdown)) {
                for row in rows("", &part, Language::English, Paint::None) {
                    prop_assert!(!commands(&row.painted), "{:?}", row.painted);
                }
            }
        }
    }
}
