//! A turn that waits does not keep anybody.

use sayso_fakes::Gate;
use sayso_fakes::model::Answer;

use super::{asks, card_of, group, hears, mark, marks, obedient};
use crate::platform::{Platform, on_both};

on_both!(
    while_a_card_waits_a_new_message_is_answered_and_sees_what_waits,
    a_card_of_one_person_keeps_no_one_else_in_a_group,
    a_press_is_answered_while_thirty_turns_run
);

async fn while_a_card_waits_a_new_message_is_answered_and_sees_what_waits(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    chat.says("how are you?");
    hears(&chat, "ok: how are you?").await;
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(
        request.told().contains("Waiting for approval: run: mktemp"),
        "{}",
        request.told()
    );
    assert!(chat.message(card.id).asks());
    chat.press(&bot.ann, card.id, "Approve").await;
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    // The resumed turn keeps its original history; a note summarizes what happened since.
    let request = bot.model.turn_requests().pop().unwrap();
    assert!(!request.mentions("how are you?"));
    assert!(request.mentions("[note] While this waited for approval, 1 other turn(s)"));
    assert!(!request.told().contains("Waiting for approval"));
    bot.assert_clean();
}

async fn a_card_of_one_person_keeps_no_one_else_in_a_group(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let chat = group(&bot);
    chat.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let anns = card_of(&chat, "a").await;
    chat.says_as(&bot.bob, &format!("@sayso_bot run: {}", mark(&bot, "b")));
    let bobs = card_of(&chat, "b").await;
    chat.says_as(&bot.bob, "@sayso_bot and how are you?");
    hears(&chat, "and how are you?").await;
    chat.press(&bot.bob, bobs.id, "Approve").await;
    hears(&chat, "./mark-b.").await;
    chat.press(&bot.ann, anns.id, "Approve").await;
    hears(&chat, "./mark-a.").await;
    assert_eq!(marks(&bot), ["a", "b"]);
    bot.assert_clean();
}

async fn a_press_is_answered_while_thirty_turns_run(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let is_slow = request.last_user().ends_with("take your time") && !request.is_routing();
        is_slow.then(|| Answer::text("done").held_by(&held))
    });
    let chat = bot.direct();
    let card = asks(&bot, &chat, "a").await;
    let groups: Vec<_> = (0..30)
        .map(|number| bot.group(&format!("Busy {number}")).with(&bot.ann))
        .collect();
    for busy in &groups[..15] {
        busy.says("@sayso_bot take your time");
    }
    for busy in &groups[15..] {
        busy.says_as(&bot.bob, "@sayso_bot take your time");
    }
    gate.reached_by(30).await;
    let told = chat.press(&bot.ann, card.id, "Approve").await;
    // A press that is judged later than two seconds is acknowledged without words.
    let words = told.text.as_deref().unwrap_or("Approved.");
    assert_eq!(words, "Approved.", "{:?}", told.answered_in);
    hears(&chat, "result: ").await;
    assert_eq!(marks(&bot), ["a"]);
    gate.open();
    for busy in &groups {
        hears(busy, "done").await;
    }
    bot.assert_clean();
}
