//! What starts a routine besides the clock: files, words of a group, signed calls.
//!
//! Row 54 of the design page (a trigger that never fires is seen when it is made) is tried by what the
//! cards of these tests say.

mod files;
mod webhooks;
mod words;

use std::time::Duration;

use sayso_fakes::Message;
use serde_json::{Value, json};

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// A bot that lives by the clock of the machine.
async fn bot_with(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let zone = [("ROUTINES__ZONE", "Europe/Berlin")];
    let bot = TestBot::on_with(platform, &[&zone, settings].concat()).await;
    let chat = bot.direct();
    chat.says("/timezone Berlin");
    chat.hears_with(|message| message.text.contains("Europe/Berlin"))
        .await;
    bot
}

/// What is said to the bot in a chat: in a group by its name.
fn addressed(chat: &Chat, group: bool, words: &str) {
    if group {
        chat.says(&format!("@sayso_bot {words}"));
    } else {
        chat.says(words);
    }
}

/// Has the model make a routine that an event starts, and Ann approve it; returns the text of the card.
async fn makes(bot: &TestBot, chat: &Chat, is_group: bool, starts: Value, prompt: &str) -> String {
    let mut create = json!({"action": "create", "prompt": prompt});
    let fields = create.as_object_mut().unwrap();
    fields.extend(starts.as_object().unwrap().clone());
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("It is kept.");
    addressed(chat, is_group, "do that whenever it happens");
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, "Approve").await;
    chat.settles(|message| message.text.ends_with("It is kept."))
        .await;
    chat.settles(|message| message.text.starts_with('⚡')).await;
    card.text
}

/// Waits until a run is over, and returns everything that its last request to the model said.
async fn report(bot: &TestBot, chat: &Chat, beginning: &str) -> String {
    chat.settles(|message| message.text.starts_with(beginning))
        .await;
    let request = bot.model.requests().pop().unwrap();
    serde_json::to_string(request.messages()).unwrap()
}

/// Waits for as long as anything would have started by, and returns how many runs there are.
async fn runs_after_a_while(bot: &TestBot) -> usize {
    tokio::time::sleep(Duration::from_secs(8)).await;
    bot.rows("SELECT state FROM routine_runs").await.len()
}
