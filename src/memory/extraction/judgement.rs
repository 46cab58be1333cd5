//! Which of the statements that a model proposes are kept, and what each is to what is known.
//!
//! The model is not believed: whatever its prompt asks of it is checked here again.

use sayso_core::transcript::{MemoryId, Taint, Way};
use sayso_injection::{Treatment, check_tool_result};

use super::answer::Candidate;
use super::comparison::{Relation, relation};
use super::evidence::{Statement, is_hedged};
use super::normalization::{content, plain, says, tidy, words};
use super::phrases;
use super::{Judged, Material, Setting, Why};
use crate::{NewFact, Recalled, Source, Topic};

/// How sure a model must be, in percent.
const SURE_ENOUGH: u8 = 70;
/// The longest statement, in characters.
const TEXT_CHARS: usize = 300;
/// The most facts of one reading.
const FACTS: usize = 6;
/// The longest run of digits that is no number of a card or the like.
const DIGITS: usize = 11;

/// A statement that is kept, and the message that it rests on.
struct Kept {
    fact: NewFact,
    message: usize,
}

/// Judges what was proposed about this material, in the order in which it was said. `hides` says
/// whether a text holds a secret.
pub fn judge(
    material: &Material,
    mut candidates: Vec<Candidate>,
    hides: &dyn Fn(&str) -> bool,
) -> Judged {
    candidates.sort_by_key(|candidate| candidate.message);
    let mut kept: Vec<Kept> = Vec::new();
    let mut dropped = Vec::new();
    for candidate in candidates {
        let text = impersonal(&candidate.text, &material.name);
        match keep(material, &candidate, &text, hides) {
            Ok(next) => add(&mut kept, next, &mut dropped),
            Err(why) => dropped.push((text, why)),
        }
    }
    let more = kept.split_off(kept.len().min(FACTS));
    dropped.extend(more.into_iter().map(|kept| (kept.fact.text, Why::TooMany)));
    Judged {
        facts: kept.into_iter().map(|kept| kept.fact).collect(),
        dropped,
    }
}

/// Adds a statement to those of the same reading: what was said later counts.
fn add(kept: &mut Vec<Kept>, next: Kept, dropped: &mut Vec<(String, Why)>) {
    let relations: Vec<_> = kept
        .iter()
        .map(|one| relation(&next.fact.text, &one.fact.text))
        .collect();
    if relations.contains(&Relation::Same) {
        dropped.push((next.fact.text, Why::Again));
        return;
    }
    let mut relations = relations.into_iter();
    kept.retain(|one| {
        let stays = relations.next() != Some(Relation::Change) || one.message == next.message;
        if !stays {
            dropped.push((one.fact.text.clone(), Why::Opposite));
        }
        stays
    });
    kept.push(next);
}

fn keep(
    material: &Material,
    candidate: &Candidate,
    text: &str,
    hides: &dyn Fn(&str) -> bool,
) -> Result<Kept, Why> {
    check_form(material, candidate, text)?;
    if holds_secret(text) || hides(text) {
        return Err(Why::Secret);
    }
    let place = candidate.message.checked_sub(1).ok_or(Why::NotSaid)?;
    let said = material.said.get(place).ok_or(Why::NotSaid)?;
    check_said(material, place, candidate, text)?;
    let mut taint = said.taint.clone();
    for known in &material.known {
        taint.merge(
            &known
                .taint_for(material.owner, material.user)
                .by(Way::Memory),
        );
    }
    check_orders(text, &taint)?;
    let (text, replaces) = placed(material, candidate, text);
    Ok(Kept {
        message: candidate.message,
        fact: NewFact {
            text,
            topic: candidate.topic,
            confidence: candidate.confidence.clamp(1, 100),
            source: Source::Learned,
            turn: said.turn,
            taint,
            valid_from_ms: candidate.valid_from_ms,
            valid_until_ms: candidate.valid_until_ms,
            replaces,
        },
    })
}

fn check_form(material: &Material, candidate: &Candidate, text: &str) -> Result<(), Why> {
    let length = text.chars().count();
    if !(2..=TEXT_CHARS).contains(&length) || content(text).is_empty() {
        return Err(Why::Unreadable);
    }
    if candidate.confidence < SURE_ENOUGH || is_hedged(text) {
        return Err(Why::Unsure);
    }
    if text.ends_with(['?', '？']) {
        return Err(Why::Asked);
    }
    let until = candidate.valid_until_ms;
    let is_over = until.is_some_and(|until| until <= material.now_ms);
    let is_upside_down = until
        .zip(candidate.valid_from_ms)
        .is_some_and(|(until, from)| until <= from);
    if candidate.has_unreadable_end || is_over || is_upside_down {
        return Err(Why::Passing);
    }
    match (material.setting, candidate.topic) {
        // Who stands in what relation to whom is not for a group to keep.
        (Setting::Group, Some(Topic::Relation)) => Err(Why::NotOwn),
        _ => Ok(()),
    }
}

/// Checks that the message bears the statement, and that nothing which was said later takes it
/// back.
fn check_said(
    material: &Material,
    place: usize,
    candidate: &Candidate,
    text: &str,
) -> Result<(), Why> {
    let statement = Statement {
        text,
        is_dated: candidate.valid_from_ms.is_some() || candidate.valid_until_ms.is_some(),
        is_for_a_group: material.setting == Setting::Group,
    };
    let Some(evidence) = material.evidence.get(place) else {
        return Err(Why::NotSaid);
    };
    if let Some(why) = evidence.refuses(&statement) {
        return Err(why);
    }
    let later = material.evidence.get(place + 1..).unwrap_or_default();
    if later
        .iter()
        .any(|evidence| evidence.refuses(&statement) == Some(Why::Opposite))
    {
        return Err(Why::Opposite);
    }
    let from_then_on = material.said.get(place..).unwrap_or_default();
    if from_then_on
        .iter()
        .any(|said| is_unwanted(&said.text, text))
    {
        return Err(Why::Unwanted);
    }
    Ok(())
}

/// Returns whether somebody asks for something not to be kept.
fn is_unwanted(said: &str, statement: &str) -> bool {
    if !says(&plain(said), &phrases::UNWANTED) {
        return false;
    }
    let (said, wanted) = (words(said), content(statement));
    let held = wanted.iter().filter(|term| said.contains(*term)).count();
    held * 3 >= wanted.len() * 2
}

/// What is remembered is shown to every later turn, so orders from outside are not. Where nothing
/// from outside was in view, how the person wants things done is their own.
fn check_orders(text: &str, taint: &Taint) -> Result<(), Why> {
    match check_tool_result(text).treatment {
        Treatment::Block => Err(Why::Orders),
        Treatment::Review | Treatment::Warn if !taint.is_empty() => Err(Why::Orders),
        Treatment::Review | Treatment::Warn | Treatment::Clean => Ok(()),
    }
}

fn holds_secret(text: &str) -> bool {
    let mut run = 0;
    let has_long_number = text
        .chars()
        .filter(|letter| !matches!(letter, ' ' | '-'))
        .any(|letter| {
            run = if letter.is_ascii_digit() { run + 1 } else { 0 };
            run > DIGITS
        });
    has_long_number || says(&plain(text), &phrases::SECRETS)
}

/// Returns the text of the statement to store, and the known fact that it replaces. In a group the
/// text names the speaker; a person can replace only facts that they stated themselves.
fn placed(material: &Material, candidate: &Candidate, text: &str) -> (String, Option<MemoryId>) {
    let name = &material.name;
    let may_be_touched = material
        .known
        .iter()
        .filter(|known| material.may_touch(known));
    let relations: Vec<(&Recalled, Relation)> = may_be_touched
        .map(|known| (known, relation(text, &impersonal(&known.text, name))))
        .collect();
    let first = |wanted: Relation| relations.iter().find(|(_, found)| *found == wanted);
    if let Some((same, _)) = first(Relation::Same) {
        return (same.text.clone(), None);
    }
    let number = candidate.replaces.and_then(|number| number.checked_sub(1));
    let claimed = number.and_then(|place| material.known.get(place));
    let is_claimed = |(known, found): &&(&Recalled, Relation)| {
        *found != Relation::Apart && claimed.is_some_and(|claimed| claimed.id == known.id)
    };
    let claimed = relations.iter().find(is_claimed);
    let changed = claimed
        .or_else(|| first(Relation::Change))
        .map(|(known, _)| known.id);
    let text = match material.setting {
        Setting::Direct => text.to_owned(),
        Setting::Group => format!("{name}: {text}"),
    };
    (text, changed)
}

/// Returns a statement without who it is about, where that is the person.
fn impersonal(text: &str, name: &str) -> String {
    let text = tidy(text);
    let behind = text.get(name.len()..).filter(|_| {
        let begins = text
            .get(..name.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(name));
        begins && !name.is_empty()
    });
    let behind =
        behind.filter(|behind| !behind.starts_with(|next: char| next.is_ascii_alphanumeric()));
    behind.map_or(text.clone(), |behind| {
        tidy(behind.trim_start_matches([':', '：', ' ']))
    })
}
