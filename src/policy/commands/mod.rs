//! Shell commands, judged by what they are: parsed, looked through, and compared with tables.
//!
//! A command is allowed when every segment of it is a program that is known to only read, with
//! options that are known to be harmless, on paths inside the workspace, in words that every shell
//! reads alike. Everything else asks, and what destroys the system is denied. The strictest
//! segment decides.
//!
//! The programs and rules are data (`tables/`); languages inside of commands (awk, sed, SQL) are
//! read in `languages/`. Nothing here touches the disk: where paths lead is given as [`Places`].

mod bindings;
mod danger;
mod expansion;
mod gravity;
mod judge;
mod justification;
mod languages;
mod loops;
mod operator;
mod options;
mod paths;
mod portable_syntax;
mod prefix;
mod programs;
pub(super) mod reasons;
mod rulebook;
mod rules;
mod script;
mod started;
mod traits;
mod verdict;
mod word;

#[cfg(test)]
mod divergence_tests;
#[cfg(test)]
mod judge_tests;
#[cfg(test)]
mod mutation_tests;
#[cfg(test)]
mod steps_tests;
#[cfg(test)]
mod tables_tests;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use self::bindings::{Obeys, bindings, is_one_plain_command};
pub use self::gravity::{Gravity, Reason};
pub use self::justification::Justification;
pub use self::operator::{OperatorRules, RulesFor};
pub use self::paths::Places;
pub use self::prefix::prefix_for;
pub use self::reasons::quoted;
pub use self::started::{programs_given, started_programs};
pub use self::traits::{Trait, Traits};
pub use self::verdict::{CommandDecision, Verdict};

use sayso_core::transcript::Role;

use self::judge::Judge;
use self::paths::Ground;
use self::rulebook::Rulebook;
use crate::call_facts::Place;

/// Judges a command line by the built-in tables.
pub fn judge(command: &str, places: Places<'_>) -> Verdict {
    judge_by(
        OperatorRules::default().for_role(Role::Member),
        command,
        places,
    )
}

/// Judges a command line by the built-in tables and these rules of the operator.
pub fn judge_by(rules: RulesFor<'_>, command: &str, places: Places<'_>) -> Verdict {
    match Rulebook::built_in() {
        Some(book) => Judge::new(book, rules, Ground::new(places)).script(command),
        None => Verdict::new(
            CommandDecision::Ask,
            reasons::rules_are_broken(),
            Traits::NONE.with(Trait::Opaque),
        ),
    }
}

/// Returns the paths of a command without resolving them: a relative one that does not climb counts
/// as inside, and the workspace is assumed to contain no settings of a program.
pub fn places_as_written(command: &str) -> BTreeMap<String, Place> {
    let place = |path: &str| {
        if paths::stays_inside(path) {
            Place::Nothing(PathBuf::from(path))
        } else {
            Place::Outside(PathBuf::from(path))
        }
    };
    let named = named_paths(command).into_iter();
    named.map(|path| (path.clone(), place(&path))).collect()
}

/// Returns the paths on which the judgement of a command depends, as they must be looked up from
/// the workspace. Bounded by the length of the command.
pub fn named_paths(command: &str) -> BTreeSet<String> {
    let paths = RefCell::new(BTreeSet::new());
    judge(command, Places::Noted(&paths));
    paths.into_inner()
}
