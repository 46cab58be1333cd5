//! kill -9 at any moment, and clocks that jump: no occurrence is missed without a row, and none is
//! doubled.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use sayso_fakes::Answer;
use serde_json::json;

use super::{bot_with, bot_with_clock, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(
    reminders_come_once_whenever_sayso_is_killed,
    runs_do_their_work_once_whenever_sayso_is_killed
);

/// How often Sayso is killed while reminders are due; more by `SAYSO_KILLS`.
const KILLS: u64 = 40;
/// How often while runs work.
const KILLS_OF_RUNS: u64 = 20;
/// How many reminders are kept.
const REMINDERS: usize = 5;

/// Fails where occurrences were left out or doubled: every ten minutes since a reminder was made, there
/// was one.
async fn assert_complete(bot: &TestBot) {
    let wrong = bot
        .rows(
            "SELECT o.prompt || ': ' || (o.due_ms - o.anchor_ms) / 600000 || ', but '
                 || (SELECT coalesce(sum(occurrences), 0) FROM routine_runs WHERE routine_id = o.id)
             FROM routines o
             WHERE (SELECT coalesce(sum(occurrences), 0) FROM routine_runs WHERE routine_id = o.id)
                   <> (o.due_ms - o.anchor_ms) / 600000 - 1",
        )
        .await;
    assert!(wrong.is_empty(), "{wrong:?}");
    let early = bot
        .rows("SELECT '' || id FROM routine_runs WHERE due_ms > created_ms")
        .await;
    assert!(early.is_empty(), "{early:?}");
}

/// Returns how often Sayso is killed.
fn kills_or(default: u64) -> u64 {
    std::env::var("SAYSO_KILLS").map_or(default, |kills| kills.parse().unwrap())
}

async fn reminders_come_once_whenever_sayso_is_killed(platform: Platform) {
    let kills = kills_or(KILLS);
    let mut bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    for number in 0..REMINDERS {
        chat.says(&format!("/remind every 10 minutes drink glass {number}"));
        chat.hears().await;
    }
    let mut ahead = 0;
    for round in 0..kills {
        // A clock that also goes back, by less than it went ahead before.
        let jump = [11, 35, -8, 10, 121, -60, 10][usize::try_from(round % 7).unwrap()];
        ahead += jump;
        bot.sets_clock(minutes(ahead));
        // From before the scheduler looks to after it has committed.
        let wait = (round * 373) % 1400;
        tokio::time::sleep(Duration::from_millis(wait)).await;
        bot.kill().await;
        bot.start();
        if round % 8 == 7 {
            bot.settles_in().await;
        }
    }
    bot.settles_in().await;
    ahead += 200;
    bot.sets_clock(minutes(ahead));
    tokio::time::sleep(Duration::from_millis(2500)).await;
    bot.has_said_all().await;
    assert_complete(&bot).await;
    // Each that was started was said by one row.
    let unequal = bot
        .rows(
            "SELECT 'prompts ' || (SELECT count(*) FROM prompts WHERE kind = 'reminder')
                 || ', runs ' || (SELECT count(*) FROM routine_runs WHERE state = 'done')
                 || ', messages ' || (SELECT count(*) FROM outbox WHERE edits IS NULL AND subject IN
                        (SELECT id FROM prompts WHERE kind = 'reminder'))
             WHERE (SELECT count(*) FROM prompts WHERE kind = 'reminder')
                   <> (SELECT count(*) FROM routine_runs WHERE state = 'done')
                OR (SELECT count(*) FROM outbox WHERE edits IS NULL AND subject IN
                        (SELECT id FROM prompts WHERE kind = 'reminder'))
                   <> (SELECT count(*) FROM routine_runs WHERE state = 'done')",
        )
        .await;
    assert!(unequal.is_empty(), "{unequal:?}");
    assert!(bot.model.requests().is_empty());
}

/// Has the model make a routine that runs every half hour, and answer its runs with one command each,
/// no two of which are equal, and a report.
async fn has_a_routine_of_commands(bot: &TestBot) {
    let chat = bot.direct();
    let create = json!({"action": "create", "schedule": "every 30 minutes", "name": "count",
                        "prompt": "count the sheep", "late": "24h"});
    bot.model.calls(vec![("routine", create)]);
    bot.model.says("Kept.");
    chat.says("keep a routine");
    chat.settles(|message| message.text == "Kept.").await;
    let asked = AtomicUsize::new(0);
    bot.model.when(move |request| {
        let is_run = request.last_user().contains("count the sheep");
        is_run.then(|| {
            let number = asked.fetch_add(1, Ordering::SeqCst);
            if request.tool_results().is_empty() {
                let command = json!({"command": format!("echo {number} >> sheep")});
                Answer::calls(vec![("shell", command)])
            } else {
                Answer::text(format!("Sheep were counted, report {number}."))
            }
        })
    });
}

async fn runs_do_their_work_once_whenever_sayso_is_killed(platform: Platform) {
    let settings = [
        ("ROUTINES__SPREAD_SECS", "0"),
        ("AGENT__AUTONOMY", "full"),
        ("AGENT__ROUTING", "off"),
        ("POLICY__ALLOW_COMMANDS", "echo"),
    ];
    let mut bot = bot_with(platform, &settings).await;
    lives_in_berlin(&bot.direct()).await;
    has_a_routine_of_commands(&bot).await;
    let mut ahead = 0;
    for round in 0..kills_or(KILLS_OF_RUNS) {
        ahead += [31, 95, -20, 40, 121][usize::try_from(round % 5).unwrap()];
        bot.sets_clock(minutes(ahead));
        // From before the scheduler looks to after the run has reported.
        tokio::time::sleep(Duration::from_millis(300 + (round * 373) % 1700)).await;
        bot.kill().await;
        bot.start();
        if round % 4 == 3 {
            bot.settles_in().await;
        }
    }
    bot.settles_in().await;
    bot.has_noted(
        "SELECT 'over' WHERE NOT EXISTS (
             SELECT 1 FROM routine_runs WHERE state IN ('queued', 'running'))",
    )
    .await;
    bot.has_said_all().await;
    let runs = bot
        .rows("SELECT '' || due_ms FROM routine_runs WHERE state IN ('done', 'failed')")
        .await;
    assert!(runs.len() > 2, "{runs:?}");
    // No occurrence has two rows, none came early, and none between the first and the last is missing.
    let wrong = bot
        .rows(
            "SELECT 'of ' || (max(due_ms) - min(due_ms)) / 1800000 || ', rows ' || sum(occurrences)
             FROM routine_runs
             HAVING sum(occurrences) <> (max(coalesce(until_ms, due_ms)) - min(due_ms)) / 1800000 + 1
                 OR count(DISTINCT due_ms) <> count(*) OR min(created_ms - due_ms) < 0",
        )
        .await;
    assert!(wrong.is_empty(), "{wrong:?}");
    // No command ran twice.
    let counted = std::fs::read_to_string(bot.workspace().join("sheep")).unwrap();
    let mut numbers: Vec<&str> = counted.lines().collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), counted.lines().count(), "{counted}");
    // A run that reported did so by one message.
    let reports = bot
        .rows(
            "SELECT r.due_ms || ': ' || count(o.id) FROM routine_runs r
             LEFT JOIN outbox o ON o.turn_id = r.turn_id AND o.purpose = 'final' AND o.edits IS NULL
             WHERE r.state = 'done' GROUP BY r.id HAVING count(o.id) <> 1",
        )
        .await;
    assert!(reports.is_empty(), "{reports:?}");
}
