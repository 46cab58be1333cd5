//! The ZIP file that a document of Office or OpenDocument is.

use std::cell::RefCell;
use std::io::{self, Cursor, Read as _};

use zip::ZipArchive;

use super::Problem;

/// The most files in it.
const MAX_FILES: usize = 20_000;
/// The most bytes that one of its files unpacks to, and all that are read of it together.
const MAX_PART: u64 = 64 * 1024 * 1024;
const MAX_TOTAL: u64 = 160 * 1024 * 1024;
/// The most bytes that its files of markup unpack to together, where a library reads them.
const MAX_MARKUP: u64 = 512 * 1024 * 1024;

/// A document as the files that it is made of.
pub(super) struct Package<'a> {
    bytes: &'a [u8],
    archive: RefCell<ZipArchive<Cursor<&'a [u8]>>>,
    read: RefCell<u64>,
}

impl<'a> Package<'a> {
    /// Returns whether something begins as a ZIP file.
    pub(super) fn is_one(bytes: &[u8]) -> bool {
        bytes.starts_with(b"PK\x03\x04")
    }

    /// Opens it.
    pub(super) fn open(bytes: &'a [u8]) -> Result<Self, Problem> {
        let archive = ZipArchive::new(Cursor::new(bytes)).map_err(|error| damaged(&error))?;
        if archive.len() > MAX_FILES {
            return Err(Problem::TooLarge);
        }
        Ok(Self {
            bytes,
            archive: RefCell::new(archive),
            read: RefCell::new(0),
        })
    }

    /// Returns the bytes that it is.
    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Checks that a library which knows no limits may unpack its files of markup.
    pub(super) fn check_markup(&self) -> Result<(), Problem> {
        let mut archive = self.archive.borrow_mut();
        let mut room = MAX_MARKUP;
        for index in 0..archive.len() {
            let raw = archive.by_index_raw(index);
            let raw = raw.map_err(|error| damaged(&error))?;
            let ends = [".xml", ".rels"];
            let name = raw.name().unwrap_or_default();
            let is_markup = ends.iter().any(|end| name.ends_with(end));
            if !is_markup {
                continue;
            }
            if raw.encrypted() {
                return Err(Problem::Encrypted);
            }
            drop(raw);
            let entry = archive.by_index(index).map_err(|error| damaged(&error))?;
            let limit = MAX_PART.min(room);
            let read = io::copy(&mut entry.take(limit + 1), &mut io::sink());
            let read = read.map_err(|error| Problem::Damaged(error.to_string()))?;
            if read > limit {
                return Err(Problem::TooLarge);
            }
            room -= read;
        }
        Ok(())
    }

    /// Returns whether it has this file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.archive.borrow().index_for_name(name).is_some()
    }

    /// Returns how many files there are that are numbered from 1 between these.
    pub(super) fn count(&self, before: &str, after: &str) -> usize {
        let numbered = |number: &usize| self.has(&format!("{before}{number}{after}"));
        (1..=MAX_FILES).take_while(numbered).count()
    }

    /// Returns the text of a file in it.
    pub(super) fn text(&self, name: &str) -> Result<String, Problem> {
        let mut archive = self.archive.borrow_mut();
        let index = archive
            .index_for_name(name)
            .ok_or_else(|| Problem::Damaged(format!("`{name}` is not in it")))?;
        if archive.by_index_raw(index).is_ok_and(|raw| raw.encrypted()) {
            return Err(Problem::Encrypted);
        }
        let entry = archive.by_index(index).map_err(|error| damaged(&error))?;
        let mut total = self.read.borrow_mut();
        let room = MAX_PART.min(MAX_TOTAL.saturating_sub(*total));
        let mut bytes = Vec::new();
        let read = entry.take(room + 1).read_to_end(&mut bytes);
        read.map_err(|error| Problem::Damaged(error.to_string()))?;
        *total += bytes.len() as u64;
        if bytes.len() as u64 > room {
            return Err(Problem::TooLarge);
        }
        String::from_utf8(bytes).map_err(|_| Problem::Damaged("it is not UTF-8".to_owned()))
    }
}

fn damaged(error: &zip::result::ZipError) -> Problem {
    Problem::Damaged(error.to_string())
}
