//! Paths as people write them: `~` is the home directory, and a relative path begins where we were
//! started.

use std::path::{Path, PathBuf};

use super::Environment;

/// Replaces a leading `~` by the home directory; `None` when that is unknown.
pub(super) fn expand_home(written: &str, environment: &Environment) -> Option<PathBuf> {
    if written == "~" {
        return environment.get("HOME").map(PathBuf::from);
    }
    match written.strip_prefix("~/") {
        Some(rest) => environment
            .get("HOME")
            .map(|home| Path::new(home).join(rest)),
        None => Some(PathBuf::from(written)),
    }
}
