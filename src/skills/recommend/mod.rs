//! Which skills may help with a message: by what it asks for, and by the words of the catalogue.
//!
//! A heuristic that costs no model call. Phase 1 decides; the heuristic runs in parallel, is the
//! fallback when phase 1 fails, and answers `/skills suggest`.

mod intent;
mod likeness;
mod words;

use std::collections::{HashMap, HashSet};

pub use intent::Intent;
use intent::{IntentAnalyzer, SURE, Scored};
use likeness::LIKENESS;
pub use words::Words;

use super::SkillMeta;

/// A word that this number of skills use does not distinguish one of them.
const COMMON: usize = 3;
/// The shortest English word of a description that counts.
const SHORTEST: usize = 4;
/// What the words of a description count at most: without a name or an intent they are a hint.
const DESCRIPTION_POINTS: u32 = 2;
/// From how many points on a skill is worth loading.
const ENOUGH: u32 = SURE;
/// How many skills a message is given at most.
const MOST: usize = 2;

/// What a message says, read once.
#[derive(Debug)]
pub struct MessageFeatures {
    words: Words,
    /// What it may ask for, the most probable first.
    pub intents: Vec<Scored>,
    /// How much more probable it is, in nats, that a built-in skill is needed than that none is.
    like: HashMap<&'static str, f64>,
}

impl MessageFeatures {
    /// Reads a message.
    pub fn of(text: &str) -> Self {
        let words = Words::of(text);
        let intents = IntentAnalyzer::analyze(&words);
        let like = LIKENESS.of(&words).into_iter().collect();
        Self {
            words,
            intents,
            like,
        }
    }

    /// Returns the first of these keywords that is in it.
    pub fn first_of(&self, keywords: &[&'static str]) -> Option<&'static str> {
        let mut keywords = keywords.iter().copied();
        keywords.find(|keyword| self.words.hold(keyword))
    }
}

/// A skill that may help, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recommendation {
    /// Its name.
    pub skill: String,
    /// How much speaks for it; from 3 on it is worth loading.
    pub points: u32,
    /// What speaks for it.
    pub reasons: Vec<Reason>,
}

/// What speaks for a skill.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// The message asks for a kind of thing that the skill helps with; the keywords that say so.
    Intent(Intent, Vec<&'static str>),
    /// These words of its name are in the message.
    Name(Vec<String>),
    /// These words of its description are.
    Description(Vec<String>),
    /// It is like messages that needed the skill.
    Examples,
}

/// Recommends skills of one catalogue.
#[derive(Debug, Clone)]
pub struct SkillRecommender {
    skills: Vec<Known>,
}

#[derive(Debug, Clone)]
struct Known {
    name: String,
    /// The words of the name that no other name has.
    own: Vec<String>,
    /// The words of the description that few others use.
    rare: HashSet<String>,
}

impl SkillRecommender {
    /// Reads a catalogue; a skill may be in it once in each language.
    pub fn new(catalogue: &[SkillMeta]) -> Self {
        let mut names: Vec<&str> = Vec::new();
        let mut described: HashMap<&str, HashSet<String>> = HashMap::new();
        for skill in catalogue {
            if !described.contains_key(skill.name.as_str()) {
                names.push(&skill.name);
            }
            let words = described.entry(&skill.name).or_default();
            words.extend(Words::of(&skill.description).terms());
        }
        let count = |word: &str| {
            described
                .values()
                .filter(|words| words.contains(word))
                .count()
        };
        let of_name = |word: &str| {
            names
                .iter()
                .filter(|name| name.split('-').any(|part| part == word))
                .count()
        };
        let skills = names
            .iter()
            .map(|name| Known {
                name: (*name).to_owned(),
                own: name
                    .split('-')
                    .filter(|word| of_name(word) == 1)
                    .map(str::to_owned)
                    .collect(),
                rare: described[name]
                    .iter()
                    .filter(|word| count(word) < COMMON && is_telling(word))
                    .cloned()
                    .collect(),
            })
            .collect();
        Self { skills }
    }

    /// Returns the skills for which something speaks, the best first.
    pub fn recommend(&self, features: &MessageFeatures) -> Vec<Recommendation> {
        let mut found: Vec<Recommendation> = self
            .skills
            .iter()
            .map(|skill| skill.judge(features))
            .filter(|recommendation| recommendation.points > 0)
            .collect();
        found.sort_by_key(|recommendation| std::cmp::Reverse(recommendation.points));
        found
    }

    /// Returns the skills that rules alone would load for a message; often none.
    pub fn choose(&self, features: &MessageFeatures) -> Vec<String> {
        let found = self.recommend(features);
        let best = found.first().map_or(0, |best| best.points);
        found
            .into_iter()
            .take_while(|one| one.points >= ENOUGH && one.points + 1 >= best)
            .take(MOST)
            .map(|one| one.skill)
            .collect()
    }
}

/// Returns whether a word says something: in English those that do not are short.
fn is_telling(word: &str) -> bool {
    !word.is_ascii() || word.len() >= SHORTEST
}

impl Known {
    fn judge(&self, features: &MessageFeatures) -> Recommendation {
        let MessageFeatures {
            words,
            intents,
            like,
        } = features;
        let mut reasons = Vec::new();
        let mut points = 0;
        let helps = intents
            .iter()
            .find(|scored| scored.skills.contains(&self.name));
        if let Some(scored) = helps {
            points += scored.points;
            reasons.push(Reason::Intent(scored.intent, scored.keywords.clone()));
        }
        let named: Vec<String> = self
            .own
            .iter()
            .filter(|word| words.hold(word))
            .cloned()
            .collect();
        if !named.is_empty() {
            points += SURE;
            reasons.push(Reason::Name(named));
        }
        let mut described: Vec<String> = words
            .terms()
            .filter(|word| self.rare.contains(word))
            .collect();
        described.sort_unstable();
        described.dedup();
        if !described.is_empty() {
            let count = u32::try_from(described.len()).unwrap_or(u32::MAX);
            points += count.min(DESCRIPTION_POINTS);
            reasons.push(Reason::Description(described));
        }
        // A point is a nat: the odds are 20 to 1 from 3 on.
        let alike = like.get(self.name.as_str()).copied().unwrap_or_default();
        if alike >= 1.0 {
            points += alike as u32;
            reasons.push(Reason::Examples);
        }
        Recommendation {
            skill: self.name.clone(),
            points,
            reasons,
        }
    }
}
