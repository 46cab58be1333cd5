//! `AGENTS.md`: what the authors of a project tell agents that work in it, at its root and in its
//! folders.
//!
//! Everybody who may write to the project may write it, so it is text from outside until an owner accepted
//! exactly this version.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::Path;
use std::time::{Duration, Instant};

use sayso_injection::{Treatment, check_tool_result};
use sha2::{Digest as _, Sha256};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::walk::{Until, Visit, walk};
use crate::Workspace;

/// The name of the file, at the root of a project and in its folders.
pub const INSTRUCTIONS_FILE: &str = "AGENTS.md";
/// How much is read of one, and of all that are in force together, in bytes; codex and others read as
/// much.
pub const INSTRUCTIONS_BYTES: usize = 32 * 1024;
/// In how many folders one is looked for in a turn.
const MAX_FOLDERS: usize = 64;
/// How many of a project are shown to an owner.
const MAX_SHOWN: usize = 20;
/// How long a turn waits for them: the disk may be far away.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long they are looked for in all folders of a project.
const LOOK_TIME: Duration = Duration::from_secs(5);

/// The instructions of one folder of a project, as they stand now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectInstructions {
    /// Where the file is, from the root of the project.
    pub path: String,
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
    /// Reads those at the root of a project and in the folders on the way to these files or folders, the
    /// root first; what cannot be read is left out. Links that lead out of the root are not followed.
    pub async fn on_the_way(root: &Path, paths: &BTreeSet<String>) -> Vec<Self> {
        let folders = folders_on_the_way(paths);
        let root = root.to_owned();
        let reading = tokio::task::spawn_blocking(move || {
            let Ok(workspace) = Workspace::open(&root) else {
                return Vec::new();
            };
            let files = folders.iter().map(|folder| file_in(folder));
            let read = files.filter_map(|file| read(&workspace, &file));
            UncheckedInstructions::checked(read.collect())
        });
        match tokio::time::timeout(PATIENCE, reading).await {
            Ok(Ok(read)) => read,
            Ok(Err(error)) => {
                tracing::error!(%error, "reading AGENTS.md panicked or was cancelled");
                Vec::new()
            }
            Err(_) => {
                tracing::warn!("AGENTS.md was not read in time");
                Vec::new()
            }
        }
    }

    /// Begins to read those of all folders of a project, however long it takes: the one at the root, and
    /// others that no `.gitignore` leaves out, up to a limit.
    pub fn reading_all(root: &Path) -> JoinHandle<Vec<UncheckedInstructions>> {
        let root = root.to_owned();
        tokio::task::spawn_blocking(move || read_all(&root))
    }
}

/// Returns the folders that files or folders lie in, the root and what is nearer to it first.
fn folders_on_the_way(paths: &BTreeSet<String>) -> Vec<String> {
    let mut folders = BTreeSet::from([String::new()]);
    for path in paths {
        let names: Vec<&str> = path
            .split('/')
            .filter(|name| !matches!(*name, "" | "."))
            .collect();
        // Where that leads is not looked up here.
        if path.starts_with('/') || names.contains(&"..") {
            continue;
        }
        for depth in 1..=names.len() {
            folders.insert(names[..depth].join("/"));
        }
    }
    let mut folders: Vec<String> = folders.into_iter().collect();
    folders.sort_by_key(|folder| folder.split('/').count() - usize::from(folder.is_empty()));
    folders.truncate(MAX_FOLDERS);
    folders
}

fn file_in(folder: &str) -> String {
    if folder.is_empty() {
        INSTRUCTIONS_FILE.to_owned()
    } else {
        format!("{folder}/{INSTRUCTIONS_FILE}")
    }
}

fn read_all(root: &Path) -> Vec<UncheckedInstructions> {
    let Ok(workspace) = Workspace::open(root) else {
        return Vec::new();
    };
    let until = Until {
        deadline: Instant::now() + LOOK_TIME,
        stop: CancellationToken::new(),
    };
    let mut files = vec![INSTRUCTIONS_FILE.to_owned()];
    let walked = walk(&workspace, ".", &until, &mut |file| {
        let is_one = file
            .path
            .file_name()
            .is_some_and(|name| name == INSTRUCTIONS_FILE);
        let path = file
            .path
            .to_str()
            .filter(|path| is_one && *path != INSTRUCTIONS_FILE);
        files.extend(path.map(str::to_owned));
        if files.len() < MAX_SHOWN {
            Visit::GoOn
        } else {
            Visit::Stop
        }
    });
    if let Err(error) = walked {
        tracing::info!(%error, "the folders of a project cannot be listed");
    }
    files
        .iter()
        .filter_map(|file| read(&workspace, file))
        .collect()
}

fn read(workspace: &Workspace, path: &str) -> Option<UncheckedInstructions> {
    let file = workspace.open_file(path).ok()?;
    if !file.metadata().ok()?.is_file() {
        return None;
    }
    let mut bytes = Vec::new();
    let most = INSTRUCTIONS_BYTES as u64;
    file.take(most + 1).read_to_end(&mut bytes).ok()?;
    let is_cut = bytes.len() > INSTRUCTIONS_BYTES;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    text.truncate(text.floor_char_boundary(INSTRUCTIONS_BYTES));
    (!text.trim().is_empty()).then(|| UncheckedInstructions {
        path: path.to_owned(),
        text,
        is_cut,
    })
}

/// Instructions that were read and not looked into yet. Reading waits for the disk, and the injection
/// check does not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncheckedInstructions {
    path: String,
    text: String,
    is_cut: bool,
}

impl UncheckedInstructions {
    /// Checks these one after the other. It takes the time of a processor, and blocks.
    pub fn checked(all: Vec<Self>) -> Vec<ProjectInstructions> {
        all.into_iter().map(Self::check).collect()
    }

    fn check(self) -> ProjectInstructions {
        let Self { path, text, is_cut } = self;
        let treatment = check_tool_result(&text).treatment;
        ProjectInstructions {
            path,
            hash: format!("{:x}", Sha256::digest(&text)),
            text,
            is_cut,
            is_attack: treatment == Treatment::Block,
            is_suspected: treatment == Treatment::Review,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::{
        INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, ProjectInstructions, UncheckedInstructions,
    };

    async fn of(text: &[u8]) -> Option<ProjectInstructions> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(INSTRUCTIONS_FILE), text).unwrap();
        at_root(folder.path()).await
    }

    async fn at_root(root: &Path) -> Option<ProjectInstructions> {
        let found = ProjectInstructions::on_the_way(root, &BTreeSet::new()).await;
        found.into_iter().next()
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
        assert_eq!(at_root(folder.path()).await, None);
        std::fs::create_dir(folder.path().join(INSTRUCTIONS_FILE)).unwrap();
        assert_eq!(at_root(folder.path()).await, None);
        let outside = tempfile::tempdir().unwrap();
        let secret = outside.path().join("secret");
        std::fs::write(&secret, "a secret").unwrap();
        let folder = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(&secret, folder.path().join(INSTRUCTIONS_FILE)).unwrap();
        assert_eq!(at_root(folder.path()).await, None);
    }

    fn paths(found: &[ProjectInstructions]) -> Vec<&str> {
        found.iter().map(|one| one.path.as_str()).collect()
    }

    #[tokio::test]
    async fn they_are_read_from_the_root_to_the_folders_of_files() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        for path in ["", "web", "web/css", "api", "node_modules/x"] {
            std::fs::create_dir_all(root.join(path)).unwrap();
            std::fs::write(
                root.join(path).join(INSTRUCTIONS_FILE),
                path.to_owned() + "!",
            )
            .unwrap();
        }
        std::fs::write(root.join(".gitignore"), "node_modules\n").unwrap();
        let way = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        let on_the_way = ProjectInstructions::on_the_way(root, &way(&["./web/css/a.css"])).await;
        let expected = ["AGENTS.md", "web/AGENTS.md", "web/css/AGENTS.md"];
        assert_eq!(paths(&on_the_way), expected);
        let elsewhere = way(&["web/../api/a.rs", "/etc/a", "none/a"]);
        let on_the_way = ProjectInstructions::on_the_way(root, &elsewhere).await;
        assert_eq!(paths(&on_the_way), ["AGENTS.md"]);
        let all = ProjectInstructions::reading_all(root).await.unwrap();
        let all = UncheckedInstructions::checked(all);
        let expected = [
            "AGENTS.md",
            "api/AGENTS.md",
            "web/AGENTS.md",
            "web/css/AGENTS.md",
        ];
        assert_eq!(paths(&all), expected);
    }
}
