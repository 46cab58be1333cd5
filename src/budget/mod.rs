//! Budgets: what turns, people, routines and the instance may spend on model calls.
//!
//! A call is set aside before it is made, counts from then on, and is booked when it is over; so
//! turns that run at once cannot spend the same tokens, and a call that a crash cut off is not
//! forgotten. What answers in flight may still take is kept beside, so that together they pass a
//! limit by one call. Limits of a day can be raised for the rest of it, by an owner's press on a
//! card and by nothing else. This room counts and judges; it asks no model and sends nothing.

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
    ModelUse, NextCall, SetAside, Settled, UsedUp, Warning, book_reading, reserve, settle,
};
pub use messages::RaiseState;
pub use prices::{Price, Prices};
pub use raise::{Answered, RaiseAsked, Waiting, answer, ask, document};
pub use report::report;
pub use reservations::{Reservation, Reservations};
pub use rules::{BudgetRules, Limit, Scope};
