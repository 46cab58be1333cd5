//! People and the bot meet in chats of all kinds.

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use sayso_fakes::FakeTelegram;
use serde_json::json;

use crate::{Bot, description, said};

#[tokio::test]
async fn people_and_bot_hear_each_other() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    let chat = telegram.direct(&ann);
    let bot = Bot::of(&telegram);

    let hello = chat.says("/start now");
    let update = &bot.updates().await[0];
    assert_eq!(update["message"]["text"], "/start now");
    assert_eq!(update["message"]["entities"][0]["type"], "bot_command");
    bot.call("sendMessage", json!({
        "chat_id": 101, "text": "May I?", "reply_parameters": { "message_id": hello },
        "reply_markup": { "inline_keyboard": [[
            { "text": "Approve", "callback_data": "y" }, { "text": "Deny", "callback_data": "n" }]] },
    }))
    .await;

    let asked = chat.hears().await;
    assert_eq!(asked.reply_to, Some(hello));
    assert_eq!(
        chat.transcript(),
        "Ann: /start now\nSayso: May I?  [Approve | Deny]"
    );
    assert_eq!(chat.unheard(), 0);

    let edit = json!({ "chat_id": 101, "message_id": asked.id, "text": "Done" });
    assert_eq!(bot.call("editMessageText", edit.clone()).await["ok"], true);
    assert!(
        description(&bot.call("editMessageText", edit).await).contains("message is not modified")
    );
    let done = chat.settles(|message| message.text == "Done").await;
    assert_eq!((done.edits, done.labels().len()), (1, 0));
    telegram.assert_clean();
}

#[tokio::test]
async fn a_press_is_answered_once() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    let chat = telegram.direct(&ann);
    let bot = Bot::of(&telegram);
    let markup = json!({ "inline_keyboard": [[{ "text": "Yes", "callback_data": "token" }]] });
    bot.call(
        "sendMessage",
        json!({ "chat_id": 101, "text": "?", "reply_markup": markup }),
    )
    .await;
    let asked = chat.hears().await;

    let press = chat.presses(&ann, asked.id, "Yes");
    let query = bot.updates().await[0]["callback_query"].clone();
    assert_eq!(query["data"], "token");
    assert_eq!(query["message"]["message_id"], asked.id);
    let answer = json!({ "callback_query_id": query["id"], "text": "Noted", "show_alert": true });
    assert_eq!(
        bot.call("answerCallbackQuery", answer.clone()).await["ok"],
        true
    );
    let outcome = press.answered().await;
    assert_eq!(
        (outcome.text.as_deref(), outcome.alert),
        (Some("Noted"), true)
    );
    let again = bot.call("answerCallbackQuery", answer).await;
    assert!(description(&again).contains("query is too old"));
}

#[tokio::test]
async fn late_answers_to_a_press_are_refused() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    let chat = telegram.direct(&ann);
    let bot = Bot::of(&telegram);
    telegram.take_answers_for(std::time::Duration::ZERO);
    let _press = chat.presses_token(&ann, 3, "forged");
    let query = bot.updates().await[0]["callback_query"].clone();
    assert_eq!(
        query["message"]["date"], 0,
        "a message that is not there is inaccessible"
    );
    let answer = bot
        .call(
            "answerCallbackQuery",
            json!({ "callback_query_id": query["id"] }),
        )
        .await;
    assert!(description(&answer).contains("query is too old"));
}

#[tokio::test]
async fn who_has_thrown_the_bot_out_is_not_reached() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    let chat = telegram.direct(&ann);
    let team = telegram.group(-100_123, "Team").with(&ann);
    let bot = Bot::of(&telegram);
    chat.blocks();
    team.blocks();
    let change = &bot.updates().await[0]["my_chat_member"];
    assert_eq!(change["new_chat_member"]["status"], "kicked");
    let answer = bot.call("sendMessage", said(101, "hi")).await;
    assert_eq!(
        (&answer["error_code"], description(&answer)),
        (&json!(403), "Forbidden: bot was blocked by the user")
    );
    let answer = bot.call("sendMessage", said(-100_123, "hi")).await;
    assert_eq!(
        description(&answer),
        "Forbidden: bot was kicked from the supergroup chat"
    );
    chat.unblocks();
    assert_eq!(bot.call("sendMessage", said(101, "hi")).await["ok"], true);
}

#[tokio::test]
async fn topics_are_apart_and_general_has_no_number() {
    let telegram = FakeTelegram::start().await;
    let bob = telegram.person(102, "Bob");
    let team = telegram.group(-100_123, "Team").forum().with(&bob);
    let builds = team.topic("Builds");
    let thread = builds.thread().unwrap();
    let bot = Bot::of(&telegram);
    let heard = builds.says("@sayso_bot hi");
    let update = bot.updates().await[1]["message"].clone();
    assert_eq!(
        (&update["message_thread_id"], &update["is_topic_message"]),
        (&json!(thread), &json!(true))
    );
    assert!(update["reply_to_message"]["forum_topic_created"].is_object());

    let general = json!({ "chat_id": -100_123, "message_thread_id": 1, "text": "x" });
    assert!(
        description(&bot.call("sendMessage", general).await).contains("message thread not found")
    );
    bot.call("sendMessage", said(-100_123, "in general")).await;
    bot.call(
        "sendMessage",
        json!({ "chat_id": -100_123, "text": "in builds",
        "reply_parameters": { "message_id": heard } }),
    )
    .await;
    assert_eq!(builds.hears().await.text, "in builds");
    assert_eq!(team.hears().await.text, "in general");
}

#[tokio::test]
async fn a_group_that_migrated_names_its_new_id() {
    let telegram = FakeTelegram::start().await;
    let bob = telegram.person(102, "Bob");
    let old = telegram.group(-77, "Team").with(&bob);
    let new = old.migrates(-100_777);
    let bot = Bot::of(&telegram);
    let updates = bot.updates().await;
    assert_eq!(updates[0]["message"]["migrate_to_chat_id"], -100_777);
    assert_eq!(updates[1]["message"]["migrate_from_chat_id"], -77);
    let answer = bot.call("sendMessage", said(-77, "hi")).await;
    assert_eq!(answer["parameters"]["migrate_to_chat_id"], -100_777);
    new.says("here");
    assert_eq!(bot.updates().await[0]["message"]["chat"]["id"], -100_777);
}

#[tokio::test]
async fn files_go_both_ways() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    chat.sends_document("notes.txt", "some notes", "look");
    let message = bot.updates().await[0]["message"].clone();
    assert_eq!(message["caption"], "look");
    let file = bot
        .call(
            "getFile",
            json!({ "file_id": message["document"]["file_id"] }),
        )
        .await;
    let path = file["result"]["file_path"].as_str().unwrap().to_owned();
    let at = format!("{}/file/bot{}/{path}", telegram.url(), telegram.token());
    let text = reqwest::get(at).await.unwrap().text().await.unwrap();
    assert_eq!(text, "some notes");

    let form = Form::new()
        .text("chat_id", "101")
        .text("caption", "your report")
        .text("document", "attach://upload")
        .part(
            "upload",
            Part::bytes(b"\r\n--x\r\n".to_vec()).file_name("report.txt"),
        );
    let answer = bot
        .client
        .post(format!("{}/SendDocument", bot.base))
        .multipart(form)
        .send()
        .await;
    assert_eq!(answer.unwrap().status(), StatusCode::OK);
    assert_eq!(chat.hears().await.file.unwrap().size, 7);
    assert_eq!(
        chat.transcript(),
        "Ann: <document notes.txt> look\nSayso: <document report.txt> your report"
    );

    let form = Form::new().text("chat_id", "101");
    let answer = bot
        .client
        .post(format!("{}/sendDocument", bot.base))
        .multipart(form)
        .send()
        .await;
    assert_eq!(answer.unwrap().status(), StatusCode::BAD_REQUEST);
    assert_eq!(
        telegram.violations(),
        ["sendDocument: Bad Request: missing field document"]
    );
}

#[tokio::test]
async fn only_the_bots_new_messages_are_heard() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    for text in ["one", "two", "three"] {
        chat.says(text);
        bot.call("sendMessage", said(101, &format!("heard {text}")))
            .await;
    }
    assert_eq!(chat.hears().await.text, "heard one");
    assert_eq!(
        chat.hears_with(|message| message.text.ends_with("three"))
            .await
            .text,
        "heard three"
    );
    assert_eq!(chat.unheard(), 0, "what was passed over counts as heard");
    assert_eq!(
        chat.settles(|message| message.text.ends_with("two"))
            .await
            .text,
        "heard two"
    );
}

#[tokio::test]
async fn what_has_settled_counts_as_heard_with_all_before_it() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    for text in ["one", "two", "three"] {
        bot.call("sendMessage", said(101, text)).await;
    }
    chat.settles(|message| message.text == "two").await;
    assert_eq!(chat.hears().await.text, "three");
    chat.settles(|message| message.text == "one").await;
    assert_eq!(chat.unheard(), 0);
}

#[tokio::test]
async fn an_edit_wakes_who_waits_for_it() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    bot.call("sendMessage", said(101, "working")).await;
    let working = chat.hears().await;
    let editing = async {
        let edit = json!({ "chat_id": 101, "message_id": working.id, "text": "done" });
        bot.call("editMessageText", edit).await;
        bot.call(
            "deleteMessage",
            json!({ "chat_id": 101, "message_id": working.id }),
        )
        .await
    };
    let done = chat.settles(|message| message.text == "done");
    let gone = chat.becomes(working.id, |message| message.deleted);
    let emptied = chat.sees(<[_]>::is_empty);
    let (_, done, ..) = tokio::join!(editing, done, gone, emptied);
    assert_eq!(done.edits, 1);
    assert_eq!(chat.transcript(), "");
}
