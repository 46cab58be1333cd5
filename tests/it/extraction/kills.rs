//! Nothing waits for a lesson, and a kill in its middle loses and doubles nothing.

use sayso_fakes::{Answer, Gate};

use super::{ALL_DONE, LEARNED, is_lesson, is_note, lessons, open, proposal};
use crate::platform::{Platform, on_both};

on_both!(
    a_message_that_comes_meanwhile_is_answered_first,
    a_kill_in_the_middle_loses_and_doubles_nothing
);

async fn a_message_that_comes_meanwhile_is_answered_first(platform: Platform) {
    let bot = open(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let answer = Answer::text(proposal(&[("preference", "Likes jasmine tea")]));
        is_lesson(request).then(|| answer.held_by(&held))
    });
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    bot.model.waits_for(is_lesson).await;
    chat.says("are you there?");
    let answer = chat.hears().await;
    assert_eq!(answer.text, "ok: are you there?");
    assert!(bot.rows(LEARNED).await.is_empty(), "the model still thinks");
    gate.open();
    let note = chat.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Likes jasmine tea");
    bot.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&bot).len(), 1, "a question tells nothing new");
    bot.assert_clean();
}

async fn a_kill_in_the_middle_loses_and_doubles_nothing(platform: Platform) {
    let mut bot = open(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let answer = Answer::text(proposal(&[("preference", "Likes jasmine tea")]));
        is_lesson(request).then(|| answer.held_by(&held))
    });
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    bot.model.waits_for(is_lesson).await;
    bot.crash_when_noted().await;
    gate.open();
    chat.hears_with(is_note).await;
    bot.has_noted(ALL_DONE).await;
    bot.crash_when_noted().await;
    bot.has_noted(ALL_DONE).await;
    assert_eq!(bot.rows(LEARNED).await, ["Likes jasmine tea"]);
    let notes = chat.messages().into_iter().filter(is_note).count();
    assert_eq!(notes, 1);
    assert_eq!(
        lessons(&bot).len(),
        2,
        "the call that was cut off, and one more"
    );
    bot.assert_clean();
}
