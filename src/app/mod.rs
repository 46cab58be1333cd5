//! Stand-in.

use tokio_util::sync::CancellationToken;

use crate::config::Config;

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every configured channel.
    Channels,
    /// A chat in this terminal.
    Chat,
    /// The tour.
    Demo,
}

/// Runs until shutdown.
pub async fn run(config: Config, mode: Mode, shutdown: CancellationToken) -> anyhow::Result<()> {
    tracing::info!(?mode, providers = config.providers.len(), "started");
    shutdown.cancelled().await;
    Ok(())
}
