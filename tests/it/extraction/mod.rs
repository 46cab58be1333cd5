//! Sayso learns facts by itself when somebody has said nothing for a while.

mod costs;
mod kills;
mod knowing;
mod undoing;

use std::sync::Arc;

use sayso_fakes::{Answer, Message, ModelRequest};
use serde_json::{Value, json};

use crate::platform::Platform;
use crate::test_bot::TestBot;

/// Starts a bot in which a session is idle after a second.
pub async fn open(platform: Platform) -> TestBot {
    open_with(platform, &[]).await
}

/// Opens such a bot with more settings changed.
async fn open_with(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let usual = [
        ("MEMORY__LEARNING__ENABLED", "true"),
        ("MEMORY__LEARNING__IDLE_SECS", "1"),
        ("AGENT__ROUTING", "off"),
    ];
    TestBot::on_with(platform, &[&usual[..], settings].concat()).await
}

/// Returns whether a request asks what is to be learned.
pub fn is_lesson(request: &ModelRequest) -> bool {
    request.system().starts_with("[what to remember]")
}

/// Returns the requests that asked so.
fn lessons(bot: &TestBot) -> Vec<Arc<ModelRequest>> {
    let requests = bot.model.requests().into_iter();
    requests.filter(|request| is_lesson(request)).collect()
}

/// Has the model propose these facts of any first message, whenever it is asked what is to be learned.
fn proposes(bot: &TestBot, facts: &[(&str, &str)]) {
    let answer = proposal(facts);
    bot.model
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
