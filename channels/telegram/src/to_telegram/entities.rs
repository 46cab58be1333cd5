//! The styles of a text as Telegram's entities, which count in UTF-16 units.

use sayso_channel::TextUnit;
use sayso_channel::styled::{Span, Style, Styled};
use serde_json::Value;

use crate::requests::Entity;

/// Returns the entities of a piece as a part carries them.
pub(super) fn to_markup(piece: &Styled) -> Value {
    let entities: Vec<Entity> = piece
        .spans
        .iter()
        .map(|span| entity(&piece.text, span))
        .collect();
    if entities.is_empty() {
        return Value::Null;
    }
    serde_json::to_value(entities).unwrap_or_default()
}

/// Returns the entities that a part carries; none when it carries something else.
///
/// Parts wait in the outbox and may come from another version of this crate.
pub(crate) fn from_markup(markup: &Value) -> Vec<Entity> {
    serde_json::from_value(markup.clone()).unwrap_or_default()
}

/// Returns about how many bytes an entity takes on the wire: three numbers, and its address or
/// language with its length.
pub(super) fn bytes(span: &Span) -> usize {
    let detail = match &span.style {
        Style::Link { url } => url.len() + 4,
        Style::Pre { language } => language.as_ref().map_or(0, String::len) + 4,
        Style::Bold | Style::Italic | Style::Strikethrough | Style::Code | Style::Quote => 0,
    };
    12 + detail
}

fn entity(text: &str, span: &Span) -> Entity {
    let (kind, url, language) = match &span.style {
        Style::Bold => ("bold", None, None),
        Style::Italic => ("italic", None, None),
        Style::Strikethrough => ("strikethrough", None, None),
        Style::Code => ("code", None, None),
        Style::Pre { language } => ("pre", None, language.clone()),
        Style::Quote => ("blockquote", None, None),
        Style::Link { url } => ("text_link", Some(url.clone()), None),
    };
    Entity {
        kind: kind.to_owned(),
        offset: TextUnit::Utf16.measure(&text[..span.start]),
        length: TextUnit::Utf16.measure(&text[span.start..span.end]),
        url,
        language,
    }
}
