//! What learning costs: nothing where nothing can be learned or spent, and never without end.

use super::{ALL_DONE, LEARNED, is_lesson, is_note, lessons, open, open_with, proposes};
use crate::platform::Platform;

const ON: Platform = Platform::Telegram;

#[tokio::test]
async fn words_that_tell_nothing_cost_no_call() {
    let bot = open(ON).await;
    let chat = bot.direct();
    for text in [
        "thank you!",
        "what is the capital of Peru?",
        "list my files",
    ] {
        chat.says(text);
        chat.hears().await;
    }
    bot.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&bot).len(), 0);
    bot.assert_clean();
}

/// The first turn takes 110 of 150 tokens: what is left is too little for a lesson.
#[tokio::test]
async fn without_funds_nothing_is_learned_and_nothing_is_said() {
    let bot = open_with(ON, &[("BUDGET__USER_DAY_TOKENS", "150")]).await;
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    let chat = bot.direct_with(&bot.bob);
    chat.says("I like jasmine tea");
    chat.hears().await;
    bot.has_noted(
        "SELECT 'later' FROM lessons
             WHERE tries = 0 AND due_ms > 1000 * (unixepoch() + 3000)",
    )
    .await;
    assert_eq!(lessons(&bot).len(), 0);
    assert_eq!(chat.unheard(), 0, "nobody had asked for anything");
    assert!(bot.direct().messages().is_empty(), "nor is the owner asked");
    bot.assert_clean();
}

#[tokio::test]
async fn an_answer_that_is_none_is_asked_for_again_and_then_let_be() {
    let bot = open(ON).await;
    bot.model.when(|request| {
        is_lesson(request).then(|| sayso_fakes::Answer::text("you seem to like tea!"))
    });
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    bot.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&bot).len(), 3);
    assert!(bot.rows(LEARNED).await.is_empty());
    assert_eq!(chat.unheard(), 0);
    bot.assert_clean();
}

#[tokio::test]
async fn a_lesson_is_booked_and_stands_in_audit_and_trace() {
    let mut bot = open(ON).await;
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears_with(is_note).await;
    bot.has_noted(ALL_DONE).await;
    bot.stop().await;
    let calls = "SELECT CAST(sum(calls) AS TEXT) FROM usage";
    assert_eq!(bot.rows(calls).await, ["2"]);
    let open = "SELECT CAST(sum(open_tokens) AS TEXT) FROM usage";
    assert_eq!(bot.rows(open).await, ["0"]);
    let audit = std::fs::read_to_string(bot.data().join("audit.jsonl")).unwrap();
    assert!(audit.contains(r#""event":"learned""#), "{audit}");
    assert!(!audit.contains("jasmine"), "its lines hold no words");
    let trace = std::fs::read_to_string(bot.data().join("trace.jsonl")).unwrap();
    let learns = trace
        .lines()
        .filter(|line| line.contains(r#""purpose":"learn""#));
    assert_eq!(learns.count(), 2, "asked and answered: {trace}");
    bot.assert_clean();
}
