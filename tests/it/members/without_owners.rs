//! No one who could be asked, and settings that let no one be asked.

use super::{known_owner, mark, outward};
use crate::approvals::{marks, obedient};
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

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
    let bot = obedient(platform, &[]).await;
    let bob = bot.direct_with(&bot.bob);
    let both = [outward(&bot, "a"), outward(&bot, "b")];
    bob.says(&format!("run: {}", both.join(" ;; ")));
    let told = answer(&bob).await;
    assert!(told.contains("not asked and not run"), "{told}");
    let notices = bob.messages().into_iter();
    let notices = notices.filter(|message| message.text.contains("needs the approval of an owner"));
    assert_eq!(notices.count(), 1);
    assert!(marks(&bot).is_empty());
    assert!(bot.rows("SELECT 'card' FROM cards").await.is_empty());
    bot.assert_clean();
}

async fn s1_an_owner_who_wrote_in_the_group_is_asked_there(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let group = bot.group("Lab");
    let (ann, bob) = (group.with(&bot.ann), group.with(&bot.bob));
    let command = outward(&bot, "lab");
    // Before the owner has written here, there is no one to ask.
    bob.says(&format!("@sayso_bot run: {command}"));
    assert!(answer(&bob).await.contains("not asked and not run"));
    ann.says("@sayso_bot hello");
    ann.hears().await;
    bob.says(&format!("@sayso_bot run: {command}"));
    let card = super::card_of(&ann, "lab").await;
    bob.press(&bot.bob, card.id, "Approve").await;
    assert!(marks(&bot).is_empty());
    ann.press(&bot.ann, card.id, "Approve").await;
    super::closed(&ann, &card).await;
    bob.settles(|message| message.id > card.id && message.text.starts_with("result: "))
        .await;
    assert_eq!(marks(&bot), ["lab"]);
    bot.assert_clean();
}

async fn s1_what_needs_no_owner_is_still_asked_about_there(platform: Platform) {
    let bot = obedient(platform, &[]).await;
    let bob = bot.direct_with(&bot.bob);
    bob.says(&format!(
        "run: {} ;; {}",
        outward(&bot, "a"),
        mark(&bot, "own")
    ));
    let card = super::card_of(&bob, "own").await;
    assert!(!card.text.contains("mark-a."), "{card}");
    bob.press(&bot.bob, card.id, "Approve").await;
    answer(&bob).await;
    assert_eq!(marks(&bot), ["own"]);
    bot.assert_clean();
}

async fn s1_what_the_operator_denies_members_is_refused_with_the_reason(platform: Platform) {
    let settings = [
        ("POLICY__MEMBERS_SYSTEM", "deny"),
        ("POLICY__MEMBERS_NETWORK", "deny"),
    ];
    let bot = known_owner(platform, &settings).await;
    let bob = bot.direct_with(&bot.bob);
    for (command, key) in [
        (outward(&bot, "a"), "policy.members_system"),
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
    assert!(marks(&bot).is_empty());
    owner_is_still_asked(&bot).await;
    bot.assert_clean();
}

async fn owner_is_still_asked(bot: &TestBot) {
    let ann = bot.direct();
    ann.says(&format!("run: {}", outward(bot, "b")));
    let card = super::card_of(&ann, "b").await;
    ann.press(&bot.ann, card.id, "Deny").await;
}
