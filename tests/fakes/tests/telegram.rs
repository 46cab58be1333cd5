//! The fake Bot API refuses what the real one refuses, and lets people and a bot talk.

#![expect(clippy::unwrap_used, reason = "a test fails by panic")]

use reqwest::StatusCode;
use reqwest::multipart::{Form, Part};
use sayso_fakes::telegram::BOT_ID;
use sayso_fakes::{FakeTelegram, Fault, Gate};
use serde_json::{Value, json};

/// A bot of the plainest kind: it calls methods by name.
#[derive(Clone)]
struct Bot {
    client: reqwest::Client,
    base: String,
}

impl Bot {
    fn of(telegram: &FakeTelegram) -> Self {
        let base = format!("{}/bot{}", telegram.url(), telegram.token());
        Self {
            client: reqwest::Client::new(),
            base,
        }
    }

    async fn call(&self, method: &str, params: Value) -> Value {
        self.try_call(method, params).await.unwrap()
    }

    async fn try_call(&self, method: &str, params: Value) -> reqwest::Result<Value> {
        let request = self
            .client
            .post(format!("{}/{method}", self.base))
            .json(&params);
        request.send().await?.json().await
    }

    /// Takes the updates that are there and confirms them.
    async fn updates(&self) -> Vec<Value> {
        let answer = self.call("getUpdates", json!({ "timeout": 5 })).await;
        let updates = answer["result"].as_array().unwrap().clone();
        let next = updates.last().unwrap()["update_id"].as_i64().unwrap() + 1;
        self.call("getUpdates", json!({ "offset": next, "limit": 1 }))
            .await;
        updates
    }
}

fn said(chat: i64, text: &str) -> Value {
    json!({ "chat_id": chat, "text": text })
}

fn description(answer: &Value) -> &str {
    assert_eq!(answer["ok"], false, "{answer}");
    answer["description"].as_str().unwrap()
}

/// What is refused for its form is a violation too; what is refused for the state of things is not.
#[tokio::test]
async fn calls_that_are_wrong_are_refused() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    telegram.direct(&ann);
    let bot = Bot::of(&telegram);
    let button = |data: &str| {
        json!({ "chat_id": 101, "text": "x", "reply_markup":
            { "inline_keyboard": [[{ "text": "Yes", "callback_data": data }]] } })
    };
    let entity =
        |text: &str, entity: Value| json!({ "chat_id": 101, "text": text, "entities": [entity] });
    let bold =
        |offset: i64, length: i64| json!({ "type": "bold", "offset": offset, "length": length });
    let cases = [
        ("sendMessage", said(101, "hi"), "", false),
        ("sendmessage", said(101, "hi"), "", false),
        (
            "sendMessage",
            json!({ "chat_id": "101", "text": "hi" }),
            "",
            false,
        ),
        ("sendMessage", said(101, &"é".repeat(4096)), "", false),
        (
            "sendMessage",
            said(101, &"é".repeat(4097)),
            "message is too long",
            true,
        ),
        (
            "sendMessage",
            said(101, &"👍".repeat(2049)),
            "message is too long",
            true,
        ),
        (
            "sendMessage",
            said(101, " \n "),
            "message text is empty",
            true,
        ),
        ("sendMessage", said(999, "hi"), "chat not found", false),
        (
            "sendMessage",
            json!({ "chat_id": 101 }),
            "missing field text",
            true,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": 5 }),
            "text must be a String",
            true,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "loud": 1 }),
            "unknown field loud",
            true,
        ),
        (
            "sendMessage",
            json!({ "chat_id": true, "text": "x" }),
            "chat_id must be",
            true,
        ),
        ("sendMessage", entity("hi👍", bold(0, 4)), "", false),
        (
            "sendMessage",
            entity("hi👍", bold(0, 5)),
            "ends after the end",
            true,
        ),
        (
            "sendMessage",
            entity("hi👍", bold(0, 3)),
            "middle of a UTF-16 symbol",
            true,
        ),
        (
            "sendMessage",
            entity("hi👍", bold(3, 1)),
            "middle of a UTF-16 symbol",
            true,
        ),
        ("sendMessage", entity("hi", bold(0, 0)), "ends after", true),
        (
            "sendMessage",
            entity("hi", bold(-1, 1)),
            "incorrect bounds",
            true,
        ),
        (
            "sendMessage",
            entity("hi", json!({ "type": "loud", "offset": 0, "length": 1 })),
            "unsupported",
            true,
        ),
        (
            "sendMessage",
            entity("hi", json!({ "type": "bold", "offset": "0", "length": 1 })),
            "offset must be",
            true,
        ),
        (
            "sendMessage",
            entity(
                "hi",
                json!({ "type": "text_link", "offset": 0, "length": 1 }),
            ),
            "has no url",
            true,
        ),
        ("sendMessage", button(&"x".repeat(64)), "", false),
        (
            "sendMessage",
            button(&"x".repeat(65)),
            "BUTTON_DATA_INVALID",
            true,
        ),
        (
            "sendMessage",
            button(&"é".repeat(33)),
            "BUTTON_DATA_INVALID",
            true,
        ),
        ("sendMessage", button(""), "BUTTON_DATA_INVALID", true),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "reply_markup":
            { "inline_keyboard": [[{ "text": "Yes" }]] } }),
            "text buttons",
            true,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "reply_markup":
            { "inline_keyboard": [{ "text": "Yes", "callback_data": "y" }] } }),
            "must be an array",
            true,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "message_thread_id": 1 }),
            "message thread not found",
            false,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "reply_parameters": { "message_id": 77 } }),
            "message to be replied not found",
            false,
        ),
        (
            "sendMessage",
            json!({ "chat_id": 101, "text": "x", "reply_parameters":
            { "message_id": 77, "allow_sending_without_reply": true } }),
            "",
            false,
        ),
        (
            "editMessageText",
            json!({ "chat_id": 101, "message_id": 77, "text": "x" }),
            "message to edit not found",
            false,
        ),
        (
            "deleteMessage",
            json!({ "chat_id": 101, "message_id": 77 }),
            "message to delete not found",
            false,
        ),
        (
            "answerCallbackQuery",
            json!({ "callback_query_id": "1" }),
            "query is too old",
            false,
        ),
        (
            "sendChatAction",
            json!({ "chat_id": 101, "action": "typing" }),
            "",
            false,
        ),
        (
            "sendChatAction",
            json!({ "chat_id": 101, "action": "dancing" }),
            "wrong parameter action",
            true,
        ),
        (
            "setMyCommands",
            json!({ "commands": [{ "command": "Help", "description": "x" }] }),
            "BOT_COMMAND_INVALID",
            true,
        ),
        (
            "setMyCommands",
            json!({ "commands": [{ "command": "help", "description": "x" }] }),
            "",
            false,
        ),
        ("sendMassage", said(101, "hi"), "Not Found", true),
        (
            "getFile",
            json!({ "file_id": "nothing" }),
            "invalid file_id",
            false,
        ),
        (
            "getChatMember",
            json!({ "chat_id": 101, "user_id": 5 }),
            "member not found",
            false,
        ),
        (
            "getChatMember",
            json!({ "chat_id": 101, "user_id": BOT_ID }),
            "",
            false,
        ),
        ("getChat", json!({ "chat_id": 101 }), "", false),
        (
            "setWebhook",
            json!({ "url": "http://127.0.0.1:1/", "secret_token": "a b" }),
            "unallowed characters",
            true,
        ),
    ];
    for (method, params, refusal, is_violation) in cases {
        let answer = bot.call(method, params.clone()).await;
        let case = format!("{method} {params} -> {answer}");
        assert_eq!(answer["ok"], refusal.is_empty(), "{case}");
        assert!(
            refusal.is_empty() || description(&answer).contains(refusal),
            "{case}"
        );
        assert_eq!(
            !telegram.take_violations().is_empty(),
            is_violation,
            "{case}"
        );
    }
}

#[tokio::test]
async fn only_the_right_token_opens_the_server() {
    let telegram = FakeTelegram::start().await;
    let base = format!("{}/bot4242:wrong", telegram.url());
    let stranger = Bot {
        base,
        ..Bot::of(&telegram)
    };
    let answer = stranger.call("getMe", json!({})).await;
    assert_eq!(
        answer,
        json!({ "ok": false, "error_code": 401, "description": "Unauthorized" })
    );
    assert_eq!(
        Bot::of(&telegram).call("getMe", json!({})).await["result"]["id"],
        BOT_ID
    );
}

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
async fn updates_come_again_until_confirmed() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    for text in ["one", "two", "three"] {
        chat.says(text);
    }
    let texts = async |params: Value| -> Vec<String> {
        let answer = bot.call("getUpdates", params).await;
        let updates = answer["result"].as_array().unwrap();
        updates
            .iter()
            .map(|update| update["message"]["text"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(texts(json!({ "limit": 2 })).await, ["one", "two"]);
    assert_eq!(texts(json!({})).await, ["one", "two", "three"]);
    let first = bot.call("getUpdates", json!({})).await["result"][0]["update_id"]
        .as_i64()
        .unwrap();
    assert_eq!(
        texts(json!({ "offset": first + 1 })).await,
        ["two", "three"]
    );
    assert_eq!(texts(json!({ "offset": first })).await, ["two", "three"]);
    assert_eq!(texts(json!({ "offset": -1 })).await, ["three"]);
    assert_eq!(texts(json!({ "offset": first + 3 })).await, [""; 0]);
    assert_eq!(telegram.unconfirmed(), 0);
}

#[tokio::test]
async fn a_second_poll_ends_the_first() {
    let telegram = FakeTelegram::start().await;
    let bot = Bot::of(&telegram);
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let first = tokio::spawn({
        let bot = bot.clone();
        async move { bot.call("getUpdates", json!({ "timeout": 30 })).await }
    });
    telegram.waits_for_calls("getUpdates", 1).await;
    let second =
        tokio::spawn(async move { bot.call("getUpdates", json!({ "timeout": 30 })).await });
    let ended = first.await.unwrap();
    assert_eq!(ended["error_code"], 409);
    assert!(description(&ended).contains("terminated by other getUpdates request"));
    chat.says("hi");
    assert_eq!(second.await.unwrap()["result"][0]["message"]["text"], "hi");
}

#[tokio::test]
async fn kinds_that_are_not_asked_for_stay_away() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    bot.call("getUpdates", json!({ "allowed_updates": ["message"] }))
        .await;
    chat.blocks();
    chat.unblocks();
    chat.says("hi");
    telegram.raw_update(json!({ "brand_new_kind": {} }));
    let updates = bot.updates().await;
    assert_eq!(updates.len(), 2);
    assert!(updates[0].get("message").is_some() && updates[1].get("brand_new_kind").is_some());
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
async fn faults_strike_before_or_after_the_deed() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    telegram.fail_next("sendMessage", Fault::TooManyRequests { retry_after: 7 });
    telegram.fail_next("sendMessage", Fault::DropBefore);
    telegram.fail_next("sendMessage", Fault::DropAfter);
    telegram.fail_next("sendMessage", Fault::BadGateway);
    let limited = bot.call("sendMessage", said(101, "limited")).await;
    assert_eq!(limited["parameters"]["retry_after"], 7);
    assert!(
        bot.try_call("sendMessage", said(101, "lost"))
            .await
            .is_err()
    );
    assert!(
        bot.try_call("sendMessage", said(101, "said, but unknown"))
            .await
            .is_err()
    );
    assert!(
        bot.try_call("sendMessage", said(101, "a page"))
            .await
            .unwrap_err()
            .is_decode()
    );
    assert_eq!(chat.transcript(), "Sayso: said, but unknown");
    assert_eq!(telegram.count("sendMessage"), 4);

    telegram.fail_when(|call| (call.text("text") == "cursed").then_some(Fault::ServerError));
    assert_eq!(
        bot.call("sendMessage", said(101, "cursed")).await["error_code"],
        500
    );
    assert_eq!(
        bot.call("sendMessage", said(101, "blessed")).await["ok"],
        true
    );
}

#[tokio::test]
async fn a_gate_holds_a_call_until_opened() {
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    let gate = Gate::new();
    telegram.fail_next("sendMessage", Fault::Hold(gate.clone()));
    let sending = tokio::spawn(async move { bot.call("sendMessage", said(101, "held")).await });
    gate.reached_by(1).await;
    assert_eq!(chat.transcript(), "");
    gate.open();
    assert_eq!(sending.await.unwrap()["ok"], true);
    assert_eq!(chat.hears().await.text, "held");
}

#[tokio::test]
async fn limits_refuse_a_steady_excess() {
    let telegram = FakeTelegram::start().await;
    telegram.direct(&telegram.person(101, "Ann"));
    let bot = Bot::of(&telegram);
    telegram.enforce_limits(true);
    for _ in 0..5 {
        assert_eq!(bot.call("sendMessage", said(101, "x")).await["ok"], true);
    }
    let answer = bot.call("sendMessage", said(101, "x")).await;
    assert_eq!(
        (&answer["error_code"], &answer["parameters"]["retry_after"]),
        (&json!(429), &json!(1))
    );
}
