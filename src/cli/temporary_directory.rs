//! A directory that lives as long as one command.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

/// A directory of our own; it is removed when this is dropped.
pub(super) struct TemporaryDirectory(PathBuf);

impl TemporaryDirectory {
    /// Creates one below the system's directory for temporary files.
    ///
    /// # Errors
    /// Fails when it cannot be created.
    pub(super) fn create(purpose: &str) -> anyhow::Result<Self> {
        let name = format!("sayso-{purpose}-{}", sayso_store::new_id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir(&path)
            .with_context(|| format!("cannot create `{}` for the {purpose}", path.display()))?;
        Ok(Self(path))
    }

    /// Returns its path.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryDirectory {
    fn drop(&mut self) {
        // What stays behind in the system's temporary place is for the system to clear.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
