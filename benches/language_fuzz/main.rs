//! Programs of awk and sed that hide what acts, judged and run: what the policy lets run unasked
//! must start nothing and make no file in gawk, mawk, GNU sed or those of busybox. Prints its figures
//! as one JSON line, last, and fails when a program got past.
//!
//! `SAYSO_FUZZ_SEED` names another seed, `SAYSO_FUZZ_TEXTS` another number of programs. What is
//! hidden is harmless: it makes a file in a temporary directory, or calls a stand-in for `curl`.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

#[path = "../shell_fuzz/figures.rs"]
mod figures;
#[path = "../shell_fuzz/fuzzing.rs"]
mod fuzzing;
#[path = "../shell_fuzz/harness.rs"]
mod harness;
mod programs;
mod property;
#[path = "../shell_fuzz/random.rs"]
mod random;

use anyhow::ensure;

const TEXTS: usize = 20_000;
const SEED: u64 = 20_261_126;

fn main() -> anyhow::Result<()> {
    ensure!(
        property::readers() == 5,
        "gawk, mawk, sed and busybox must be installed"
    );
    figures::benchmark::<property::Languages>(SEED, TEXTS)
}
