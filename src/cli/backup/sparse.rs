//! Files with holes, in the form that GNU tar calls 1.0: an ordinary entry whose content begins with
//! a list of the segments that hold data, and whose PAX records say the real name and length
//! (<https://www.gnu.org/software/tar/manual/html_node/PAX-1.html>). GNU tar and bsdtar unpack it.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{SeekFrom, seek};
use rustix::io::Errno;

/// Segments begin at a multiple of this, which is the block of most file systems; a list of
/// segments is padded to the blocks of tar.
pub(super) const BLOCK: u64 = 4096;
/// The block of the tar format.
const TAR_BLOCK: usize = 512;
/// The most segments of a file that are kept apart: a file with more is packed as if it had none.
const MAX_SEGMENTS: usize = 100_000;
/// The longest number in a list of segments, with its end of line: 20 digits of a `u64`.
const MAX_LINE: usize = 21;
/// The records that say that an entry has this form.
const MAJOR: &str = "GNU.sparse.major";
const MINOR: &str = "GNU.sparse.minor";
const NAME: &str = "GNU.sparse.name";
const LENGTH: &str = "GNU.sparse.realsize";

/// The stretches of a file that hold data, in order, as whole blocks; the last one ends with the
/// file.
pub(super) type Segments = Vec<Range<u64>>;

/// Returns the segments of a file of this length. Where a file system does not know its holes, all
/// of it is one segment (lseek(2)).
pub(super) fn segments(file: &File, length: u64) -> io::Result<Segments> {
    let mut found: Segments = Vec::new();
    let mut at = 0;
    while at < length {
        let start = match seek(file, SeekFrom::Data(at)) {
            Ok(start) => start,
            // Nothing but a hole is left.
            Err(Errno::NXIO) => break,
            Err(Errno::INVAL | Errno::NOTSUP) => return Ok(whole(length)),
            Err(error) => return Err(error.into()),
        };
        let end = match seek(file, SeekFrom::Hole(start)) {
            Ok(end) => end,
            Err(Errno::NXIO) => break,
            Err(error) => return Err(error.into()),
        };
        // A file that shrinks or grows meanwhile is what it was when its length was taken.
        let start = start / BLOCK * BLOCK;
        let end = end.next_multiple_of(BLOCK).min(length);
        at = end.max(at + 1);
        match found.last_mut() {
            Some(last) if start <= last.end => last.end = last.end.max(end),
            Some(_) | None if start < end => found.push(start..end),
            Some(_) | None => {}
        }
        if found.len() > MAX_SEGMENTS {
            return Ok(whole(length));
        }
    }
    Ok(found)
}

/// Returns the one segment of a file without holes.
pub(super) fn whole(length: u64) -> Segments {
    if length == 0 {
        return Vec::new();
    }
    std::iter::once(0..length).collect()
}

/// Returns how much data segments hold.
pub(super) fn stored(segments: &[Range<u64>]) -> u64 {
    segments
        .iter()
        .map(|segment| segment.end - segment.start)
        .sum()
}

/// Returns the records of an entry, with their values.
pub(super) fn records(place: &[u8], length: u64) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (MAJOR, b"1".to_vec()),
        (MINOR, b"0".to_vec()),
        (NAME, place.to_vec()),
        (LENGTH, length.to_string().into_bytes()),
    ]
}

/// Returns the list of segments that an entry begins with: how many there are, where each begins
/// and how long it is. One without data at the end says where the file ends.
pub(super) fn list(segments: &[Range<u64>], length: u64) -> Vec<u8> {
    let end = length..length;
    let all = segments.iter().chain(std::iter::once(&end));
    let lines: Vec<String> = all
        .map(|segment| format!("{}\n{}\n", segment.start, segment.end - segment.start))
        .collect();
    let lines = format!("{}\n{}", lines.len(), lines.concat());
    let mut list = lines.into_bytes();
    list.resize(list.len().next_multiple_of(TAR_BLOCK), 0);
    list
}

/// The real name and length of a file with holes.
#[derive(Debug, Default)]
pub(super) struct Described {
    is_major: bool,
    place: Option<PathBuf>,
    length: Option<u64>,
}

impl Described {
    /// Takes a record of an entry.
    pub(super) fn take(&mut self, key: &[u8], value: &[u8]) {
        let text = std::str::from_utf8(value).ok();
        if key == MAJOR.as_bytes() {
            self.is_major = text == Some("1");
        } else if key == NAME.as_bytes() {
            self.place = Some(Path::new(OsStr::from_bytes(value)).to_owned());
        } else if key == LENGTH.as_bytes() {
            self.length = text.and_then(|text| text.parse().ok());
        }
    }

    /// Returns name and length, if the entry is a file with holes.
    pub(super) fn finish(self) -> Option<(PathBuf, u64)> {
        if self.is_major {
            self.place.zip(self.length)
        } else {
            None
        }
    }
}

/// Reads the list of segments of a file of this length. They must be in order and apart, inside of
/// the file, and whole blocks.
pub(super) fn read_list(entry: &mut impl Read, length: u64) -> io::Result<Segments> {
    let mut read = 0;
    let count = line(entry, &mut read)?;
    if count > MAX_SEGMENTS as u64 + 1 {
        return Err(damaged());
    }
    let mut segments = Vec::new();
    let mut from = 0;
    for _ in 0..count {
        let start = line(entry, &mut read)?;
        let size = line(entry, &mut read)?;
        let end = start
            .checked_add(size)
            .filter(|end| *end <= length)
            .ok_or_else(damaged)?;
        let is_whole = start % BLOCK == 0 && (end % BLOCK == 0 || end == length);
        if size == 0 {
            continue;
        }
        if start < from || !is_whole {
            return Err(damaged());
        }
        from = end;
        segments.push(start..end);
    }
    let padding = read.next_multiple_of(TAR_BLOCK) - read;
    io::copy(&mut entry.take(padding as u64), &mut io::sink())?;
    Ok(segments)
}

/// Reads a number and its end of line.
fn line(entry: &mut impl Read, read: &mut usize) -> io::Result<u64> {
    let mut number: u64 = 0;
    for place in 0..MAX_LINE {
        let mut byte = [0];
        entry.read_exact(&mut byte)?;
        *read += 1;
        match byte[0] {
            b'\n' if place > 0 => return Ok(number),
            digit @ b'0'..=b'9' => {
                let next = number.checked_mul(10);
                let next = next.and_then(|number| number.checked_add(u64::from(digit - b'0')));
                number = next.ok_or_else(damaged)?;
            }
            _ => return Err(damaged()),
        }
    }
    Err(damaged())
}

fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "its list of holes is damaged")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn r7_a_list_of_segments_is_read_as_it_was_written() {
        let segments: Segments = vec![4096..8192, 40_960..41_000];
        let list = list(&segments, 41_000);
        assert_eq!(list.len(), TAR_BLOCK);
        assert_eq!(read_list(&mut &*list, 41_000).unwrap(), segments);
        for damaged in [
            &b"2\n0\n"[..],
            b"1\n0\n99999\n",
            b"1\n100\n10\n",
            b"x\n",
            b"\n",
        ] {
            assert!(read_list(&mut &*damaged, 41_000).is_err(), "{damaged:?}");
        }
        let overlapping = b"2\n4096\n8192\n8192\n4096\n";
        assert!(read_list(&mut &overlapping[..], 41_000).is_err());
    }

    #[test]
    fn r7_holes_are_no_segments() {
        use std::os::unix::fs::FileExt as _;
        let file = tempfile::tempfile().unwrap();
        file.set_len(1 << 30).unwrap();
        file.write_all_at(b"data", 1 << 20).unwrap();
        let found = segments(&file, 1 << 30).unwrap();
        assert!(stored(&found) <= 1 << 20, "{found:?}");
        assert!(found.iter().any(|segment| segment.contains(&(1 << 20))));
        assert_eq!(segments(&file, 0).unwrap(), Segments::new());
    }
}
