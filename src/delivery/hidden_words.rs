//! What is hidden from a text, in words for the people who read it: logs, prompts and the journal
//! keep the mark with the name of the kind.

use std::borrow::Cow;

use sayso_channel::Language::{self, Chinese, English};
use sayso_core::redact::marks;

use super::messages::{self, Likeness};

/// Returns the text with words in the place of each mark, in the language of the text.
pub(super) fn in_words(text: Cow<'_, str>) -> Cow<'_, str> {
    let marks = marks(&text);
    if marks.is_empty() {
        return text;
    }
    let language = language_of(&text);
    let mut said = String::with_capacity(text.len());
    let mut from = 0;
    for mark in marks {
        said.push_str(text.get(from..mark.start).unwrap_or_default());
        said.push_str(messages::hidden(Likeness::of(mark.kind), language));
        from = mark.end;
    }
    said.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(said)
}

impl Likeness {
    fn of(kind: &str) -> Self {
        match kind {
            "private-key" => Self::PrivateKey,
            "password-in-address" | "password-in-command" | "secret-value" => Self::Password,
            // Of the configuration, by its own name there.
            _ if kind.starts_with("secret-") || kind.ends_with("-secret") => Self::OwnSecret,
            _ if kind.ends_with("-key") => Self::ApiKey,
            _ if kind.ends_with("-token") => Self::AccessToken,
            _ => Self::Other,
        }
    }
}

fn language_of(text: &str) -> Language {
    let is_han = |letter: char| ('\u{4e00}'..='\u{9fff}').contains(&letter);
    if text.contains(is_han) {
        Chinese
    } else {
        English
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_words_in_the_language_of_the_text() {
        let said = |text: &str| in_words(text.into()).into_owned();
        let key = "Your key is [redacted: openai-key], and [redacted: github-token].";
        insta::assert_snapshot!(said(key), @"Your key is ••• (hidden: looks like an API key), and ••• (hidden: looks like an access token).");
        let own = "口令是 [redacted: secret-HUB]，地址里有 [redacted: password-in-address]。";
        insta::assert_snapshot!(said(own), @"口令是 •••（已隐藏：设置中的密钥），地址里有 •••（已隐藏：像是密码）。");
        insta::assert_snapshot!(said("[redacted: private-key]"), @"••• (hidden: a private key)");
        assert!(matches!(in_words("nothing".into()), Cow::Borrowed(_)));
    }
}
