//! Shell commands, judged by what they are: parsed, looked through, and compared with tables.
//!
//! A command is allowed when every segment of it is a program that is known to only read, with
//! options that are known to be harmless, on paths inside the workspace, in words that every shell
//! reads alike. Everything else asks, and what destroys the system is denied. The strictest
//! segment decides.
//!
//! The programs and rules are data (`tables/`); languages inside of commands (awk, sed, SQL) are
//! read in `languages/`. Nothing here touches the disk: where paths lead is given as [`Places`].
//!
//! # Invariants
//!
//! - A command runs unasked only when every shell, awk and sed reads it alike; two fuzzers hold the
//!   readers to that (`benches/shell_fuzz`, `benches/language_fuzz`, `tests/it/fuzzers.rs`).
//! - A command runs unasked only when it is known: an unknown program, option, word or path asks,
//!   and so does what cannot be parsed. Nothing in `commands/` is freed by what it lacks.
//! - Where paths lead is a fact: `commands::named_paths` names those that matter, the shell tool
//!   resolves them, and a path that was not resolved counts as outside.
//! - What `tables/forbidden.toml` names is denied at every level, also after a yes.
//! - A command is bound to the files that it names only when every program of it is known to obey
//!   its words (`tables/arguments.toml`) or provably only reads; else to the whole workspace, by
//!   its inventory, taken when nothing changed within one tick of the clock of change times. A call
//!   that depends on files is judged again once it has entered its workspace, since another turn
//!   may have changed them while it waited. Accepted: what a call of another turn changes in an
//!   unfollowed workspace between that judgement and the start of the program, and what a process
//!   writes through a mapping that it holds since before the card.
//! - An "always" is offered only for programs in that table; the grant carries the files that its
//!   command names and holds as long as they are the same. git counts as obeying its words only
//!   while no setting of the repository or of the home names a program and there is no hook
//!   (`tools/shell/git_settings.rs`).
//! - The reasons of a command are collected from all of its parts, in the one order of
//!   `commands/gravity.rs`; `danger.rs` reads in the words what no table says. Neither changes the
//!   decision about a command.

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
