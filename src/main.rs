//! Arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    if std::env::args_os()
        .nth(1)
        .is_some_and(|first| first == sayso::HELPER_ARGUMENT)
    {
        return sayso::helper_main();
    }
    let environment = sayso::config::Environment::of_process();
    sayso::cli::main(std::env::args_os(), &environment)
}
