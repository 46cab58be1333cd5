//! Somebody says much; everybody else is answered as if they did not.

use sayso_fakes::{Answer, Gate, Message};

use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    five_hundred_messages_of_one_person_keep_nobody_else_waiting,
    in_a_group_people_take_turns,
    who_shares_a_group_with_a_busy_person_waits_for_no_other_chat_of_theirs
);

/// Holds the first turn at a gate; what comes behind it waits in line.
fn hold_first(house: &House) -> Gate {
    let gate = Gate::new();
    let first = Answer::text("done").held_by(&gate);
    house.model.answers(first);
    gate
}

/// Returns what was asked in each turn, in order.
fn asked(house: &House) -> Vec<String> {
    let turns = house.model.turn_requests().into_iter();
    turns.map(|request| request.last_user()).collect()
}

async fn five_hundred_messages_of_one_person_keep_nobody_else_waiting(platform: Platform) {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let house = House::on_with(platform, &settings).await;
    let gate = hold_first(&house);
    let chat = house.direct();
    for number in 1..=500 {
        chat.says(&format!("flood {number}"));
    }
    gate.reached_by(1).await;
    house.has_heard_all().await;
    let bobs = house.direct_with(&house.bob);
    bobs.says("and me?");
    house.has_heard_all().await;
    gate.open();
    bobs.settles(|message| message.text == "ok: and me?").await;
    let asked = asked(&house);
    let place = asked.iter().position(|said| said == "and me?").unwrap();
    assert!(place <= 2, "Bob came after {place} turns of Ann's");
    let told = |message: &&Message| message.text.contains("30 messages a minute");
    let messages = chat.messages();
    assert_eq!(messages.iter().filter(told).count(), 1, "told once");
    house.assert_clean();
}

async fn in_a_group_people_take_turns(platform: Platform) {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let house = House::on_with(platform, &settings).await;
    let gate = hold_first(&house);
    let group = house.group("Garden");
    for number in 0..=6 {
        group.says_as(&house.ann, &format!("@sayso_bot plan {number}"));
    }
    gate.reached_by(1).await;
    house.has_heard_all().await;
    group.says_as(&house.bob, "@sayso_bot water");
    group.says_as(&house.bob, "@sayso_bot mow");
    house.has_heard_all().await;
    gate.open();
    group
        .settles(|message| message.text.contains("plan 6"))
        .await;
    let asked = asked(&house);
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
    house.assert_clean();
}

async fn who_shares_a_group_with_a_busy_person_waits_for_no_other_chat_of_theirs(
    platform: Platform,
) {
    let settings = [("AGENT__CONCURRENT_TURNS", "1"), ("AGENT__ROUTING", "off")];
    let house = House::on_with(platform, &settings).await;
    let gate = hold_first(&house);
    let groups: Vec<_> = (1..=8)
        .map(|number| house.group(&format!("Group {number}")))
        .collect();
    groups[0].says_as(&house.ann, "@sayso_bot work");
    gate.reached_by(1).await;
    for group in &groups[1..] {
        group.says_as(&house.ann, "@sayso_bot work");
    }
    house.has_heard_all().await;
    groups[7].says_as(&house.bob, "@sayso_bot and me?");
    house.has_heard_all().await;
    gate.open();
    groups[7]
        .settles(|message| message.text.contains("and me?"))
        .await;
    let asked = asked(&house);
    let place = asked.iter().position(|said| said.contains("and me?"));
    // The group's first message is Ann's, and it is hers.
    assert!(place.unwrap() <= 4, "Bob's place in {asked:?}");
    house.assert_clean();
}
