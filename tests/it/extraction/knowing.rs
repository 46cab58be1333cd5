//! What was said is known later; what the model was shown for it; that the note makes no sound.

use super::{ALL_DONE, LEARNED, is_lesson, is_note, lessons, open, open_with, proposes};
use crate::platform::{Platform, on_both};

on_both!(
    what_somebody_said_is_known_in_a_new_conversation,
    a_change_takes_the_place_of_what_was_known,
    a_new_conversation_is_learned_from_soon,
    a_group_keeps_what_was_said_in_it_and_no_person_does
);

async fn what_somebody_said_is_known_in_a_new_conversation(platform: Platform) {
    let bot = open(platform).await;
    proposes(
        &bot,
        &[
            ("preference", "The user likes jasmine tea."),
            ("profile", "Lives in Fujian"),
        ],
    );
    let chat = bot.direct();
    bot.model.says("Jasmine is a fine choice for Fujian.");
    chat.says("I really like jasmine tea");
    chat.hears().await;
    let note = chat.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Likes jasmine tea");
    assert_eq!(note.labels(), ["Undo"]);
    assert!(note.silent, "nobody had asked for it");
    let lesson = bot.model.waits_for(is_lesson).await;
    assert!(lesson.mentions("I really like jasmine tea"));
    assert!(!lesson.mentions("fine choice"), "only their own words");
    assert_eq!(bot.rows(LEARNED).await, ["Likes jasmine tea"]);

    chat.says("/new");
    chat.hears().await;
    chat.says("which tea should I buy?");
    chat.hears_with(|message| message.text.starts_with("ok:"))
        .await;
    let asked = bot
        .model
        .waits_for(|request| !is_lesson(request) && request.mentions("which tea should I buy?"));
    let system = asked.await.told();
    assert!(system.contains(": Likes jasmine tea"), "{system}");
    bot.has_noted(ALL_DONE).await;
    assert_eq!(lessons(&bot).len(), 1, "a question tells nothing new");
    bot.assert_clean();
}

async fn a_change_takes_the_place_of_what_was_known(platform: Platform) {
    let bot = open(platform).await;
    let chat = bot.direct();
    bot.model.when(|request| {
        let lesson = is_lesson(request).then(|| request.last_user())?;
        let place = if lesson.contains("Oslo now") {
            "Oslo"
        } else {
            "Berlin"
        };
        Some(sayso_fakes::Answer::text(super::proposal(&[(
            "profile",
            &format!("Lives in {place}"),
        )])))
    });
    chat.says("I live in Berlin");
    chat.hears_with(is_note).await;
    chat.says("I live in Oslo now");
    let note = chat.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Lives in Oslo");
    assert_eq!(bot.rows(LEARNED).await, ["Lives in Oslo"]);
    let shown = lessons(&bot).pop().unwrap().last_user();
    assert!(shown.contains("1. Lives in Berlin"), "{shown}");
    bot.assert_clean();
}

/// An idle session would be learned from later than anybody waits here.
async fn a_new_conversation_is_learned_from_soon(platform: Platform) {
    let bot = open_with(platform, &[("MEMORY__LEARNING__IDLE_SECS", "60")]).await;
    proposes(&bot, &[("preference", "Likes jasmine tea")]);
    let chat = bot.direct();
    chat.says("I like jasmine tea");
    chat.hears().await;
    chat.says("/new");
    let note = chat.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Likes jasmine tea");
    bot.assert_clean();
}

async fn a_group_keeps_what_was_said_in_it_and_no_person_does(platform: Platform) {
    let bot = open(platform).await;
    proposes(
        &bot,
        &[
            ("profile", "Lives in Bergen"),
            ("relation", "Bob lives in Rome"),
        ],
    );
    let group = bot.group("Friends").with(&bot.ann);
    group.says_as(&bot.bob, "I live in Rome, says Bob");
    group.says("@sayso_bot I live in Bergen");
    let note = group.hears_with(is_note).await;
    assert_eq!(note.text, "📝 Noted: Ann: Lives in Bergen");
    let lesson = bot.model.waits_for(is_lesson).await;
    assert!(!lesson.mentions("Rome"), "words of others are not shown");
    let owners = "SELECT DISTINCT owner_kind FROM memories WHERE source = 'learned'";
    assert_eq!(bot.rows(owners).await, ["chat"]);
    bot.assert_clean();
}
