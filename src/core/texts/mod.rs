//! Texts for people, looked up in the Fluent files below `locales/`.
//!
//! A folder is a language, a file in it is an area (mostly a room), and the first word of a key is the name of
//! its file: `budget-raised` stands in `budget.ftl`. [`text!`](crate::text) looks a text up; which text is right in
//! a situation is decided in the `messages` file of each room. A file is parsed when the first text of it is
//! needed, so a start pays for the few that it says something from.
//!
//! That each key exists in each language, with the arguments that the code passes, is checked by
//! `tests/it/texts` and not here.

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
