//! Starting what runs until it is stopped: the channels, a terminal chat or the demo.

use std::io::{self, Write};

use anyhow::Context;
use tokio::runtime::Runtime;
use tokio_util::sync::CancellationToken;

use super::exit::Exit;
use super::signals::EndSignals;
use super::temporary_directory::TemporaryDirectory;
use super::{language, logging, messages};
use crate::app::{self, Console, Mode, RunEnd};
use crate::config::{self, Config, Environment, ProviderConfig};

/// The name of the offline model when none is configured.
const OFFLINE: &str = "offline";

/// Starts what is configured; `mode` is what was asked for, if anything.
pub(super) fn start(
    mut config: Config,
    mode: Option<Mode>,
    environment: &Environment,
) -> anyhow::Result<Exit> {
    let mode = mode.unwrap_or_else(|| mode_of(&config));
    if mode == Mode::Chat {
        // The user of a terminal chat sits at this terminal.
        config.language = Some(language::of(Some(&config), environment));
    }
    if mode == Mode::Chat && config.providers.is_empty() {
        let hint = messages::chat_is_offline(language::of(Some(&config), environment));
        writeln!(io::stdout(), "{hint}\n")?;
        config.providers.push(offline());
    }
    run(config, mode, environment)
}

/// Plays the tour in a directory of its own, whatever is configured.
pub(super) fn demo(environment: &Environment) -> anyhow::Result<Exit> {
    let stage = TemporaryDirectory::create("demo")?;
    let directory = stage.path().to_string_lossy().into_owned();
    let alone = Environment::from_iter([("SAYSO__DATA_DIR", directory)]);
    let mut config = config::load(None, &alone)?;
    config.language = Some(language::of_terminal(environment));
    config.providers.push(offline());
    run(config, Mode::Demo, environment)
}

/// Makes the runtime of the process.
pub(super) fn runtime() -> anyhow::Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("cannot start the runtime")
}

fn run(config: Config, mode: Mode, environment: &Environment) -> anyhow::Result<Exit> {
    let console = Console::of(&config, mode, language::of_terminal(environment));
    let _traces = match logging::start(mode, console, &config, environment) {
        Ok(traces) => traces,
        Err(error) => {
            writeln!(io::stderr(), "error: {error:#}")?;
            return Ok(Exit::BadConfiguration);
        }
    };
    let end = runtime()?.block_on(async {
        let shutdown = CancellationToken::new();
        let signals = EndSignals::listen().context("cannot listen for signals")?;
        let work = app::run(config, mode, console, shutdown.clone());
        Box::pin(signals.around(shutdown, work)).await
    })?;
    Ok(match end {
        RunEnd::Asked => Exit::Fine,
        RunEnd::NoChannelLeft => Exit::Failed,
    })
}

/// With no channel configured there is still this terminal.
fn mode_of(config: &Config) -> Mode {
    if config.channels.is_empty() {
        Mode::Chat
    } else {
        Mode::Channels
    }
}

fn offline() -> ProviderConfig {
    ProviderConfig::Offline {
        name: OFFLINE.to_owned(),
    }
}
