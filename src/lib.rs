//! Sayso: a self-hosted agent that lives in chats and acts on your say-so.
//!
//! The rooms, in the order in which a message meets them; `docs/src/contributing/architecture.md` is the map and
//! `tests/it/layers` says which room may name which. Some rooms are crates: what they show is what is
//! `pub` in them. In the rooms that are modules of this crate, `pub` is what another room may name.

#![expect(
    unreachable_pub,
    reason = "`pub` is for the other rooms, and `tests/it/layers` keeps to that"
)]

mod agent;
pub mod app;
mod approvals;
mod audit;
#[doc(hidden)]
pub mod bench_support;
mod budget;
mod bus;
pub mod cli;
mod code_index;
mod commands;
pub mod config;
mod delivery;
mod demo;
mod executor;
mod http;
mod intake;
mod persona;
mod processes;
mod prompts;
mod routines;
mod sessions;
mod settings;
mod skills;

use std::process::ExitCode;

pub use sayso_sandbox::helper::HELPER_ARGUMENT;

/// Is the helper, from its first to its last moment. Called by `main` when the first argument is
/// [`HELPER_ARGUMENT`], before anything else starts a thread.
pub fn helper_main() -> ExitCode {
    sayso_sandbox::helper::helper_main(sayso_tools::work_sealed)
}
