//! What a place does not take is said elsewhere: an answer and a card always reach somebody.

/// Addresses in answers.
mod links;
/// People as others see them: names, and who cannot be seen.
mod people;

use sayso_fakes::discord::Right;
use sayso_fakes::telegram::{Author, Fault};

use crate::approvals::{is_open_card, mark, marks, obedient};
use crate::platform::Platform;
use crate::test_bot::TestBot;

/// Counts the messages that Telegram was asked to send.
fn sends(bot: &TestBot) -> usize {
    bot.telegram.count("sendMessage")
}

#[tokio::test]
async fn chat_f11_an_answer_whose_topic_is_gone_stands_in_the_chat_and_names_the_topic() {
    let bot = TestBot::open().await;
    let forum = bot.telegram.group(-1_000_000_000_021, "Club");
    let forum = forum.with(&bot.ann).forum();
    let bugs = forum.topic("Bugs");
    bugs.deletes_topic();
    bugs.says("@sayso_bot what now?");
    let answer = forum
        .hears_with(|message| message.text.contains("ok: "))
        .await;
    insta::assert_snapshot!(answer.text, @r"
    ok: Ann: what now?

    ↪ This belongs into the topic “Bugs”, where I cannot write: the topic is gone.
    It is about: Ann: what now?
    ");
    let said = forum.messages().into_iter();
    assert_eq!(
        said.filter(|message| message.author == Author::Bot).count(),
        1
    );
    assert!(sends(&bot) <= 3, "live, in the topic, and beside it");
    bot.assert_clean();
}

#[tokio::test]
async fn chat_f11_where_the_chat_is_closed_too_the_asker_is_answered_in_private() {
    let bot = TestBot::open().await;
    let direct = bot.telegram.direct(&bot.ann);
    direct.says("hello");
    direct.hears().await;
    bot.telegram.fail_when(|call| {
        let in_group = call.method == "sendMessage" && call.integer("chat_id") != Some(101);
        in_group.then(|| Fault::Refuse {
            code: 400,
            description: "Bad Request: TOPIC_CLOSED".to_owned(),
        })
    });
    let forum = bot.telegram.group(-1_000_000_000_022, "Club");
    let forum = forum.with(&bot.ann).forum();
    forum.topic("Bugs").says("@sayso_bot what now?");
    let answer = direct
        .hears_with(|message| message.text.contains("what now?"))
        .await;
    assert!(
        answer.text.starts_with("ok: Ann: what now?"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("where you asked"), "{}", answer.text);
}

#[tokio::test]
async fn chat_f11_in_a_direct_chat_the_answer_comes_without_its_topic() {
    let bot = TestBot::open().await;
    bot.telegram.fail_when(|call| {
        let in_topic = call.method == "sendMessage" && call.integer("message_thread_id").is_some();
        in_topic.then(|| Fault::Refuse {
            code: 400,
            description: "Bad Request: message thread not found".to_owned(),
        })
    });
    let direct = bot.telegram.direct(&bot.ann);
    bot.telegram.raw_update(serde_json::json!({ "message": {
        "message_id": 900, "date": 1_790_000_000, "message_thread_id": 77, "is_topic_message": true,
        "from": { "id": 101, "is_bot": false, "first_name": "Ann" },
        "chat": { "id": 101, "type": "private", "first_name": "Ann" },
        "text": "in my topic",
    } }));
    let answer = direct
        .hears_with(|message| message.text.contains("in my topic"))
        .await;
    assert_eq!(answer.text, "ok: in my topic");
}

#[tokio::test]
async fn r3_an_answer_that_discord_refuses_reaches_the_asker_in_private() {
    let bot = TestBot::on(Platform::Discord).await;
    let general = bot.discord.group(1_400_000_000_000_000_500, "general");
    let general = general.with(&bot.ann);
    general.forbids(Right::Send);
    general.says("@sayso_bot what now?");
    let direct = bot.direct();
    let answer = direct
        .hears_with(|message| message.text.contains("what now?"))
        .await;
    assert!(
        answer.text.starts_with("ok: Ann: what now?"),
        "{}",
        answer.text
    );
    assert!(answer.text.contains("no permission"), "{}", answer.text);
    bot.assert_clean();
}

#[tokio::test]
async fn r3_a_card_that_discord_refuses_is_answered_in_private() {
    let bot = obedient(Platform::Discord, &[]).await;
    let general = bot.discord.group(1_400_000_000_000_000_501, "general");
    let general = general.with(&bot.ann);
    general.forbids(Right::Send);
    general.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let direct = bot.direct();
    let card = direct.settles(is_open_card).await;
    direct.press(&bot.ann, card.id, "Approve").await;
    direct
        .hears_with(|message| message.text.contains("result: "))
        .await;
    assert_eq!(marks(&bot), ["a"]);
    bot.assert_clean();
}

#[tokio::test]
async fn r3_what_a_yes_did_is_told_though_the_channel_is_gone() {
    let bot = obedient(Platform::Discord, &[]).await;
    let general = bot.discord.group(1_400_000_000_000_000_502, "general");
    let general = general.with(&bot.ann);
    general.says(&format!("@sayso_bot run: {}", mark(&bot, "a")));
    let card = general.settles(is_open_card).await;
    let pressed = general.press(&bot.ann, card.id, "Approve");
    general.forbids(Right::Send);
    pressed.await;
    let direct = bot.direct();
    direct
        .hears_with(|message| message.text.contains("result: "))
        .await;
    assert_eq!(marks(&bot), ["a"]);
}

#[tokio::test]
async fn r3_a_card_that_can_be_shown_to_no_one_ends_with_the_reason() {
    let bot = obedient(Platform::Telegram, &[]).await;
    bot.telegram.fail_when(|call| {
        let is_card = call.method == "sendMessage" && call.text("text").contains("mark-a");
        is_card.then(|| Fault::Refuse {
            code: 403,
            description: "Forbidden: something new".to_owned(),
        })
    });
    bot.listens().await;
    let direct = bot.direct();
    direct.says(&format!("run: {}", mark(&bot, "a")));
    bot.has_noted("SELECT why FROM outbox WHERE purpose = 'card' AND state = 'failed'")
        .await;
    let outcome = "SELECT json_extract(part, '$.text') FROM outbox
                   WHERE purpose = 'final' AND part LIKE '%could show the question to nobody%'";
    bot.has_noted(outcome).await;
    assert!(marks(&bot).is_empty());
}
