//! What is said while Sayso is busy, and whose turn comes when.

use sayso_fakes::{Answer, Gate};
use serde_json::json;

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    u27_words_said_while_it_works_get_a_sign_at_once_and_join_at_the_next_step,
    in_a_group_another_persons_message_is_queued_and_told_so,
    messages_of_a_chat_are_answered_in_their_order,
    forty_chats_work_at_once_and_all_are_answered,
    a_person_with_many_chats_does_not_keep_others_waiting
);

async fn u27_words_said_while_it_works_get_a_sign_at_once_and_join_at_the_next_step(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let [first, second] = [Gate::new(), Gate::new()];
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.held_by(&first));
    bot.model
        .answers(Answer::text("Nothing here, so zero files.").held_by(&second));
    chat.says("look around");
    first.reached_by(1).await;
    let more = chat.says("and count the files");
    // At once: the model has not answered yet.
    chat.becomes(more, |message| message.reactions == ["👍"])
        .await;
    first.open();
    second.reached_by(1).await;
    chat.settles(|message| message.text.contains("＋ Got it: and count the files"))
        .await;
    second.open();
    chat.settles(|message| message.text.contains("zero files"))
        .await;
    let steps = bot.model.turn_requests();
    assert_eq!(steps.len(), 2, "one turn for both messages");
    insta::assert_snapshot!(steps[1].last_user(), @r"
    [added while you work]
    and count the files
    ");
    bot.assert_clean();
}

async fn in_a_group_another_persons_message_is_queued_and_told_so(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Garden");
    let gate = Gate::new();
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.held_by(&gate));
    group.says_as(&bot.ann, "@sayso_bot look around");
    gate.reached_by(1).await;
    group.says_as(&bot.bob, "@sayso_bot water the roses");
    let queued = group.hears().await;
    insta::assert_snapshot!(queued.text, @"⏳ Queued: I answer you next.");
    gate.open();
    group
        .settles(|message| message.text.contains("ok: Bob: water the roses"))
        .await;
    let steps = bot.model.turn_requests();
    assert!(!steps[1].mentions("roses"), "a turn acts for one user");
    bot.assert_clean();
}

async fn messages_of_a_chat_are_answered_in_their_order(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let gate = Gate::new();
    bot.model.answers(Answer::text("ok: 0").held_by(&gate));
    for number in 0..8 {
        chat.says(&number.to_string());
    }
    bot.has_heard_all().await;
    gate.open();
    for number in 0..8 {
        assert_eq!(chat.hears().await.text, format!("ok: {number}"));
    }
    bot.assert_clean();
}

async fn forty_chats_work_at_once_and_all_are_answered(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("ACCESS__ALLOW", platform.everybody())]).await;
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let is_turn = !request.is_routing();
        is_turn.then(|| Answer::text(format!("for {}", request.last_user())).held_by(&held))
    });
    let chats: Vec<_> = (0..40)
        .map(|number| {
            let person = bot.person(1_000 + number, &format!("Guest{number}"));
            bot.direct_with(&person)
        })
        .collect();
    for chat in &chats {
        chat.says(&format!("guest {}", chat.id()));
    }
    gate.reached_by(40).await;
    gate.open();
    for chat in &chats {
        let answer = format!("for guest {}", chat.id());
        chat.settles(|message| message.text == answer).await;
    }
    bot.assert_clean();
}

async fn a_person_with_many_chats_does_not_keep_others_waiting(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__CONCURRENT_TURNS", "1")]).await;
    let gate = Gate::new();
    bot.model.answers(Answer::text("done").held_by(&gate));
    let groups: Vec<_> = (1..=8)
        .map(|number| bot.group(&format!("Group {number}")).with(&bot.ann))
        .collect();
    groups[0].says("@sayso_bot work");
    gate.reached_by(1).await;
    for group in &groups[1..] {
        group.says("@sayso_bot work");
    }
    bot.direct_with(&bot.bob).says("and me?");
    bot.has_heard_all().await;
    gate.open();
    for group in &groups {
        group.hears().await;
    }
    let turns = bot.model.turn_requests();
    let place = turns
        .iter()
        .position(|request| request.last_user() == "and me?")
        .unwrap();
    assert!(place <= 2, "Bob came after {place} turns of Ann's");
    bot.assert_clean();
}
