//! Rendering of an outbound message to the parts that Discord accepts. Pure.
//!
//! A part is Discord's own Markdown, in which everything that a message says and does not mean as a
//! look is escaped. The Markdown is read and cut by `sayso-channel`.

mod addresses;
mod escape;
#[cfg(test)]
mod reader;
#[cfg(test)]
mod tests;
mod writer;

use sayso_channel::markdown::to_styled;
use sayso_channel::split::{into_parts, split};
use sayso_channel::styled::{Span, Style, Styled};
use sayso_channel::{Button, MessageKey, Outbound, Part, RESENT_MARK_ROOM};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{LongAnswers, components};

/// The longest text of a message, in Unicode scalar values
/// (<https://docs.discord.com/developers/resources/message#create-message>).
pub(crate) const TEXT_LIMIT: usize = 2000;
/// What stands for a message that shows nothing: Discord refuses empty text.
const NOTHING: &str = "…";
/// From how many parts on a message is a long answer.
const LONG_PARTS: usize = 3;
/// The longest address behind the words of a link, in bytes; a longer one is written out.
const LINK_BYTES: usize = 512;

/// What a part of a long answer says about where it belongs: into the thread of this message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct InThread {
    /// The message that is answered. Its thread has the same id.
    pub(crate) thread_of: MessageKey,
    /// What the thread is called when this part opens it: 1-100 characters.
    pub(crate) title: String,
}

/// Renders a message into parts, each within Discord's limit with room for the mark of a repeated
/// send.
pub(crate) fn render(message: &Outbound, long_answers: LongAnswers) -> Vec<Part> {
    let mut pieces = pieces(&message.markdown);
    if pieces.is_empty() && message.file.is_none() {
        pieces.push(Styled::plain(NOTHING));
    }
    let markup = match long_answers {
        LongAnswers::Thread if pieces.len() >= LONG_PARTS => in_thread(message, &pieces),
        LongAnswers::Thread | LongAnswers::Messages => Value::Null,
    };
    let texts = pieces.iter().map(written);
    let mut parts = into_parts(message, texts.map(|text| (text, markup.clone())).collect());
    spread_buttons(&mut parts);
    parts
}

/// Puts the buttons that one message cannot carry on messages of their own, above the last one.
fn spread_buttons(parts: &mut Vec<Part>) {
    let Some(mut last) = parts.pop() else { return };
    let count = |rows: &[Vec<Button>]| rows.iter().map(Vec::len).sum::<usize>();
    while count(&last.buttons) > components::MOST {
        let mut above = Vec::new();
        while count(&above) + last.buttons.first().map_or(0, Vec::len) <= components::MOST
            && last.buttons.len() > 1
        {
            above.push(last.buttons.remove(0));
        }
        if above.is_empty() {
            break;
        }
        parts.push(Part {
            text: NOTHING.to_owned(),
            buttons: above,
            file: None,
            reply_to: None,
            ..last.clone()
        });
    }
    parts.push(last);
}

fn written(piece: &Styled) -> String {
    let mut text = writer::to_markdown(piece);
    text.truncate(text.trim_end().len());
    text
}

/// Returns a text that must be seen whole as messages of nothing else.
pub(crate) fn spelled_out(text: &str) -> Vec<Part> {
    let literal = Styled {
        text: text.trim_end().to_owned(),
        spans: vec![Span {
            start: 0,
            end: text.trim_end().len(),
            style: Style::Pre { language: None },
        }],
    };
    let texts = cut(&literal)
        .iter()
        .map(|piece| (written(piece), Value::Null))
        .collect();
    into_parts(&Outbound::default(), texts)
}

/// Splits a text so that each piece, once rendered for Discord, keeps to the limit.
fn pieces(markdown: &str) -> Vec<Styled> {
    let styled = to_styled(markdown).write_out_links(&is_carried);
    cut(&addresses::without_looks(styled))
        .into_iter()
        .filter(|piece| !piece.text.chars().all(is_invisible))
        .collect()
}

fn cut(styled: &Styled) -> Vec<Styled> {
    let cost = |piece: &Styled| writer::to_markdown(piece).chars().count();
    split(styled, TEXT_LIMIT - RESENT_MARK_ROOM, &cost)
}

/// Returns whether Discord shows a link as words: not when they look like another address, and not
/// when they hold brackets, which end them.
fn is_carried(words: &str, url: &str) -> bool {
    let scheme = url.split(':').next().unwrap_or_default();
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    is_web && url.len() <= LINK_BYTES && !words.contains("://") && !words.contains(['[', ']'])
}

/// Returns the place of a long answer: the thread of the message that it answers.
fn in_thread(message: &Outbound, pieces: &[Styled]) -> Value {
    let Some(thread_of) = message.reply_to.clone() else {
        return Value::Null;
    };
    let first_line = pieces.first().and_then(|piece| piece.text.lines().next());
    let title: String = first_line.unwrap_or(NOTHING).chars().take(80).collect();
    serde_json::to_value(InThread { thread_of, title }).unwrap_or_default()
}

/// Returns the thread that a part belongs to; none when it carries something else.
///
/// Parts wait in the outbox and may come from another version of this crate.
pub(crate) fn thread_of(part: &Part) -> Option<InThread> {
    serde_json::from_value(part.markup.clone()).ok()
}

/// Returns whether a character shows nothing: a text of only these would look like no message.
fn is_invisible(letter: char) -> bool {
    letter.is_whitespace()
        || letter.is_control()
        || matches!(
            letter,
            '\u{ad}'
                | '\u{200b}'..='\u{200f}'
                | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2800}'
                | '\u{3164}'
                | '\u{feff}'
        )
}
