//! What is said about erasing a person. Nothing here holds anything of the person.

use sayso_channel::{Language, text};

/// `/forget` without a word that I know.
pub fn usage(language: Language) -> String {
    text!(language, "erasure-usage").to_owned()
}

/// `/forget everything` in a group.
pub fn only_direct(language: Language) -> String {
    text!(language, "erasure-only-direct").to_owned()
}

/// `/forget everything` again, while it is being done.
pub fn under_way(language: Language) -> String {
    text!(language, "erasure-under-way").to_owned()
}

/// The card.
pub fn asking(accounts: usize, language: Language) -> String {
    let linked = linked(accounts, language);
    text!(language, "erasure-asking", linked)
}

/// The button that shows everything that goes and stays.
pub fn explain(language: Language) -> &'static str {
    text!(language, "erasure-explain")
}

/// Says that several accounts are meant, if they are.
fn linked(accounts: usize, language: Language) -> String {
    match accounts {
        0 | 1 => String::new(),
        _ => text!(language, "erasure-linked", accounts),
    }
}

/// The card, with everything that goes and stays.
pub fn explaining(accounts: usize, language: Language) -> String {
    let linked = linked(accounts, language);
    text!(language, "erasure-explaining", linked)
}

/// The buttons: yes and no.
pub fn labels(language: Language) -> (&'static str, &'static str) {
    (
        text!(language, "erasure-erase"),
        text!(language, "erasure-keep"),
    )
}

/// After the yes.
pub fn begun(language: Language) -> String {
    text!(language, "erasure-begun").to_owned()
}

/// After the no.
pub fn refused(language: Language) -> String {
    text!(language, "erasure-refused").to_owned()
}

/// The card expired without an answer, or was replaced by a newer one.
pub fn expired(language: Language) -> String {
    text!(language, "erasure-expired").to_owned()
}

/// Everything is gone.
pub fn done(language: Language) -> String {
    text!(language, "erasure-done").to_owned()
}
