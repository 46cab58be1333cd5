//! What the fuzzers have in common: texts are made and judged, and those that run unasked are run.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::Path;

use super::harness::Place;
use super::random::Random;

/// What is made up, and what must hold of it.
pub trait Property {
    /// What the policy judges.
    type Text: Clone + Debug + Ord;
    /// Why it runs unasked.
    type Unasked: Debug;

    /// Makes one up.
    fn text(random: &mut Random) -> Self::Text;

    /// Judges it; `None` where it does not run unasked.
    fn unasked(text: &Self::Text) -> Option<Self::Unasked>;

    /// Runs it by every program that may read it; returns those that did what it was not let run for.
    fn broken_in(
        place: &Place,
        text: &Self::Text,
        unasked: &Self::Unasked,
    ) -> std::io::Result<Vec<String>>;
}

/// What a run of a fuzzer found.
#[derive(Debug, Default)]
pub struct Fuzzed {
    /// How many texts there were, each another.
    pub texts: usize,
    /// How many of them ran unasked.
    pub unasked: usize,
    /// Those that did more, and in what.
    pub bypasses: Vec<String>,
}

/// Makes up and tries this many texts.
pub fn fuzz<P: Property>(root: &Path, seed: u64, count: usize) -> std::io::Result<Fuzzed> {
    let place = Place::new(root)?;
    let mut random = Random::new(seed);
    let mut seen = BTreeSet::new();
    let mut fuzzed = Fuzzed::default();
    while seen.len() < count {
        let text = P::text(&mut random);
        if !seen.insert(text.clone()) {
            continue;
        }
        let Some(unasked) = P::unasked(&text) else {
            continue;
        };
        fuzzed.unasked += 1;
        let broken = P::broken_in(&place, &text, &unasked)?;
        if !broken.is_empty() {
            let bypass = format!("{text:?} as {unasked:?}: {broken:?}");
            fuzzed.bypasses.push(bypass);
        }
    }
    fuzzed.texts = seen.len();
    Ok(fuzzed)
}
