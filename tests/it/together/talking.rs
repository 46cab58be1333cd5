//! What is said on one platform stays there.

use sayso_fakes::{Answer, Gate, Message};

use super::{both, direct_on_discord};
use crate::platform::{Chat, Platform};
use crate::test_bot::BOB;

/// Lets Ann and Bob in, on both platforms.
fn everyone() -> [(&'static str, &'static str); 1] {
    [("ACCESS__ALLOW", r#"["telegram:*", "discord:*"]"#)]
}

#[tokio::test]
async fn each_platform_answers_in_its_own_chat() {
    let bot = both(&everyone()).await;
    let (ann, bob) = (bot.direct(), direct_on_discord(&bot, BOB, "Bob"));
    let gate = Gate::new();
    let held = gate.clone();
    bot.model.when(move |request| {
        let answer = Answer::text(format!("ok: {}", request.last_user()));
        (!request.is_routing()).then(|| answer.held_by(&held))
    });
    ann.says("hello from Telegram");
    bob.says("hello from Discord");
    // Both turns are at work at once.
    gate.reached_by(2).await;
    gate.open();
    assert_eq!(ann.hears().await.text, "ok: hello from Telegram");
    assert_eq!(bob.hears().await.text, "ok: hello from Discord");
    assert_eq!(ann.messages().len(), 2, "{}", ann.transcript());
    assert_eq!(bob.messages().len(), 2, "{}", bob.transcript());
    bot.assert_clean();
}

#[tokio::test]
async fn a_conversation_knows_nothing_of_the_one_on_the_other_platform() {
    let bot = both(&everyone()).await;
    let (ann, bob) = (bot.direct(), direct_on_discord(&bot, BOB, "Bob"));
    ann.says("my opening is e4");
    ann.hears().await;
    bob.says("what is my opening?");
    bob.hears().await;
    let asked = bot.model.turn_requests().pop().unwrap();
    assert!(!asked.mentions("e4"), "{:?}", asked.messages());
    bot.assert_clean();
}

#[tokio::test]
async fn a_card_of_one_platform_is_not_answered_from_the_other() {
    let mut settings = everyone().to_vec();
    settings.push((
        "ACCESS__OWNERS",
        r#"["telegram:101", "discord:1300000000000000101"]"#,
    ));
    let bot = both(&settings).await;
    let ann = bot.direct();
    let elsewhere = direct_on_discord(&bot, 101, "Ann");
    let Chat::Discord(on_discord) = &elsewhere else {
        unreachable!("it was made on Discord")
    };
    let anchor = on_discord.says("hello");
    elsewhere.hears().await;
    bot.model
        .calls(vec![("shell", serde_json::json!({"command": "touch hi"}))]);
    ann.says("greet");
    let card = ann.hears_with(Message::asks).await;
    let person = bot.discord.person(Platform::Discord.user_id(101), "Ann");
    let told = on_discord
        .press_token(&person, anchor, &card.token("Approve"))
        .await;
    assert_eq!(told.text.as_deref(), Some("This button does nothing here."));
    assert!(ann.message(card.id).asks());
    bot.assert_clean();
}

#[tokio::test]
async fn status_names_both_channels() {
    let bot = both(&everyone()).await;
    let (ann, bob) = (bot.direct(), direct_on_discord(&bot, BOB, "Bob"));
    // Who is heard is connected.
    for chat in [&ann, &bob] {
        chat.says("hello");
        chat.settles(|message| message.text == "ok: hello").await;
    }
    for chat in [&ann, &bob] {
        chat.says("/status details");
        let status = chat
            .hears_with(|message| message.text.contains("Channels"))
            .await;
        for line in ["telegram: connected", "discord: connected"] {
            assert!(status.text.contains(line), "{status}");
        }
    }
    bot.assert_clean();
}
