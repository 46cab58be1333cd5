//! The audit: what was decided and run can be read afterwards, and what was changed shows.

/// Every call of a model is in the trace.
mod asked;
/// What was damaged is found, and what was only erased is not damage.
mod damage;
/// The export follows the database, also over a kill.
mod export;
/// Who did what, by whose word, with what outcome.
mod rows;
/// Who is who, what is withheld and what may be spent.
mod standing;
/// The trace and its timeline: every step of a turn, and no secret.
mod trace;
/// A call that cannot be written down is not run.
mod unwritable;

use std::process::Stdio;

use sayso_fakes::Message;
use sayso_fakes::model::{Answer, ModelRequest};
use serde_json::{Value, json};

use crate::command_line::{Ran, ended};
use crate::platform::Chat;
use crate::test_bot::TestBot;

/// What the audit says, in its order: names stand for users.
const SAID: &str = "
    SELECT event || coalesce(' ' || tool, '') || coalesce(': ' || decision, '')
        || coalesce(' by ' || coalesce(
               (SELECT name FROM senders WHERE 'user ' || user_id = decided_by), decided_by), '')
        || coalesce(': ' || outcome, '')
    FROM audit ORDER BY seq";

/// Starts a bot whose model calls the shell for `run: COMMAND` and writes a file for
/// `write: PATH`; for `leak` it names the key that the bot has. When the call has its result it
/// says `done`.
async fn open() -> TestBot {
    let bot = TestBot::open().await;
    bot.model.when(obey);
    bot
}

fn obey(request: &ModelRequest) -> Option<Answer> {
    if request.is_routing() {
        return None;
    }
    if request.messages().last()?["role"] == "tool" {
        return Some(Answer::text("done"));
    }
    let said = request.last_user();
    if said == "leak" {
        let command = "touch sk-canary-of-the-house";
        return Some(Answer::calls(vec![(
            "shell",
            json!({ "command": command }),
        )]));
    }
    if let Some((_, command)) = said.split_once("run: ") {
        return Some(Answer::calls(vec![(
            "shell",
            json!({ "command": command }),
        )]));
    }
    let (_, path) = said.split_once("write: ")?;
    let arguments = json!({ "path": path, "content": "x" });
    Some(Answer::calls(vec![("file_write", arguments)]))
}

/// Says something and presses a button of the card that asks about it.
async fn says_and_presses(bot: &TestBot, chat: &Chat, text: &str, label: &str) {
    chat.says(text);
    let card = chat.hears_with(Message::asks).await;
    chat.press(&bot.ann, card.id, label).await;
    chat.hears_with(|message| message.text == "done").await;
}

/// A bot in which something was approved, denied and refused, and in which nothing runs now.
async fn with_a_past() -> TestBot {
    let mut bot = open().await;
    let chat = bot.direct();
    says_and_presses(&bot, &chat, "run: touch approved", "Approve").await;
    says_and_presses(&bot, &chat, "run: touch denied", "Deny").await;
    chat.says("write: /etc/refused");
    chat.hears_with(|message| message.text == "done").await;
    bot.stop().await;
    bot
}

/// Runs a command of `sayso` with the settings of the bot.
async fn sayso(bot: &TestBot, arguments: &[&str]) -> Ran {
    let mut command = bot.command();
    command
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut ran = ended(command.spawn().unwrap()).await;
    let data = bot.data().display().to_string();
    ran.out = ran.out.replace(&data, "(data)");
    ran
}

/// The lines of the export.
fn lines(bot: &TestBot) -> Vec<String> {
    let text = std::fs::read_to_string(bot.data().join("audit.jsonl")).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The lines of the trace.
fn trace(bot: &TestBot) -> Vec<Value> {
    let text = std::fs::read_to_string(bot.data().join("trace.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}
