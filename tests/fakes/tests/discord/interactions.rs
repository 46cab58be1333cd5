//! Commands, buttons and menus, from the finger to the answer.

use std::time::Duration;

use sayso_fakes::FakeDiscord;
use serde_json::{Value, json};

use crate::{Bot, Ears};

fn answer_path(interaction: &Value) -> String {
    let field = |name: &str| interaction[name].as_str().unwrap().to_owned();
    format!("/interactions/{}/{}/callback", field("id"), field("token"))
}

fn original_path(interaction: &Value) -> String {
    let token = interaction["token"].as_str().unwrap();
    format!("/webhooks/4343/{token}/messages/@original")
}

async fn registers(bot: &Bot) {
    let commands = json!([
        { "name": "help", "description": "Tells what there is" },
        { "name": "lang", "description": "Sets the language", "options": [
            { "type": 3, "name": "language", "description": "Which", "choices": [
                { "name": "English", "value": "en" }, { "name": "中文", "value": "zh" }] }] },
        { "name": "Ask Sayso", "type": 3 },
    ]);
    let (status, set) = bot
        .call("PUT", "/applications/4343/commands", commands)
        .await;
    assert_eq!((status, set.as_array().unwrap().len()), (200, 3), "{set}");
}

#[tokio::test]
async fn a_command_is_thought_about_and_then_answered() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann").speaking("zh"));
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    let asked = chat.says("/help");
    let told = ears.hear("INTERACTION_CREATE").await;
    assert_eq!(
        (&told["type"], &told["data"]["name"]),
        (&json!(2), &json!("help"))
    );
    assert_eq!(
        (&told["user"]["id"], &told["locale"]),
        (&json!("101"), &json!("zh-CN"))
    );
    let (status, _) = bot
        .call("POST", &answer_path(&told), json!({ "type": 5 }))
        .await;
    assert_eq!(status, 204);
    assert_eq!(chat.transcript(), "Ann: /help\nSayso: Sayso is thinking...");
    let promised = bot.get(&original_path(&told)).await;
    assert_eq!(promised["flags"], 128);
    assert_eq!(chat.unheard(), 0, "a promise is no answer yet");

    let answer = json!({ "content": "**Help**" });
    let (status, given) = bot.call("PATCH", &original_path(&told), answer).await;
    assert_eq!((status, &given["flags"]), (200, &json!(0)));
    let heard = chat.hears().await;
    assert_eq!(
        (heard.text.as_str(), heard.reply_to, heard.edits),
        ("Help", Some(asked), 0)
    );
    assert_eq!(chat.transcript(), "Ann: /help\nSayso: Help");
    discord.assert_clean();
}

#[tokio::test]
async fn what_is_no_command_is_only_text() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    chat.says("/unknown");
    chat.says("/help with this");
    chat.says("/help@other_bot");
    assert_eq!(ears.hear("MESSAGE_CREATE").await["content"], "/unknown");
    assert_eq!(
        ears.hear("MESSAGE_CREATE").await["content"],
        "/help with this"
    );
    let other = ears.hear("MESSAGE_CREATE").await;
    assert_eq!(other["content"], "/help@other_bot");
}

#[tokio::test]
async fn a_choice_is_sent_by_its_value() {
    let discord = FakeDiscord::start().await;
    let team = discord.group(500, "Team").with(&discord.person(102, "Bob"));
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    team.says("/lang 中文");
    let told = ears.hear("INTERACTION_CREATE").await;
    assert_eq!(
        told["data"]["options"],
        json!([{ "name": "language", "type": 3, "value": "zh" }])
    );
    assert_eq!(told["member"]["user"]["id"], "102");
    assert!(told.get("user").is_none());
}

#[tokio::test]
async fn a_menu_for_one_person_is_chosen_from() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group(500, "Team").with(&bob);
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    team.says("/lang");
    let told = ears.hear("INTERACTION_CREATE").await;
    let menu = json!({ "type": 4, "data": { "flags": 64, "content": "Which?", "components": [
        { "type": 1, "components": [{ "type": 3, "custom_id": "cmd:lang", "options": [
            { "label": "English", "value": "en" }, { "label": "中文", "value": "zh" }] }] }] } });
    let (status, body) = bot.call("POST", &answer_path(&told), menu).await;
    assert_eq!(status, 204, "{body}");
    let asked = team.hears().await;
    assert_eq!(
        (asked.only_for, asked.labels()),
        (Some(102), vec!["English", "中文"])
    );
    let (status, _) = bot
        .call(
            "GET",
            &format!("/channels/500/messages/{}", asked.id),
            Value::Null,
        )
        .await;
    assert_eq!(status, 404, "only Bob sees it");

    let press = team.presses(&bob, asked.id, "中文");
    let told = ears.hear("INTERACTION_CREATE").await;
    assert_eq!(
        told["data"],
        json!({ "custom_id": "cmd:lang", "component_type": 3, "values": ["zh"] })
    );
    let done = json!({ "type": 7, "data": { "content": "好", "components": [] } });
    assert_eq!(bot.call("POST", &answer_path(&told), done).await.0, 204);
    assert_eq!(press.answered().await.text, None);
    assert_eq!(team.transcript(), "Bob: /lang\nSayso: 好");
    discord.assert_clean();
}

#[tokio::test]
async fn a_press_shows_a_notice_to_who_pressed() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let chat = discord.direct(&ann);
    let bot = Bot::of(&discord);
    let mut ears = Ears::open(&discord).await;
    let row = json!([{ "type": 1, "components": [{ "type": 2, "style": 1, "label": "Yes", "custom_id": "y" }] }]);
    bot.try_say(chat.id(), json!({ "content": "?", "components": row }))
        .await;
    let asked = chat.hears().await;
    let press = chat.presses(&ann, asked.id, "Yes");
    let told = ears.hear("INTERACTION_CREATE").await;
    assert_eq!(
        (&told["data"]["custom_id"], &told["message"]["id"]),
        (&json!("y"), &json!(asked.id.to_string()))
    );
    let notice = json!({ "type": 4, "data": { "flags": 64, "content": "Noted" } });
    assert_eq!(
        bot.call("POST", &answer_path(&told), notice.clone())
            .await
            .0,
        204
    );
    assert_eq!(press.answered().await.text.as_deref(), Some("Noted"));
    assert_eq!(chat.transcript(), "Sayso: ?  [Yes]");
    discord.assert_clean();

    let (status, again) = bot.call("POST", &answer_path(&told), notice).await;
    assert_eq!((status, &again["code"]), (400, &json!(40060)));
    assert_eq!(discord.take_violations().len(), 1);
}

#[tokio::test]
async fn a_deferred_notice_is_shown_when_it_comes() {
    let discord = FakeDiscord::start().await;
    let ann = discord.person(101, "Ann");
    let chat = discord.direct(&ann);
    let bot = Bot::of(&discord);
    let mut ears = Ears::open(&discord).await;
    let press = chat.presses_token(&ann, 3, "forged");
    let told = ears.hear("INTERACTION_CREATE").await;
    let promise = json!({ "type": 5, "data": { "flags": 64 } });
    bot.call("POST", &answer_path(&told), promise).await;
    bot.call(
        "PATCH",
        &original_path(&told),
        json!({ "content": "Too late" }),
    )
    .await;
    assert_eq!(press.answered().await.text.as_deref(), Some("Too late"));
    assert_eq!(chat.transcript(), "");
}

#[tokio::test]
async fn late_answers_and_old_tokens_are_refused() {
    let discord = FakeDiscord::start().await;
    let chat = discord.direct(&discord.person(101, "Ann"));
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    discord.take_answers_for(Duration::ZERO);
    chat.says("/help");
    let told = ears.hear("INTERACTION_CREATE").await;
    let (status, late) = bot
        .call("POST", &answer_path(&told), json!({ "type": 5 }))
        .await;
    assert_eq!((status, &late["code"]), (404, &json!(10062)));
    assert_eq!(discord.take_violations().len(), 1);
    discord.keep_tokens_for(Duration::ZERO);
    let (status, old) = bot.call("GET", &original_path(&told), Value::Null).await;
    assert_eq!((status, &old["code"]), (401, &json!(50027)));
}

#[tokio::test]
async fn a_message_is_asked_about_from_its_menu() {
    let discord = FakeDiscord::start().await;
    let bob = discord.person(102, "Bob");
    let team = discord.group(500, "Team").with(&bob);
    let bot = Bot::of(&discord);
    registers(&bot).await;
    let mut ears = Ears::open(&discord).await;
    let said = team.says("what is this?");
    team.asks_about(&bob, said, "Ask Sayso");
    let told = ears.hear("INTERACTION_CREATE").await;
    let about = &told["data"]["resolved"]["messages"][said.to_string()];
    assert_eq!(
        (&told["data"]["target_id"], &about["content"]),
        (&json!(said.to_string()), &json!("what is this?"))
    );
    assert_eq!(told["data"]["type"], 3);
}
