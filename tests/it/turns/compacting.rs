//! A conversation that becomes too long: what gives way, what stays, and how the rest is read.

use serde_json::{Value, json};

use super::conversation;
use crate::house::House;
use crate::platform::{Platform, on_both};

on_both!(
    a_turn_of_thirty_steps_is_trimmed_inside,
    a_long_result_is_shortened_and_read_again_by_its_person_alone
);

const COMPACTED: &str = "SELECT body FROM journal WHERE kind = 'compacted'";

fn look(folder: &str) -> (&'static str, Value) {
    ("list_dir", json!({ "path": folder }))
}

/// The fake of the model refuses a result without its call, so what is left out goes in pairs.
async fn a_turn_of_thirty_steps_is_trimmed_inside(platform: Platform) {
    let settings = [
        ("AGENT__MAX_STEPS", "30"),
        ("AGENT__HISTORY_MESSAGES", "20"),
    ];
    let house = House::on_with(platform, &settings).await;
    let chat = house.direct();
    chat.says("before");
    chat.hears().await;
    let names = [
        "ale", "bun", "cod", "dip", "egg", "fig", "gin", "ham", "ice", "jam", "kit", "leek",
        "mint", "nut", "oat", "pie", "quid", "rye", "soy", "tea", "udon", "veal", "wine", "xmas",
        "yam", "zest",
    ];
    for name in names {
        house.model.calls(vec![look(name)]);
    }
    house.model.says("None of them is there.");
    chat.says("look into many folders");
    chat.settles(|message| message.text == "None of them is there.")
        .await;
    let turns = house.model.turn_requests();
    let said: Vec<Vec<String>> = turns.iter().map(|it| conversation(it)).collect();
    assert_eq!(said.len(), 1 + names.len() + 1);
    for messages in &said {
        assert!(messages.len() <= 20, "{messages:#?}");
        assert!(messages[0].starts_with("user: "), "{messages:#?}");
    }
    let request = "user: look into many folders".to_owned();
    assert!(said[1..].iter().all(|messages| messages.contains(&request)));
    let last = said.last().unwrap();
    assert_eq!(last[0], request);
    assert!(
        last[1].contains("earlier steps of this request are left out"),
        "{last:#?}"
    );
    // Most steps are told what the one before was told, and more behind it.
    let grown = said.windows(2).filter(|pair| pair[1].starts_with(&pair[0]));
    let grown = grown.count();
    assert!(grown >= 20, "{grown}");
    assert_eq!(house.rows(COMPACTED).await.len(), said.len() - 1 - grown);
    house.assert_clean();
}

async fn a_long_result_is_shortened_and_read_again_by_its_person_alone(platform: Platform) {
    let settings = [
        ("AGENT__ROUTING", "off"),
        ("PROVIDERS__0__CONTEXT_TOKENS", "12000"),
    ];
    let house = House::on_with(platform, &settings).await;
    let chat = house.direct();
    chat.says("hello");
    chat.hears().await;
    let lines: Vec<String> = (0..1_200)
        .map(|line| format!("line {line} of the log"))
        .collect();
    std::fs::write(house.workspace().join("log.txt"), lines.join("\n")).unwrap();
    house
        .model
        .calls(vec![("file_read", json!({"path": "log.txt"}))]);
    house.model.says("I have read it.");
    chat.says("read the log");
    chat.settles(|message| message.text == "I have read it.")
        .await;
    chat.says("and now?");
    chat.settles(|message| message.text == "ok: and now?").await;
    let shown = house.model.requests().pop().unwrap();
    let result = shown.tool_results().pop().unwrap().1;
    assert!(result.contains("line 0 of the log"), "{result}");
    assert!(result.contains("line 1199 of the log"), "{result}");
    assert!(!result.contains("line 600 of the log"), "{result}");
    let (_, rest) = result.split_once("shows them by the id `").unwrap();
    let id = rest.split('`').next().unwrap().to_owned();

    let again = json!({"id": id, "from": 8_000});
    house.model.calls(vec![("read_result", again.clone())]);
    house.model.says("There it is.");
    chat.says("what is in the middle?");
    chat.settles(|message| message.text == "There it is.").await;
    let last = house.model.requests().pop().unwrap();
    let read = last.last_tool_result();
    assert!(read.contains("line 600 of the log"), "{read}");
    assert!(last.tools().contains(&"read_result".to_owned()));

    // Neither in another chat nor for another person, nor when a new conversation has begun.
    let group = house.group("Home").with(&house.ann);
    house.model.calls(vec![("read_result", again.clone())]);
    house.model.says("Not here.");
    group.says("@sayso_bot what is in the middle?");
    group.settles(|message| message.text == "Not here.").await;
    let there = house.model.requests().pop().unwrap().last_tool_result();
    assert!(there.contains("no result with this `id`"), "{there}");
    chat.says("/new");
    chat.hears().await;
    house.model.calls(vec![("read_result", again)]);
    house.model.says("Gone.");
    chat.says("what is in the middle?");
    chat.settles(|message| message.text == "Gone.").await;
    let there = house.model.requests().pop().unwrap().last_tool_result();
    assert!(there.contains("no result with this `id`"), "{there}");
    house.assert_clean();
}
