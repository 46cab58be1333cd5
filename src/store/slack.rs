//! The unused places of pages, where SQLite leaves copies of rows that it moved: a row that is
//! deleted goes from where it lies, and not from where it lay before.
//!
//! They are overwritten in the file itself, which holds nothing but unused bytes there
//! (<https://www.sqlite.org/fileformat2.html>). That is safe while nothing is in the log and the
//! one who may write writes nothing: whatever a reader sees of it, or a power cut leaves, is a page
//! with the same rows. A page that does not look exactly like one of rows is left alone.

use std::fs::{File, OpenOptions};
use std::io;
use std::ops::Range;
use std::os::unix::fs::FileExt as _;
use std::path::Path;

use super::StoreError;

/// How the file begins.
const MAGIC: &[u8] = b"SQLite format 3\0";
/// The length of the header of the file, which precedes that of the first page.
const FILE_HEADER: usize = 100;
/// The byte of the file that is locked, and whose page is never used.
const LOCKED_BYTE: u64 = 0x4000_0000;
/// From this number of pages on, a page number could be mistaken for a page type.
const TOO_MANY_PAGES: u64 = 0x0200_0000;

/// The pages of a database.
///
/// It must be kept as long as the database is open: a process that closes a file loses its locks on
/// it.
#[derive(Debug)]
pub(super) struct Pages {
    file: File,
    size: usize,
    usable: usize,
}

impl Pages {
    /// Opens the file of a database.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut header = [0; FILE_HEADER];
        file.read_exact_at(&mut header, 0)?;
        let pages = header.starts_with(MAGIC).then(|| {
            let size = match pair(&header, 16)? {
                1 => 65_536,
                size => size,
            };
            let usable = size.checked_sub(usize::from(*header.get(20)?))?;
            Some((size, usable))
        });
        let (size, usable) = pages.flatten().ok_or(io::ErrorKind::InvalidData)?;
        Ok(Self { file, size, usable })
    }

    /// Returns how many pages there are now.
    pub(super) fn count(&self) -> io::Result<u64> {
        let count = self.file.metadata()?.len() / self.size as u64;
        if count < TOO_MANY_PAGES {
            Ok(count)
        } else {
            Err(io::ErrorKind::FileTooLarge.into())
        }
    }

    /// Overwrites what is unused in these pages, counted from 0; returns when it is on disk.
    pub(super) fn blank(&self, pages: Range<u64>) -> io::Result<()> {
        let mut page = vec![0; self.size];
        let mut is_changed = false;
        for number in pages.start..pages.end.min(self.count()?) {
            if self.holds_no_rows(number) {
                continue;
            }
            let place = number * self.size as u64;
            self.file.read_exact_at(&mut page, place)?;
            let header = if number == 0 { FILE_HEADER } else { 0 };
            if blank(&mut page, header, self.usable) == Some(true) {
                self.file.write_all_at(&page, place)?;
                is_changed = true;
            }
        }
        if is_changed {
            self.file.sync_data()?;
        }
        Ok(())
    }

    /// Returns whether a page says where others belong, or is the one that is never used.
    fn holds_no_rows(&self, number: u64) -> bool {
        let never_used = LOCKED_BYTE / self.size as u64;
        let described = (self.usable / 5) as u64;
        let Some(behind_first) = number.checked_sub(1) else {
            return false;
        };
        let map = behind_first / (described + 1) * (described + 1) + 1;
        let map = if map == never_used { map + 1 } else { map };
        number == never_used || number == map
    }
}

/// Overwrites the unused parts of a page whose header is at `at`, and returns whether that changed
/// it; `None` if it is not a page of rows. The buffer may be partly overwritten then and must not
/// be written.
fn blank(page: &mut [u8], at: usize, usable: usize) -> Option<bool> {
    // Inner and outer pages of indexes and tables.
    let header = match page.get(at)? {
        0x02 | 0x05 => 12,
        0x0a | 0x0d => 8,
        _ => return None,
    };
    let cells = pair(page, at + 3)?;
    let content = match pair(page, at + 5)? {
        0 => 65_536,
        content => content,
    };
    let pointers = at + header..at + header + 2 * cells;
    for pointer in pointers.clone().step_by(2) {
        if !(content..usable).contains(&pair(page, pointer)?) {
            return None;
        }
    }
    if content > usable {
        return None;
    }
    let mut is_changed = zero(page.get_mut(pointers.end..content)?);
    let mut block = pair(page, at + 1)?;
    while block != 0 {
        let (next, length) = (pair(page, block)?, pair(page, block + 2)?);
        let is_in_order = block >= content && (next == 0 || next > block);
        if !is_in_order || block + length > usable {
            return None;
        }
        is_changed |= zero(page.get_mut(block + 4..block + length)?);
        block = next;
    }
    Some(is_changed)
}

/// Overwrites bytes and says whether they were anything else.
fn zero(bytes: &mut [u8]) -> bool {
    let is_changed = bytes.iter().any(|byte| *byte != 0);
    bytes.fill(0);
    is_changed
}

/// Reads two bytes as a number.
fn pair(bytes: &[u8], at: usize) -> Option<usize> {
    let pair: [u8; 2] = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(usize::from(u16::from_be_bytes(pair)))
}

/// Returns the error of a file whose pages cannot be read or overwritten.
pub(super) fn failed(error: &io::Error) -> StoreError {
    StoreError::Broken(format!("the pages of the file cannot be cleaned: {error}"))
}

#[cfg(test)]
#[path = "slack_tests.rs"]
mod tests;
