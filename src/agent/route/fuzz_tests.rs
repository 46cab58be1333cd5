//! Malformed answers of Phase 1: each yields a route, and the route is bounded.

use proptest::prelude::*;
use sayso_channel::Language;
use sayso_core::transcript::RouteResult;
use sayso_fakes::json::{any_json, spoiled};
use serde_json::{Value, json};

use super::parse::parse_route_result;
use crate::skills::{SkillMeta, Skills};

fn catalogue() -> Vec<SkillMeta> {
    Skills::builtin().unwrap().catalogue(Language::English)
}

/// Returns what is wrong with a route.
fn fault(route: &RouteResult, known: &[SkillMeta]) -> Option<&'static str> {
    match route {
        RouteResult::Direct => None,
        RouteResult::Skills(names) => {
            let is_known = |name: &String| known.iter().any(|skill| skill.name == *name);
            (names.is_empty() || !names.iter().all(is_known)).then_some("an unknown skill")
        }
        RouteResult::NeedClarification { question, choices } => {
            let is_long = question.chars().count() > 1020
                || choices.len() > 4
                || choices.iter().any(|choice| choice.chars().count() > 40);
            is_long.then_some("an unbounded question")
        }
    }
}

fn good() -> Value {
    json!({
        "skills": ["git-workflow"],
        "direct": false,
        "question": "which?",
        "choices": ["one", "two"],
    })
}

proptest! {
    #[test]
    fn every_answer_comes_to_a_bounded_route(
        before in "([{}\\[\\]\",: ]|```json|</think>|\\PC){0,40}",
        object in prop_oneof![any_json(), spoiled(good())],
        after in "([{}\\[\\]\",: ]|```|\\PC){0,40}",
    ) {
        let known = catalogue();
        let route = parse_route_result(&format!("{before}{object}{after}"), &known);
        prop_assert_eq!(route.and_then(|route| fault(&route, &known)), None);
    }

    #[test]
    fn no_cut_answer_breaks_the_reading(at in 0..100_usize) {
        let answer = good().to_string();
        let at = answer.floor_char_boundary(at);
        parse_route_result(&answer[..at], &catalogue());
    }

    #[test]
    fn a_route_is_found_in_whatever_words_stand_around_it(words in "[a-z .,:\u{4f60}\\n`]{0,60}") {
        let answer = format!("{words}{{\"skills\":[],\"direct\":false,\"question\":\"which?\"}}{words}");
        let expected = RouteResult::NeedClarification {
            question: "which?".to_owned(),
            choices: Vec::new(),
        };
        prop_assert_eq!(parse_route_result(&answer, &catalogue()), Some(expected));
    }
}

#[test]
fn braces_without_end_are_read_in_bounded_time() {
    for piece in ["{", "{\"a\":", "[{", "{\"skills\":[\"a\",", "\\\""] {
        let begun = std::time::Instant::now();
        parse_route_result(&piece.repeat(200_000 / piece.len()), &catalogue());
        assert!(
            begun.elapsed() < std::time::Duration::from_secs(5),
            "{piece}"
        );
    }
}
