//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    let environment = sayso::config::Environment::of_process();
    sayso::cli::main(std::env::args_os(), &environment)
}
