//! Slips of a model in the name of a tool and in its arguments: what has one reading runs at once.

use sayso_fakes::{Answer, Gate};
use serde_json::{Value, json};

use crate::approvals::is_open_card;
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    chat_f10_a_slip_in_a_name_or_in_arguments_costs_no_step,
    chat_f10_a_card_shows_what_runs,
    chat_f10_a_slip_in_a_call_of_the_text_is_mended_too,
    chat_f10_what_has_no_reading_is_refused_and_never_guessed,
    chat_ugly_words_for_the_model_do_not_reach_people,
    chat_ugly_a_chinese_chat_reads_its_own_words
);

async fn write_note(bot: &TestBot) {
    // The workspace is made by the first turn in it.
    result_of(bot, "list_dir", r#"{"path":"."}"#).await;
    std::fs::write(bot.workspace().join("notes.txt"), "one\ntwo\n").unwrap();
}

/// Has the model write a call so, and returns its result.
async fn result_of(bot: &TestBot, name: &str, arguments: &str) -> String {
    let chat = bot.direct();
    bot.model.answers(Answer::calls_raw(name, arguments));
    let seen = format!("Seen after {}.", bot.model.requests().len());
    bot.model.says(&seen);
    chat.says("/new");
    chat.says("look");
    chat.settles(|message| message.text == seen).await;
    bot.assert_clean();
    bot.model.turn_requests().pop().unwrap().last_tool_result()
}

async fn chat_f10_a_slip_in_a_name_or_in_arguments_costs_no_step(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&bot).await;
    for (name, arguments) in [
        ("functions.list_dir", r#"{"path":"."}"#),
        ("default_api:list_dir", r#"{"path":"."}"#),
        ("list_dir<|channel|>commentary", r#"{"path":"."}"#),
        (" List-Dir ", r#"{"path":"."}"#),
        ("list_dir", "{'path': '.'}"),
        ("list_dir", "```json\n{\"path\":\".\",}\n```"),
        ("list_dir", "{\"path\":\".\"}\n<|tool_call_end|>"),
    ] {
        let told = result_of(&bot, name, arguments).await;
        assert!(told.contains("notes.txt"), "{name} {arguments}: {told}");
    }
    for arguments in [
        r#"{"path":"notes.txt","offset":"4"}"#,
        r#"{"path":"notes.txt","offset":4.0}"#,
        r#"{"path":"notes.txt","offset":"4","limit":null}"#,
    ] {
        let told = result_of(&bot, "file_read", arguments).await;
        assert!(
            told.contains("two") && !told.contains("one"),
            "{arguments}: {told}"
        );
    }
}

async fn chat_f10_a_card_shows_what_runs(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = bot.direct();
    let written = "{'command': 'mktemp -u sure.XXXXXX', 'timeout_secs': '9'}";
    bot.model
        .answers(Answer::calls_raw("functions.shell", written));
    bot.model.says("It is there.");
    chat.says("make a name");
    let card = chat.settles(is_open_card).await;
    assert!(card.text.contains("mktemp -u sure.XXXXXX"), "{card}");
    assert!(!card.text.contains("functions"), "{card}");
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;

    let last = bot.model.turn_requests().pop().unwrap();
    assert!(last.last_tool_result().contains("sure."), "{last:?}");
    let mut messages = last.messages().iter();
    let said = messages.find(|it| it["role"] == "assistant").unwrap();
    let call = &said["tool_calls"][0]["function"];
    let arguments: Value = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(call["name"], "shell");
    assert_eq!(
        arguments,
        json!({"command": "mktemp -u sure.XXXXXX", "timeout_secs": 9})
    );
    bot.assert_clean();
}

async fn chat_f10_a_slip_in_a_call_of_the_text_is_mended_too(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&bot).await;
    let chat = bot.direct();
    for (number, call) in [
        "<tool_call>\n{\"name\": \"default_api.file_read\", \"arguments\": {\"path\": \"notes.txt\", \"offset\": \"4\"}}\n</tool_call>",
        "<tool_call>\n{'name': 'File_Read', 'arguments': {'path': 'notes.txt', 'offset': 4}}\n</tool_call>",
    ]
    .into_iter()
    .enumerate()
    {
        bot.model.answers(Answer::text(call.to_owned()));
        let seen = format!("Seen {number}.");
        bot.model.says(&seen);
        chat.says("/new");
        chat.says("what does the note say?");
        chat.settles(|message| message.text == seen).await;
        let told = bot.model.turn_requests().pop().unwrap().last_tool_result();
        assert!(told.contains("two") && !told.contains("one"), "{call}: {told}");
    }
    bot.assert_clean();
}

async fn chat_f10_what_has_no_reading_is_refused_and_never_guessed(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&bot).await;
    for (name, arguments, why) in [
        ("my.list_dir", r#"{"path":"."}"#, "there is no tool"),
        ("list", r#"{"path":"."}"#, "there is no tool"),
        (
            "list_dir",
            r#"{"path":"."} {"path":"/"}"#,
            "not a JSON object",
        ),
        (
            "file_read",
            r#"{"path":"notes.txt","offset":"four"}"#,
            "`offset`",
        ),
        ("file_read", r#"{"path":["notes.txt"]}"#, "`path`"),
    ] {
        let told = result_of(&bot, name, arguments).await;
        assert!(told.contains(why), "{name} {arguments}: {told}");
    }
}

/// What is said of failed calls while the turn goes on: nothing of two that cannot run, and why one
/// did not that Ann denies.
async fn seen_of_failures(bot: &TestBot, deny: &str) -> String {
    let chat = bot.direct();
    bot.model.calls(vec![
        ("teleport", json!({})),
        ("file_read", json!({"file": "a"})),
    ]);
    bot.model.says("Neither.");
    chat.says("do it");
    let answer = chat.hears_with(|message| message.text == "Neither.").await;
    assert_eq!(answer.edits, 0, "nothing was shown before it");
    let told = bot.model.turn_requests().pop().unwrap().tool_results();
    let told: Vec<String> = told.into_iter().map(|(_, result)| result).collect();
    let told = told.join("\n");
    assert!(told.contains("the tools are shell, "), "{told}");
    assert!(told.contains("expected: {\"path\": string"), "{told}");

    let gate = Gate::new();
    bot.model
        .calls(vec![("shell", json!({"command": "touch hi"}))]);
    bot.model.answers(Answer::text("Denied.").held_by(&gate));
    chat.says("touch it");
    let card = chat.settles(is_open_card).await;
    chat.press(&bot.ann, card.id, deny).await;
    let live = chat.hears_with(|message| message.text.contains('✗')).await;
    gate.open();
    chat.becomes(live.id, |message| message.text == "Denied.")
        .await;
    bot.assert_clean();
    live.text
}

async fn chat_ugly_words_for_the_model_do_not_reach_people(platform: Platform) {
    let bot = TestBot::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let seen = seen_of_failures(&bot, "Deny").await;
    insta::assert_snapshot!(seen, @"
    ✗ Not run: you said no
    ");
    let prompt = bot.model.turn_requests().pop().unwrap().body.to_string();
    for mark in ["[错误]", "[失败]", "[部分输出]"] {
        assert!(!prompt.contains(mark), "{mark}: {prompt}");
    }
}

async fn chat_ugly_a_chinese_chat_reads_its_own_words(platform: Platform) {
    let settings = [("AGENT__ROUTING", "off"), ("LANGUAGE", "zh-CN")];
    let bot = TestBot::on_with(platform, &settings).await;
    let seen = seen_of_failures(&bot, "拒绝").await;
    insta::assert_snapshot!(seen, @"
    ✗ 未执行（你已拒绝）
    ");
}
