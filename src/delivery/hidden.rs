//! What is said, without secrets: the last look at every text before a channel renders it.

use std::borrow::Cow;

use sayso_channel::{FileSource, OutFile, Outbound};
use sayso_core::redact::Redactor;

use super::hidden_words::in_words;

/// Hides the secrets in a message. What stands on a card is what runs, so nothing is hidden that
/// could be more than a word of a command.
pub(super) fn without_secrets<'o>(
    outbound: &'o Outbound,
    redactor: &Redactor,
) -> Cow<'o, Outbound> {
    let markdown = in_words(redactor.redact_call(&outbound.markdown));
    let file = outbound.file.as_ref();
    let attached = file.and_then(|file| without_secrets_in(file, redactor));
    if matches!(markdown, Cow::Borrowed(_)) && attached.is_none() {
        return Cow::Borrowed(outbound);
    }
    Cow::Owned(Outbound {
        markdown: markdown.into_owned(),
        file: attached.or_else(|| outbound.file.clone()),
        ..outbound.clone()
    })
}

/// Returns the file with its secrets hidden, if it is an attached text written by the system that
/// contains secrets. A file may be read by programs, so it keeps the plain mark.
fn without_secrets_in(file: &OutFile, redactor: &Redactor) -> Option<OutFile> {
    let FileSource::Text(text) = &file.source else {
        return None;
    };
    match redactor.redact_call(text) {
        Cow::Borrowed(_) => None,
        Cow::Owned(text) => Some(OutFile {
            source: FileSource::Text(text),
            ..file.clone()
        }),
    }
}
