//! How a project is verified, as pure functions: which commands check it, what their output says,
//! what is done about a failure, and the receipt that a person reads.
//!
//! Nothing here runs a command, reads a file or a clock: callers bring the names and texts of files
//! and the outputs of commands, and do what they get as an answer.
//!
//! # Files
//!
//! `files.rs` has what is known of a project's files, `recipes/` finds its recipes in them and plans
//! which of these run, `analysis.rs` reads what a check wrote, `fingerprint.rs` makes equal failures
//! equal, `coordinator.rs` decides what is done next, `receipt.rs` says what was found, `claims.rs`
//! recognizes a text that claims success.
//!
//! # Invariants
//!
//! - A receipt is made from reports of checks alone, never from words of a model.
//! - The coordinator ends: each check runs at most twice in a round, and there are at most
//!   `max_corrections` rounds beyond the first.

mod analysis;
mod claims;
mod coordinator;
mod files;
mod fingerprint;
mod receipt;
mod recipes;

#[cfg(test)]
mod coordinator_tests;

pub use analysis::{Ending, Ran, report};
pub use claims::claims_success;
pub use coordinator::{CheckLimits, History, RERUN_WITHIN, Recovery, Step, WhyOver, next};
pub use files::{MANIFESTS, MAX_NAMES, ProjectFiles};
pub use receipt::{Receipt, ReceiptPart};
pub use recipes::{
    ConfiguredChecks, MAX_COMMAND_CHARS, Recipe, RecipeSource, Request, plan, recipes,
};
pub use sayso_core::transcript::CheckStrategy;
