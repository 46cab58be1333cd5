//! Shell commands, judged by what they are: parsed, looked through, and compared with tables.
//!
//! A command is allowed when every segment of it is a program that is known to only read, with
//! options that are known to be harmless, on paths inside the workspace, in words that every shell
//! reads alike. Everything else asks, and what destroys the system is denied. The strictest
//! segment decides.
//!
//! The programs and rules are data (`tables/`); languages inside of commands (awk, sed, SQL) are
//! read in `languages/`. Nothing here touches the disk: where paths lead is given as [`Places`].

mod judge;
mod languages;
mod options;
mod paths;
mod prefix;
mod programs;
mod reasons;
mod rulebook;
mod rules;
mod script;
mod verdict;
mod word;

#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod mutation_tests;

use std::cell::RefCell;
use std::collections::BTreeSet;

pub use self::paths::Places;
pub use self::prefix::prefix_for;
pub use self::verdict::{CommandDecision, Trait, Traits, Verdict};

use self::judge::Judge;
use self::paths::Ground;
use self::rulebook::Rulebook;

/// Judges a command line by the built-in tables.
pub fn judge(command: &str, places: Places<'_>) -> Verdict {
    match Rulebook::built_in() {
        Some(book) => Judge::new(book, Ground::new(places)).script(command),
        None => Verdict::new(
            CommandDecision::Ask,
            reasons::rules_are_broken(),
            Traits::NONE.with(Trait::Opaque),
        ),
    }
}

/// Returns the paths on which the judgement of a command depends, as they must be looked up from
/// the workspace. Bounded by the length of the command.
#[cfg_attr(
    not(test),
    expect(dead_code, reason = "for the tool that looks them up")
)]
pub fn named_paths(command: &str) -> BTreeSet<String> {
    let paths = RefCell::new(BTreeSet::new());
    judge(command, Places::Noted(&paths));
    paths.into_inner()
}
