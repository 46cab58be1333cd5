//! How Sayso is, told to people and machines: honest while a connection is cut, and after it
//! healed.

/// Two bot accounts in one process.
mod accounts;
/// An embedder that answers, and one that does not.
mod embedder;
/// One listener per token.
mod lease;
/// What service managers and container health checks get.
mod service;
/// What model calls cost.
mod spending;
/// The start, as an operator sees it.
mod starting;
/// What `/status` says.
mod status;
/// What a collector of traces is sent.
pub mod traces;
/// `/health` and `/metrics`.
mod window;

use std::time::Duration;

use serde_json::Value;

use crate::test_bot::{TestBot, found};

/// Returns a bot whose window is open, and the address of the window.
pub async fn bot_with_window(settings: &[(&str, &str)]) -> (TestBot, String) {
    let mut bot = TestBot::closed(settings).await;
    bot.set("HTTP__LISTEN", "127.0.0.1:0");
    bot.start();
    let address = window_of(&bot).await;
    (bot, address)
}

/// Reads from the log where the window is.
pub async fn window_of(bot: &TestBot) -> String {
    let address = found(|| {
        let log = bot.log();
        let line = log
            .lines()
            .find(|line| line.contains("serving health and metrics"))?;
        let (_, address) = line.split_once("address=")?;
        Some(address.trim().to_owned())
    });
    let address = address.await;
    address.unwrap_or_else(|| panic!("no window:\n{}", bot.log()))
}

/// Asks for a page, and returns its status and text.
pub async fn get(address: &str, path: &str) -> (u16, String) {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let answer = client.get(format!("http://{address}{path}"));
    let answer = answer.send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

/// Asks how things are until they are as wanted, for at most `within`; returns status and report.
pub async fn health_until(
    address: &str,
    within: Duration,
    is_so: impl Fn(u16, &Value) -> bool,
) -> (u16, Value) {
    let deadline = tokio::time::Instant::now() + within;
    loop {
        let (status, text) = get(address, "/health").await;
        let report: Value = serde_json::from_str(&text).unwrap();
        if is_so(status, &report) {
            return (status, report);
        }
        assert!(
            tokio::time::Instant::now() < deadline,
            "not so within {within:?}: {status} {text}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Whether the first channel is in this state.
fn is(report: &Value, status: &str) -> bool {
    report["channels"][0]["status"] == status
}
