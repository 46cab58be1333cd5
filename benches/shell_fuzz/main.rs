//! Shell texts that hide commands, judged and run: what the policy lets run unasked must not do in
//! dash, bash or busybox what it was not let run for. Prints its figures as one JSON line, last, and
//! fails when a text got past.
//!
//! `SAYSO_FUZZ_SEED` names another seed, `SAYSO_FUZZ_TEXTS` another number of texts. What is hidden
//! is harmless: it makes a file in a temporary directory, or calls a stand-in for `curl`.

#![expect(unreachable_pub, reason = "its modules are those of a program")]
#![expect(clippy::print_stdout, reason = "a benchmark prints its figures")]

mod figures;
mod fuzzing;
mod harness;
mod property;
mod random;
mod texts;

use anyhow::ensure;

const TEXTS: usize = 20_000;
const SEED: u64 = 20_261_126;

fn main() -> anyhow::Result<()> {
    ensure!(
        property::shells() == 3,
        "dash, bash and busybox must be installed"
    );
    figures::benchmark::<property::Shells>(SEED, TEXTS)
}
