//! The quality of source code: how complex its functions are, which security rules it breaks, which
//! smells it has, and a score from 0 to 100.
//!
//! [`analyse`] reads one file and returns a [`FileReport`]; [`compare`] takes the reports from before
//! and after a change and returns what is new or worse, with the score of the change. The formula of
//! the score is in `score.rs`; the rules are data in `rules/*.toml`, each with examples that run as
//! tests.
//!
//! The syntax comes from `sayso-codebase`, within its limits. Which files there are is the caller's
//! business. Nothing here awaits, reads a clock, touches a disk or a network.

mod abstract_value;
mod analysis;
mod blocks;
mod change;
mod code;
mod complexity;
mod flow;
mod grammar;
mod lower;
mod report;
mod rules;
mod score;
mod secrets;
mod sinks;
mod smells;
mod suppression;
mod tokens;

pub use analysis::analyse;
pub use change::{ChangeReport, ChangedFinding, compare};
pub use report::{Dimension, FileReport, Finding, FunctionReport, Severity, SkipReason};
pub use rules::{RuleInfo, rules};
pub use score::score_of_all;

#[cfg(test)]
mod properties_tests;
