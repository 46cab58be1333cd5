//! Two people who are only let in, and what they try on each other, on the configuration and on the
//! database by every yes that is theirs to give.

use std::path::PathBuf;

use sayso_fakes::{Message, Person};

use super::{OWNERS_APPROVE, known_owner};
use crate::approvals::marks;
use crate::platform::{Chat, Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    s1_two_members_read_nothing_of_each_other_by_a_yes_of_their_own,
    s1_no_always_of_a_member_reaches_the_network
);

const CANARY: &str = "the-secret-of-carol";

/// Where somebody's file lies that the test has written through the bot.
fn workspace_with(bot: &TestBot, name: &str) -> PathBuf {
    let workspaces = std::fs::read_dir(bot.data().join("workspaces")).unwrap();
    let found = workspaces
        .map(|workspace| workspace.unwrap().path().join(name))
        .find(|path| path.exists());
    found.unwrap_or_else(|| panic!("nobody has {name}"))
}

/// Waits for the newest open card here.
async fn newest_card(chat: &Chat, behind: i64) -> Message {
    chat.settles(|message| message.asks() && message.id > behind)
        .await
}

/// Presses everything that a forged client of a member can send for a card, and says what is answered.
async fn presses_everything(chat: &Chat, member: &Person, card: &Message, owners: &Message) {
    let whole = card.token("Deny").replace("N:", "Y:");
    let one = owners.token("Approve");
    let as_verb = |verb: &str| format!("{verb}:{}", one.trim_start_matches("y:"));
    for token in [whole, one.clone(), as_verb("a"), as_verb("p"), as_verb("Y")] {
        let told = chat.press_token(member, card.id, &token).await;
        let text = told.text.unwrap();
        assert!(!text.starts_with("Approved"), "{token}: {text}");
    }
    let told = chat.press_token(member, card.id, &one).await;
    assert_eq!(told.text.as_deref(), Some(OWNERS_APPROVE));
}

async fn s1_two_members_read_nothing_of_each_other_by_a_yes_of_their_own(platform: Platform) {
    let people = platform.accounts(&[102, 103]);
    let bot = known_owner(platform, &[("ACCESS__ALLOW", &people)]).await;
    let carol = bot.person(103, "Carol");
    let (ann, bobs) = (bot.direct(), bot.direct_with(&bot.bob));
    let carols = bot.direct_with(&carol);
    carols.says(&format!("run: echo {CANARY} > notes.txt"));
    let card = newest_card(&carols, 0).await;
    carols.press(&carol, card.id, "Approve").await;
    carols
        .settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    let notes = workspace_with(&bot, "notes.txt");
    let database = bot.data().join("sayso.db");
    let (mut seen, mut asked_before) = (0, 0);
    for command in [
        format!("cat {}", notes.display()),
        format!("rev {}", notes.display()),
        format!("cp {} here.txt", notes.display()),
        "cat ../*/notes.txt /etc/hostname".to_owned(),
        format!("strings {}-wal", database.display()),
        format!("sudo cat {}", bot.path("sayso.toml").display()),
        format!("ln -s {} link; cat link", notes.display()),
        "curl -s http://127.0.0.1:9/".to_owned(),
    ] {
        bobs.says(&format!("run: {command}"));
        let waiting = newest_card(&bobs, seen).await;
        let asked = newest_card(&ann, asked_before).await;
        assert_eq!(waiting.labels(), ["Deny"], "{command}");
        presses_everything(&bobs, &bot.bob, &waiting, &asked).await;
        // The other one is a stranger to it.
        let told = carols.press_token(&carol, 1, &asked.token("Approve")).await;
        assert_eq!(told.text.as_deref(), Some("This button does nothing here."));
        bobs.press(&bot.bob, waiting.id, "Deny").await;
        bobs.settles(|message| message.id > waiting.id && message.text.contains("not run"))
            .await;
        (seen, asked_before) = (waiting.id, asked.id);
    }
    assert!(marks(&bot).is_empty());
    let heard: Vec<String> = bobs.messages().into_iter().map(|it| it.text).collect();
    assert!(!heard.join("\n").contains(CANARY));
    bot.assert_clean();
}

async fn s1_no_always_of_a_member_reaches_the_network(platform: Platform) {
    let bot = known_owner(platform, &[("POLICY__MEMBERS_NETWORK", "asker")]).await;
    let bob = bot.direct_with(&bot.bob);
    bob.says("run: curl -s http://127.0.0.1:9/");
    let card = newest_card(&bob, 0).await;
    assert_eq!(card.labels(), ["Approve", "Deny", "Deny and say why"]);
    let always = card.token("Approve").replacen("y:", "a:", 1);
    bob.press_token(&bot.bob, card.id, &always).await;
    bob.press(&bot.bob, card.id, "Approve").await;
    bob.settles(|message| message.text.contains("result: ") && !message.is_live())
        .await;
    let mut bot = bot;
    bot.stop().await;
    bot.set("POLICY__MEMBERS_NETWORK", "owner");
    bot.start();
    bot.settles_in().await;
    bob.says("run: curl -s http://127.0.0.1:9/");
    let again = newest_card(&bob, card.id).await;
    assert_eq!(again.labels(), ["Deny"]);
    bot.assert_clean();
}
