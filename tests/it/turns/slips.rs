//! Slips of a model in the name of a tool and in its arguments: what has one reading runs at once.

use sayso_fakes::Answer;
use serde_json::{Value, json};

use crate::approvals::is_open_card;
use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    chat_f10_a_slip_in_a_name_or_in_arguments_costs_no_step,
    chat_f10_a_card_shows_what_runs,
    chat_f10_a_slip_in_a_call_of_the_text_is_mended_too,
    chat_f10_what_has_no_reading_is_refused_and_never_guessed
);

fn write_note(house: &House) {
    std::fs::create_dir_all(house.workspace()).unwrap();
    std::fs::write(house.workspace().join("notes.txt"), "one\ntwo\n").unwrap();
}

/// Has the model write a call so, and returns its result.
async fn result_of(house: &House, name: &str, arguments: &str) -> String {
    let chat = house.direct();
    house.model.answers(Answer::calls_raw(name, arguments));
    let seen = format!("Seen after {}.", house.model.requests().len());
    house.model.says(&seen);
    chat.says("/new");
    chat.says("look");
    chat.settles(|message| message.text == seen).await;
    house.assert_clean();
    house
        .model
        .turn_requests()
        .pop()
        .unwrap()
        .last_tool_result()
}

async fn chat_f10_a_slip_in_a_name_or_in_arguments_costs_no_step(platform: Platform) {
    let house = House::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&house);
    for (name, arguments) in [
        ("functions.list_dir", r#"{"path":"."}"#),
        ("default_api:list_dir", r#"{"path":"."}"#),
        ("list_dir<|channel|>commentary", r#"{"path":"."}"#),
        (" List-Dir ", r#"{"path":"."}"#),
        ("list_dir", "{'path': '.'}"),
        ("list_dir", "```json\n{\"path\":\".\",}\n```"),
        ("list_dir", "{\"path\":\".\"}\n<|tool_call_end|>"),
    ] {
        let told = result_of(&house, name, arguments).await;
        assert!(told.contains("notes.txt"), "{name} {arguments}: {told}");
    }
    for arguments in [
        r#"{"path":"notes.txt","offset":"4"}"#,
        r#"{"path":"notes.txt","offset":4.0}"#,
        r#"{"path":"notes.txt","offset":"4","limit":null}"#,
    ] {
        let told = result_of(&house, "file_read", arguments).await;
        assert!(
            told.contains("two") && !told.contains("one"),
            "{arguments}: {told}"
        );
    }
}

async fn chat_f10_a_card_shows_what_runs(platform: Platform) {
    let house = House::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    let chat = house.direct();
    let written = "{'command': 'mktemp -u sure.XXXXXX', 'timeout_secs': '9'}";
    house
        .model
        .answers(Answer::calls_raw("functions.shell", written));
    house.model.says("It is there.");
    chat.says("make a name");
    let card = chat.settles(is_open_card).await;
    assert!(card.text.contains("mktemp -u sure.XXXXXX"), "{card}");
    assert!(!card.text.contains("functions"), "{card}");
    chat.press(&house.ann, card.id, "Approve").await;
    chat.settles(|message| message.text == "It is there.").await;

    let last = house.model.turn_requests().pop().unwrap();
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
    house.assert_clean();
}

async fn chat_f10_a_slip_in_a_call_of_the_text_is_mended_too(platform: Platform) {
    let house = House::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&house);
    let chat = house.direct();
    for (number, call) in [
        "<tool_call>\n{\"name\": \"default_api.file_read\", \"arguments\": {\"path\": \"notes.txt\", \"offset\": \"4\"}}\n</tool_call>",
        "<tool_call>\n{'name': 'File_Read', 'arguments': {'path': 'notes.txt', 'offset': 4}}\n</tool_call>",
    ]
    .into_iter()
    .enumerate()
    {
        house.model.answers(Answer::text(call.to_owned()));
        let seen = format!("Seen {number}.");
        house.model.says(&seen);
        chat.says("/new");
        chat.says("what does the note say?");
        chat.settles(|message| message.text == seen).await;
        let told = house.model.turn_requests().pop().unwrap().last_tool_result();
        assert!(told.contains("two") && !told.contains("one"), "{call}: {told}");
    }
    house.assert_clean();
}

async fn chat_f10_what_has_no_reading_is_refused_and_never_guessed(platform: Platform) {
    let house = House::on_with(platform, &[("AGENT__ROUTING", "off")]).await;
    write_note(&house);
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
        let told = result_of(&house, name, arguments).await;
        assert!(told.contains(why), "{name} {arguments}: {told}");
    }
}
