//! Reading what the model answered in Phase 1, however it wrapped it.

use std::collections::HashSet;

use sayso_core::transcript::{RouteResult, first_chars};
use serde_json::{Deserializer, Map, Value};

use crate::skills::SkillMeta;

/// The most of an answer that is searched, in characters: a route is far shorter.
const ANSWER_CHARS: usize = 20_000;
/// How many opening braces are tried.
const ATTEMPTS: usize = 200;
/// The longest question, in characters.
const QUESTION_CHARS: usize = 1000;
/// The most choices.
pub(super) const CHOICES: usize = 4;
/// The longest choice, in characters.
const CHOICE_CHARS: usize = 40;

/// Returns the route that an answer of the model holds, if it holds one.
///
/// Fences, words around it and several objects do no harm: the first object that has the form of
/// a route counts. Of the skills only those in `known` are kept, each once.
pub fn parse_route_result(text: &str, known: &[SkillMeta]) -> Option<RouteResult> {
    let text = first_chars(text, ANSWER_CHARS).unwrap_or(text);
    let route = objects(after_thoughts(text)).find_map(|object| read(&object, known));
    if route.is_none() {
        tracing::debug!(bytes = text.len(), "no route in the response");
    }
    route
}

/// Returns what follows the thoughts of models that write them into their answer.
fn after_thoughts(text: &str) -> &str {
    text.rsplit_once("</think>")
        .map_or(text, |(_, answer)| answer)
}

/// Returns the JSON objects in a text, in the order of their opening braces.
fn objects(text: &str) -> impl Iterator<Item = Map<String, Value>> {
    text.match_indices('{')
        .take(ATTEMPTS)
        .filter_map(|(start, _)| {
            let rest = text.get(start..)?;
            Deserializer::from_str(rest)
                .into_iter::<Map<String, Value>>()
                .next()?
                .ok()
        })
}

/// Reads an object; `None` when it has not the form of a route.
fn read(object: &Map<String, Value>, known: &[SkillMeta]) -> Option<RouteResult> {
    let named = object.get("skills").map(texts).unwrap_or_default();
    let direct = object.get("direct").and_then(Value::as_bool);
    let question = object.get("question").and_then(Value::as_str);
    if !object.contains_key("skills") && direct.is_none() && question.is_none() {
        return None;
    }
    if !named.is_empty() {
        return Some(match known_skills(named, known) {
            skills if skills.is_empty() => RouteResult::Direct,
            skills => RouteResult::Skills(skills),
        });
    }
    let question = question
        .map(str::trim)
        .filter(|question| !question.is_empty());
    Some(match (direct, question) {
        (None | Some(false), Some(question)) => RouteResult::NeedClarification {
            question: bounded_question(question),
            choices: object.get("choices").map(choices).unwrap_or_default(),
        },
        (Some(true), _) | (_, None) => RouteResult::Direct,
    })
}

fn known_skills(named: Vec<String>, known: &[SkillMeta]) -> Vec<String> {
    let mut seen = HashSet::new();
    named
        .into_iter()
        .filter(|name| known.iter().any(|skill| skill.name == *name))
        .filter(|name| seen.insert(name.clone()))
        .collect()
}

fn choices(value: &Value) -> Vec<String> {
    let mut seen = HashSet::new();
    texts(value)
        .into_iter()
        .map(bounded_choice)
        .filter(|choice| seen.insert(choice.clone()))
        .take(CHOICES)
        .collect()
}

/// Returns the texts of a list, or a text that stands alone, trimmed and without empty ones.
fn texts(value: &Value) -> Vec<String> {
    let items = match value {
        Value::Array(items) => items.as_slice(),
        single => std::slice::from_ref(single),
    };
    items
        .iter()
        .filter_map(Value::as_str)
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .map(str::to_owned)
        .collect()
}

fn bounded_question(question: &str) -> String {
    match first_chars(question, QUESTION_CHARS) {
        Some(kept) => format!("{kept}… [{QUESTION_CHARS}+]"),
        None => question.to_owned(),
    }
}

fn bounded_choice(choice: String) -> String {
    if first_chars(&choice, CHOICE_CHARS).is_none() {
        return choice;
    }
    let kept = first_chars(&choice, CHOICE_CHARS - 1).unwrap_or_default();
    format!("{kept}…")
}
