//! Skills that come as an archive: `.zip`, `.tar` or `.tar.gz`, unpacked into memory and nowhere
//! else.
//!
//! Names, kinds and sizes are the archive's own claims, so each is checked where it counts: a path
//! that leads out, whatever is no plain file, and what unpacks to more than there is room for
//! refuse all of it.

use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::path::Path;

use flate2::read::GzDecoder;

use super::content::{BYTES, Content};
use super::problem::Refusal;

/// The largest archive, in bytes.
const ARCHIVE_BYTES: u64 = 16 * 1024 * 1024;
/// The most entries of an archive, folders included.
const ENTRIES: usize = 1000;
/// How many times larger than packed something may be; text packs to a tenth.
const RATIO: u64 = 100;
/// Below this size nothing is too large for its archive, in bytes.
const SMALL: u64 = 64 * 1024;

/// The kinds of archives that are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// `.zip`
    Zip,
    /// `.tar`
    Tar,
    /// `.tar.gz` and `.tgz`
    TarGz,
}

impl Format {
    /// Returns the format that a name says.
    pub fn of(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
        if ends(&[".zip", ".skill"]) {
            Some(Self::Zip)
        } else if ends(&[".tar.gz", ".tgz"]) {
            Some(Self::TarGz)
        } else if ends(&[".tar"]) {
            Some(Self::Tar)
        } else {
            None
        }
    }
}

/// Unpacks an archive into memory.
pub fn unpack(path: &Path, format: Format) -> Result<Content, Refusal> {
    let unreadable = |error: io::Error| Refusal::unreadable(&error);
    let plain = |kind: Metadata| {
        let refused = || Refusal::NoPlainFile(path.display().to_string());
        kind.is_file().then_some(kind).ok_or_else(refused)
    };
    // Opening a pipe would wait for who writes into it.
    plain(fs::metadata(path).map_err(unreadable)?)?;
    let file = File::open(path).map_err(unreadable)?;
    let kind = plain(file.metadata().map_err(unreadable)?)?;
    if kind.len() > ARCHIVE_BYTES {
        return Err(Refusal::TooLarge);
    }
    match format {
        Format::Zip => unzip(file),
        Format::Tar => untar(file.take(ARCHIVE_BYTES), kind.len()),
        Format::TarGz => untar(GzDecoder::new(file.take(ARCHIVE_BYTES)), kind.len()),
    }
}

fn unzip(file: File) -> Result<Content, Refusal> {
    let broken = |error: zip::result::ZipError| Refusal::BrokenArchive(error.to_string());
    let mut archive = zip::ZipArchive::new(file).map_err(broken)?;
    if archive.len() > ENTRIES {
        return Err(Refusal::TooManyFiles);
    }
    let mut content = Content::default();
    for index in 0..archive.len() {
        let (name, is_encrypted) = {
            let entry = archive.by_index_raw(index).map_err(broken)?;
            let name = entry.name().map_err(broken)?.into_owned();
            (name, entry.encrypted())
        };
        if is_encrypted {
            return Err(Refusal::Encrypted(name));
        }
        let entry = archive.by_index(index).map_err(broken)?;
        if entry.is_dir() {
            plain_path(&name)?;
            continue;
        }
        if entry.is_symlink() || !entry.is_file() {
            return Err(Refusal::NoPlainFile(name));
        }
        let packed = entry.compressed_size();
        let bytes = read(entry, packed)?;
        content.add(plain_path(&name)?, bytes)?;
    }
    Ok(content)
}

fn untar(packed: impl Read, packed_bytes: u64) -> Result<Content, Refusal> {
    let broken = |error: io::Error| Refusal::BrokenArchive(error.to_string());
    // Folders and headers take room too, which only this bounds.
    let whole = packed.take(BYTES + ENTRIES as u64 * 1024);
    let mut archive = tar::Archive::new(whole);
    let mut content = Content::default();
    for (count, entry) in archive.entries().map_err(broken)?.enumerate() {
        if count == ENTRIES {
            return Err(Refusal::TooManyFiles);
        }
        let entry = entry.map_err(broken)?;
        let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        match entry.header().entry_type() {
            tar::EntryType::XGlobalHeader => {}
            tar::EntryType::Directory => {
                plain_path(&name)?;
            }
            tar::EntryType::Regular | tar::EntryType::Continuous => {
                let bytes = read(entry, packed_bytes)?;
                content.add(plain_path(&name)?, bytes)?;
            }
            _ => return Err(Refusal::NoPlainFile(name)),
        }
    }
    if content.bytes() > SMALL && content.bytes() / packed_bytes.max(1) > RATIO {
        return Err(Refusal::Bomb);
    }
    Ok(content)
}

/// Reads an entry, whatever size it claims.
fn read(entry: impl Read, packed: u64) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    let mut bounded = entry.take(BYTES + 1);
    bounded
        .read_to_end(&mut bytes)
        .map_err(|error| Refusal::BrokenArchive(error.to_string()))?;
    let size = bytes.len() as u64;
    if size > SMALL && size / packed.max(1) > RATIO {
        return Err(Refusal::Bomb);
    }
    Ok(bytes)
}

/// Returns a path whose parts are names and nothing else.
fn plain_path(name: &str) -> Result<String, Refusal> {
    let leads_out = || Refusal::LeadsOut(name.to_owned());
    if name.starts_with('/') || name.contains(['\\', '\0', ':']) {
        return Err(leads_out());
    }
    let mut parts = Vec::new();
    for part in name.split('/') {
        match part {
            "" | "." => {}
            ".." => return Err(leads_out()),
            part => parts.push(part),
        }
    }
    Ok(parts.join("/"))
}

#[cfg(test)]
#[path = "archive_tests.rs"]
mod tests;
