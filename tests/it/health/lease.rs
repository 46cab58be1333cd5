//! One listener per token: a channel that has not the lease waits, says so, and takes over.

use sayso_fakes::Fault;

use super::{bot_with_window, health_until, is};
use crate::test_bot::PATIENCE;

/// Gives the lease to somebody else for a minute; ours was good for 20 s.
const TO_A_STRANGER: &str = "UPDATE pollers SET owner = 'a stranger',
     until_ms = CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER) + 60000";
/// The stranger's minute is over.
const FROM_THE_STRANGER: &str = "UPDATE pollers SET until_ms = 0";

#[tokio::test]
async fn lease_is_of_the_process_and_its_channel_and_keeps_no_token() {
    let (bot, window) = bot_with_window(&[]).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    let rows = bot.rows("SELECT token || ' ' || owner FROM pollers").await;
    let [row] = rows.as_slice() else {
        panic!("{rows:?}")
    };
    let (token, owner) = row.split_once(' ').unwrap();
    assert_eq!(token.len(), 64);
    assert!(
        owner.starts_with("process-") && owner.ends_with(" telegram"),
        "{owner}"
    );
    assert!(!row.contains(bot.telegram.token()));
}

#[tokio::test]
async fn lease_is_given_back_at_a_clean_end_and_freed_after_a_crash() {
    let (mut bot, window) = bot_with_window(&[]).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    bot.kill().await;
    assert_eq!(bot.rows("SELECT owner FROM pollers").await.len(), 1);
    let polls = bot.telegram.count("getUpdates");
    bot.start();
    bot.telegram.waits_for_calls("getUpdates", polls + 1).await;
    assert!(!bot.log().contains("another Sayso"));
    bot.stop().await;
    assert_eq!(bot.rows("SELECT owner FROM pollers").await.len(), 0);
}

#[tokio::test]
async fn lost_lease_ends_the_polls_until_it_is_free_again() {
    let (bot, window) = bot_with_window(&[]).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    bot.change(TO_A_STRANGER).await;
    let (status, report) = health_until(&window, PATIENCE, |_, report| is(report, "waiting")).await;
    assert_eq!(status, 503);
    let reason = report["channels"][0]["reason"].as_str().unwrap();
    assert!(
        reason.starts_with("another Sayso listens with this token"),
        "{reason}"
    );
    // Sayso does not poll meanwhile: its poll would take an update away from the other listener.
    let polls = bot.telegram.count("getUpdates");
    let chat = bot.direct();
    chat.says("whose turn is it?");
    assert_eq!(bot.telegram.count("getUpdates"), polls);
    bot.change(FROM_THE_STRANGER).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    chat.settles(|message| message.text == "ok: whose turn is it?")
        .await;
    bot.assert_clean();
}

#[tokio::test]
async fn second_poller_elsewhere_is_told_and_waited_out() {
    let (bot, window) = bot_with_window(&[]).await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
    bot.telegram
        .fail_when(|call| (call.method == "getUpdates").then_some(Fault::Conflict));
    let chat = bot.direct();
    chat.says("hello");
    let (_, report) = health_until(&window, PATIENCE, |_, report| is(report, "waiting")).await;
    let reason = report["channels"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains("another program polls with this token"),
        "{reason}"
    );
    bot.telegram.heal();
    chat.settles(|message| message.text == "ok: hello").await;
    health_until(&window, PATIENCE, |_, report| is(report, "connected")).await;
}
