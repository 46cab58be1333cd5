//! The quality of what is learned, over `quality.toml`: how much of what is written is junk, that
//! what was contradicted is superseded, and that what was forgotten stays forgotten.

use sayso_core::transcript::{ChatId, Owner, Taint, TurnId, UserId};
use sayso_store::Store;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Material, Said, Speaker, judge, read_answer};
use crate::{Learned, Memory, MemoryKind, MemorySearch, NewFact, Source, Span, StoredMemory};

const ANN: UserId = UserId(7);
const NOW_MS: i64 = 1_795_300_000_000;
/// The most of what is written that may be junk, in percent.
const JUNK: usize = 5;

#[derive(Deserialize)]
struct File {
    dialogue: Vec<Dialogue>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Dialogue {
    name: String,
    heard: Vec<String>,
    #[serde(default)]
    known: Vec<String>,
    #[serde(default)]
    forgotten: Vec<String>,
    #[serde(default)]
    group: bool,
    #[serde(default)]
    outside: bool,
    answer: Option<Vec<toml::Table>>,
    raw: Option<String>,
    expect: Vec<String>,
    /// Whether what is learned carries the mark of untrusted text.
    #[serde(default)]
    tainted: bool,
}

/// The result of a dialogue.
struct Outcome {
    /// What was written anew.
    written: Vec<String>,
    /// What holds afterwards.
    holds: Vec<String>,
    /// How many of the known facts were superseded.
    superseded: usize,
}

impl Dialogue {
    fn owner(&self, place: usize) -> (Owner, UserId) {
        // Everybody has a memory of their own, in one database.
        let number = 1000 + place as i64;
        if self.group {
            (Owner::Chat(ChatId(number)), ANN)
        } else {
            (Owner::User(UserId(number)), UserId(number))
        }
    }

    fn said(&self) -> Vec<Said> {
        let article = "I was born in a small town by the sea and I love it. ".repeat(40);
        let heard = self.heard.iter().map(|text| text.replace("LONG", &article));
        let mut taint = Taint::default();
        if self.outside {
            taint.add_others();
        }
        heard
            .map(|text| Said {
                turn: TurnId(1),
                at_ms: NOW_MS,
                text,
                taint: taint.clone(),
            })
            .collect()
    }

    /// Writes the answer as a model does, with the number of a known fact for its text.
    fn answer(&self, known: &[String]) -> String {
        let Some(items) = &self.answer else {
            return self.raw.clone().unwrap_or_default();
        };
        let items = items.iter().map(|item| {
            let mut item = serde_json::to_value(item).unwrap();
            if let Some(text) = item["replaces"].as_str() {
                let place = known.iter().position(|known| known == text);
                item["replaces"] = json!(place.map_or(99, |place| place + 1));
            }
            let fields = item.as_object_mut().unwrap();
            fields.entry("message").or_insert(json!(1));
            fields.entry("confidence").or_insert(json!(0.95));
            item
        });
        Value::Array(items.collect()).to_string()
    }
}

fn fact(text: &str, source: Source) -> NewFact {
    NewFact {
        text: text.to_owned(),
        topic: None,
        confidence: 95,
        source,
        turn: TurnId(1),
        taint: Taint::default(),
        valid_from_ms: None,
        valid_until_ms: None,
        replaces: None,
    }
}

/// Has what was known before remembered, and what was forgotten forgotten.
async fn prepare(memory: &StoredMemory, dialogue: &Dialogue, owner: Owner) {
    for text in &dialogue.forgotten {
        let learned = memory.learn(owner, fact(text, Source::Told)).await.unwrap();
        let Learned::New(id) = learned else {
            panic!("{text} is not new");
        };
        assert_eq!(memory.forget(owner, &[id]).await.unwrap(), 1);
    }
    for text in &dialogue.known {
        memory.learn(owner, fact(text, Source::Told)).await.unwrap();
    }
}

/// Returns what is kept of what the model proposes.
async fn kept(memory: &StoredMemory, dialogue: &Dialogue, speaker: Speaker) -> Vec<NewFact> {
    let owner = speaker.owner;
    let Some(material) = Material::of(speaker, dialogue.said(), NOW_MS) else {
        return vec![];
    };
    let query = material.query();
    let near = memory.find(owner, &query, 24, Span::Now);
    let mut known = near.await.unwrap();
    known.retain(|known| known.kind == MemoryKind::Fact);
    let texts: Vec<_> = known.iter().map(|known| known.text.clone()).collect();
    let answer = read_answer(&dialogue.answer(&texts)).unwrap_or_default();
    let facts = judge(&material.with_known(known), answer, &|_| false).facts;
    for fact in &facts {
        let is_tainted = !fact.taint.is_empty();
        assert_eq!(
            is_tainted, dialogue.tainted,
            "{}: {}",
            dialogue.name, fact.text
        );
    }
    facts
}

/// Plays a dialogue; without filters whatever the model proposes is written.
async fn play(
    memory: &StoredMemory,
    dialogue: &Dialogue,
    place: usize,
    filters: Filters,
) -> Outcome {
    let (owner, user) = dialogue.owner(place);
    prepare(memory, dialogue, owner).await;
    let name = "Ann".to_owned();
    let proposed = match filters {
        Filters::On => kept(memory, dialogue, Speaker { owner, user, name }).await,
        Filters::Off => {
            let answer = read_answer(&dialogue.answer(&[])).unwrap_or_default();
            let facts = answer
                .iter()
                .map(|candidate| fact(&candidate.text, Source::Learned));
            facts.collect()
        }
    };
    let mut written = Vec::new();
    let mut superseded = 0;
    for fact in proposed {
        let text = fact.text.clone();
        match memory.learn(owner, fact).await.unwrap() {
            Learned::New(_) => written.push(text),
            Learned::Replaced { .. } => {
                superseded += 1;
                written.push(text);
            }
            Learned::Same(_) | Learned::Suppressed | Learned::Missing(_) => {}
        }
    }
    let (known, expect) = (&dialogue.known[..], &dialogue.expect[..]);
    let query = [known, &written, expect, &dialogue.forgotten]
        .concat()
        .join(" ");
    let found = memory.find(owner, &query, 100, Span::Now).await.unwrap();
    let mut holds: Vec<_> = found.into_iter().map(|found| found.text).collect();
    holds.sort();
    Outcome {
        written,
        holds,
        superseded,
    }
}

/// Whether what a model proposes is looked at.
#[derive(Clone, Copy)]
enum Filters {
    On,
    Off,
}

async fn memory() -> (tempfile::TempDir, StoredMemory) {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    (directory, StoredMemory::new(store))
}

fn dialogues() -> Vec<Dialogue> {
    let file: File = toml::from_str(include_str!("quality.toml")).unwrap();
    assert!(
        file.dialogue.len() >= 60,
        "{} dialogues",
        file.dialogue.len()
    );
    file.dialogue
}

/// Returns how many of these texts are not expected.
fn junk(dialogue: &Dialogue, written: &[String]) -> usize {
    written
        .iter()
        .filter(|text| !dialogue.expect.contains(text))
        .count()
}

#[tokio::test]
async fn little_of_what_is_learned_is_junk_and_all_that_is_expected_is_there() {
    let (_directory, memory) = memory().await;
    let (mut written, mut wrong, mut unlike) = (0, 0, Vec::new());
    for (place, dialogue) in dialogues().iter().enumerate() {
        let outcome = play(&memory, dialogue, place, Filters::On).await;
        written += outcome.written.len();
        wrong += junk(dialogue, &outcome.written);
        let mut expected = dialogue.expect.clone();
        expected.sort();
        if outcome.holds != expected {
            unlike.push(format!(
                "{}: {:?}, expected {expected:?}",
                dialogue.name, outcome.holds
            ));
        }
        let contradicted = dialogue
            .known
            .iter()
            .filter(|known| !dialogue.expect.contains(known))
            .count();
        assert_eq!(
            outcome.superseded, contradicted,
            "{}: superseded",
            dialogue.name
        );
    }
    let rate = 100.0 * wrong as f64 / written as f64;
    println!("junk: {wrong} of {written} written, {rate:.1} %");
    assert!(
        unlike.is_empty(),
        "{} dialogues end otherwise:\n{}",
        unlike.len(),
        unlike.join("\n")
    );
    assert!(
        wrong * 100 <= JUNK * written,
        "{wrong} of {written} are junk"
    );
}

/// Control for the metric: the same answers without the filters.
#[tokio::test]
async fn without_filters_most_of_it_would_be_junk() {
    let (_directory, memory) = memory().await;
    let (mut written, mut wrong) = (0, 0);
    for (place, dialogue) in dialogues().iter().enumerate() {
        let outcome = play(&memory, dialogue, place, Filters::Off).await;
        written += outcome.written.len();
        wrong += junk(dialogue, &outcome.written);
    }
    println!("without filters: {wrong} of {written} written");
    assert!(wrong * 2 > written, "only {wrong} of {written} are junk");
}
