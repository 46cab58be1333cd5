//! Skills: what is said to who writes them, what an operator adds, and what people choose.

/// `/skills` in a chat.
mod chat;
/// `sayso skills check`.
mod check;
/// Skills from git repositories.
mod fetching;
/// Skills of somebody else, and an owner who reads them first.
mod installing;
/// Skills in the folder of the operator.
mod operator;
/// `sayso skills install`.
mod terminal;

use std::fs;

use crate::test_bot::TestBot;

/// Puts a file into the operator's folder of skills.
pub fn write(bot: &TestBot, file: &str, text: &str) {
    let path = bot.data().join("skills").join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}
