//! Clocks that jump: back, and far ahead.

use super::{bot_with_clock, hears_due, lives_in_berlin, minutes};
use crate::platform::{Platform, on_both};

on_both!(a_clock_that_goes_back_doubles_nothing);

async fn a_clock_that_goes_back_doubles_nothing(platform: Platform) {
    let bot = bot_with_clock(platform).await;
    let chat = bot.direct();
    lives_in_berlin(&chat).await;
    chat.says("/remind every 90 minutes drink water");
    chat.hears().await;
    bot.sets_clock(minutes(90));
    hears_due(&chat).await;
    for jump in [0, 89, 90, -24 * 60, 45, 91] {
        bot.sets_clock(minutes(jump));
        tokio::time::sleep(std::time::Duration::from_millis(1200)).await;
    }
    assert_eq!(chat.unheard(), 0);
    bot.sets_clock(minutes(180));
    hears_due(&chat).await;
    let rows = bot.rows("SELECT state FROM routine_runs").await;
    assert_eq!(rows, ["done", "done"]);
    bot.assert_clean();
}
