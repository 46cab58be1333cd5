//! What people want done again and again, or once later, and what they want to be reminded of: what is
//! kept of it, when it is due, what is started then, and the tools `routine`, `remind` and `report`.
//!
//! # Files
//!
//! `keeping.rs` reads and keeps, for the tools and the commands alike, `announcement.rs` says what was
//! kept, `timetable.rs` has the occurrences of a routine (`core/when` says what a schedule means),
//! `plan.rs` decides what becomes of those that have come, `due.rs` writes it, `scheduler.rs` is the
//! task that knows when, `reminder.rs` is a reminder in its chat, `runs.rs` is what `sessions` asks when
//! a run begins and ends, `notices.rs` what is said unasked; `tool.rs`, `remind_tool.rs` and
//! `report_tool.rs` are the tools. What starts a routine besides the clock is in `triggers/`.
//!
//! # Invariants
//!
//! - An occurrence is a row, unique by routine and due time (`routine_runs`). One transaction writes it,
//!   advances the routine, and writes what follows: the outbox row of a reminder, or a job. A kill
//!   before the commit leaves the routine due, one after it leaves the row.
//! - A reminder asks no model. A run of a model is a turn of origin `Routine` in a background session of
//!   its own, so it neither blocks the chat nor is joined by what is said there, and sees no turn before
//!   it.
//! - `plan.rs` is pure: late, missed and overlapping runs, and how runs are spread, are decided without
//!   a clock.
//! - The scheduler reads the machine's clock each second and does not sleep towards a moment: a
//!   suspended machine and a clock that is set wake it in time. What is due first is known in between,
//!   so a second costs no query.
//! - A clock that goes back finds nothing due; one that goes ahead finds what was missed.
//! - Runs in the background have a share of the pool (`routines.concurrent`) that they do not exceed,
//!   and people go first.
//! - A run makes, changes and starts no routine, and no reminder.
//! - What a person may do when something of theirs is due is looked up then ([`Permissions`]): for a
//!   person who lost access nothing is started.
//! - Silence is typed: a routine of `notify = "news"` says what it hands to the tool `report`, and what
//!   was said under a key is not said again for 30 days.
//! - Unasked notices wait in a person's quiet hours; reminders and reports do not.
//! - A routine is its person's alone, by whichever account; in a group only those are seen that the same
//!   person made there.
//! - A routine keeps the taint of the turn that wrote it, and its runs begin with it.
//! - This room calls no provider, drives no turn, and sends nothing but by rows of the outbox.

mod announcement;
mod asker;
mod context;
mod due;
#[cfg(test)]
mod due_tests;
pub mod exchange;
mod keeping;
mod listing;
pub mod messages;
mod moving;
mod notices;
mod plan;
#[cfg(test)]
mod plan_tests;
mod quiet_hours;
mod refusals;
mod remind_tool;
mod reminder;
mod report_tool;
#[cfg(test)]
mod row_tests;
mod run_now;
mod run_request;
mod runs;
mod scheduler;
mod started;
mod timetable;
#[cfg(test)]
mod timetable_tests;
mod tool;
mod tool_arguments;
mod triggers;
mod webhook_key;
mod zones;

pub use announcement::{keep_in, zone_buttons};
pub use asker::Asker;
pub use context::{Permissions, PersonalZone, RoutineContext, RoutineLimits};
pub use due::Begun;
pub use keeping::{NoTime, Read, Wanted, read_when, words_of};
pub use moving::{MovedRoutine, move_to_zone, next_start};
pub use plan::Late;
pub use quiet_hours::QuietHours;
pub use remind_tool::RemindTool;
pub use reminder::answer as answer_reminder;
pub use report_tool::ReportTool;
pub use run_now::{RunNow, begin_now};
pub use run_request::RunRequest;
pub use runs::{
    AfterRun, RunEnd, begin_turn, end_turn, home_session, note_over_budget, note_parked,
    take_reports,
};
pub use scheduler::Scheduler;
pub use timetable::{Timetable, by_clock};
pub use tool::RoutineTool;
pub use triggers::messages::when as trigger_in_words;
pub use triggers::{
    Delivery, FileWatcher, GroupMessage, PATH as WEBHOOK_PATH, Received, Trigger, Webhooks,
    heard_in_group,
};
pub use webhook_key::WebhookKey;
pub use zones::named as zone_named;
