//! Routines and reminders when they are due.
//!
//! Sayso's clock is set by the tests: builds for tests read what is to be added to the machine's clock
//! from a file (`src/store/clock.rs`, `TestBot::has_a_clock`), so a day passes at once in a process that
//! runs, and a clock goes back. What sleeps by the monotonic clock is not touched by that, as on a
//! machine whose clock is set.
//!
//! The complaints of users of other assistants that these tests are about, by the numbers of the design
//! page, and where each is tried. `plan` is `src/routines/plan_tests.rs`, which needs no clock.
//!
//! | row | what | test |
//! |---|---|---|
//! | 1, 2 | after a stop every occurrence has a row | `late::what_was_missed_has_a_row_and_is_said_once`, `plan` |
//! | 3, 7, 8 | a kill at any moment: once | `kills` |
//! | 4, 6 | late ones come and say so | `late::a_reminder_of_a_time_without_sayso_comes_late_and_says_so` |
//! | 5 | made up for within a window, or skipped | `plan` |
//! | 9, 33 | no overlap; a run that waits for a yes is not repeated | `plan`, `runs::a_run_that_needs_a_yes_waits_and_the_next_one_does_not_repeat_it` |
//! | 10 | the same is kept once | `reminders::the_same_reminder_is_kept_once` |
//! | 11 | what is due earlier wakes the clock | `reminders::an_earlier_reminder_does_not_wait_for_a_later_one` |
//! | 12, 13, 14, 16 | wall times and intervals through changes of clocks | `timetable_tests` |
//! | 15, 17 | a zone for each person, asked about once | `zones` |
//! | 18 | relative times count from the message | `reminders::a_reminder_comes_at_its_time_and_is_put_off_and_settled` |
//! | 21, 22 | delivered is what the platform has named, also when a turn of the chat ends at the same time | `runs::a_run_and_a_turn_of_the_chat_that_end_together_are_both_heard` |
//! | 23, 25, 26 | a failure is said, with when it was due, in words | `failures::a_provider_that_is_down_for_two_hours_is_one_notice_and_then_it_works_again` |
//! | 24 | off after five, with a button | `failures::five_failures_in_a_row_switch_a_routine_off_with_a_button_that_brings_it_back` |
//! | 27 | one notice of a provider that is down | the one of row 23 |
//! | 28, 29 | silence is typed, items are known by keys | `news::only_what_is_reported_is_said_and_once` |
//! | 30 | no call of a model while nothing is due | `benches/routines/idle.rs` |
//! | 31 | run 100 reads as little as run 1 | `runs::a_run_sees_nothing_of_the_conversation_nor_of_other_runs` |
//! | 32 | what became of runs is kept for a time | `settings::routines` |
//! | 34, 35 | one path for all runs, unattended | `runs::a_run_that_needs_a_yes_waits_and_the_next_one_does_not_repeat_it`, `runs::a_routine_runs_now_by_a_button` |
//! | 36 | no text decides what a run may do: the executor asks, and taint is kept | the one of row 33 |
//! | 37 | quiet hours hold notices alone | `failures::a_failure_waits_in_quiet_hours` |
//! | 38 | a share of the pool | `settings::routines::no_more_runs_work_at_once` |
//! | 39 | runs of models are spread | `plan`, `settings::routines::runs_of_models_are_spread_over_it` |
//! | 55 | night hours in Chinese | `src/core/when/tests.rs` |
//! | 53 | a run makes no routine | `runs::a_run_makes_no_routines` |
//! | 54 | what would have started it is said when it is made | `triggers::words`, `triggers::files` |
//! | 19, 20 | where it was asked for, and nowhere else | `reminders::a_reminder_of_a_group_comes_in_that_group` |

mod clocks;
mod exchange;
mod failures;
mod kills;
mod late;
mod news;
mod operator;
mod reminders;
mod runs;
mod triggers;
mod zones;

use chrono::TimeDelta;
use sayso_fakes::Message;

use crate::platform::{Chat, Platform};
use crate::test_bot::TestBot;

/// Starts a bot whose clock the test sets, in Berlin.
async fn bot_with_clock(platform: Platform) -> TestBot {
    bot_with(platform, &[]).await
}

/// The same with some settings changed.
async fn bot_with(platform: Platform, settings: &[(&str, &str)]) -> TestBot {
    let zone = [("ROUTINES__ZONE", "Europe/Berlin")];
    let mut bot = TestBot::closed_on(platform, &[&zone, settings].concat()).await;
    bot.has_a_clock();
    bot.start();
    bot.settles_in().await;
    bot
}

/// Sets the zone, so that it is not asked about.
async fn lives_in_berlin(chat: &Chat) {
    chat.says("/timezone Berlin");
    chat.hears_with(|message| message.text.contains("Europe/Berlin"))
        .await;
}

fn minutes(minutes: i64) -> TimeDelta {
    TimeDelta::minutes(minutes)
}

/// Whether this is a reminder that is due.
fn is_due(message: &Message) -> bool {
    message.button("Done").is_some()
}

/// Waits for the next reminder that is due.
async fn hears_due(chat: &Chat) -> Message {
    chat.hears_with(is_due).await
}
