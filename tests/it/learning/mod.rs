//! Sayso learns facts by itself when somebody has said nothing for a while.

mod costs;
mod kills;
mod knowing;
mod undoing;

use std::sync::Arc;

use sayso_fakes::{Answer, Message, ModelRequest};
use serde_json::{Value, json};

use crate::house::House;
use crate::platform::Platform;

/// Opens a house in which a session is idle after a second.
pub async fn open(platform: Platform) -> House {
    open_with(platform, &[]).await
}

/// Opens such a house with more settings changed.
async fn open_with(platform: Platform, settings: &[(&str, &str)]) -> House {
    let usual = [
        ("MEMORY__LEARNING__ENABLED", "true"),
        ("MEMORY__LEARNING__IDLE_SECS", "1"),
        ("AGENT__ROUTING", "off"),
    ];
    House::on_with(platform, &[&usual[..], settings].concat()).await
}

/// Returns whether a request asks what is to be learned.
pub fn is_lesson(request: &ModelRequest) -> bool {
    request.system().starts_with("[what to remember]")
}

/// Returns the requests that asked so.
fn lessons(house: &House) -> Vec<Arc<ModelRequest>> {
    let requests = house.model.requests().into_iter();
    requests.filter(|request| is_lesson(request)).collect()
}

/// Has the model propose these facts of any first message, whenever it is asked what is to be learned.
fn proposes(house: &House, facts: &[(&str, &str)]) {
    let answer = proposal(facts);
    house
        .model
        .when(move |request| is_lesson(request).then(|| Answer::text(answer.clone())));
}

/// Writes a proposal of facts, by topic and text.
pub fn proposal(facts: &[(&str, &str)]) -> String {
    let fact = |(topic, text): &(&str, &str)| json!({"topic": topic, "text": text, "confidence": 0.95, "message": 1});
    Value::Array(facts.iter().map(fact).collect()).to_string()
}

/// Tells whether a message is the note about what was learned.
pub fn is_note(message: &Message) -> bool {
    message.text.starts_with("📝")
}

/// What is known of facts that were learned, as it holds now.
pub const LEARNED: &str = "SELECT text FROM memories
    WHERE kind = 'fact' AND source = 'learned' AND superseded_by IS NULL ORDER BY id";
/// Gives something when nothing is left to be learned.
pub const ALL_DONE: &str = "SELECT 'done' WHERE NOT EXISTS (SELECT 1 FROM lessons)
    AND NOT EXISTS (SELECT 1 FROM turns WHERE to_learn = 1)";
