//! How like a message is to messages that needed a skill, and to those that needed none.
//!
//! A naive Bayes classifier (multinomial, each term of a message counted once) over the examples in
//! `examples.toml`. Its terms are English words without their endings, two of them in a row, and two
//! neighbouring characters of Chinese. It is made when it is first asked, from nothing but the examples.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::LazyLock;

use serde::Deserialize;

use super::words::Words;

/// The examples that need no skill.
const DIRECT: &str = "direct";
/// What a term counts that no example of a class has: small, for most terms tell much.
const UNSEEN: f64 = 0.1;

/// The examples of one class, in both languages.
#[derive(Deserialize)]
struct Examples {
    en: Vec<String>,
    zh: Vec<String>,
}

/// The classifier of the built-in skills.
pub(super) static LIKENESS: LazyLock<Likeness> = LazyLock::new(|| {
    // That they can be read is a test's.
    let examples: Result<BTreeMap<String, Examples>, _> =
        toml::from_str(include_str!("examples.toml"));
    let examples = examples.unwrap_or_default();
    let classes = examples
        .into_iter()
        .map(|(class, examples)| (class, [examples.en, examples.zh].concat()));
    Likeness::learned_from(classes)
});

/// What the examples tell.
pub(super) struct Likeness {
    classes: Vec<Class>,
    /// In how many examples of which classes a term is, by its hash.
    terms: HashMap<u64, Vec<(usize, f64)>>,
}

struct Class {
    name: String,
    /// How probable it is before anything was said, as a logarithm.
    prior: f64,
    /// How many terms its examples have, with what is added for those that they have not.
    size: f64,
}

impl Likeness {
    fn learned_from(examples: impl Iterator<Item = (String, Vec<String>)>) -> Self {
        let mut counts: HashMap<u64, BTreeMap<usize, f64>> = HashMap::new();
        let mut sizes: Vec<(String, usize, f64)> = Vec::new();
        for (place, (name, texts)) in examples.enumerate() {
            let mut size = 0.0;
            for text in &texts {
                for term in terms(&Words::of(text)) {
                    *counts.entry(term).or_default().entry(place).or_default() += 1.0;
                    size += 1.0;
                }
            }
            sizes.push((name, texts.len(), size));
        }
        let all: usize = sizes.iter().map(|(_, texts, _)| texts).sum();
        let added = UNSEEN * counts.len() as f64;
        let class = |(name, texts, size): (String, usize, f64)| Class {
            name,
            prior: (texts as f64 / all as f64).ln(),
            size: size + added,
        };
        Self {
            classes: sizes.into_iter().map(class).collect(),
            terms: counts
                .into_iter()
                .map(|(term, classes)| (term, classes.into_iter().collect()))
                .collect(),
        }
    }

    /// Returns by how much (in nats, the natural logarithm of odds) each skill is more probable for a
    /// message than none, the most probable first. Without a term of the examples nothing is known.
    pub(super) fn of(&self, words: &Words) -> Vec<(&str, f64)> {
        let known: Vec<_> = terms(words)
            .iter()
            .filter_map(|term| self.terms.get(term))
            .collect();
        if known.is_empty() {
            return Vec::new();
        }
        let probability = |place: usize, class: &Class| -> f64 {
            let of_term = |classes: &Vec<(usize, f64)>| {
                let found = classes.iter().find(|(class, _)| *class == place);
                let count = found.map_or(0.0, |(_, count)| *count);
                ((count + UNSEEN) / class.size).ln()
            };
            class.prior + known.iter().map(|classes| of_term(classes)).sum::<f64>()
        };
        let mut found: Vec<(&str, f64)> = self
            .classes
            .iter()
            .enumerate()
            .map(|(place, class)| (class.name.as_str(), probability(place, class)))
            .collect();
        let none = found.iter().find(|(class, _)| *class == DIRECT);
        let none = none.map_or(0.0, |(_, probability)| *probability);
        found.retain(|(class, _)| *class != DIRECT);
        for (_, over) in &mut found {
            *over -= none;
        }
        found.sort_by(|one, other| other.1.total_cmp(&one.1));
        found
    }
}

/// Returns the hashes of the terms of a message, each once.
fn terms(words: &Words) -> HashSet<u64> {
    let stems: Vec<&str> = words.apart().map(stem).collect();
    let pairs = stems.windows(2).map(|pair| hash(&pair.join(" ")));
    let single = stems.iter().map(|stem| hash(stem));
    single
        .chain(pairs)
        .chain(words.pairs().map(|pair| hash(&pair)))
        .collect()
}

/// Returns the hash of a term; it need be the same within one run only.
fn hash(term: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}

/// Returns an English word without its ending, so that forms of a word are one: roughly, but all alike.
fn stem(word: &str) -> &str {
    const ENDINGS: [&str; 15] = [
        "ations", "ation", "ments", "ment", "ings", "ing", "ers", "ies", "ied", "es", "ed", "er",
        "s", "e", "y",
    ];
    const SHORTEST: usize = 3;
    let bare = |ending: &&str| {
        let stem = word.strip_suffix(*ending)?;
        (stem.chars().count() >= SHORTEST).then_some(stem)
    };
    ENDINGS.iter().find_map(bare).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::{LIKENESS, Likeness, Words};
    use crate::skills::Skills;

    #[test]
    fn what_is_like_an_example_is_found() {
        let examples = [
            (
                "gardening",
                vec!["when do I plant tulips", "什么时候种郁金香"],
            ),
            ("cooking", vec!["how long do I boil an egg", "鸡蛋要煮多久"]),
            ("direct", vec!["how are you", "你好"]),
        ];
        let examples = examples.map(|(class, texts)| {
            (
                class.to_owned(),
                texts.into_iter().map(str::to_owned).collect(),
            )
        });
        let likeness = Likeness::learned_from(examples.into_iter());
        let best = |text: &str| {
            likeness
                .of(&Words::of(text))
                .first()
                .map(|best| best.0.to_owned())
        };
        for text in ["planting a tulip", "种一棵郁金香"] {
            assert_eq!(best(text).as_deref(), Some("gardening"));
        }
        assert_eq!(best("boiled eggs").as_deref(), Some("cooking"));
        assert_eq!(best("xyzzy"), None);
        let (_, over) = likeness.of(&Words::of("how are you"))[0];
        assert!(over < 0.0, "{over}");
    }

    #[test]
    fn every_built_in_skill_has_examples_and_nothing_else_has() {
        let skills = Skills::builtin().unwrap();
        let mut names: Vec<&str> = skills.names().collect();
        names.sort_unstable();
        let mut classes: Vec<&str> = LIKENESS.classes.iter().map(|it| it.name.as_str()).collect();
        classes.retain(|class| *class != super::DIRECT);
        assert_eq!(classes, names);
    }
}
