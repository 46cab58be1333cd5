//! What texts mean: words, and which of them mean the same.

use std::collections::BTreeMap;

/// Words that mean the same as another.
#[derive(Debug, Default)]
pub(super) struct Meanings(BTreeMap<String, String>);

impl Meanings {
    /// Has all of these words mean the same as the first.
    pub(super) fn teach(&mut self, words: &[&str]) {
        let Some(first) = words.first() else {
            return;
        };
        for word in words {
            self.0.insert(word.to_lowercase(), first.to_lowercase());
        }
    }

    /// Returns the sum of the directions of the words of a text, made as long as one. A text without words
    /// has a direction as well.
    pub(super) fn vector(&self, text: &str, dimension: usize) -> Vec<f64> {
        let mut sum = vec![0.0; dimension];
        // A taught word of another script has no spaces around it.
        let taught = self.0.iter().filter(|(word, _)| !word.is_ascii());
        let text = taught.fold(text.to_lowercase(), |text, (word, first)| {
            text.replace(word, &format!(" {first} "))
        });
        let words = words(&text);
        let meanings = words.iter().map(|word| self.0.get(word).unwrap_or(word));
        for meaning in meanings {
            for (number, part) in sum.iter_mut().zip(direction(meaning)) {
                *number += part;
            }
        }
        if words.is_empty() {
            sum = direction(&text).take(dimension).collect();
        }
        let length = sum.iter().map(|it| it * it).sum::<f64>().sqrt();
        sum.iter().map(|it| it / length).collect()
    }
}

/// Splits at what is no letter or digit; a character outside of Latin is a word of its own.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            if let Some(word) = words.last_mut() {
                word.push(letter);
            }
        } else if letter.is_alphanumeric() {
            words.extend([letter.to_string(), String::new()]);
        } else {
            words.push(String::new());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Returns numbers between -1 and 1 that look random and are the same for the same word: FNV-1a of the word,
/// continued by SplitMix64.
fn direction(word: &str) -> impl Iterator<Item = f64> {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
    let mut state = word.bytes().fold(0xCBF2_9CE4_8422_2325, hash);
    std::iter::repeat_with(move || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn taught_words_are_one_and_others_are_far_apart() {
        let mut meanings = Meanings::default();
        meanings.teach(&["car", "automobile", "汽车"]);
        let near = |one: &str, other: &str| -> f64 {
            let (one, other) = (meanings.vector(one, 64), meanings.vector(other, 64));
            one.iter().zip(&other).map(|(one, other)| one * other).sum()
        };
        assert!(near("my Car", "my automobile") > 0.999);
        assert!(near("my car", "green tea").abs() < 0.4);
        assert!(near("绿茶", "绿") > 0.5);
        assert!(near("一辆汽车", "一辆car") > 0.999);
        assert!((near("!", "!") - 1.0).abs() < 0.001);
    }
}
