//! `sayso backup` and `sayso restore`: everything that an instance keeps, in one file and back.
//!
//! A backup is made while Sayso runs, by reading alone. It is examined before it gets its name, and
//! never takes the name of a file that is there. It is restored into a data directory that is empty
//! or not there yet (`restore`).

mod archive;
mod digest;
mod pack;
mod restore;
mod room;
mod sparse;
mod unpack;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use nix::fcntl::{Flock, FlockArg, OFlag};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use rustix::io::Errno;
use sayso_channel::Language;

use self::archive::{BACKUPS, Manifest};
use self::pack::{Packed, Packing};
pub(super) use self::restore::restore;
use super::exit::Exit;
use super::messages;
use super::progress::Progress;
use crate::config::Config;

/// The database in a backup.
const DATABASE: &str = "sayso.db";
/// At most this number of the files that could not be read are listed.
const MAX_NAMED: usize = 10;

/// Writes a backup to `target`.
pub(super) async fn backup(
    config: &Config,
    target: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let shown = target.display();
    let directory = fs::canonicalize(&config.data_dir)
        .with_context(|| format!("cannot read `{}`", config.data_dir.display()))?;
    let beside = parent_of(target);
    if beside == config.data_dir.join(BACKUPS) {
        let mut builder = DirBuilder::new();
        let made = builder.recursive(true).mode(0o700).create(beside);
        made.with_context(|| format!("cannot make `{}`", beside.display()))?;
    }
    if target.symlink_metadata().is_ok() {
        let said = messages::backup_is_there(language, &shown);
        return says(output, &said, Exit::Failed);
    }
    if is_packed(beside, &directory) {
        let allowed = config.data_dir.join(BACKUPS);
        let said = messages::backup_inside(language, &shown, &allowed.display());
        return says(output, &said, Exit::Failed);
    }
    let places = Places::of(config, directory);
    if let Err(no_room) = has_room(config, &places, beside) {
        let said =
            messages::backup_no_room(language, &beside.display(), &no_room.needed, &no_room.free);
        return says(output, &said, Exit::Failed);
    }
    let unfinished = with_end(target, ".part");
    let Some(file) = begin(&unfinished).with_context(|| format!("cannot write `{shown}.part`"))?
    else {
        let said = messages::backup_is_made(language, &shown);
        return says(output, &said, Exit::Failed);
    };
    let copy = with_end(target, ".part-db");
    let grows = Unfinished {
        path: &unfinished,
        file: &file,
    };
    let packed = pack(config, &places, &copy, grows, language).await;
    let named = packed.and_then(|packed| {
        name(&unfinished, target).with_context(|| format!("cannot name the backup `{shown}`"))?;
        Ok(packed)
    });
    // What failed is no backup; else either has done its part.
    let _ = fs::remove_file(&copy);
    if named.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    let packed = named?;
    File::open(beside)?.sync_all()?;
    writeln!(output, "{}", made(&packed, language, &shown))?;
    Ok(Exit::Fine)
}

fn made(packed: &Packed, language: Language, shown: &dyn std::fmt::Display) -> String {
    let rows: i64 = packed.manifest.rows.values().sum();
    let files = packed.contents.files;
    let mut said = vec![messages::backup_made(language, shown, &rows, &files)];
    if !packed.manifest.secrets.is_empty() {
        let (named, more) = named(packed.manifest.secrets.iter(), language);
        said.push(messages::backup_without_secrets(language, &named, &more));
    }
    if !packed.unreadable.is_empty() {
        let paths = packed.unreadable.iter().map(|path| path.display());
        let (named, more) = named(paths, language);
        said.push(messages::backup_left_out(language, &named, &more));
    }
    said.join("\n")
}

/// Names the first paths, and counts the others.
fn named(
    paths: impl ExactSizeIterator<Item = impl std::fmt::Display>,
    language: Language,
) -> (String, String) {
    let more = paths.len().saturating_sub(MAX_NAMED);
    let named: Vec<String> = paths
        .take(MAX_NAMED)
        .map(|path| format!("`{path}`"))
        .collect();
    let more = if more == 0 {
        String::new()
    } else {
        messages::and_more(language, &more)
    };
    (named.join(", "), more)
}

/// What is packed and what is not, without links.
struct Places {
    directory: PathBuf,
    database: PathBuf,
    configuration: Option<PathBuf>,
    secrets: Vec<PathBuf>,
}

impl Places {
    fn of(config: &Config, directory: PathBuf) -> Self {
        let database = without_links(&config.store_path);
        let configuration = config.file.as_deref().map(without_links);
        let mut secrets = Vec::new();
        for path in &config.secret_files {
            // A link to a secret says where it is, and goes with it.
            secrets.push(in_place(path));
            secrets.push(without_links(path));
        }
        Self {
            directory,
            database,
            configuration,
            secrets,
        }
    }

    fn packing(&self) -> Packing<'_> {
        Packing {
            directory: &self.directory,
            database: &self.database,
            configuration: self.configuration.as_deref(),
            secrets: &self.secrets,
        }
    }
}

/// Returns a path of which only the last part may be a link.
fn in_place(path: &Path) -> PathBuf {
    let name = path.file_name().unwrap_or_default();
    without_links(parent_of(path)).join(name)
}

/// Checks that there is room for the copy of the database, and for the archive with it.
fn has_room(config: &Config, places: &Places, beside: &Path) -> Result<(), room::NoRoom> {
    let database = fs::metadata(&config.store_path).map_or(0, |database| database.len());
    let bytes = places.packing().size().saturating_add(database * 2);
    room::check(beside, bytes)
}

/// Returns whether what lies in this directory would be in every later backup.
fn is_packed(beside: &Path, directory: &Path) -> bool {
    let beside = fs::canonicalize(beside).unwrap_or_else(|_| beside.to_owned());
    beside.starts_with(directory) && !beside.starts_with(directory.join(BACKUPS))
}

/// Makes the file that a backup grows in; `None` while another process has it. What a process left
/// there that was killed goes away: it may have got another name by then, and is not touched.
fn begin(unfinished: &Path) -> io::Result<Option<Flock<File>>> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).mode(0o600);
    options.custom_flags(OFlag::O_NOFOLLOW.bits());
    let leftover = match options.open(unfinished) {
        Ok(leftover) => Some(leftover),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if let Some(leftover) = leftover {
        let Some(_lock) = locked(leftover, unfinished) else {
            return Ok(None);
        };
        fs::remove_file(unfinished)?;
    }
    match options.create_new(true).open(unfinished) {
        Ok(file) => Ok(locked(file, unfinished)),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(None),
        Err(error) => Err(error),
    }
}

/// Locks a file, unless another process has it or put another one in its place.
fn locked(file: File, path: &Path) -> Option<Flock<File>> {
    let file = Flock::lock(file, FlockArg::LockExclusiveNonblock).ok()?;
    let (ours, there) = (file.metadata().ok()?, fs::symlink_metadata(path).ok()?);
    let is_there = (ours.dev(), ours.ino()) == (there.dev(), there.ino());
    is_there.then_some(file)
}

/// Gives a whole backup its name, which is taken from no file that is there.
fn name(unfinished: &Path, target: &Path) -> io::Result<()> {
    match renameat_with(CWD, unfinished, CWD, target, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        // Not every file system can; a second name it is then, and the first one goes.
        Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
            fs::hard_link(unfinished, target)?;
            fs::remove_file(unfinished)
        }
        Err(error) => Err(error.into()),
    }
}

/// The file that a backup grows in.
struct Unfinished<'f> {
    path: &'f Path,
    file: &'f File,
}

/// Packs everything, and examines what was packed.
async fn pack(
    config: &Config,
    places: &Places,
    copy: &Path,
    file: Unfinished<'_>,
    language: Language,
) -> anyhow::Result<Packed> {
    let Unfinished {
        path: unfinished,
        file,
    } = file;
    if let Err(error) = fs::remove_file(copy)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error).with_context(|| format!("cannot write `{}`", copy.display()));
    }
    sayso_store::copy(&config.store_path, copy)
        .await
        .with_context(|| format!("cannot copy `{}`", config.store_path.display()))?;
    let examined = sayso_store::examine(copy)
        .await
        .context("the copy is not whole")?;
    let packing = places.packing();
    let secrets = packing.secret_places();
    let manifest = Manifest::new(examined.schema, examined.rows, copy, secrets)?;
    let bytes = packing.size() + fs::metadata(copy).map_or(0, |copy| copy.len());
    let progress = Progress::of(messages::writing_backup(language), bytes);
    let packed = packing
        .pack(progress.counts(file), manifest, copy)
        .context("cannot write the backup")?;
    drop(progress);
    file.sync_all().context("cannot write the backup")?;
    let bytes = fs::metadata(unfinished).map_or(0, |backup| backup.len());
    let progress = Progress::of(messages::checking_backup(language), bytes);
    unpack::check(unfinished, &packed, &progress)
        .context("the backup is not what was to be written")?;
    Ok(packed)
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn parent_of(path: &Path) -> &Path {
    let parent = path.parent();
    let parent = parent.filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

fn without_links(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn says(output: &mut impl Write, said: &str, exit: Exit) -> anyhow::Result<Exit> {
    writeln!(output, "{said}")?;
    Ok(exit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_that_was_renamed_in_the_middle_of_its_naming_is_not_touched_by_the_next() {
        let home = tempfile::tempdir().unwrap();
        let (part, target) = (home.path().join("all.part"), home.path().join("all"));
        // Killed between the two halves of naming it, where that takes two.
        fs::write(&part, "whole").unwrap();
        fs::hard_link(&part, &target).unwrap();
        fs::rename(&target, home.path().join("monday")).unwrap();
        let file = begin(&part).unwrap().unwrap();
        assert_eq!(file.metadata().unwrap().len(), 0);
        assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o600);
        let monday = home.path().join("monday");
        assert_eq!(fs::read_to_string(&monday).unwrap(), "whole");
        assert!(begin(&part).unwrap().is_none(), "another one has it");

        name(&part, &target).unwrap();
        assert!(target.exists() && !part.exists());
        let second = begin(&part).unwrap();
        assert!(second.is_some());
        assert!(name(&part, &monday).is_err());
        assert_eq!(fs::read_to_string(&monday).unwrap(), "whole");
        drop(second);
        fs::remove_file(&part).unwrap();
        std::os::unix::fs::symlink(&monday, &part).unwrap();
        assert!(begin(&part).is_err());
    }
}
