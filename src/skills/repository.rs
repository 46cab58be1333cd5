//! Skills that come from a git repository: fetched into a directory of our own, chosen by the
//! folder that holds a `SKILL.md`, and read from an archive of that folder as any other archive is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use sayso_tools::{Remote, RemoteFile, Remotes};

use super::archive::{self, Format};
use super::content::BYTES;
use super::folder::SKILL_FILE;
use super::problem::Refusal;
use super::source::{Taken, choose, last_part};

/// How a source begins that is a repository of this machine.
const HERE: &str = "file://";

/// Where a source is named. Only the person at the machine may name a repository on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NamedIn {
    /// In a chat.
    Chat,
    /// At the terminal of the machine.
    Terminal,
}

/// Returns whether a source is fetched, and not read.
pub fn is_remote(written: &str) -> bool {
    written.contains("://") || written.starts_with("git@")
}

/// Fetches the skill that is written as `URL` or `URL#FOLDER` into a directory that is emptied
/// before and after.
pub async fn take(
    written: &str,
    remotes: &Remotes,
    named_in: NamedIn,
    directory: PathBuf,
) -> Result<Taken, Refusal> {
    let (address, folder) = match written.split_once('#') {
        Some((address, folder)) => (address, Some(folder.trim_matches('/'))),
        None => (written, None),
    };
    let remote = match address.strip_prefix(HERE) {
        Some(path) if named_in == NamedIn::Terminal => Remote::Here(path.into()),
        Some(_) => return Err(Refusal::NotHere),
        None => Remote::on_web(address, remotes.rules())?,
    };
    let kept = |error: io::Error| Refusal::NotKept(error.to_string());
    empty(&directory).map_err(kept)?;
    fs::create_dir_all(&directory).map_err(kept)?;
    let taken = fetch(&remote, folder, remotes, &directory).await;
    empty(&directory).map_err(kept)?;
    taken
}

async fn fetch(
    remote: &Remote,
    folder: Option<&str>,
    remotes: &Remotes,
    directory: &Path,
) -> Result<Taken, Refusal> {
    let fetched = remotes.fetch(remote, directory).await?;
    let folders: Vec<&str> = fetched
        .files
        .iter()
        .filter_map(|it| folder_of(&it.path))
        .collect();
    // A folder is meant by its whole path, or by its own name.
    let folder = if let Some(path) = folder.filter(|path| folders.contains(path)) {
        path
    } else {
        let names: Vec<&str> = folders.iter().map(|folder| last_part(folder)).collect();
        let chosen = choose(&names, folder)?;
        folders.get(chosen).copied().ok_or(Refusal::NoSkill)?
    };
    // `git archive` writes any amount of data, so the size is checked beforehand.
    if size_below(folder, &fetched.files) > BYTES {
        return Err(Refusal::TooLarge);
    }
    let packed = remotes.archive(folder, directory).await?;
    let unpacked = tokio::task::spawn_blocking(move || archive::unpack(&packed, Format::Tar));
    let content = unpacked
        .await
        .map_err(|error| Refusal::BrokenArchive(error.to_string()))??;
    Ok(Taken {
        folder: match folder {
            "" => name_of(remote),
            folder => last_part(folder).to_owned(),
        },
        content: content.copied()?,
        commit: Some(fetched.commit),
    })
}

fn size_below(folder: &str, files: &[RemoteFile]) -> u64 {
    let is_below = |path: &str| {
        let rest = path.strip_prefix(folder);
        folder.is_empty() || rest.is_some_and(|rest| rest.starts_with('/'))
    };
    let below = files.iter().filter(|file| is_below(&file.path));
    below.map(|file| file.bytes).sum()
}

/// Returns the folder that a path makes a skill of.
fn folder_of(path: &str) -> Option<&str> {
    let folder = path.strip_suffix(SKILL_FILE)?;
    match folder.strip_suffix('/') {
        Some(folder) => Some(folder),
        None => folder.is_empty().then_some(""),
    }
}

/// Returns the name that a repository has by its address.
fn name_of(remote: &Remote) -> String {
    let path = match remote {
        Remote::Web(target) => target.url().path().to_owned(),
        Remote::Here(path) => path.display().to_string(),
    };
    let name = last_part(path.trim_end_matches('/'));
    name.strip_suffix(".git").unwrap_or(name).to_owned()
}

/// Removes a directory with everything in it.
fn empty(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}
