//! `[routines]`: what is started, by whose clock, how often and how many.

use sayso_fakes::Answer;
use serde_json::json;

use crate::platform::Chat;
use crate::test_bot::TestBot;

/// Each key and the test that proves its effect.
pub const PROOFS: &[(&str, fn())] = &[
    ("routines.enabled", nothing_is_started_while_it_is_off),
    ("routines.zone", people_who_named_no_zone_live_by_it),
    ("routines.shortest_minutes", no_routine_comes_more_often),
    ("routines.most", no_more_routines_are_kept),
    ("routines.concurrent", no_more_runs_work_at_once),
    ("routines.spread_secs", runs_of_models_are_spread_over_it),
    ("routines.late", a_run_that_was_missed_is_left_out),
    ("routines.quiet_hours", people_who_set_none_have_these),
    (
        "routines.triggered_per_hour",
        the_card_of_a_trigger_says_how_many_runs_an_hour_has,
    ),
    (
        "routines.keep_runs_days",
        what_became_of_runs_is_forgotten_after_it,
    ),
];

async fn bot_with(settings: &[(&str, &str)]) -> TestBot {
    let full = [("AGENT__AUTONOMY", "full")];
    let mut bot = TestBot::closed(&[&full, settings].concat()).await;
    bot.has_a_clock();
    bot.start();
    bot
}

/// Has the model make a routine, and returns what it was told.
async fn makes(bot: &TestBot, chat: &Chat, schedule: &str, prompt: &str) -> String {
    let create = json!({"action": "create", "schedule": schedule, "prompt": prompt});
    bot.model.calls(vec![("routine", create)]);
    let done = format!("Done after {}.", bot.model.requests().len());
    bot.model.says(&done);
    chat.says("keep a routine");
    chat.settles(|message| message.text == done).await;
    bot.model.requests().pop().unwrap().last_tool_result()
}

#[tokio::test]
pub async fn nothing_is_started_while_it_is_off() {
    let mut bot = bot_with(&[("ROUTINES__ENABLED", "false")]).await;
    let chat = bot.direct();
    chat.says("/remind in 1 hour call mum");
    chat.hears().await;
    bot.sets_clock(chrono::TimeDelta::hours(2));
    tokio::time::sleep(std::time::Duration::from_millis(1500)).await;
    assert!(bot.rows("SELECT state FROM routine_runs").await.is_empty());
    bot.stop().await;
    bot.set("ROUTINES__ENABLED", "true");
    bot.start();
    chat.hears_with(|message| message.text.contains("⏰ call mum\n(late"))
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn people_who_named_no_zone_live_by_it() {
    let bot = bot_with(&[("ROUTINES__ZONE", "Asia/Tokyo")]).await;
    let chat = bot.direct();
    chat.says("/remind tomorrow at 9 call mum");
    let kept = chat.hears().await;
    assert!(kept.text.contains(", 09:00 (Asia/Tokyo)"), "{kept}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn no_routine_comes_more_often() {
    let bot = bot_with(&[("ROUTINES__SHORTEST_MINUTES", "60")]).await;
    let chat = bot.direct();
    let refused = makes(&bot, &chat, "every 59 minutes", "look").await;
    assert!(refused.contains("at most every 60 minutes"), "{refused}");
    let kept = makes(&bot, &chat, "every 60 minutes", "look").await;
    assert!(kept.starts_with("kept (id "), "{kept}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn no_more_routines_are_kept() {
    let bot = bot_with(&[("ROUTINES__MOST", "1")]).await;
    let chat = bot.direct();
    let kept = makes(&bot, &chat, "every day at 9", "look").await;
    assert!(kept.starts_with("kept (id "), "{kept}");
    let refused = makes(&bot, &chat, "every day at 10", "look again").await;
    assert!(refused.contains("the user has 1 routines"), "{refused}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn no_more_runs_work_at_once() {
    let bot = bot_with(&[
        ("ROUTINES__CONCURRENT", "1"),
        ("ROUTINES__SPREAD_SECS", "0"),
    ])
    .await;
    let chat = bot.direct();
    for number in 1..=3 {
        makes(
            &bot,
            &chat,
            "every 90 minutes",
            &format!("count to {number}"),
        )
        .await;
    }
    bot.model.answers(Answer::hangs());
    bot.sets_clock(chrono::TimeDelta::minutes(91));
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'running'")
        .await;
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    let running = bot
        .rows("SELECT state FROM routine_runs WHERE state = 'running'")
        .await;
    assert_eq!(running.len(), 1);
    // A person is answered meanwhile.
    chat.says("hello there");
    chat.settles(|message| message.text == "ok: hello there")
        .await;
    bot.assert_clean();
}

#[tokio::test]
pub async fn runs_of_models_are_spread_over_it() {
    let bot = bot_with(&[("ROUTINES__SPREAD_SECS", "600")]).await;
    let chat = bot.direct();
    for number in 1..=6 {
        makes(&bot, &chat, "every day at 9", &format!("count to {number}")).await;
    }
    let spread = bot
        .rows("SELECT cast((next_ms - due_ms) / 1000 AS TEXT) FROM routines")
        .await;
    let spread: Vec<i64> = spread.iter().map(|secs| secs.parse().unwrap()).collect();
    assert!(
        spread.iter().all(|secs| (0..600).contains(secs)),
        "{spread:?}"
    );
    assert!(spread.iter().any(|secs| *secs > 60), "{spread:?}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn a_run_that_was_missed_is_left_out() {
    let mut bot = bot_with(&[("ROUTINES__LATE", "skip")]).await;
    let chat = bot.direct();
    makes(&bot, &chat, "every 90 minutes", "look at the mail").await;
    bot.stop().await;
    bot.sets_clock(chrono::TimeDelta::minutes(100));
    bot.start();
    bot.has_noted("SELECT '' || id FROM routine_runs WHERE state = 'missed'")
        .await;
    assert_eq!(bot.rows("SELECT '' || id FROM routine_runs").await.len(), 1);
    bot.assert_clean();
}

#[tokio::test]
pub async fn people_who_set_none_have_these() {
    let bot = bot_with(&[("ROUTINES__QUIET_HOURS", "21:00-06:00")]).await;
    let chat = bot.direct();
    chat.says("/quiet");
    let shown = chat.hears().await;
    assert!(shown.text.contains("21:00-06:00"), "{shown}");
    chat.says("/quiet off");
    chat.hears().await;
    chat.says("/quiet");
    let shown = chat.hears().await;
    assert!(shown.text.contains("at any hour"), "{shown}");
    bot.assert_clean();
}

#[tokio::test]
pub async fn what_became_of_runs_is_forgotten_after_it() {
    let mut bot = bot_with(&[("ROUTINES__KEEP_RUNS_DAYS", "10")]).await;
    let chat = bot.direct();
    chat.says("/remind in 1 hour call mum");
    chat.hears().await;
    bot.sets_clock(chrono::TimeDelta::minutes(61));
    chat.hears_with(|message| message.text == "⏰ call mum")
        .await;
    bot.stop().await;
    bot.sets_clock(chrono::TimeDelta::days(12));
    bot.start();
    bot.has_noted("SELECT 'gone' WHERE NOT EXISTS (SELECT 1 FROM routine_runs)")
        .await;
    bot.has_noted("SELECT 'gone' WHERE NOT EXISTS (SELECT 1 FROM routines)")
        .await;
    bot.assert_clean();
}

/// `routines::triggers::files` counts the runs.
#[tokio::test]
pub async fn the_card_of_a_trigger_says_how_many_runs_an_hour_has() {
    let bot = TestBot::with(&[("ROUTINES__TRIGGERED_PER_HOUR", "1")]).await;
    let chat = bot.direct();
    let create = json!({"action": "create", "on_file": "*.md", "prompt": "read it"});
    bot.model.calls(vec![("routine", create)]);
    chat.says("whenever a note changes, read it");
    let card = chat.hears_with(sayso_fakes::Message::asks).await;
    assert!(card.text.contains("at most once an hour"), "{card}");
    bot.assert_clean();
}
