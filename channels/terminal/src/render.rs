//! A message as parts: plain text with spans, where nothing depends on the terminal at hand.

use sayso_channel::{
    Button, ButtonLook, Outbound, Part, RESENT_MARK_ROOM, Span, Style, Styled, TextUnit, markdown,
    split,
};

/// The longest text of one message, in characters. The terminal has no limit; memory does.
pub(crate) const TEXT_LIMIT: usize = 100_000;

/// What each line of a quote begins with.
const QUOTE_BAR: &str = "│ ";

/// Renders a message into parts. The spans are the markup.
pub(crate) fn render(message: &Outbound) -> Vec<Part> {
    let styled = spell_out(&markdown::to_styled(&harmless(&message.markdown)));
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
    let rows = rows.iter();
    let rows = rows.map(|row| row.iter().filter(is_typed).cloned().collect());
    rows.filter(|row: &Vec<Button>| !row.is_empty()).collect()
}

/// Reads a part back. Markup that does not fit the text is no markup.
pub(crate) fn styled(part: &Part) -> Styled {
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
/// What is said may come from anywhere; a card must look on the screen as it was written.
pub(crate) fn harmless(text: &str) -> String {
    let text = text.replace("\r\n", "\n");
    let letters = text.chars().map(|letter| match letter {
        '\n' | '\t' => letter,
        '\r' => '\n',
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        _ if letter.is_control() => char::REPLACEMENT_CHARACTER,
        _ => letter,
    });
    letters.collect()
}

/// Writes out what a terminal cannot show otherwise: where links lead, and what is quoted.
fn spell_out(styled: &Styled) -> Styled {
    let mut additions: Vec<(usize, String)> = Vec::new();
    for span in &styled.spans {
        let Some(text) = styled.text.get(span.start..span.end) else {
            continue;
        };
        match &span.style {
            Style::Link { url } if !url.ends_with(text) => {
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
    use sayso_channel::{Button, ButtonLook, Outbound};

    use super::{TEXT_LIMIT, render, styled};

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
    fn a_text_cannot_command_the_terminal() {
        assert_snapshot!(text("a\u{1b}[2Jb\rc\u{202e}d\u{7f}"), @"
        a�[2Jb
        c�d�
        ");
    }

    proptest! {
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
    }
}
