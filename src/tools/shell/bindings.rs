//! What an approval of a command is bound to on disk: an approval of `sh build.sh` is one of what
//! `build.sh` says now, and of everything in the workspace that it may run.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use nix::fcntl::OFlag;
use sayso_policy::commands::{self, Obeys};
use sayso_policy::{Binding, Place};
use sha2::{Digest as _, Sha256};

use super::git_settings;
use crate::inventory::Inventory;

/// How many files are read.
const MAX_READ_FILES: usize = 8;
/// How much of each is read.
const MAX_READ_BYTES: u64 = 1024 * 1024;
/// How many files are bound by name; with more, the whole workspace is.
const MAX_FILES: usize = 64;

/// Returns the current state of what a command may run, given where its paths lead: the regular
/// files that its words name, from every directory in which it may be, and the whole workspace
/// where its words do not determine everything that it runs.
///
/// Files over the limits (8 files of 1 MiB) are bound by size and timestamps instead of content.
pub(super) fn bindings(
    command: &str,
    workspace: &Path,
    places: &BTreeMap<String, Place>,
) -> Vec<Binding> {
    let wanted = commands::bindings(command, places);
    let named: BTreeSet<PathBuf> = wanted
        .paths
        .iter()
        .filter_map(|path| workspace.join(path).canonicalize().ok())
        .collect();
    let is_whole = match wanted.obeys {
        Obeys::ItsWords => false,
        Obeys::TheWorkspace => true,
        // A directory may be a repository with settings of its own.
        Obeys::GitSettings => {
            !git_settings::name_no_program(workspace) || names_a_repository(&named)
        }
    };
    let files: Vec<PathBuf> = named.into_iter().filter(|path| path.is_file()).collect();
    let is_whole = is_whole || files.len() > MAX_FILES;
    let files = files.into_iter().take(MAX_FILES).enumerate();
    let mut bound: Vec<Binding> = files.map(|(index, path)| file(index, path)).collect();
    if is_whole {
        let inventory = Inventory::settled(workspace);
        bound.push(Binding::Workspace {
            inventory: inventory.map(|it| it.to_text()),
        });
    }
    bound
}

/// Returns the current state of the files that define a check of a project, given from its root. A
/// file that is not there, or leads out of the project, has a digest of its own.
pub(super) fn recipe_bindings(check: &str, files: &[String], workspace: &Path) -> Vec<Binding> {
    let named = files.iter().map(|name| workspace.join(name));
    let resolved = named.map(|path| path.canonicalize().unwrap_or(path));
    let mut bound: Vec<Binding> = resolved
        .take(MAX_FILES)
        .enumerate()
        .map(|(index, path)| file(index, path))
        .collect();
    bound.push(Binding::Recipe {
        check: check.to_owned(),
    });
    bound
}

fn file(index: usize, path: PathBuf) -> Binding {
    let budget = if index < MAX_READ_FILES {
        MAX_READ_BYTES
    } else {
        0
    };
    // What cannot be read now has a digest of its own: it differs once it can be.
    let sha256 = digest(&path, budget).unwrap_or_else(|error| error.kind().to_string());
    Binding::File { path, sha256 }
}

fn digest(path: &Path, budget: u64) -> io::Result<String> {
    let file = File::options()
        .read(true)
        .custom_flags(OFlag::O_NONBLOCK.bits())
        .open(path)?;
    let metadata = file.metadata()?;
    let mut content = Vec::new();
    file.take(budget).read_to_end(&mut content)?;
    let mut hasher = Sha256::new();
    hasher.update(&content);
    if (content.len() as u64) < metadata.len() {
        hasher.update(stamp(&metadata));
    }
    Ok(format!("{:x}", hasher.finalize()))
}

/// Returns what changes when a file does, without reading it. The change time cannot be set back.
fn stamp(metadata: &Metadata) -> String {
    format!(
        "{} bytes, inode {}, changed {}.{:09}",
        metadata.len(),
        metadata.ino(),
        metadata.ctime(),
        metadata.ctime_nsec()
    )
}

/// Returns whether a path is a directory in which git may find further settings.
fn names_a_repository(named: &BTreeSet<PathBuf>) -> bool {
    named.iter().any(|path| path.is_dir())
}

#[cfg(test)]
#[path = "bindings_tests.rs"]
mod tests;
