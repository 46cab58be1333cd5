//! What must hold of every shell text: what the policy lets run unasked does in no shell what it
//! was not let run for.

use std::io;

use sayso::bench_support::{CommandDecision, Places, Trait, judge_command, started_programs};

use super::fuzzing::Property;
use super::harness::{Done, Place, present};
use super::random::Random;
use super::texts;

/// The shells that may be the system's `sh`.
const SHELLS: [&[&str]; 3] = [&["dash"], &["bash"], &["busybox", "sh"]];
/// Programs that an operator lists in `allow_commands`.
const LISTED: [&str; 16] = [
    "cat", "echo", "ls", "wc", "head", "sort", "grep", "true", "printf", "cut", "touch", "sh",
    "bash", "xargs", "env", "time",
];
/// What asks even with `sandboxed_commands = "allow"`, and what starts something that is not in its
/// text.
const DANGEROUS: [Trait; 7] = [
    Trait::Opaque,
    Trait::Network,
    Trait::Destructive,
    Trait::OutsideWorkspace,
    Trait::Escalation,
    Trait::Uncertain,
    Trait::Secrets,
];

/// Why a text runs unasked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Unasked {
    /// It only reads.
    pub reads: bool,
    /// Every program in it is listed (`full`), or none is dangerous (`sandboxed_commands`).
    pub runs: bool,
}

impl Unasked {
    /// Returns whether it runs unasked at any level.
    pub fn at_all(self) -> bool {
        self.reads || self.runs
    }

    fn is_kept(self, done: Done) -> bool {
        let reads_only = !(self.reads && (done.wrote || done.ran));
        reads_only && !(self.runs && done.ran)
    }
}

/// Returns why a text runs unasked.
pub fn unasked(text: &str) -> Unasked {
    let verdict = judge_command(text, Places::AsWritten);
    let is_denied = verdict.decision == CommandDecision::Deny;
    let is_listed = started_programs(text, Places::AsWritten).is_some_and(|programs| {
        programs
            .iter()
            .all(|program| LISTED.contains(&program.as_str()))
    });
    // A shell in the list may run anything.
    let is_listed =
        is_listed && !text.contains("sh ") && !text.contains("xargs") && !text.contains("env");
    let is_harmless = !DANGEROUS.into_iter().any(|one| verdict.traits.has(one));
    Unasked {
        reads: verdict.decision == CommandDecision::Allow,
        runs: !is_denied && (is_listed || is_harmless),
    }
}

/// Returns how many shells are compared.
pub fn shells() -> usize {
    present(&SHELLS).len()
}

/// Texts of a shell.
pub struct Shells;

impl Property for Shells {
    type Text = String;
    type Unasked = Unasked;

    fn text(random: &mut Random) -> String {
        texts::text(random)
    }

    fn unasked(text: &String) -> Option<Unasked> {
        // No program can be started with a NUL in its words.
        let unasked = unasked(text);
        (unasked.at_all() && !text.contains('\0')).then_some(unasked)
    }

    fn broken_in(place: &Place, text: &String, unasked: &Unasked) -> io::Result<Vec<String>> {
        let mut broken = Vec::new();
        for shell in present(&SHELLS) {
            let words: Vec<&str> = shell.iter().copied().chain(["-c", text]).collect();
            let done = place.run(&words)?;
            if !unasked.is_kept(done) {
                broken.push(format!("{} ({done:?})", shell.join(" ")));
            }
        }
        Ok(broken)
    }
}
