//! `sayso backup` and `sayso restore`: everything that an instance keeps, in one file and back.
//!
//! A backup is made while Sayso runs, by reading alone. It is examined before it gets its name, and
//! never takes the name of a file that is there. It is restored into a data directory that is not
//! there yet, and examined again before that gets its name.

mod archive;

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use nix::fcntl::{Flock, FlockArg};
use sayso_channel::Language;

use self::archive::{Manifest, Packed};
use super::exit::Exit;
use super::messages;
use crate::config::Config;
use crate::store;

/// The database in a backup.
const DATABASE: &str = "sayso.db";

/// Writes a backup to `target`.
pub(super) async fn backup(
    config: &Config,
    target: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let shown = target.display();
    if target.symlink_metadata().is_ok() {
        return says(
            output,
            &messages::backup_is_there(language, &shown),
            Exit::Failed,
        );
    }
    let unfinished = beside(target, ".part");
    let Some(file) = begin(&unfinished)? else {
        return says(
            output,
            &messages::backup_is_made(language, &shown),
            Exit::Failed,
        );
    };
    let copy = beside(target, ".part-db");
    let packed = pack(config, &copy, &unfinished, &file, target).await;
    let named = packed.and_then(|packed| {
        // Unlike a rename, a second name is not taken from a file that is there.
        fs::hard_link(&unfinished, target)
            .with_context(|| format!("cannot name the backup `{shown}`"))?;
        Ok(packed)
    });
    // Either is a part of what failed, or has another name by now.
    let _ = fs::remove_file(&copy);
    let _ = fs::remove_file(&unfinished);
    let packed = named?;
    let directory = target
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    File::open(directory.unwrap_or(Path::new(".")))?.sync_all()?;
    let rows: i64 = packed.manifest.rows.values().sum();
    let said = messages::backup_made(language, &shown, &rows, &packed.files);
    says(output, &said, Exit::Fine)
}

/// Takes the file that a backup grows in; `None` while another process has it. What a process left
/// there that was killed is overwritten.
fn begin(unfinished: &Path) -> anyhow::Result<Option<Flock<File>>> {
    let shown = unfinished.display();
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .mode(0o600)
        .open(unfinished)
        .with_context(|| format!("cannot write `{shown}`"))?;
    let Ok(file) = Flock::lock(file, FlockArg::LockExclusiveNonblock) else {
        return Ok(None);
    };
    file.set_len(0)
        .with_context(|| format!("cannot write `{shown}`"))?;
    Ok(Some(file))
}

/// Packs everything, and examines what was packed.
async fn pack(
    config: &Config,
    copy: &Path,
    unfinished: &Path,
    file: &File,
    target: &Path,
) -> anyhow::Result<Packed> {
    if let Err(error) = fs::remove_file(copy)
        && error.kind() != io::ErrorKind::NotFound
    {
        return Err(error).with_context(|| format!("cannot write `{}`", copy.display()));
    }
    store::copy(&config.store_path, copy)
        .await
        .with_context(|| format!("cannot copy `{}`", config.store_path.display()))?;
    let examined = store::examine(copy)
        .await
        .context("the copy is not whole")?;
    let manifest = Manifest::new(examined.schema, examined.rows, copy)?;
    let left_out = [copy, unfinished, target, &config.store_path].map(absolute);
    let packed = archive::pack(file, manifest, copy, &config.data_dir, &left_out)
        .context("cannot write the backup")?;
    file.sync_all().context("cannot write the backup")?;
    archive::check(unfinished, &packed).context("the backup is not what was to be written")?;
    Ok(packed)
}

/// Makes the data directory from a backup.
pub(super) async fn restore(
    config: &Config,
    source: &Path,
    language: Language,
    output: &mut impl Write,
) -> anyhow::Result<Exit> {
    let directory = &config.data_dir;
    let shown = directory.display();
    let is_free = match fs::read_dir(directory) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_free {
        return says(
            output,
            &messages::restore_not_in_place(language, &shown),
            Exit::Failed,
        );
    }
    let Ok(database) = config.store_path.strip_prefix(directory) else {
        let place = config.store_path.display();
        return says(
            output,
            &messages::restore_elsewhere(language, &place),
            Exit::Failed,
        );
    };
    let unfinished = beside(directory, ".restoring");
    let restored = unpack(source, &unfinished, database).await;
    let named = restored.and_then(|manifest| {
        // It takes the place of an empty directory, and of no other.
        fs::rename(&unfinished, directory).with_context(|| format!("cannot name `{shown}`"))?;
        Ok(manifest)
    });
    match named {
        Ok(manifest) => {
            let rows: i64 = manifest.rows.values().sum();
            let said = messages::restored(language, &shown, &rows, &manifest.version);
            says(output, &said, Exit::Fine)
        }
        Err(error) => {
            // What is left of it is no data directory, and is said to be none by its name.
            let _ = fs::remove_dir_all(&unfinished);
            Err(error)
        }
    }
}

/// Unpacks a backup into a new directory, and examines what is there then.
async fn unpack(source: &Path, into: &Path, database: &Path) -> anyhow::Result<Manifest> {
    let parent = into.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(parent).with_context(|| format!("cannot make `{}`", parent.display()))?;
    DirBuilder::new()
        .mode(0o700)
        .create(into)
        .with_context(|| format!("cannot make `{}`", into.display()))?;
    let manifest = archive::unpack(source, into)
        .with_context(|| format!("`{}` cannot be restored", source.display()))?;
    let unpacked = into.join(DATABASE);
    let examined = store::examine(&unpacked).await?;
    if (examined.schema, &examined.rows) != (manifest.schema, &manifest.rows) {
        anyhow::bail!("the database in it is not the one that was backed up");
    }
    if database != Path::new(DATABASE) {
        fs::rename(&unpacked, into.join(database)).context("cannot name the database")?;
    }
    Ok(manifest)
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

fn says(output: &mut impl Write, said: &str, exit: Exit) -> anyhow::Result<Exit> {
    writeln!(output, "{said}")?;
    Ok(exit)
}
