//! What stands for local models in a build without them.

use std::path::Path;
use std::sync::Arc;

use anyhow::bail;

use super::Embedder;

/// Says that there are none, and how there would be.
///
/// # Errors
/// Fails always.
#[expect(clippy::unused_async, reason = "in a build with local models it waits")]
pub(super) async fn open(
    path: &Path,
    _dimensions: Option<usize>,
) -> anyhow::Result<Arc<dyn Embedder>> {
    bail!(
        "`memory.embedder.directory` is `{}`, but this build cannot load local models; build it with `--features local-embeddings`, or name a server instead",
        path.display()
    )
}
