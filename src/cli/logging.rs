//! The log: compact lines on standard error, chosen by `SAYSO_LOG`.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

use crate::app::Mode;
use crate::config::Environment;

/// Where the parser of shell commands logs what it reads. Commands do not belong into a log.
const SILENT: [&str; 2] = ["parse=off", "tokenize=off"];

/// Starts the log. In a terminal chat it is quiet, because it would run through the conversation.
pub(super) fn start(mode: Mode, environment: &Environment) -> anyhow::Result<()> {
    let usual = match mode {
        Mode::Channels => "warn,sayso=info",
        Mode::Chat | Mode::Demo => "warn",
    };
    let wanted = environment.get("SAYSO_LOG").unwrap_or(usual);
    let filter = EnvFilter::try_new(wanted).map_err(|error| {
        anyhow::anyhow!(
            "SAYSO_LOG is `{wanted}`, but must be a level or a list such as `warn,sayso=debug`: {error}"
        )
    })?;
    let filter = SILENT.iter().try_fold(filter, |filter, silent| {
        anyhow::Ok(filter.add_directive(silent.parse()?))
    })?;
    tracing_subscriber::fmt()
        .compact()
        .with_env_filter(filter)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr)
        .try_init()
        .map_err(|error| anyhow::anyhow!("cannot start the log: {error}"))
}
