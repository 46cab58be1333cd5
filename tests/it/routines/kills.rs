//! kill -9 at any moment, and clocks that jump: no occurrence is missed without a row, and none is
//! doubled.

use std::time::Duration;

use super::{bot_with_clock, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};
use crate::test_bot::TestBot;

on_both!(reminders_come_once_whenever_sayso_is_killed);

/// How often Sayso is killed; more by `SAYSO_KILLS`.
const KILLS: u64 = 40;
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

async fn reminders_come_once_whenever_sayso_is_killed(platform: Platform) {
    let kills = std::env::var("SAYSO_KILLS").map_or(KILLS, |kills| kills.parse().unwrap());
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
