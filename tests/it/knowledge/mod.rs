//! What is in view beside the conversation: the operator's texts, and what is recalled at each step.

/// What is known of a person.
mod profile;
/// The operator's texts.
mod seeds;
/// What a step brings into view, and what it must not.
mod steps;

use std::process::Stdio;

use sayso_fakes::ModelRequest;

use crate::test_bot::TestBot;

/// Runs a command of `sayso` with the settings of the bot and returns what it prints.
async fn prints(bot: &TestBot, arguments: &[&str]) -> String {
    let mut command = bot.command();
    let run = command.args(arguments).stdout(Stdio::piped()).output();
    String::from_utf8(run.await.unwrap().stdout).unwrap()
}

/// Returns what a request says below the system prompt, one text each; a call by its arguments.
fn said(request: &ModelRequest) -> Vec<String> {
    let messages = request.messages().iter();
    messages
        .filter(|message| message["role"] != "system")
        .map(ToString::to_string)
        .collect()
}

/// Returns the notes of what was recalled behind what was said.
fn notes(request: &ModelRequest) -> Vec<String> {
    let texts = request.messages().iter();
    texts
        .filter(|message| message["role"] == "user")
        .filter_map(|message| message["content"].as_str())
        .filter(|text| text.starts_with("[Related memories]"))
        .map(str::to_owned)
        .collect()
}
