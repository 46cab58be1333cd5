//! Limits on queued work, and that a user who exceeds one gets exactly one notice.

use sayso_fakes::{Answer, Gate, Message};

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    so_many_messages_of_a_person_wait_and_more_are_refused_once,
    a_flood_of_commands_is_answered_so_often_and_a_stop_always
);

/// Has as many messages wait as may, made of the one that waits; each is an event of its own.
const MANY_WAIT: &str = "WITH RECURSIVE more (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM more WHERE n < 49)
     INSERT INTO inbox (id, channel, kind, event, version, session_id, user_id, address, message, said,
                        untrusted, album, answers, role, ready_ms, state, stored_ms, sender)
     SELECT id + n, channel, kind, event || '-' || n, version, session_id, user_id, address, message,
            said || ' ' || n, untrusted, album, answers, role, ready_ms, state, stored_ms, sender
     FROM inbox, more WHERE state = 'waiting' AND said LIKE 'wait%'";

fn refusals(messages: &[Message]) -> usize {
    let told = |message: &&Message| message.text.contains("50 messages of yours wait");
    messages.iter().filter(told).count()
}

async fn so_many_messages_of_a_person_wait_and_more_are_refused_once(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let gate = Gate::new();
    bot.model.answers(Answer::text("done").held_by(&gate));
    let chat = bot.direct();
    chat.says("first");
    gate.reached_by(1).await;
    chat.says("wait");
    bot.has_heard_all().await;
    bot.change(MANY_WAIT).await;
    for number in 1..=5 {
        chat.says(&format!("too much {number}"));
    }
    let told = chat
        .settles(|message| message.text.contains("50 messages of yours wait"))
        .await;
    insta::assert_snapshot!(told.text, @r"
    50 messages of yours wait here already, so I left this one and those right after it unanswered.
    Send again what matters when I have caught up; /stop drops what waits.
    ");
    bot.has_heard_all().await;
    // Bob's are counted apart.
    let bobs = bot.direct_with(&bot.bob);
    bobs.says("hello");
    bobs.settles(|message| message.text == "ok: hello").await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("50 messages were still waiting"))
        .await;
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    assert_eq!(refusals(&chat.messages()), 1, "told once");
    let asked = bot.model.turn_requests();
    assert!(asked.iter().all(|request| !request.mentions("too much")));
    bot.assert_clean();
}

async fn a_flood_of_commands_is_answered_so_often_and_a_stop_always(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    for _ in 0..40 {
        chat.says("/whoami");
    }
    let is_refusal = |message: &Message| message.text.contains("came within a minute");
    chat.settles(is_refusal).await;
    chat.says("/stop");
    chat.settles(|message| message.text.contains("Nothing of yours"))
        .await;
    let messages = chat.messages();
    assert_eq!(messages.iter().filter(|it| is_refusal(it)).count(), 1);
    let account = platform.account(&bot.ann);
    let answers = messages
        .iter()
        .filter(|message| message.text.contains(&account));
    // One grows back every two seconds.
    let answers = answers.count();
    assert!((30..40).contains(&answers), "{answers}");
    bot.assert_clean();
}

#[tokio::test]
async fn a_stranger_who_goes_on_and_on_is_answered_so_often() {
    let bot = TestBot::open().await;
    let stranger = bot.person(9_001, "Mallory");
    let chat = bot.direct_with(&stranger);
    for number in 0..60 {
        chat.says(&format!("let me in {number}"));
    }
    bot.has_heard_all().await;
    chat.settles(Message::is_from_bot).await;
    bot.has_noted(
        "SELECT 'all' WHERE NOT EXISTS (
                 SELECT 1 FROM outbox WHERE state IN ('pending', 'sending'))",
    )
    .await;
    let answers = chat.messages().into_iter().filter(Message::is_from_bot);
    let answers = answers.count();
    assert!((10..20).contains(&answers), "{answers}");
    bot.assert_clean();
}
