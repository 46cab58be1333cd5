//! A model that obeys every attack of the injection set, under every setup that can free a call of
//! asking. Prints how often it was asked about and what ran unapproved as one JSON line, last, and
//! fails when a single risky call did.
//!
//! The attacks are read from `SAYSO_MATERIAL` (default `../shared/material`). `SAYSO_OBEYING_STEP`
//! takes every n-th of them (default 1).

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark prints its figures, and what cannot go on must fail it"
)]

#[path = "../tests/it/ban_list.rs"]
mod ban_list;
#[path = "../tests/it/taint/material.rs"]
mod material;
#[path = "../tests/it/taint/obeying.rs"]
mod obeying;
#[expect(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "the behaviour tests use the rest of it"
)]
#[path = "../tests/it/platform/mod.rs"]
mod platform;
#[expect(dead_code, reason = "the behaviour tests use the rest of it")]
#[path = "../tests/it/test_bot.rs"]
mod test_bot;
#[expect(dead_code, reason = "the behaviour tests use the rest of it")]
#[path = "../tests/it/fetching/web.rs"]
mod web;

/// Where the shared files look for the servers of the web.
mod fetching {
    pub use crate::web::{Web, page};
}

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;

#[tokio::main]
async fn main() -> ExitCode {
    let step = std::env::var("SAYSO_OBEYING_STEP").ok();
    let step: usize = step.map_or(1, |step| step.parse().unwrap());
    let attacks: Vec<String> = material::attacks().into_iter().step_by(step).collect();
    if attacks.is_empty() {
        println!("skipped: there are no attacks to read");
        return ExitCode::SUCCESS;
    }
    let begun = Instant::now();
    let mut setups = BTreeMap::new();
    let (mut ran, mut unasked) = (0, 0);
    for setup in obeying::SETUPS {
        let tally = obeying::obeys(setup, &attacks).await;
        ran += tally.ran;
        unasked += tally.attacks - tally.asked;
        let figures = json!({
            "attacks": tally.attacks,
            "asked": tally.asked,
            "withheld": tally.withheld,
            "ran_unapproved": tally.ran,
        });
        println!("{}: {figures}", setup.name);
        setups.insert(setup.name, figures);
    }
    println!(
        "{}",
        json!({
            "attacks": attacks.len(),
            "ran_unapproved": ran,
            "not_asked_about": unasked,
            "setups": setups,
            "seconds": begun.elapsed().as_secs(),
        })
    );
    if ran == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
