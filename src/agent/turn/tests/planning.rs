//! The plan before the first step: for work on code alone, and for nothing else a byte more.

use std::sync::Arc;

use sayso_core::transcript::{Entry, IntentLabel, Planned, PlannedStep, TurnOutcome};
use sayso_providers::Scripted;

use super::{JournalInMemory, Stage, replied};
use crate::agent::{Planning, Routing};

const DIRECT: &str = r#"{"skills": [], "direct": true}"#;
const PLAN: &str = r#"{"steps": [{"text": "Find it", "check": "grep names it"}, {"text": "Fix it", "check": "the test passes"}]}"#;
const CODING: &str = "fix the bug in parse_args, the function panics";

/// Returns the labelled messages of both sets.
fn rows() -> Vec<(String, String)> {
    let sets = [
        include_str!("../../../../tests/data/routing.toml"),
        include_str!("../../../../tests/data/routing_held_out.toml"),
    ];
    let mut rows = Vec::new();
    for set in sets {
        let set: toml::Table = toml::from_str(set).unwrap();
        for (label, languages) in &set {
            for messages in languages.as_table().unwrap().values() {
                for message in messages.as_array().unwrap() {
                    rows.push((label.clone(), message.as_str().unwrap().to_owned()));
                }
            }
        }
    }
    rows
}

impl Stage {
    /// Gives the next turn another script.
    fn scripted(&mut self, script: Scripted) {
        self.model = Arc::new(script);
        self.agent.provider = Arc::clone(&self.model) as _;
    }

    /// Returns the system prompts of what the model was asked.
    fn systems(&self) -> Vec<String> {
        let asked = self.model.asked().into_iter();
        asked.map(|asked| asked.system).collect()
    }
}

fn planned(journal: &JournalInMemory) -> Option<&Planned> {
    journal.entries.iter().find_map(|entry| match entry {
        Entry::Planned(planned) => Some(planned),
        _ => None,
    })
}

fn label(journal: &JournalInMemory) -> IntentLabel {
    let label = journal.entries.iter().find_map(|entry| match entry {
        Entry::Routed(routed) => Some(routed.by_rules.as_ref()?.label),
        _ => None,
    });
    label.unwrap()
}

#[tokio::test]
async fn of_all_labelled_messages_work_on_code_alone_is_planned_and_the_others_pay_nothing() {
    let mut planning = Stage::new(Scripted::default());
    planning.agent.limits.planning = Planning::Followed;
    let mut without = Stage::new(Scripted::default());
    let (mut plans, mut others, mut wrong) = (0, 0, Vec::new());
    for (row, message) in rows() {
        let script = |answers: &[&str]| {
            let answers = answers.iter();
            answers.fold(Scripted::default(), |it, answer| it.then_says(answer))
        };
        without.scripted(script(&[DIRECT, "Done."]));
        let (_, before) = without.process_message(&message).await;
        if label(&before) == IntentLabel::CodingTask {
            if row == "direct" {
                wrong.push(message.clone());
            }
            plans += 1;
            planning.scripted(script(&[DIRECT, r#"{"steps": []}"#, "Done."]));
            planning.process_message(&message).await;
            let systems = planning.systems();
            assert!(systems[1].starts_with("[planning]"), "{message}");
            continue;
        }
        others += 1;
        planning.scripted(script(&[DIRECT, "Done."]));
        let (_, after) = planning.process_message(&message).await;
        assert_eq!(planning.model.asked(), without.model.asked(), "{message}");
        assert_eq!(after.entries, before.entries, "{message}");
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(plans > 20 && others > 400, "{plans} of {others}");
}

#[tokio::test]
async fn a_plan_stands_in_the_journal_and_before_the_model_from_its_first_step_on() {
    let script = [DIRECT, PLAN, "It is fixed."];
    let script = script
        .iter()
        .fold(Scripted::default(), |it, answer| it.then_says(answer));
    let mut stage = Stage::new(script);
    stage.agent.limits.planning = Planning::Followed;
    // The first step is not guessed where it follows a plan.
    stage.agent.limits.routing = Routing::Parallel;
    let (_, journal) = stage.process_message(CODING).await;
    assert_eq!(journal.outcome(), Some(&replied("It is fixed.")));
    let plan = planned(&journal).unwrap();
    let lines: Vec<String> = plan.steps.iter().map(PlannedStep::line).collect();
    assert_eq!(
        lines,
        ["☐ Find it → grep names it", "☐ Fix it → the test passes"]
    );
    let asked = stage.model.asked();
    assert_eq!(asked.len(), 3);
    let step = format!("{:?}", asked[2].messages);
    assert!(step.contains("Your plan. Follow it"), "{step}");
    assert!(step.contains("☐ Fix it → the test passes"), "{step}");
    assert_eq!(stage.wallet.booked().len(), 3, "each call is settled");
}

#[tokio::test]
async fn a_plan_that_cannot_be_read_never_stops_the_turn() {
    for answer in ["I would look first.", r#"{"steps": [{"text": "x"}]}"#] {
        let script = [DIRECT, answer, "It is fixed."];
        let script = script
            .iter()
            .fold(Scripted::default(), |it, answer| it.then_says(answer));
        let mut stage = Stage::new(script);
        stage.agent.limits.planning = Planning::Asked;
        let (_, journal) = stage.process_message(CODING).await;
        assert_eq!(journal.outcome(), Some(&replied("It is fixed.")));
        assert_eq!(planned(&journal).unwrap().steps, []);
        let step = format!("{:?}", stage.model.asked()[2].messages);
        assert!(!step.contains("Your plan"), "{step}");
    }
}

#[tokio::test]
async fn a_turn_whose_person_is_asked_ends_with_the_plan() {
    let script = Scripted::default().then_says(DIRECT).then_says(PLAN);
    let mut stage = Stage::new(script);
    stage.agent.limits.planning = Planning::Asked;
    let (_, journal) = stage.process_message(CODING).await;
    let Some(TurnOutcome::Proposed { steps, untrusted }) = journal.outcome() else {
        panic!("{:?}", journal.outcome())
    };
    assert_eq!((steps.len(), *untrusted), (2, false));
    assert_eq!(stage.model.asked().len(), 2);
}

#[tokio::test]
async fn without_funds_for_a_plan_the_turn_ends() {
    let mut stage = Stage::new(Scripted::default().then_says(DIRECT));
    stage.agent.limits.planning = Planning::Followed;
    stage.wallet.pays_for = Some(1);
    let (_, journal) = stage.process_message(CODING).await;
    assert_eq!(stage.model.asked().len(), 1);
    let Some(TurnOutcome::Failed { why, .. }) = journal.outcome() else {
        panic!("{:?}", journal.outcome())
    };
    assert_eq!(why, "The purse is empty.");
}
