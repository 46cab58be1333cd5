//! Somebody says much; everybody else is answered as if they did not.

use sayso_fakes::{Answer, Gate, Message};

use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    five_hundred_messages_of_one_person_keep_no_one_else_waiting,
    in_a_group_people_take_turns,
    who_shares_a_group_with_a_busy_person_waits_for_no_other_chat_of_theirs,
    who_speaks_where_a_busy_persons_turn_runs_is_in_a_line_of_their_own
);

/// Holds the first turn at a gate; what comes behind it waits in line.
fn hold_first(bot: &TestBot) -> Gate {
    let gate = Gate::new();
    let first = Answer::text("done").held_by(&gate);
    bot.model.answers(first);
    gate
}

/// Returns what was asked in each turn, in order.
fn asked(bot: &TestBot) -> Vec<String> {
    let turns = bot.model.turn_requests().into_iter();
    turns.map(|request| request.last_user()).collect()
}

async fn five_hundred_messages_of_one_person_keep_no_one_else_waiting(platform: Platform) {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let bot = TestBot::on_with(platform, &settings).await;
    let gate = hold_first(&bot);
    let chat = bot.direct();
    for number in 1..=500 {
        chat.says(&format!("flood {number}"));
    }
    gate.reached_by(1).await;
    bot.has_heard_all().await;
    let bobs = bot.direct_with(&bot.bob);
    bobs.says("and me?");
    bot.has_heard_all().await;
    gate.open();
    bobs.settles(|message| message.text == "ok: and me?").await;
    let asked = asked(&bot);
    let place = asked.iter().position(|said| said == "and me?").unwrap();
    assert!(place <= 2, "Bob came after {place} turns of Ann's");
    let told = |message: &&Message| message.text.contains("came within a minute");
    chat.settles(|message| told(&message)).await;
    let messages = chat.messages();
    assert_eq!(messages.iter().filter(told).count(), 1, "told once");
    bot.assert_clean();
}

async fn in_a_group_people_take_turns(platform: Platform) {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let bot = TestBot::on_with(platform, &settings).await;
    let gate = hold_first(&bot);
    let group = bot.group("Garden");
    for number in 0..=6 {
        group.says_as(&bot.ann, &format!("@sayso_bot plan {number}"));
    }
    gate.reached_by(1).await;
    bot.has_heard_all().await;
    group.says_as(&bot.bob, "@sayso_bot water");
    group.says_as(&bot.bob, "@sayso_bot mow");
    bot.has_heard_all().await;
    gate.open();
    group
        .settles(|message| message.text.contains("plan 6"))
        .await;
    let asked = asked(&bot);
    let asked: Vec<&str> = asked
        .iter()
        .filter_map(|said| said.rsplit(": ").next())
        .collect();
    assert_eq!(
        asked,
        [
            "plan 0", "water", "plan 1", "mow", "plan 2", "plan 3", "plan 4", "plan 5", "plan 6"
        ]
    );
    bot.assert_clean();
}

/// Has Ann ask in eight groups and Bob in one of them while her first turn runs; returns which turn is
/// Bob's.
async fn place_of_bob(platform: Platform, place: usize) -> usize {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let bot = TestBot::on_with(platform, &settings).await;
    let gate = hold_first(&bot);
    let groups: Vec<_> = (1..=8)
        .map(|number| bot.group(&format!("Group {number}")))
        .collect();
    groups[0].says_as(&bot.ann, "@sayso_bot work");
    gate.reached_by(1).await;
    for group in &groups[1..] {
        group.says_as(&bot.ann, "@sayso_bot work");
    }
    bot.has_heard_all().await;
    groups[place].says_as(&bot.bob, "@sayso_bot and me?");
    bot.has_heard_all().await;
    gate.open();
    groups[place]
        .settles(|message| message.text.contains("and me?"))
        .await;
    bot.assert_clean();
    let asked = asked(&bot);
    let place = asked.iter().position(|said| said.contains("and me?"));
    place.unwrap()
}

async fn who_shares_a_group_with_a_busy_person_waits_for_no_other_chat_of_theirs(
    platform: Platform,
) {
    // The group's first message is Ann's, and it is hers.
    let place = place_of_bob(platform, 7).await;
    assert!(place <= 4, "Bob came after {place} turns of Ann's");
}

async fn who_speaks_where_a_busy_persons_turn_runs_is_in_a_line_of_their_own(platform: Platform) {
    let place = place_of_bob(platform, 0).await;
    assert!(place <= 3, "Bob came after {place} turns of Ann's");
}
