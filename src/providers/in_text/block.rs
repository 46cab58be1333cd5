//! A block: the calls between one pair of tags or tokens, and JSON within it.

use sayso_core::transcript::{ToolCall, read_lenient};
use serde_json::Value;

use super::json::{self, Sign};
use super::offered::Offered;

/// One tag with what belongs to it; returns its calls and what is behind it.
pub(super) type Block<'a> = Option<(Vec<ToolCall>, &'a str)>;

/// Reads JSON behind a tag.
pub(super) fn values<'a>(text: &'a str, offered: Offered<'_>) -> Block<'a> {
    let text = text.trim_start();
    let (calls, length) = json::calls_at(text, offered, Sign::Tag)?;
    Some((calls, text.get(length..)?))
}

/// A call whose arguments are JSON; a text, where they do not end or are none.
pub(super) fn with_object<'a>(
    name: &str,
    text: &'a str,
    offered: Offered<'_>,
) -> Option<(ToolCall, &'a str)> {
    let length = json::length(text).unwrap_or(text.len());
    let (written, behind) = text.split_at_checked(length)?;
    let arguments = read_lenient(written).map_or_else(
        || Value::String(written.to_owned()),
        |it| json::arguments_of(&it),
    );
    Some((offered.call(name, arguments)?, behind))
}
