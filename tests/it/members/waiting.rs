//! Cards that wait for an owner: what each sees, whose press counts, and that every copy ends alike.

use super::{OWNERS_APPROVE, asks_for, card_of, closed, greets, known_owner, mark, outward};
use crate::approvals::marks;
use crate::platform::{Platform, on_both};

on_both!(
    s1_an_owner_approves_in_their_own_chat_what_a_member_asked_for,
    s1_an_owner_denies_it_and_nothing_runs,
    s1_a_member_takes_it_back,
    s1_a_stop_closes_every_copy,
    s1_of_several_calls_each_waits_for_whom_it_needs,
    s1_in_a_group_an_owner_approves_there_and_no_one_else,
    s1_an_owner_who_is_none_any_more_approves_nothing,
    s1_in_an_owners_own_chat_nothing_is_different,
    s1_a_long_command_stands_whole_in_both_chats,
    s1_an_owner_reads_the_card_in_the_language_of_their_chat
);

const DOES_NOTHING: &str = "This button does nothing here.";
const DECIDED: &str = "This was already decided. Nothing changed.";

async fn s1_an_owner_approves_in_their_own_chat_what_a_member_asked_for(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let command = outward(&bot, "a");
    let (waiting, asked) = asks_for(&bot, &bot.bob, &command, "a").await;
    assert!(
        waiting.text.starts_with("⏳ This waits for an owner."),
        "{waiting}"
    );
    assert_eq!(waiting.labels(), ["Deny"]);
    assert_eq!(asked.labels(), ["Approve", "Deny"]);
    let who = format!("Bob ({}) asks for this.", platform.account(&bot.bob));
    assert!(asked.text.contains(&who), "{asked}");
    for card in [&waiting, &asked] {
        assert!(card.text.contains("⚠️ Full access: "), "{card}");
        assert!(card.text.contains(&command), "{card}");
    }
    assert!(marks(&bot).is_empty());

    let told = ann.press(&bot.ann, asked.id, "Approve").await;
    assert_eq!(told.text.as_deref(), platform.echo("Approved."));
    bob.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    assert_eq!(marks(&bot), ["a"]);
    for (chat, card) in [(&bob, &waiting), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Approved by Ann"), "{card}");
    }
    let again = ann
        .press_token(&bot.ann, asked.id, &asked.token("Approve"))
        .await;
    assert_eq!(again.text.as_deref(), Some(DECIDED));
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn s1_an_owner_denies_it_and_nothing_runs(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    ann.press(&bot.ann, asked.id, "Deny").await;
    bob.settles(|message| message.text.contains("not run") && !message.is_live())
        .await;
    for (chat, card) in [(&bob, &waiting), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Denied by Ann"), "{card}");
    }
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn s1_a_member_takes_it_back(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    let told = bob.press(&bot.bob, waiting.id, "Deny").await;
    assert_eq!(told.text.as_deref(), platform.echo("Denied."));
    let copy = closed(&ann, &asked).await;
    assert!(copy.text.contains("Denied by Bob"), "{copy}");
    let late = ann
        .press_token(&bot.ann, asked.id, &asked.token("Approve"))
        .await;
    assert_eq!(late.text.as_deref(), Some(DECIDED));
    bob.settles(|message| message.text.contains("not run") && !message.is_live())
        .await;
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn s1_a_stop_closes_every_copy(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    bob.says("/stop");
    for (chat, card) in [(&bob, &waiting), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Stopped"), "{card}");
    }
    let late = ann
        .press_token(&bot.ann, asked.id, &asked.token("Approve"))
        .await;
    assert_eq!(late.text.as_deref(), Some("Too late: this was stopped."));
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn s1_of_several_calls_each_waits_for_whom_it_needs(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let (own, past) = (mark(&bot, "own"), outward(&bot, "past"));
    bob.says(&format!("run: {own} ;; {past}"));
    let (mine, waiting) = (card_of(&bob, "own").await, card_of(&bob, "past").await);
    let asked = card_of(&ann, "past").await;
    assert_ne!(mine.id, waiting.id);
    assert!(!asked.text.contains("mark-own"), "{asked}");
    assert_eq!(waiting.labels(), ["Deny"]);
    let told = bob.press(&bot.bob, mine.id, "Approve").await;
    assert_eq!(told.text.as_deref(), platform.echo("Approved."));
    ann.press(&bot.ann, asked.id, "Deny").await;
    bob.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    assert_eq!(marks(&bot), ["own"]);
    for (chat, card) in [(&bob, &mine), (&bob, &waiting), (&ann, &asked)] {
        closed(chat, card).await;
    }
    bot.assert_clean();
}

async fn s1_in_a_group_an_owner_approves_there_and_no_one_else(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let ann = bot.direct();
    let group = bot.group("Friends");
    let _ = group.with(&bot.ann);
    let group = group.with(&bot.bob);
    group.says(&format!("@sayso_bot run: {}", outward(&bot, "a")));
    let here = card_of(&group, "a").await;
    let asked = card_of(&ann, "a").await;
    assert!(
        here.text.contains("Only an owner may approve it."),
        "{here}"
    );
    let told = group.press(&bot.bob, here.id, "Approve").await;
    assert_eq!(told.text.as_deref(), Some(OWNERS_APPROVE));
    assert!(marks(&bot).is_empty());
    let told = group.press(&bot.ann, here.id, "Approve").await;
    assert_eq!(told.text.as_deref(), platform.echo("Approved."));
    for (chat, card) in [(&group, &here), (&ann, &asked)] {
        let card = closed(chat, card).await;
        assert!(card.text.contains("Approved by Ann"), "{card}");
    }
    group
        .settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn s1_an_owner_who_is_none_any_more_approves_nothing(platform: Platform) {
    let mut bot = known_owner(platform, &[]).await;
    let carol = bot.person(103, "Carol");
    let ann = bot.direct();
    let (waiting, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    bot.stop().await;
    bot.set("ACCESS__OWNERS", &platform.accounts(&[103]));
    bot.set("ACCESS__ALLOW", &platform.accounts(&[101, 102]));
    bot.start();
    bot.settles_in().await;
    greets(&bot.direct_with(&carol)).await;
    let told = ann.press(&bot.ann, asked.id, "Approve").await;
    assert_eq!(told.text.as_deref(), Some(DOES_NOTHING));
    let bob = bot.direct_with(&bot.bob);
    assert!(bob.message(waiting.id).asks());
    assert!(marks(&bot).is_empty());
    bot.assert_clean();
}

async fn s1_in_an_owners_own_chat_nothing_is_different(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let ann = bot.direct();
    ann.says(&format!("run: {}", outward(&bot, "a")));
    let card = card_of(&ann, "a").await;
    assert!(card.text.starts_with("May I run this?"), "{card}");
    assert_eq!(card.labels(), ["Approve", "Deny", "Deny and say why"]);
    ann.press(&bot.ann, card.id, "Approve").await;
    ann.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

async fn s1_a_long_command_stands_whole_in_both_chats(platform: Platform) {
    let bot = known_owner(platform, &[]).await;
    let (ann, bob) = (bot.direct(), bot.direct_with(&bot.bob));
    let long = format!("{}; echo {}", outward(&bot, "a"), "x".repeat(2_500));
    bob.says(&format!("run: {long}"));
    for chat in [&bob, &ann] {
        let card = chat.settles(sayso_fakes::Message::asks).await;
        let whole = || {
            let texts = chat.messages().into_iter().map(|message| message.text);
            let files = chat.files_of(card.id).into_iter();
            let files = files.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
            texts.chain(files).any(|text| text.contains(&long))
        };
        crate::test_bot::eventually("the command stands whole", whole).await;
    }
    bot.assert_clean();
}

async fn s1_an_owner_reads_the_card_in_the_language_of_their_chat(platform: Platform) {
    let mut bot = known_owner(platform, &[]).await;
    bot.stop().await;
    bot.write("UPDATE chats SET language = 'zh-CN' WHERE id = (SELECT min(id) FROM chats)")
        .await;
    bot.start();
    bot.settles_in().await;
    let (_, asked) = asks_for(&bot, &bot.bob, &outward(&bot, "a"), "a").await;
    assert!(asked.text.starts_with("可以执行吗？"), "{asked}");
    assert!(asked.text.contains("⚠️ 完全访问"), "{asked}");
    assert_eq!(asked.labels(), ["批准", "拒绝"]);
    bot.assert_clean();
}
