//! Nothing waits for a lesson, and a kill in its middle loses and doubles nothing.

use sayso_fakes::{Answer, Gate};

use super::{ALL_DONE, LEARNED, is_lesson, is_note, lessons, open, proposal};
use crate::platform::{Platform, on_both};

on_both!(
    a_message_that_comes_meanwhile_is_answered_first,
    a_kill_in_the_middle_loses_and_doubles_nothing
);

async fn a_message_that_comes_meanwhile_is_answered_first(platform: Platform) {
    let house = open(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    house.model.when(move |request| {
        let answer = Answer::text(proposal(&[("preference", "Likes jasmine tea")]));
        is_lesson(request).then(|| answer.held_by(&held))
    });
    let chat = house.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    house.model.waits_for(is_lesson).await;
    chat.says("are you there?");
    let answer = chat.hears().await;
    assert_eq!(answer.text, "ok: are you there?");
    assert!(
        house.rows(LEARNED).await.is_empty(),
        "the model still thinks"
    );
    gate.open();
    let note = chat.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Likes jasmine tea");
    house.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&house).len(), 1, "a question tells nothing new");
    house.assert_clean();
}

async fn a_kill_in_the_middle_loses_and_doubles_nothing(platform: Platform) {
    let mut house = open(platform).await;
    let gate = Gate::new();
    let held = gate.clone();
    house.model.when(move |request| {
        let answer = Answer::text(proposal(&[("preference", "Likes jasmine tea")]));
        is_lesson(request).then(|| answer.held_by(&held))
    });
    let chat = house.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    house.model.waits_for(is_lesson).await;
    house.crash_when_noted().await;
    gate.open();
    chat.hears_with(is_note).await;
    house.has_noted(ALL_DONE).await;
    house.crash_when_noted().await;
    house.has_noted(ALL_DONE).await;
    assert_eq!(house.rows(LEARNED).await, ["Likes jasmine tea"]);
    let notes = chat.messages().into_iter().filter(is_note).count();
    assert_eq!(notes, 1);
    assert_eq!(
        lessons(&house).len(),
        2,
        "the call that was cut off, and one more"
    );
    house.assert_clean();
}
