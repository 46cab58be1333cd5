//! What learning costs: nothing where nothing can be learned or spent, and never without end.

use super::{ALL_DONE, LEARNED, is_lesson, is_note, lessons, open, open_with, proposes};
use crate::platform::Platform;

const ON: Platform = Platform::Telegram;

#[tokio::test]
async fn words_that_tell_nothing_cost_no_call() {
    let house = open(ON).await;
    let chat = house.direct();
    for text in [
        "thank you!",
        "what is the capital of Peru?",
        "list my files",
    ] {
        chat.says(text);
        chat.hears().await;
    }
    house.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&house).len(), 0);
    house.assert_clean();
}

/// The first turn takes 110 of 150 tokens: what is left is too little for a lesson.
#[tokio::test]
async fn without_funds_nothing_is_learned_and_nothing_is_said() {
    let house = open_with(ON, &[("BUDGET__USER_DAY_TOKENS", "150")]).await;
    proposes(&house, &[("preference", "Likes jasmine tea")]);
    let chat = house.direct_with(&house.bob);
    chat.says("I like jasmine tea");
    chat.hears().await;
    house
        .has_noted(
            "SELECT 'later' FROM lessons
             WHERE tries = 0 AND due_ms > 1000 * (unixepoch() + 3000)",
        )
        .await;
    assert_eq!(lessons(&house).len(), 0);
    assert_eq!(chat.unheard(), 0, "nobody had asked for anything");
    assert!(
        house.direct().messages().is_empty(),
        "nor is the owner asked"
    );
    house.assert_clean();
}

#[tokio::test]
async fn an_answer_that_is_none_is_asked_for_again_and_then_let_be() {
    let house = open(ON).await;
    house.model.when(|request| {
        is_lesson(request).then(|| sayso_fakes::Answer::text("you seem to like tea!"))
    });
    let chat = house.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    house.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&house).len(), 3);
    assert!(house.rows(LEARNED).await.is_empty());
    assert_eq!(chat.unheard(), 0);
    house.assert_clean();
}

#[tokio::test]
async fn a_lesson_is_booked_and_stands_in_audit_and_trace() {
    let mut house = open(ON).await;
    proposes(&house, &[("preference", "Likes jasmine tea")]);
    let chat = house.direct();
    chat.says("I like jasmine tea");
    chat.hears_with(is_note).await;
    house.has_noted(ALL_DONE).await;
    house.stop().await;
    let calls = "SELECT CAST(sum(calls) AS TEXT) FROM usage";
    assert_eq!(house.rows(calls).await, ["2"]);
    let open = "SELECT CAST(sum(open_tokens) AS TEXT) FROM usage";
    assert_eq!(house.rows(open).await, ["0"]);
    let audit = std::fs::read_to_string(house.data().join("audit.jsonl")).unwrap();
    assert!(audit.contains(r#""event":"learned""#), "{audit}");
    assert!(!audit.contains("jasmine"), "its lines hold no words");
    let trace = std::fs::read_to_string(house.data().join("trace.jsonl")).unwrap();
    let learns = trace
        .lines()
        .filter(|line| line.contains(r#""purpose":"learn""#));
    assert_eq!(learns.count(), 2, "asked and answered: {trace}");
    house.assert_clean();
}
