//! What is heard: in order, once, and kept when the door refuses it.

use sayso_channel::{Addressed, AttachmentKind, Event};
use serde_json::json;

use crate::bot::{Bot, message_of};

#[tokio::test]
async fn many_messages_keep_their_order() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    let texts: Vec<String> = (0..50).map(|number| format!("message {number}")).collect();
    for text in &texts {
        chat.says(text);
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    bot.stores_texts(&texts).await;
}

#[tokio::test]
async fn refused_message_comes_again_and_nothing_overtakes_it() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let bob = bot.fake.person(8, "Bob");
    bot.fake.direct(&ann).says("keep me");
    let refused = bot.hears().await;
    let key = refused.inbound.key.clone();
    bot.fake.direct(&ann).says("me too");
    drop(refused.receipt);

    let again = bot.hears().await;
    assert_eq!(again.inbound.key, key);
    // Another chat does not wait for this one.
    bot.fake.direct(&bob).says("hello from Bob");
    bot.stores_texts(&["hello from Bob"]).await;
    drop(again.receipt);
    bot.stores_texts(&["keep me", "me too"]).await;
}

#[tokio::test]
async fn message_delivered_twice_has_one_key() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    bot.fake.repeats_next(1);
    bot.fake.direct(&ann).says("once");
    let first = bot.stores().await;
    let second = bot.stores().await;
    assert_eq!(first.key, second.key);
}

#[tokio::test]
async fn edit_is_another_form_of_the_message() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    let id = chat.says("teh");
    let first = bot.stores().await;
    chat.edits(id, "the");
    let second = bot.stores().await;
    assert_eq!(first.key.id, second.key.id);
    assert!(second.key.version > first.key.version);
    let message = message_of(second);
    assert_eq!((message.text.as_str(), message.edited), ("the", true));
}

#[tokio::test]
async fn server_is_heard_by_mention_and_by_reply() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    let overheard = group.says("just talking");
    let mentioned = {
        assert_eq!(bot.stores_message().await.addressed, Addressed::No);
        group.replies(overheard, "@sayso_bot what do you think?");
        bot.stores_message().await
    };
    assert_eq!(mentioned.addressed, Addressed::Mention);
    assert_eq!(mentioned.text, "what do you think?");
    assert_eq!(mentioned.quoted.unwrap().text, "just talking");
    group.says_as_another_bot("@sayso_bot beep");
    group.says("after the bot");
    bot.stores_texts(&["after the bot"]).await;
}

#[tokio::test]
async fn roles_of_the_sender_are_told() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    group.gives_role(&ann, 77, "helpers");
    group.says("@sayso_bot hi");
    assert_eq!(bot.stores().await.sender.roles, ["77"]);
}

#[tokio::test]
async fn thread_is_an_address_of_its_own_and_begins_with_its_starter() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    let topic = group.topic("plans");
    topic.says("@sayso_bot hi");
    let inbound = bot.stores().await;
    let thread = topic.thread().unwrap();
    assert_eq!(inbound.address.to_string(), format!("discord:500/{thread}"));
    assert_eq!(message_of(inbound).text, "hi");
}

#[tokio::test]
async fn files_come_with_their_kinds() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.sends_voice(b"sound".to_vec());
    chat.sends_document("a.txt", b"text".to_vec(), "read this");
    let voice = bot.stores_message().await;
    assert_eq!(voice.attachments[0].kind, AttachmentKind::Voice);
    let document = bot.stores_message().await;
    assert_eq!(document.text, "read this");
    assert_eq!(document.attachments[0].name.as_deref(), Some("a.txt"));
}

#[tokio::test]
async fn being_thrown_out_and_let_in_again_are_events() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    group.says("@sayso_bot hi");
    bot.stores_texts(&["hi"]).await;
    group.blocks();
    let closed = bot.stores().await;
    assert_eq!(
        (closed.event, closed.address.chat.as_str()),
        (Event::Closed, "500")
    );
    group.unblocks();
    assert_eq!(bot.stores().await.event, Event::Opened);
    let server = group.server().unwrap();
    bot.fake.server_is_unavailable(server);
    group.says("@sayso_bot still with us?");
    bot.stores_texts(&["still with us?"]).await;
}

#[tokio::test]
async fn unknown_kinds_lose_no_text() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    chat.says_raw("tomorrow", json!({"type": 250, "flags": 1_i64 << 60}));
    chat.says_raw(
        "inside",
        json!({"components": [{"type": 99, "hologram": {}}]}),
    );
    bot.stores_texts(&["tomorrow", "inside"]).await;
}

#[tokio::test]
async fn first_message_for_us_in_a_thread_shows_what_it_was_started_from() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let group = bot.fake.group(500, "general").with(&ann);
    let starter = group.says("the plan is to move");
    bot.stores_texts(&["the plan is to move"]).await;
    starts_thread(&bot, 500, starter).await;
    let thread = group.thread_of(starter);
    thread.says("among ourselves");
    thread.says("@sayso_bot is it good?");
    thread.says("@sayso_bot well?");
    assert_eq!(bot.stores_message().await.quoted, None);
    let first = bot.stores().await;
    assert_eq!(first.address.to_string(), format!("discord:500/{starter}"));
    let quoted = message_of(first).quoted.unwrap();
    assert_eq!(
        (quoted.text.as_str(), quoted.author.as_str()),
        ("the plan is to move", "Ann")
    );
    assert_eq!(bot.stores_message().await.quoted, None);
}

/// Starts a thread from a message, as a member's client does it.
async fn starts_thread(bot: &Bot, chat: i64, message: i64) {
    let fake = &bot.fake;
    let url = format!("{}/channels/{chat}/messages/{message}/threads", fake.url());
    let started = reqwest::Client::new()
        .post(url)
        .header("Authorization", format!("Bot {}", fake.token()))
        .header("User-Agent", "DiscordBot (https://example.org, 1)")
        .json(&json!({"name": "the plan"}))
        .send()
        .await
        .unwrap();
    assert!(started.status().is_success());
}
