//! What stands for traces in a build without them.

use anyhow::bail;
use reqwest::Url;
use tracing_subscriber::Layer;

/// Nothing that must live as long as traces are sent.
pub(super) struct Traces;

/// Says that there are none, and how there would be.
///
/// # Errors
/// Fails always.
pub(super) fn layer<S>(address: &Url) -> anyhow::Result<(Box<dyn Layer<S> + Send + Sync>, Traces)> {
    bail!(
        "`log.traces` is `{address}`, but this build sends no traces; build it with `--features otlp`, or take the key away"
    )
}
