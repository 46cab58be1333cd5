//! The words of a message, and whether a keyword is among them.

use sayso_core::transcript::simplified;

/// Endings that an English word may have beside its plain form.
const ENDINGS: [&str; 9] = ["s", "es", "d", "ed", "ing", "er", "ers", "ation", "ment"];

/// A message, read for keywords: English by the word, Chinese by the character.
#[derive(Debug)]
pub struct Words {
    /// All of it in lower case and simplified characters.
    text: String,
    /// The words that are written apart.
    apart: Vec<String>,
    has_han: bool,
}

impl Words {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let text: String = text
            .chars()
            .filter(|character| !matches!(character, '\'' | '’'))
            .flat_map(char::to_lowercase)
            .map(simplified)
            .collect();
        let apart = text
            .split(|character: char| !character.is_alphanumeric() || is_han(character))
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect();
        let has_han = text.chars().any(is_han);
        Self {
            text,
            apart,
            has_han,
        }
    }

    /// Returns whether a keyword is in the text; it is in lower case.
    pub fn hold(&self, keyword: &str) -> bool {
        if keyword.chars().any(is_han) {
            if !self.has_han {
                return false;
            }
            // Also of characters that are used on the mainland, some have a form for here.
            let keyword: String = keyword.chars().map(simplified).collect();
            return self.text.contains(&keyword);
        }
        let wanted = keyword.split(|character: char| !character.is_alphanumeric());
        let mut wanted = wanted.filter(|word| !word.is_empty());
        let Some(first) = wanted.next() else {
            return false;
        };
        let begins = |at: &usize| self.apart.get(*at).is_some_and(|it| is_form_of(it, first));
        (0..self.apart.len()).filter(begins).any(|at| {
            let mut behind = self.apart.iter().skip(at + 1);
            let mut wanted = wanted.clone();
            wanted.all(|plain| behind.next().is_some_and(|said| is_form_of(said, plain)))
        })
    }

    /// Returns the words that are written apart, and of Chinese each two neighbouring characters.
    pub fn terms(&self) -> impl Iterator<Item = String> {
        self.apart.iter().cloned().chain(self.pairs())
    }

    /// Returns the words that are written apart.
    pub(super) fn apart(&self) -> impl Iterator<Item = &str> {
        self.apart.iter().map(String::as_str)
    }

    /// Returns each two neighbouring characters of Chinese.
    pub(super) fn pairs(&self) -> impl Iterator<Item = String> {
        let characters: Vec<char> = self.text.chars().collect();
        let pairs: Vec<String> = characters
            .windows(2)
            .filter(|pair| pair.iter().copied().all(is_han))
            .map(|pair| pair.iter().collect())
            .collect();
        pairs.into_iter()
    }
}

fn is_han(character: char) -> bool {
    matches!(character, '\u{3400}'..='\u{9fff}')
}

/// Returns whether a word is an English keyword, or that with an ending: `debugging`, `optimized`,
/// `vulnerabilities`.
fn is_form_of(said: &str, plain: &str) -> bool {
    if said == plain {
        return true;
    }
    // Each form of a word begins as it does.
    if said.as_bytes().first() != plain.as_bytes().first() {
        return false;
    }
    let ends = |stem: &str| {
        said.strip_prefix(stem)
            .is_some_and(|rest| ENDINGS.contains(&rest))
    };
    let doubled = || {
        let last = plain.chars().next_back()?;
        said.strip_prefix(plain)?.strip_prefix(last)
    };
    match plain.as_bytes() {
        // So short a word begins many others.
        [..] if plain.len() < 3 => false,
        [.., b'e'] => ends(plain) || ends(&plain[..plain.len() - 1]),
        [.., b'y'] => ends(plain) || ends(&format!("{}i", &plain[..plain.len() - 1])),
        _ => ends(plain) || doubled().is_some_and(|rest| matches!(rest, "ed" | "ing" | "er")),
    }
}

#[cfg(test)]
mod tests {
    use super::Words;

    fn found<'a>(text: &str, keywords: &[&'a str]) -> Vec<&'a str> {
        let words = Words::of(text);
        let held = keywords.iter().filter(|keyword| words.hold(keyword));
        held.copied().collect()
    }

    #[test]
    fn forms_of_a_word_are_that_word() {
        let keywords = ["debug", "optimize", "vulnerability", "crash", "run", "add"];
        assert_eq!(
            found("Debugging: it crashed while running", &keywords),
            ["debug", "crash", "run"]
        );
        assert_eq!(
            found("optimizing vulnerabilities", &keywords),
            ["optimize", "vulnerability"]
        );
        assert_eq!(found("my address, the runt, additive", &keywords), [""; 0]);
    }

    #[test]
    fn phrases_are_words_in_a_row() {
        assert_eq!(found("It doesn’t work!", &["doesnt work"]), ["doesnt work"]);
        assert_eq!(found("two unit-tests", &["unit test"]), ["unit test"]);
        assert_eq!(found("unit of a test", &["unit test"]), [""; 0]);
    }

    #[test]
    fn chinese_is_found_inside_of_a_sentence_in_either_script() {
        assert_eq!(
            found("帮我調試一下Rust程序", &["调试", "rust"]),
            ["调试", "rust"]
        );
        let terms: Vec<String> = Words::of("跑test用例").terms().collect();
        assert_eq!(terms, ["test", "用例"]);
    }
}
