//! Calls that the real server refuses are refused, and put on the list where no state excuses them.

use sayso_fakes::FakeTelegram;
use sayso_fakes::telegram::BOT_ID;
use serde_json::{Value, json};

use crate::{Bot, description, said};

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
