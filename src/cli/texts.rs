//! What `policy explain`, `injection scan` and `redact` share: their texts, and how they print.

use std::io::BufRead;

/// How a judgement is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// A line for people.
    Plain,
    /// One JSON object per line, in English.
    Json,
}

/// Calls back with each text: the arguments, or else each line of the input as it arrives.
pub(super) fn each(
    arguments: &[String],
    input: &mut impl BufRead,
    mut take: impl FnMut(&str) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if arguments.is_empty() {
        for line in input.lines() {
            take(&line?)?;
        }
    }
    for text in arguments {
        take(text)?;
    }
    Ok(())
}
