//! Services that want a login: by a browser here or elsewhere, and what becomes of the tokens.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use sayso_fakes::FakeMcp;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::process::{Child, ChildStdin, ChildStdout};

use super::{Configured, closed_bot_with, result_of};
use crate::test_bot::{PATIENCE, TestBot, eventually};

/// `sayso mcp login notes`, while it waits for somebody to log in.
struct LoggingIn {
    process: Child,
    typing: ChildStdin,
    lines: tokio::io::Lines<BufReader<ChildStdout>>,
    /// The address that somebody is to open.
    address: String,
}

impl LoggingIn {
    async fn begin(bot: &TestBot, more: &[&str]) -> Self {
        let begun = Self::try_to_begin(bot, more).await;
        begun.unwrap_or_else(|said| panic!("nothing to open: {said:?}\n{}", bot.log()))
    }

    /// Begins, or returns what was said instead of an address.
    async fn try_to_begin(bot: &TestBot, more: &[&str]) -> Result<Self, Vec<String>> {
        let mut process = bot
            .command()
            .args(["mcp", "login", "notes"])
            .args(more)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let mut said = Vec::new();
        let address = loop {
            let Some(line) = lines.next_line().await.unwrap() else {
                return Err(said);
            };
            if line.trim().starts_with("http") {
                break line.trim().to_owned();
            }
            said.push(line);
        };
        Ok(Self {
            typing: process.stdin.take().unwrap(),
            process,
            lines,
            address,
        })
    }

    /// Pastes an address.
    async fn pastes(&mut self, address: &str) {
        let line = format!("{address}\n");
        self.typing.write_all(line.as_bytes()).await.unwrap();
    }

    /// Waits until it has said something with these words.
    async fn says(&mut self, words: &str) {
        let waiting = async {
            while let Some(line) = self.lines.next_line().await.unwrap() {
                if line.contains(words) {
                    return;
                }
            }
            panic!("it ended without `{words}`");
        };
        tokio::time::timeout(PATIENCE, waiting).await.unwrap();
    }

    /// Waits for its end; it must have said these words by then.
    async fn ends(mut self, words: &str) -> Option<i32> {
        self.says(words).await;
        let ended = tokio::time::timeout(PATIENCE, self.process.wait()).await;
        ended.unwrap().unwrap().code()
    }
}

/// A bot with the notes as its only server, in which nothing runs yet.
async fn closed_bot(notes: &FakeMcp) -> TestBot {
    let server = Configured::service("notes", &notes.url()).with("ALLOW", "*");
    closed_bot_with(&[server], &[]).await
}

/// Logs in as a browser on another machine does: by pasting.
async fn log_in(bot: &TestBot, notes: &FakeMcp, more: &[&str]) {
    let mut login = LoggingIn::begin(bot, more).await;
    let back = notes.logs_in(&login.address);
    login.pastes(&back).await;
    assert_eq!(login.ends("logged in to `notes`").await, Some(0));
}

/// Starts a bot whose owner has logged in.
async fn bot_logged_in(notes: &FakeMcp) -> TestBot {
    let mut bot = closed_bot(notes).await;
    log_in(&bot, notes, &[]).await;
    bot.start();
    bot.settles_in().await;
    bot.logs("MCP server connected").await;
    bot
}

async fn status_of(bot: &TestBot) -> String {
    let chat = bot.direct();
    chat.says("/status details");
    let status = chat
        .hears_with(|message| message.text.contains("fake-1"))
        .await;
    status.text
}

/// Returns the files below a directory that hold one of these words.
fn files_with(directory: &Path, words: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files_with(&path, words));
            continue;
        }
        let text = fs::read(&path).unwrap_or_default();
        let holds = |word: &String| {
            let word = word.as_bytes();
            text.windows(word.len()).any(|window| window == word)
        };
        if words.iter().any(holds) {
            found.push(path.file_name().unwrap().to_string_lossy().into_owned());
        }
    }
    found
}

#[tokio::test]
pub async fn somebody_logs_in_in_a_browser_and_the_tools_are_there_without_a_new_start() {
    let notes = FakeMcp::start().await;
    let mut bot = closed_bot(&notes).await;
    bot.start();
    bot.settles_in().await;
    bot.logs("run `sayso mcp login notes`").await;
    let told = status_of(&bot).await;
    assert!(told.contains("sayso mcp login notes"), "{told}");

    let login = LoggingIn::begin(&bot, &[]).await;
    let back = notes.logs_in(&login.address);
    let page = reqwest::get(back).await.unwrap();
    assert_eq!(page.status(), 200);
    assert!(
        page.text()
            .await
            .unwrap()
            .contains("You can close this page")
    );
    assert_eq!(login.ends("logged in to `notes`").await, Some(0));

    bot.logs("MCP server connected").await;
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("Buy fish."), "{told}");
    let told = status_of(&bot).await;
    assert!(!told.contains("mcp login"), "{told}");
    let told = result_of(&bot, "notes__shown", json!({})).await;
    assert!(told.contains("Bearer [redacted: mcp-secret]"), "{told}");
    notes.assert_clean();

    let file = bot.data().join("logins/notes.json");
    let mode = fs::metadata(&file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    bot.stop().await;
    assert_eq!(files_with(&bot.path("."), &notes.secrets()), ["notes.json"]);
}

#[tokio::test]
pub async fn tokens_are_renewed_and_the_new_ones_survive_a_kill() {
    let notes = FakeMcp::start().await;
    let mut bot = bot_logged_in(&notes).await;
    // The service refuses the token: it is renewed, and the call is made.
    notes.ends_access_tokens();
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("Buy fish."), "{told}");
    let renewed = notes.renewals();
    assert!(renewed > 0);
    // One that is about to end is renewed before it is refused.
    notes.gives_tokens_for(5);
    notes.ends_access_tokens();
    result_of(&bot, "notes__read", json!({})).await;
    let before = notes.renewals();
    result_of(&bot, "notes__read", json!({})).await;
    assert!(notes.renewals() > before);
    notes.gives_tokens_for(3600);
    result_of(&bot, "notes__read", json!({})).await;

    bot.kill().await;
    notes.ends_access_tokens();
    let before = notes.renewals();
    bot.start();
    bot.settles_in().await;
    eventually("the server", || {
        bot.log().matches("MCP server connected").count() > 1
    })
    .await;
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("Buy fish."), "{told}");
    assert!(notes.renewals() > before);
    assert_eq!(notes.replays(), 0, "a refresh token was used twice");
    notes.assert_clean();
    bot.stop().await;
    assert_eq!(files_with(&bot.path("."), &notes.secrets()), ["notes.json"]);
}

#[tokio::test]
pub async fn a_login_that_was_revoked_is_told_once_and_another_one_goes_on() {
    let notes = FakeMcp::start().await;
    let bot = bot_logged_in(&notes).await;
    notes.revokes_everything();
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("waits for a login"), "{told}");
    assert!(told.contains("sayso mcp login notes"), "{told}");
    bot.logs("MCP server waits for a login").await;
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("waits for a login"), "{told}");
    let told_times = bot.log().matches("MCP server waits for a login").count();
    assert_eq!(told_times, 1, "{}", bot.log());
    assert!(notes.called().is_empty(), "{:?}", notes.called());

    bot.command().arg("doctor").status().await.unwrap();
    let log = bot.log();
    assert!(log.contains("mcp server notes waits for a login"), "{log}");

    let before = log.matches("MCP server connected").count();
    log_in(&bot, &notes, &[]).await;
    eventually("the server", || {
        bot.log().matches("MCP server connected").count() > before
    })
    .await;
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("Buy fish."), "{told}");
    notes.assert_clean();
}

#[tokio::test]
pub async fn an_answer_to_another_login_is_refused_and_the_right_one_still_counts() {
    let notes = FakeMcp::start().await;
    let bot = closed_bot(&notes).await;
    let mut login = LoggingIn::begin(&bot, &[]).await;
    let back = notes.logs_in(&login.address);
    let mut foreign = url::Url::parse(&back).unwrap();
    foreign
        .query_pairs_mut()
        .clear()
        .append_pair("code", "code.stolen");
    foreign
        .query_pairs_mut()
        .append_pair("state", "of-another-login");
    let page = reqwest::get(foreign.clone()).await.unwrap();
    assert_eq!(page.status(), 400);
    login.says("not the answer to this login").await;
    login.pastes(foreign.as_str()).await;
    login.says("not the answer to this login").await;
    login.pastes(&back).await;
    assert_eq!(login.ends("logged in to `notes`").await, Some(0));

    // From another authorization server than the one that was asked.
    let mut login = LoggingIn::begin(&bot, &[]).await;
    let back = notes.logs_in(&login.address);
    let forged = back.replace("iss=http", "iss=https");
    assert_ne!(forged, back);
    login.pastes(&forged).await;
    assert_eq!(login.ends("issuer mismatch").await, Some(1));

    // The person said no.
    let mut login = LoggingIn::begin(&bot, &[]).await;
    let mut refused = url::Url::parse(&notes.logs_in(&login.address)).unwrap();
    let state = refused.query_pairs().find(|(name, _)| name == "state");
    let state = state.unwrap().1.into_owned();
    refused
        .query_pairs_mut()
        .clear()
        .append_pair("error", "access_denied");
    refused.query_pairs_mut().append_pair("state", &state);
    login.pastes(refused.as_str()).await;
    assert_eq!(login.ends("said no: access_denied").await, Some(1));
    notes.assert_clean();
}

#[tokio::test]
pub async fn what_a_login_does_not_open_is_told_with_the_command_that_does() {
    let notes = FakeMcp::start().await;
    let bot = bot_logged_in(&notes).await;
    let told = result_of(&bot, "notes__erase", json!({})).await;
    let command = "sayso mcp login notes --scope notes:read --scope notes:write";
    assert!(told.contains(command), "{told}");
    assert!(notes.called().is_empty());
    bot.logs("MCP server requires scopes").await;
    log_in(&bot, &notes, &["--scope", "notes:write"]).await;
    let told = result_of(&bot, "notes__erase", json!({})).await;
    assert!(told.contains("The notes are gone."), "{told}");
    notes.assert_clean();
}

#[tokio::test]
pub async fn where_no_one_may_register_the_configured_client_logs_in() {
    let notes = FakeMcp::start().await;
    let mut bot = closed_bot(&notes).await;
    notes.knows_only("sayso-7", "hush-hush-41", "");
    let said = LoggingIn::try_to_begin(&bot, &[]).await.err().unwrap();
    assert!(said.concat().contains("set `client_id`"), "{said:?}");

    bot.set("MCP__0__CLIENT_ID", "sayso-7");
    bot.set("MCP__0__CLIENT_SECRET", "hush-hush-41");
    // Whatever is taken already is not ours: the next one may be free.
    let first = 20_000 + std::process::id() % 10_000;
    let mut begun = None;
    for port in first..first + 20 {
        let redirect = format!("http://127.0.0.1:{port}/callback");
        notes.knows_only("sayso-7", "hush-hush-41", &redirect);
        bot.set("MCP__0__REDIRECT_PORT", &port.to_string());
        begun = LoggingIn::try_to_begin(&bot, &[]).await.ok();
        if begun.is_some() {
            break;
        }
    }
    let mut login = begun.unwrap();
    let back = notes.logs_in(&login.address);
    login.pastes(&back).await;
    assert_eq!(login.ends("logged in to `notes`").await, Some(0));
    bot.start();
    bot.settles_in().await;
    bot.logs("MCP server connected").await;
    notes.ends_access_tokens();
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("Buy fish."), "{told}");
    notes.assert_clean();
}

#[tokio::test]
pub async fn a_token_is_shown_to_no_other_service_and_no_other_machine_is_asked() {
    let notes = FakeMcp::start().await;
    let mut bot = bot_logged_in(&notes).await;
    bot.stop().await;
    // The same name leads elsewhere now.
    let other = FakeMcp::start().await;
    bot.set("MCP__0__URL", &other.url());
    bot.start();
    bot.settles_in().await;
    bot.logs("MCP server waits for a login").await;
    other.assert_clean();

    // And that service names an address of the network that it lies in.
    let hidden = FakeMcp::start().await;
    other.names_as_issuer(&format!("http://{}", hidden.address()));
    let mut login = bot.command();
    let output = login
        .args(["mcp", "login", "notes"])
        .stdout(Stdio::piped())
        .output();
    let said = output.await.unwrap();
    assert_eq!(said.status.code(), Some(1));
    let said = String::from_utf8(said.stdout).unwrap();
    assert!(said.contains("cannot log in to `notes`"), "{said}");

    bot.set("TOOLS__ALLOW_PRIVATE_HOSTS", &hidden.address());
    let login = LoggingIn::begin(&bot, &[]).await;
    assert!(
        login
            .address
            .starts_with(&format!("http://{}", hidden.address()))
    );
}

#[tokio::test]
pub async fn a_login_that_is_forgotten_is_gone() {
    let notes = FakeMcp::start().await;
    let bot = bot_logged_in(&notes).await;
    let logout = || async {
        let mut command = bot.command();
        let output = command
            .args(["mcp", "logout", "notes"])
            .stdout(Stdio::piped());
        String::from_utf8(output.output().await.unwrap().stdout).unwrap()
    };
    assert!(logout().await.contains("is forgotten here"));
    assert!(logout().await.contains("there is no login"));
    assert!(!bot.data().join("logins/notes.json").exists());
    let told = result_of(&bot, "notes__read", json!({})).await;
    assert!(told.contains("waits for a login"), "{told}");
}

#[tokio::test]
pub async fn a_service_that_refuses_new_tokens_is_asked_with_longer_and_longer_pauses() {
    let notes = FakeMcp::start().await;
    let bot = bot_logged_in(&notes).await;
    notes.takes_no_token();
    result_of(&bot, "notes__read", json!({})).await;
    eventually("some renewals", || notes.renewals() >= 3).await;
    let before = notes.renewals();
    tokio::time::sleep(Duration::from_secs(4)).await;
    // The pauses are of a second and more by now; without them there are hundreds of renewals.
    let renewals = notes.renewals() - before;
    assert!(renewals <= 12, "{renewals}");
    notes.assert_clean();
}
