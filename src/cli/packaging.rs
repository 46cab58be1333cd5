//! What a package installs beside the program: shell completions and manual pages, written from the
//! arguments that are accepted.

use std::io::Write;
use std::path::Path;

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_complete::Shell;
use clap_mangen::Man;

use super::arguments::{Arguments, CompletedShell};
use super::exit::Exit;

/// Prints the completions for a shell.
pub(super) fn completions(shell: CompletedShell, output: &mut impl Write) -> anyhow::Result<Exit> {
    let shell = match shell {
        CompletedShell::Bash => Shell::Bash,
        CompletedShell::Zsh => Shell::Zsh,
        CompletedShell::Fish => Shell::Fish,
    };
    // The generator panics where it cannot write, as into a closed pipe.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut shown(), "sayso", &mut script);
    output.write_all(&script)?;
    Ok(Exit::Fine)
}

/// Returns the command without its hidden subcommands, which completions for zsh would show.
fn shown() -> Command {
    let all = Arguments::command();
    let subcommands = all.get_subcommands().filter(|it| !it.is_hide_set());
    Command::new("sayso")
        .version(env!("CARGO_PKG_VERSION"))
        .disable_help_subcommand(true)
        .args(all.get_arguments())
        .subcommands(subcommands)
}

/// Prints the manual page `sayso(1)`, or writes it and the pages of all subcommands into a directory,
/// which must exist.
///
/// # Errors
/// Fails when the output or a file cannot be written.
pub(super) fn manual(directory: Option<&Path>, output: &mut impl Write) -> anyhow::Result<Exit> {
    let root = Arguments::command();
    let Some(directory) = directory else {
        Man::new(root).render(output)?;
        return Ok(Exit::Fine);
    };
    clap_mangen::generate_to(root, directory)
        .with_context(|| format!("cannot write to `{}`", directory.display()))?;
    Ok(Exit::Fine)
}
