//! The button of the note: whose it is, what it takes back, and that it outlives a crash.

use sayso_fakes::{Answer, Gate, Message};
use serde_json::json;

use super::{ALL_DONE, LEARNED, is_note, open, proposes};
use crate::platform::{Platform, on_both};
use crate::test_bot::{TestBot, eventually};

on_both!(
    undo_takes_back_what_was_learned_and_nothing_else,
    only_whose_words_they_were_may_undo_it,
    what_was_learned_goes_with_the_person,
    what_was_undone_is_found_nowhere_and_not_learned_again,
    what_was_forgotten_by_its_id_is_not_learned_again,
    what_is_forgotten_while_a_model_is_asked_is_not_written
);

async fn undo_takes_back_what_was_learned_and_nothing_else(platform: Platform) {
    let mut bot = open(platform).await;
    let chat = bot.direct();
    bot.model.when(|request| {
        let lesson = super::is_lesson(request).then(|| request.last_user())?;
        let place = if lesson.contains("Oslo now") {
            "Oslo"
        } else {
            "Berlin"
        };
        let fact = format!("Lives in {place}");
        Some(Answer::text(super::proposal(&[("profile", &fact)])))
    });
    chat.says("I live in Berlin");
    chat.hears_with(is_note).await;
    chat.says("I live in Oslo now");
    let note = chat.hears_with(is_note).await;
    bot.crash_when_noted().await;
    let pressed = chat.press(&bot.ann, note.id, "Undo").await;
    assert_eq!(pressed.text.as_deref(), platform.echo("Undone."));
    let undone = chat.becomes(note.id, |note| !note.asks()).await;
    assert_eq!(undone.text, "📝 Undone: I do not keep it.");
    assert_eq!(bot.rows(LEARNED).await, ["Lives in Berlin"]);

    let token = note.token("Undo");
    let again = chat.press_token(&bot.ann, note.id, &token).await;
    assert_ne!(again.text.as_deref(), platform.echo("Undone."));
    assert_eq!(bot.rows(LEARNED).await, ["Lives in Berlin"]);
    bot.assert_clean();
}

async fn only_whose_words_they_were_may_undo_it(platform: Platform) {
    let bot = open(platform).await;
    proposes(&bot, &[("profile", "Lives in Bergen")]);
    let group = bot.group("Friends").with(&bot.bob);
    group.says("@sayso_bot I live in Bergen");
    let note = group.hears_with(is_note).await;
    // An owner is no exception: the words were Bob's.
    let refused = group.press(&bot.ann, note.id, "Undo").await;
    let refused = refused.text.unwrap();
    assert_eq!(refused, "This question was for somebody else.");
    let elsewhere = bot.direct_with(&bot.bob);
    elsewhere.says("hello");
    let other = elsewhere.hears().await;
    let token = note.token("Undo");
    elsewhere.press_token(&bot.bob, other.id, &token).await;
    assert_eq!(bot.rows(LEARNED).await.len(), 1);
    group.press(&bot.bob, note.id, "Undo").await;
    group.becomes(note.id, |note| !note.asks()).await;
    assert!(bot.rows(LEARNED).await.is_empty());
    bot.assert_clean();
}

async fn what_was_undone_is_found_nowhere_and_not_learned_again(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    chat.says("I like jasmine tea");
    let note = chat.hears_with(is_note).await;
    chat.press(&bot.ann, note.id, "Undo").await;
    chat.becomes(note.id, |note| !note.asks()).await;
    assert_eq!(bot.rows(FOUND).await, Vec::<String>::new());
    chat.says("well, I like jasmine tea");
    is_all_learned(&bot, 2).await;
    assert_eq!(bot.rows(FOUND).await, Vec::<String>::new());
    bot.assert_clean();
}

async fn what_was_forgotten_by_its_id_is_not_learned_again(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    chat.says("I like jasmine tea");
    chat.hears_with(is_note).await;
    let id = "SELECT CAST(id AS TEXT) FROM memories WHERE kind = 'fact'";
    let id = bot.rows(id).await.remove(0);
    bot.model
        .calls(vec![("memory_forget", json!({ "id": id }))]);
    chat.says("do not keep that");
    chat.hears_with(|message| message.text == "ok: do not keep that")
        .await;
    assert_eq!(bot.rows(FOUND).await, Vec::<String>::new());
    chat.says("well, I like jasmine tea");
    is_all_learned(&bot, 2).await;
    assert_eq!(bot.rows(FOUND).await, Vec::<String>::new());
    bot.assert_clean();
}

async fn what_is_forgotten_while_a_model_is_asked_is_not_written(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    let answer = super::proposal(&[("preference", "Likes jasmine tea")]);
    let answer = Answer::text(answer).held_by(&gate);
    bot.model
        .when(move |request| super::is_lesson(request).then(|| answer.clone()));
    chat.says("I like jasmine tea");
    bot.model.waits_for(super::is_lesson).await;
    bot.has_noted("SELECT text FROM memories WHERE kind = 'episode'")
        .await;
    chat.says("/forget jasmine");
    let card = chat.hears_with(Message::asks).await;
    assert!(
        card.text.contains("2. 2 messages that hold"),
        "{}",
        card.text
    );
    chat.press(&bot.ann, card.id, "2").await;
    chat.becomes(card.id, |card| !card.asks()).await;
    gate.open();
    // One lesson comes after the other.
    chat.says("I live in Bergen");
    is_all_learned(&bot, 2).await;
    assert_eq!(bot.rows(FOUND).await, Vec::<String>::new());
    bot.assert_clean();
}

/// Waits until a model was asked so often what is to be learned, and nothing is left to ask.
async fn is_all_learned(bot: &TestBot, times: usize) {
    eventually("the lessons", || super::lessons(bot).len() >= times).await;
    bot.has_noted(ALL_DONE).await;
}

/// Everything that is found of the tea.
const FOUND: &str = "SELECT text FROM memories WHERE text LIKE '%jasmine%'
    UNION ALL SELECT i.said FROM lines l JOIN inbox i ON i.id = l.id WHERE i.said LIKE '%jasmine%'
    UNION ALL SELECT j.body FROM lines l JOIN journal j ON j.turn_id = l.id
        WHERE j.kind = 'ended' AND j.body LIKE '%jasmine%'";

async fn what_was_learned_goes_with_the_person(platform: Platform) {
    let bot = open(platform).await;
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    let group = bot.group("Friends").with(&bot.ann);
    group.says("@sayso_bot I like jasmine tea");
    group.hears_with(is_note).await;
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears_with(is_note).await;
    chat.says("/forget everything");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Erase everything").await;
    chat.settles(|message| message.text.starts_with("Done: what I kept"))
        .await;
    let left = "SELECT text FROM memories WHERE text LIKE '%jasmine%'
        UNION ALL SELECT token FROM prompts WHERE kind = 'learned_undo'
        UNION ALL SELECT 'lesson' FROM lessons
        UNION ALL SELECT payload FROM audit_payloads WHERE payload LIKE '%jasmine%'
        UNION ALL SELECT part FROM outbox WHERE part LIKE '%jasmine%'";
    assert!(bot.rows(left).await.is_empty());
    bot.assert_clean();
}
