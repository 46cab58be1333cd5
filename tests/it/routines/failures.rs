//! Runs that fail: tried again before any effect, said once, and switched off after five in a row.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sayso_fakes::Answer;
use serde_json::json;

use super::{bot_with, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};
use crate::test_bot::{PATIENCE, TestBot};

on_both!(
    a_provider_that_is_down_for_two_hours_is_one_notice_and_then_it_works_again,
    five_failures_in_a_row_switch_a_routine_off_with_a_button_that_brings_it_back,
    a_failure_waits_in_quiet_hours
);

/// A bot whose model does not answer the requests of runs until it is healed, with a routine every two
/// hours.
async fn bot_with_a_failing_routine(platform: Platform, quiet: &str) -> (TestBot, Arc<AtomicBool>) {
    let settings = [
        ("ROUTINES__SPREAD_SECS", "0"),
        ("ROUTINES__QUIET_HOURS", quiet),
        ("AGENT__AUTONOMY", "full"),
        ("AGENT__ROUTING", "off"),
    ];
    let bot = bot_with(platform, &settings).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    let create = json!({"action": "create", "schedule": "every 2 hours", "name": "mail",
                        "prompt": "look at the mail", "late": "24h"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("Kept.");
    chat.says("keep a routine");
    chat.settles(|message| message.text == "Kept.").await;
    let is_down = Arc::new(AtomicBool::new(true));
    let down = Arc::clone(&is_down);
    bot.model.when(move |request| {
        let is_run = request.last_user().contains("look at the mail");
        is_run.then(|| {
            if down.load(Ordering::SeqCst) {
                Answer::error(401, r#"{"error": {"message": "no such key"}}"#)
            } else {
                Answer::text("Two mails.")
            }
        })
    });
    (bot, is_down)
}

/// Lets the run of this number come and fail, with every attempt of it: those are 1, 5 and 15 minutes
/// apart.
async fn fails(bot: &TestBot, number: i64) {
    for after in [1, 3, 9, 25] {
        bot.sets_clock(minutes(120 * number + after));
        let ended = found_after(bot, 4 * (number - 1) + attempts_by(after)).await;
        assert!(ended, "run {number} was not tried by {after} minutes");
    }
}

fn attempts_by(after: i64) -> i64 {
    match after {
        1 => 1,
        3 => 2,
        9 => 3,
        _ => 4,
    }
}

/// Waits until this many turns of runs have ended.
async fn found_after(bot: &TestBot, attempts: i64) -> bool {
    let deadline = tokio::time::Instant::now() + PATIENCE;
    while tokio::time::Instant::now() < deadline {
        let ended = bot
            .rows("SELECT '' || id FROM turns WHERE state = 'ended' AND request = 'mail'")
            .await;
        if i64::try_from(ended.len()).unwrap() >= attempts {
            return true;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    false
}

async fn a_provider_that_is_down_for_two_hours_is_one_notice_and_then_it_works_again(
    platform: Platform,
) {
    let (bot, is_down) = bot_with_a_failing_routine(platform, "off").await;
    let chat = bot.direct();
    fails(&bot, 1).await;
    let notice = chat
        .settles(|message| message.text.starts_with("mail failed, "))
        .await;
    assert_eq!(notice.labels(), ["Run mail"]);
    fails(&bot, 2).await;
    bot.has_said_all().await;
    let notices = chat.messages().into_iter();
    let notices = notices.filter(|message| message.text.starts_with("mail failed, "));
    assert_eq!(notices.count(), 1);
    is_down.store(false, Ordering::SeqCst);
    bot.sets_clock(minutes(361));
    let report = chat
        .settles(|message| message.text.starts_with("Two mails."))
        .await;
    assert!(report.text.ends_with("· works again"), "{report}");
    bot.assert_clean();
}

async fn five_failures_in_a_row_switch_a_routine_off_with_a_button_that_brings_it_back(
    platform: Platform,
) {
    let (bot, is_down) = bot_with_a_failing_routine(platform, "off").await;
    let chat = bot.direct();
    for number in 1..=5 {
        fails(&bot, number).await;
    }
    let notice = chat
        .settles(|message| message.button("Switch on mail").is_some())
        .await;
    assert!(notice.text.ends_with("It is switched off now."), "{notice}");
    bot.sets_clock(minutes(24 * 60));
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert_eq!(bot.rows("SELECT '' || id FROM routine_runs").await.len(), 5);
    let pressed = chat.press(&bot.ann, notice.id, "Switch on mail").await;
    assert_eq!(pressed.text.as_deref(), Some("It is on."));
    is_down.store(false, Ordering::SeqCst);
    bot.sets_clock(minutes(26 * 60 + 5));
    chat.settles(|message| message.text.starts_with("Two mails."))
        .await;
    bot.assert_clean();
}

async fn a_failure_waits_in_quiet_hours(platform: Platform) {
    let (bot, _is_down) = bot_with_a_failing_routine(platform, "off").await;
    let chat = bot.direct();
    // All of the day but the minute before midnight, so that it is quiet now, whenever this runs.
    chat.says("/quiet 00:00-23:59");
    chat.hears().await;
    fails(&bot, 1).await;
    // The scheduler looks for what is to be said at least once a second after a change.
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'failed' AND NOT told")
        .await;
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    bot.has_said_all().await;
    let untold = "SELECT state FROM routine_runs WHERE NOT told";
    assert_eq!(bot.rows(untold).await, ["failed"]);
    let is_notice = |message: &sayso_fakes::Message| message.text.starts_with("mail failed");
    assert!(!chat.messages().iter().any(is_notice));
    chat.says("/quiet off");
    chat.settles(|message| message.text.starts_with("mail failed, "))
        .await;
    bot.assert_clean();
}
