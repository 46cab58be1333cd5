//! What `policy explain`, `injection scan` and `redact` share: their texts.

use std::io::BufRead;

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
