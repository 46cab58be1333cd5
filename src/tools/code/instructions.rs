//! `AGENTS.md`: what the authors of a project tell agents that work in it.
//!
//! Everybody who may write to the project may write it, so it is text from outside until an owner accepted
//! exactly this version.

use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use sayso_injection::{Treatment, check_tool_result};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinHandle;

use crate::Workspace;

/// The name of the file, at the root of a project.
pub const INSTRUCTIONS_FILE: &str = "AGENTS.md";
/// How much of it is read, in bytes; codex and others read as much.
const INSTRUCTIONS_BYTES: usize = 32 * 1024;
/// How long a turn waits for it: the disk may be far away.
const PATIENCE: Duration = Duration::from_secs(2);

/// The instructions of a project, as they stand now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectInstructions {
    /// The text, up to the limit.
    pub text: String,
    /// The hash of that text, in hexadecimal digits: what an owner accepts.
    pub hash: String,
    /// Whether there is more than was read.
    pub is_cut: bool,
    /// Whether the injection check takes it for an attack.
    pub is_attack: bool,
    /// Whether the injection check finds it suspicious.
    pub is_suspected: bool,
}

impl ProjectInstructions {
    /// Reads those of the project in this folder; `None` where there are none, or they cannot be read.
    /// Links that lead out of the folder are not followed.
    pub async fn of(root: &Path) -> Option<Self> {
        match tokio::time::timeout(PATIENCE, Self::reading(root)).await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) => {
                tracing::error!(%error, "reading AGENTS.md panicked or was cancelled");
                None
            }
            Err(_) => {
                tracing::warn!("AGENTS.md was not read in time");
                None
            }
        }
    }

    /// Begins to read them the same way, however long it takes.
    pub fn reading(root: &Path) -> JoinHandle<Option<Self>> {
        let root = root.to_owned();
        tokio::task::spawn_blocking(move || read(&root))
    }
}

fn read(root: &Path) -> Option<ProjectInstructions> {
    let file = Workspace::open(root)
        .ok()?
        .open_file(INSTRUCTIONS_FILE)
        .ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let most = INSTRUCTIONS_BYTES as u64;
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    let is_cut = bytes.len() > INSTRUCTIONS_BYTES;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.truncate(text.floor_char_boundary(INSTRUCTIONS_BYTES));
    if text.trim().is_empty() {
        return None;
    }
    let treatment = check_tool_result(&text).treatment;
    Some(ProjectInstructions {
        hash: format!("{:x}", Sha256::digest(&text)),
        text,
        is_cut,
        is_attack: treatment == Treatment::Block,
        is_suspected: treatment == Treatment::Review,
    })
}

#[cfg(test)]
mod tests {
    use super::{INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, ProjectInstructions};

    async fn of(text: &[u8]) -> Option<ProjectInstructions> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(INSTRUCTIONS_FILE), text).unwrap();
        ProjectInstructions::of(folder.path()).await
    }

    #[tokio::test]
    async fn a_changed_file_has_another_hash_and_a_long_one_is_cut() {
        let first = of(b"Run make test.").await.unwrap();
        let second = of(b"Run make test!").await.unwrap();
        assert_ne!(first.hash, second.hash);
        assert!(!first.is_cut && !first.is_attack);
        let long = of("长".repeat(INSTRUCTIONS_BYTES).as_bytes())
            .await
            .unwrap();
        assert!(long.is_cut && long.text.len() <= INSTRUCTIONS_BYTES);
    }

    #[tokio::test]
    async fn there_are_none_where_nothing_can_be_read() {
        assert_eq!(of(b" \n").await, None);
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(ProjectInstructions::of(folder.path()).await, None);
        std::fs::create_dir(folder.path().join(INSTRUCTIONS_FILE)).unwrap();
        assert_eq!(ProjectInstructions::of(folder.path()).await, None);
        let outside = tempfile::tempdir().unwrap();
        let secret = outside.path().join("secret");
        std::fs::write(&secret, "a secret").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(&secret, folder.path().join(INSTRUCTIONS_FILE)).unwrap();
        assert_eq!(ProjectInstructions::of(folder.path()).await, None);
    }
}
