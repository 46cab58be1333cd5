//! Text from outside: known by its source, shown in delimiters, checked for injections, and never
//! the one who decides.

/// Taint goes on: through history, waiting, memory, questions and groups.
mod inherited;
/// A model that obeys every attack.
mod obedient;
pub mod obeying;
/// No tool goes around the executor.
mod tools;

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::house::House;
use crate::platform::Chat;

/// Returns the attacks of the injection set, where it is there.
fn material() -> Vec<String> {
    let folder = std::env::var_os("SAYSO_MATERIAL").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../shared/material").into(),
        PathBuf::from,
    );
    let set = std::fs::read_to_string(folder.join("injection/set.jsonl")).unwrap_or_default();
    set.lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .filter(|row| row["label"] == 1)
        .filter_map(|row| row["text"].as_str().map(str::to_owned))
        .collect()
}

/// Has Ann's workspace hold a file with this text, and returns when it does.
async fn has_file(house: &House, chat: &Chat, name: &str, text: &str) {
    chat.says("hello");
    chat.settles(|message| message.text.starts_with("ok:"))
        .await;
    std::fs::write(house.workspace().join(name), text).unwrap();
}

/// Has the model read a file in a turn of its own.
async fn reads(house: &House, chat: &Chat, name: &str) {
    house
        .model
        .calls(vec![("file_read", json!({ "path": name }))]);
    house.model.says("I have read it.");
    chat.says("read it");
    chat.settles(|message| message.text == "I have read it.")
        .await;
}
