//! Frequent mistakes in a file that is not TOML, found in the line that the parser stopped at. Nothing
//! of a value is quoted: it may be a secret.

use super::messages::Mistake;

/// Longer names are no keys.
const KEY_CHARACTERS: usize = 40;

impl Mistake {
    /// Finds what is wrong with a line that the parser refuses.
    pub(super) fn in_line(line: &str) -> Option<Self> {
        let is_typographic =
            |letter: char| "\u{201c}\u{201d}\u{2018}\u{2019}\u{201e}\u{ab}\u{bb}".contains(letter);
        let code = line.split('#').next().unwrap_or(line);
        if code.contains(is_typographic) {
            return Some(Self::TypographicQuotes);
        }
        let (key, value) = code.split_once('=')?;
        let (key, value) = (key.trim(), value.trim());
        let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "_-.".contains(letter);
        if key.is_empty() || key.chars().count() > KEY_CHARACTERS || !key.chars().all(is_plain) {
            return None;
        }
        match value.strip_prefix('[') {
            Some(list) => {
                let mut items = list.trim_end_matches(']').split(',').map(str::trim);
                let has_bare = items.any(|item| !item.is_empty() && is_bare(item));
                has_bare.then(|| Self::BareItem {
                    key: key.to_owned(),
                })
            }
            None => is_bare(value).then(|| Self::BareText {
                key: key.to_owned(),
            }),
        }
    }
}

/// Returns whether a value is a text that is written without quotes.
fn is_bare(value: &str) -> bool {
    let is_word = matches!(value, "true" | "false" | "inf" | "nan");
    let starts_otherwise = value.starts_with(['"', '\'', '{', '[']);
    let is_text = value
        .chars()
        .any(|letter| letter.is_alphabetic() || matches!(letter, ':' | '/' | '@' | '~' | '$'));
    !is_word && !starts_otherwise && is_text
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::Mistake;

    #[track_caller]
    fn check(line: &str, expected: Option<&str>) {
        let found = Mistake::in_line(line).map(|mistake| mistake.in_words(Language::English));
        assert_eq!(found.as_deref(), expected, "{line}");
    }

    #[test]
    fn u25_frequent_mistakes_are_found() {
        check(
            "owners = [telegram:12345]",
            Some("each value of the list needs quotes: write `owners = [\"...\", \"...\"]`"),
        );
        check(
            "token = 123456:ABC",
            Some("the value needs quotes: write `token = \"...\"`"),
        );
        let typographic = "this line has typographic quotes; write straight ones: `\"`";
        check("model = \u{201c}gpt-4o\u{201d}", Some(typographic));
        for fine in [
            "max_steps = 3",
            "pairing = true",
            "[agent",
            "model = 'x",
            "= x",
            "# a = b",
        ] {
            check(fine, None);
        }
    }
}
