//! Texts for people, looked up in the Fluent files below `locales/`.
//!
//! A folder is a language, a file in it is an area (mostly a room), and the first word of a key is the name of
//! its file: `budget-raised` stands in `budget.ftl`. [`text!`](crate::text) looks a text up; which text is right in
//! a situation is decided in the `messages` file of each room. A file is parsed when the first text of it is
//! needed, so a start pays for the few that it says something from.
//!
//! That each key exists in each language, with the arguments that the code passes, is checked by
//! `tests/it/layers` and not here.

mod argument;
mod files;
#[cfg(any(test, feature = "testing"))]
pub mod pseudo;

use std::borrow::Cow;

pub use argument::{Argument, Arguments, Filled};
pub use files::{AREAS, source};

use crate::Language;

/// Looks up a text for people: `text!(language, "budget-raised")` is a `&'static str`, and
/// `text!(language, "budget-warning-user", used)` a `String` with its arguments filled in;
/// `used = amount.percent()` names another value.
///
/// The key is a literal, so that a test can check it.
#[macro_export]
macro_rules! text {
    (@value $name:ident) => {
        $name
    };
    (@value $name:ident = $value:expr) => {
        $value
    };
    ($language:expr, $key:literal $(,)?) => {
        $crate::texts::ready($language, $key)
    };
    ($language:expr, $key:literal, $($name:ident $(= $value:expr)?),+ $(,)?) => {
        $crate::texts::filled(
            $language,
            $key,
            &$crate::texts::Arguments::default()
                $(.with(stringify!($name), &$crate::text!(@value $name $(= $value)?)))+,
        )
    };
}

/// Returns a text without arguments; use [`text!`](crate::text). Returns the key where there is none.
pub fn ready(language: Language, key: &'static str) -> &'static str {
    let Some(area) = files::area_of(language, key) else {
        return missing(language, key);
    };
    if let Some(joined) = area.joined(key) {
        return joined;
    }
    match area.text(key, &Arguments::default()) {
        Some(Cow::Borrowed(text)) => text,
        Some(Cow::Owned(text)) => area.join(key, text),
        None => missing(language, key),
    }
}

/// Returns a text with its arguments; use [`text!`](crate::text). Returns the key where there is none.
pub fn filled(language: Language, key: &'static str, arguments: &Arguments<'_>) -> String {
    let text = files::area_of(language, key).and_then(|area| area.text(key, arguments));
    text.map_or_else(|| missing(language, key).to_owned(), Cow::into_owned)
}

fn missing(language: Language, key: &'static str) -> &'static str {
    tracing::error!(key, language = language.code(), "a text is missing");
    key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_several_lines_is_joined_once() {
        let one = text!(Language::English, "offline-words-known");
        assert!(one.lines().count() > 5, "{one}");
        let other = text!(Language::English, "offline-words-known");
        assert!(std::ptr::eq(one, other));
        let simple = text!(Language::Chinese, "sessions-undo");
        assert!(std::ptr::eq(
            simple,
            text!(Language::Chinese, "sessions-undo")
        ));
    }

    #[test]
    fn a_plural_follows_its_number() {
        let said = |count: usize| text!(Language::English, "sessions-earlier-steps", count);
        assert_eq!(
            [0, 1, 2].map(said),
            ["… 0 earlier steps", "… 1 earlier step", "… 2 earlier steps",]
        );
        let large = text!(
            Language::Chinese,
            "sessions-earlier-steps",
            count = 12_345_678_u64
        );
        assert_eq!(large, "… 更早的 12345678 步");
    }

    #[test]
    fn what_is_filled_in_is_not_read() {
        let words = "{ $count } \u{2068}{\"x\"}";
        let text = text!(Language::English, "sessions-got-it", words);
        assert_eq!(text, format!("＋ Got it: {words}"));
    }

    #[test]
    fn a_text_that_is_missing_is_its_key() {
        assert_eq!(ready(Language::Chinese, "sessions-none"), "sessions-none");
        assert_eq!(ready(Language::Chinese, "none"), "none");
        assert_eq!(
            filled(Language::English, "a-none", &Arguments::default()),
            "a-none"
        );
    }
}
