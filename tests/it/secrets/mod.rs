//! Secrets: where they must not be found, and what is done in their place.

/// A known secret in every place where one can be, and everything looked through for it.
mod canary;
/// Secrets that calls use by a handle.
pub mod handles;
/// Cards, files and commands with a secret in them.
mod hidden;

use std::path::{Path, PathBuf};

use crate::test_bot::TestBot;

/// A token of this form that no service ever gave: it is put together here, so that no scanner of
/// this repository takes it for one.
pub fn token(prefix: &str, length: usize) -> String {
    let letters = "q7Zx2LmB9vK4tR8wH3nY6pD5".chars().cycle();
    letters
        .take(length)
        .fold(prefix.to_owned(), |mut token, letter| {
            token.push(letter);
            token
        })
}

/// Everything that people, the model and the operator could see of a bot, each with its name.
pub fn seen(bot: &TestBot) -> Vec<(String, String)> {
    let mut seen = Vec::new();
    for call in bot.telegram.calls() {
        seen.push((
            format!("a call of {}", call.method),
            format!("{:?}", call.params),
        ));
    }
    for asked in bot.model.requests() {
        seen.push(("a prompt".to_owned(), asked.body.to_string()));
    }
    seen.push(("standard error".to_owned(), bot.log()));
    seen
}

/// Every file of a bot, but for what stands in workspaces.
pub fn files(bot: &TestBot) -> Vec<PathBuf> {
    let workspaces = bot.data().join("workspaces");
    let mut found = files_in(bot.path("").as_path());
    found.retain(|file| !file.starts_with(&workspaces));
    found
}

fn files_in(directory: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(files_in(&path));
        } else {
            files.push(path);
        }
    }
    files
}

/// Returns whether these bytes stand in a file.
pub fn holds(file: &Path, secret: &str) -> bool {
    let bytes = std::fs::read(file).unwrap();
    bytes
        .windows(secret.len())
        .any(|window| window == secret.as_bytes())
}
