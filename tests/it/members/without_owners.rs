//! No one who could be asked, and settings that let no one be asked.

use super::{known_owner, mark, outward};
use crate::approvals::{marks, obedient};
use crate::house::House;
use crate::platform::{Chat, Platform, on_both};

on_both!(
    s1_where_no_owner_can_be_asked_the_call_ends_and_both_are_told,
    s1_an_owner_who_wrote_in_the_group_is_asked_there,
    s1_what_needs_no_owner_is_still_asked_about_there,
    s1_what_the_operator_denies_members_is_refused_with_the_reason
);

async fn answer(chat: &Chat) -> String {
    chat.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await
        .text
}

async fn s1_where_no_owner_can_be_asked_the_call_ends_and_both_are_told(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let bob = house.direct_with(&house.bob);
    let both = [outward(&house, "a"), outward(&house, "b")];
    bob.says(&format!("run: {}", both.join(" ;; ")));
    let told = answer(&bob).await;
    assert!(told.contains("not asked and not run"), "{told}");
    let notices = bob.messages().into_iter();
    let notices = notices.filter(|message| message.text.contains("needs the approval of an owner"));
    assert_eq!(notices.count(), 1);
    assert!(marks(&house).is_empty());
    assert!(house.rows("SELECT 'card' FROM cards").await.is_empty());
    house.assert_clean();
}

async fn s1_an_owner_who_wrote_in_the_group_is_asked_there(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let group = house.group("Lab");
    let (ann, bob) = (group.with(&house.ann), group.with(&house.bob));
    let command = outward(&house, "lab");
    // Before the owner has written here, there is no one to ask.
    bob.says(&format!("@sayso_bot run: {command}"));
    assert!(answer(&bob).await.contains("not asked and not run"));
    ann.says("@sayso_bot hello");
    ann.hears().await;
    bob.says(&format!("@sayso_bot run: {command}"));
    let card = super::card_of(&ann, "lab").await;
    bob.press(&house.bob, card.id, "Approve").await;
    assert!(marks(&house).is_empty());
    ann.press(&house.ann, card.id, "Approve").await;
    super::closed(&ann, &card).await;
    bob.settles(|message| message.id > card.id && message.text.starts_with("result: "))
        .await;
    assert_eq!(marks(&house), ["lab"]);
    house.assert_clean();
}

async fn s1_what_needs_no_owner_is_still_asked_about_there(platform: Platform) {
    let house = obedient(platform, &[]).await;
    let bob = house.direct_with(&house.bob);
    bob.says(&format!(
        "run: {} ;; {}",
        outward(&house, "a"),
        mark(&house, "own")
    ));
    let card = super::card_of(&bob, "own").await;
    assert!(!card.text.contains("mark-a."), "{card}");
    bob.press(&house.bob, card.id, "Approve").await;
    answer(&bob).await;
    assert_eq!(marks(&house), ["own"]);
    house.assert_clean();
}

async fn s1_what_the_operator_denies_members_is_refused_with_the_reason(platform: Platform) {
    let settings = [
        ("POLICY__MEMBERS_SYSTEM", "deny"),
        ("POLICY__MEMBERS_NETWORK", "deny"),
    ];
    let house = known_owner(platform, &settings).await;
    let bob = house.direct_with(&house.bob);
    for (command, key) in [
        (outward(&house, "a"), "policy.members_system"),
        (
            "curl -s http://127.0.0.1:9/".to_owned(),
            "policy.members_network",
        ),
    ] {
        bob.says(&format!("run: {command}"));
        let told = bob
            .settles(|message| message.text.contains(key) && !message.is_live())
            .await;
        assert!(told.text.contains("result: "), "{told}");
    }
    assert!(marks(&house).is_empty());
    owner_is_still_asked(&house).await;
    house.assert_clean();
}

async fn owner_is_still_asked(house: &House) {
    let ann = house.direct();
    ann.says(&format!("run: {}", outward(house, "b")));
    let card = super::card_of(&ann, "b").await;
    ann.press(&house.ann, card.id, "Deny").await;
}
