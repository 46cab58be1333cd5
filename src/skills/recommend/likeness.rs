//! How like a message is to messages that needed a skill, and to those that needed none.
//!
//! A naive Bayes classifier (multinomial, each term of a message counted once) over the examples in
//! `examples.toml`. Its terms are English words without their endings, two of them in a row, and
//! two neighbouring characters of Chinese. It is made when it is first asked, from nothing but the
//! examples.

use std::collections::BTreeMap;
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
    let read: Result<BTreeMap<String, Examples>, _> = toml::from_str(include_str!("examples.toml"));
    let classes = read
        .unwrap_or_default()
        .into_iter()
        .map(|(class, examples)| (class, [examples.en, examples.zh].concat()));
    Likeness::learned_from(classes)
});

/// What the examples tell.
pub(super) struct Likeness {
    classes: Vec<Class>,
    /// Every term of a class, by its hash and then by the class.
    counts: Vec<Count>,
}

struct Class {
    name: String,
    /// How probable it is before anything was said, as a logarithm.
    prior: f64,
    /// How many terms its examples have, with what is added for those that they have not.
    size: f64,
}

/// In how many examples of a class a term is.
struct Count {
    term: u64,
    class: u16,
    examples: u16,
}

impl Likeness {
    fn learned_from(examples: impl Iterator<Item = (String, Vec<String>)>) -> Self {
        let mut sightings: Vec<(u64, u16)> = Vec::new();
        let mut sizes: Vec<(String, usize, usize)> = Vec::new();
        for (class, (name, texts)) in (0..).zip(examples) {
            let before = sightings.len();
            for text in &texts {
                sightings.extend(
                    terms(&Words::of(text))
                        .into_iter()
                        .map(|term| (term, class)),
                );
            }
            sizes.push((name, texts.len(), sightings.len() - before));
        }
        sightings.sort_unstable();
        let counts: Vec<Count> = sightings
            .chunk_by(|one, other| one == other)
            .map(|alike| Count {
                term: alike[0].0,
                class: alike[0].1,
                examples: alike.len() as u16,
            })
            .collect();
        let all: usize = sizes.iter().map(|(_, texts, _)| texts).sum();
        let known = counts.chunk_by(|one, other| one.term == other.term).count();
        let added = UNSEEN * known as f64;
        let class = |(name, texts, size): (String, usize, usize)| Class {
            name,
            prior: (texts as f64 / all as f64).ln(),
            size: size as f64 + added,
        };
        Self {
            classes: sizes.into_iter().map(class).collect(),
            counts,
        }
    }

    /// Returns the classes with a term, or nothing of a term that no example has.
    fn with(&self, term: u64) -> Option<&[Count]> {
        let from = self.counts.partition_point(|count| count.term < term);
        let behind = &self.counts[from..];
        let length = behind.iter().take_while(|count| count.term == term).count();
        (length > 0).then(|| &behind[..length])
    }

    /// Returns by how much (in nats, the natural logarithm of odds) each skill is more probable for
    /// a message than none, the most probable first. Without a term of the examples nothing is
    /// known.
    pub(super) fn of(&self, words: &Words) -> Vec<(&str, f64)> {
        let terms = terms(words).into_iter();
        let known: Vec<&[Count]> = terms.filter_map(|term| self.with(term)).collect();
        if known.is_empty() {
            return Vec::new();
        }
        let probability = |place: u16, class: &Class| -> f64 {
            let of_term = |counts: &&[Count]| {
                let found = counts.iter().find(|count| count.class == place);
                let examples = found.map_or(0.0, |count| f64::from(count.examples));
                ((examples + UNSEEN) / class.size).ln()
            };
            class.prior + known.iter().map(of_term).sum::<f64>()
        };
        let classes = (0..).zip(&self.classes);
        let mut found: Vec<(&str, f64)> = classes
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
fn terms(words: &Words) -> Vec<u64> {
    let stems: Vec<&str> = words.apart().map(stem).collect();
    let pairs = stems.windows(2).map(|pair| hash(&pair.join(" ")));
    let single = stems.iter().map(|stem| hash(stem));
    let pairs_of_chinese = words.pairs().map(|pair| hash(&pair));
    let mut terms: Vec<u64> = single.chain(pairs).chain(pairs_of_chinese).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Returns the hash of a term; it need be the same within one run only.
fn hash(term: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    term.hash(&mut hasher);
    hasher.finish()
}

/// Returns an English word without its ending, so that forms of a word are one: roughly, but all
/// alike.
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
        let written = [
            (
                "gardening",
                vec!["when do I plant tulips", "什么时候种郁金香"],
            ),
            ("cooking", vec!["how long do I boil an egg", "鸡蛋要煮多久"]),
            ("direct", vec!["how are you", "你好"]),
        ];
        let examples = written.map(|(class, texts)| {
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
