//! Text from outside: known by its source, shown in delimiters, checked for injections, and never
//! the one who decides.

/// Taint goes on: through history, waiting, memory, questions and groups.
mod inherited;
mod material;
/// A model that obeys every attack.
mod obedient;
pub mod obeying;
/// Whose words a message holds.
mod others;
/// Memories in the words of the person.
mod own_words;
/// What is read in a workspace of one's own.
mod provenance;
/// No tool goes around the executor.
mod tools;
/// The treatments Block, Review and Warn, and how each is reported.
mod treated;

use serde_json::json;

use crate::platform::Chat;
use crate::test_bot::TestBot;

/// Has Ann's workspace hold a file with this text, and returns when it does.
async fn has_file(bot: &TestBot, chat: &Chat, name: &str, text: &str) {
    chat.says("hello");
    chat.settles(|message| message.text.starts_with("ok:"))
        .await;
    std::fs::write(bot.workspace().join(name), text).unwrap();
}

/// Has the model read a file in a turn of its own.
async fn reads(bot: &TestBot, chat: &Chat, name: &str) {
    bot.model
        .calls(vec![("file_read", json!({ "path": name }))]);
    bot.model.says("I have read it.");
    chat.says("read it");
    chat.settles(|message| message.text == "I have read it.")
        .await;
}
