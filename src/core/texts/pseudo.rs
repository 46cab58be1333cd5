//! A made-up language for tests: English with accents, two fifths longer.
//!
//! What fits in it fits in a language that takes more room than English, and a text that stays without accents
//! is not in the files.

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement};
use fluent_syntax::{parser, serializer};

use super::files::{TRANSLATE, Translate};

/// Returns what a function says in the made-up language, whatever language it asks for. It holds for this
/// thread alone.
pub fn spoken<T>(says: impl FnOnce() -> T) -> T {
    struct Before(Option<Translate>);
    impl Drop for Before {
        fn drop(&mut self) {
            TRANSLATE.set(self.0);
        }
    }
    let _before = Before(TRANSLATE.replace(Some(translated)));
    says()
}

/// Translates a file. Arguments, and what stands in a literal or between backticks, stay.
pub fn translated(file: &str) -> String {
    let mut resource = match parser::parse(file.to_owned()) {
        Ok(resource) | Err((resource, _)) => resource,
    };
    for entry in &mut resource.body {
        if let Entry::Message(message) = entry
            && let Some(pattern) = &mut message.value
        {
            translate(pattern);
        }
    }
    serializer::serialize(&resource)
}

fn translate(pattern: &mut Pattern<String>) {
    let mut is_code = false;
    for element in &mut pattern.elements {
        match element {
            PatternElement::TextElement { value } => *value = accented(value, &mut is_code),
            PatternElement::Placeable { expression } => translate_placeable(expression),
        }
    }
}

fn translate_placeable(expression: &mut Expression<String>) {
    match expression {
        Expression::Select { variants, .. } => {
            for variant in variants {
                translate(&mut variant.value);
            }
        }
        Expression::Inline(InlineExpression::Placeable { expression }) => {
            translate_placeable(expression);
        }
        Expression::Inline(_) => {}
    }
}

/// Accents letters and doubles two vowels of five letters or so, which makes a text two fifths longer.
/// Commands and code stay, since they must be typed and linked.
fn accented(text: &str, is_code: &mut bool) -> String {
    let mut said = String::with_capacity(text.len() * 2);
    let mut owed = 0;
    let mut is_command = false;
    let mut before = ' ';
    for letter in text.chars() {
        *is_code ^= letter == '`';
        if letter.is_whitespace() {
            is_command = false;
        } else if letter == '/' && !before.is_alphanumeric() {
            is_command = true;
        }
        before = letter;
        let (plain, accented) = (letter, accent(letter));
        if *is_code || is_command {
            said.push(plain);
            continue;
        }
        said.push(accented);
        owed += if plain.is_ascii_alphabetic() { 2 } else { 0 };
        while owed >= 5 && plain.is_ascii_alphabetic() {
            said.push(accented.to_lowercase().next().unwrap_or(accented));
            owed -= 5;
        }
    }
    said
}

fn accent(letter: char) -> char {
    const PLAIN: &str = "aceinouyACEINOUY";
    const ACCENTED: &str = "áçéíñóúýÁÇÉÍÑÓÚÝ";
    let at = PLAIN.chars().position(|plain| plain == letter);
    at.and_then(|at| ACCENTED.chars().nth(at)).unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Language, text};

    #[test]
    fn it_is_two_fifths_longer_and_keeps_code_and_arguments() {
        let steps =
            |count: usize| spoken(|| text!(Language::Chinese, "sessions-earlier-steps", count));
        assert_eq!(steps(1), "… 1 éárrlííér sstéép");
        assert_eq!(steps(3), "… 3 éárrlííér sstééps");
        let long = || text!(Language::English, "sessions-interrupted-too-often");
        let [english, longer] = [long(), spoken(long)].map(|text| text.chars().count());
        assert!(
            (130..=145).contains(&(longer * 100 / english)),
            "{english}, {longer}"
        );
        let before = text!(Language::English, "sessions-undo");
        assert_eq!(before, "Undo", "it holds for what is spoken in it alone");
    }
}
