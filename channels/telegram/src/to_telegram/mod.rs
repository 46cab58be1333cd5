//! Rendering of an outbound message to the parts that Telegram accepts. Pure.
//!
//! A part is plain text beside its entities; no `parse_mode` is ever used, so nothing that a
//! message says can fail to parse. The Markdown is read and cut by `sayso-channel`.

mod entities;
mod links;
#[cfg(test)]
mod tests;

use sayso_channel::markdown::to_styled;
use sayso_channel::split::split;
use sayso_channel::styled::{Span, Style, Styled};
use sayso_channel::{Outbound, Part, RESENT_MARK_ROOM, TextUnit};

pub(crate) use entities::from_markup;

/// The longest text of a message, in UTF-16 units
/// (<https://core.telegram.org/bots/api#sendmessage>).
pub(crate) const TEXT_LIMIT: usize = 4096;
/// The longest text beside a file, in UTF-16 units
/// (<https://core.telegram.org/bots/api#senddocument>).
const CAPTION_LIMIT: usize = 1024;
/// The most entities that one message keeps (listed at <https://limits.tginfo.me>); Telegram drops
/// the rest without a word.
const ENTITY_LIMIT: usize = 100;
/// The most bytes that the entities of one message may take, with room to spare: near 9,500
/// Telegram refuses the message (<https://github.com/tdlib/telegram-bot-api/issues/165>).
const ENTITY_BYTES: usize = 9000;
/// What stands for a message that shows nothing: Telegram refuses empty text.
const NOTHING: &str = "…";

/// Renders a message into parts, each within Telegram's limits with room for the mark of a
/// repeated send.
pub(crate) fn render(message: &Outbound) -> Vec<Part> {
    let mut pieces = pieces(&message.markdown);
    let file = message.file.as_ref();
    if pieces.is_empty() && file.is_none() {
        pieces.push(Styled::plain(NOTHING));
    }
    let fits_below_file =
        |piece: &Styled| piece.measure(TextUnit::Utf16) <= CAPTION_LIMIT - RESENT_MARK_ROOM;
    if file.is_some() && !pieces.last().is_some_and(fits_below_file) {
        pieces.push(Styled::default());
    }
    let mut parts: Vec<Part> = pieces.iter().map(|piece| part(piece, message)).collect();
    if let Some(first) = parts.first_mut() {
        first.reply_to.clone_from(&message.reply_to);
    }
    if let Some(last) = parts.last_mut() {
        last.buttons.clone_from(&message.buttons);
        last.file = file.cloned();
        last.asks_reply = message.asks_reply;
    }
    parts
}

/// Cuts a text so that each piece keeps to all limits: its length, the number of its entities and
/// their bytes.
fn pieces(markdown: &str) -> Vec<Styled> {
    let limit = TEXT_LIMIT - RESENT_MARK_ROOM;
    let unit_per_entity = limit.div_ceil(ENTITY_LIMIT);
    let cost = |piece: &Styled| {
        let length = piece.measure(TextUnit::Utf16);
        let bytes = piece.spans.iter().map(entities::bytes).sum::<usize>();
        length
            .max(piece.spans.len() * unit_per_entity)
            .max(bytes.saturating_mul(limit) / ENTITY_BYTES)
    };
    let styled = to_styled(markdown).write_out_links(&links::is_carried);
    split(&styled, limit, &cost)
        .into_iter()
        .filter(|piece| !piece.text.chars().all(is_invisible))
        .collect()
}

fn part(piece: &Styled, message: &Outbound) -> Part {
    Part {
        text: piece.text.clone(),
        markup: entities::to_markup(piece),
        plain: plain(piece),
        buttons: Vec::new(),
        file: None,
        reply_to: None,
        asks_reply: false,
        quiet: message.quiet,
        aside: message.aside,
    }
}

/// Returns the text with all addresses written out, where it has some behind words.
fn plain(piece: &Styled) -> Option<String> {
    let is_link = |span: &Span| matches!(span.style, Style::Link { .. });
    piece.spans.iter().any(is_link).then(|| {
        let written_out = piece.clone().write_out_links(&|_, _| false);
        written_out.text
    })
}

/// Returns whether a character shows nothing: Telegram takes a text of only these for empty.
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
