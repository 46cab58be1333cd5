//! BM25 as the books have it, to compare with.

use std::collections::HashMap;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// Texts in an index of their own.
pub struct Bm25 {
    postings: HashMap<String, Vec<(usize, f64)>>,
    texts: usize,
}

impl Bm25 {
    /// Returns the index of these texts.
    pub fn new<'a>(texts: impl Iterator<Item = &'a str>) -> Self {
        let texts: Vec<_> = texts.map(words).collect();
        let mean = texts.iter().map(Vec::len).sum::<usize>() as f64 / texts.len().max(1) as f64;
        let mut postings: HashMap<String, Vec<(usize, f64)>> = HashMap::new();
        for (place, words) in texts.iter().enumerate() {
            let mut held: HashMap<&String, f64> = HashMap::new();
            for word in words {
                *held.entry(word).or_default() += 1.0;
            }
            let room = K1 * (1.0 - B + B * words.len() as f64 / mean);
            for (word, held) in held {
                let worth = held * (K1 + 1.0) / (held + room);
                postings
                    .entry(word.clone())
                    .or_default()
                    .push((place, worth));
            }
        }
        Self {
            postings,
            texts: texts.len(),
        }
    }

    /// Returns the places of the texts that hold a word of the question, best first.
    pub fn find(&self, question: &str) -> Vec<usize> {
        let mut asked = words(question);
        asked.sort();
        asked.dedup();
        let mut scores = vec![0.0; self.texts];
        for posting in asked.iter().filter_map(|word| self.postings.get(word)) {
            let (all, holding) = (self.texts as f64, posting.len() as f64);
            let rarity = ((all - holding + 0.5) / (holding + 0.5)).ln_1p();
            for (place, worth) in posting {
                if let Some(score) = scores.get_mut(*place) {
                    *score += rarity * worth;
                }
            }
        }
        let mut order: Vec<_> = scores.into_iter().enumerate().collect();
        order.retain(|(_, score)| *score > 0.0);
        order.sort_by(|(_, one): &(usize, f64), (_, other)| other.total_cmp(one));
        order.into_iter().map(|(place, _)| place).collect()
    }
}

/// Returns words in lower case, and bigrams of Chinese characters (a single one stays a unigram).
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for run in text
        .to_lowercase()
        .split(|letter: char| !letter.is_alphanumeric())
    {
        let mut rest = run;
        while let Some(first) = rest.chars().next() {
            let end = rest
                .find(|letter| is_chinese(letter) != is_chinese(first))
                .unwrap_or(rest.len());
            let (part, behind) = rest.split_at(end);
            rest = behind;
            let characters: Vec<char> = part.chars().collect();
            if is_chinese(first) && characters.len() > 1 {
                words.extend(
                    characters
                        .windows(2)
                        .map(|pair| pair.iter().collect::<String>()),
                );
            } else {
                words.push(part.to_owned());
            }
        }
    }
    words
}

fn is_chinese(letter: char) -> bool {
    matches!(letter, '\u{4e00}'..='\u{9fff}')
}
