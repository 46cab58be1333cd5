//! Budgets: what turns, people, routines and the instance may spend on model calls.
//!
//! A call is set aside before it is made, counts from then on, and is booked when it is over; so
//! turns that run at once cannot spend the same tokens, and a call that a crash cut off is not
//! forgotten. What answers in flight may still take is kept beside, so that together they pass a
//! limit by one call. Limits of a day can be raised for the rest of it, by an owner's press on a
//! card and by nothing else. This room counts and judges; it asks no model and sends nothing.
//!
//! # Files
//!
//! `rules.rs` and `prices.rs` are the configuration, `ledger.rs` reserves and settles, `day.rs`
//! says which day it is, `raise.rs` is the card, `report.rs` is `/usage`.
//!
//! # Invariants
//!
//! - `budget` asks no model and sends nothing: `sessions/session_budget.rs` reserves and settles,
//!   `commands/budget_prompts.rs` does what a press answers.
//! - A reservation counts as spent until it is settled, so turns that run at once cannot spend the
//!   same, and a call that a crash cut off stays an estimate.
//! - `reservations.rs` keeps in memory what answers in flight may still take. A call runs beside
//!   others only while all of that fits into what is left; else it waits for them in the order in
//!   which the calls came. It is decided in the transaction of the reservation, so far from a limit
//!   nothing is written or waited for besides.
//! - Several calls of one session may be in flight at once: each gives back what was set aside for
//!   it, and only what belongs to none of them stays as the estimate of a call that was lost.
//! - A limit is judged by a cache of the day's spending (`spending_cache.rs`); one that is reached
//!   is read before a call is refused.
//! - What a service reports is passed on by `providers` unchanged (`Counted`), with the outcome of
//!   attempts that broke off (`Received`, noted in `Attempts`); `agent/budget_meter.rs` validates
//!   it when it settles the reservation.
//! - What a turn has spent is written where it ends, waits for a person or is left by a shutdown,
//!   and known in memory until then. After a crash it is what its journal says, with what was set
//!   aside; what users and the instance spend is written with each call.
//! - Money is whole millionths of the currency, rounded up once per call.
//! - A day that has begun goes on when the clock is set back over midnight; one that lies further
//!   ahead came from a wrong clock, and is not believed.
//! - No text that others may read shows a user's figures: a turn that ends says which limit,
//!   `/usage` says how much.
//! - The limit of a routine is counted and judged; its keys come with routines.

mod billing_subject;
mod day;
mod ledger;
pub mod messages;
mod prices;
mod raise;
mod report;
mod reservations;
mod rules;
mod spending_cache;

pub use billing_subject::BillingSubject;
pub use day::Day;
pub use ledger::{
    ModelUse, NextCall, SetAside, Settled, UsedUp, Warning, book_reading, reserve, restore_turn,
    settle,
};
pub use messages::RaiseState;
pub use prices::{Price, Prices};
pub use raise::{Answered, RaiseAsked, Waiting, answer, ask, document};
pub use report::report;
pub use reservations::{Reservation, Reservations};
pub use rules::{BudgetRules, Limit, Scope};
