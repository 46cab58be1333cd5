//! A code base as bytes, so that the next start reads only what changed.
//!
//! Numbers are written in groups of seven bits (LEB128), texts with their length before them. The
//! first bytes say the version; the last are a hash of all before them, so that a file that was cut
//! off or damaged is refused as a whole, and the code base read anew.

use super::entry::{Chunk, ChunkCount, ChunkKey, Entry, WordPlaces};
use super::{File, Index, Places};
use crate::chunks::Lines;
use crate::codebase::Codebase;
use crate::outline::{Definition, Outline, Reference};
use crate::source::{ContentHash, Origin, Stamp, content_hash};

/// The version of the format and of what is in it: another one wherever chunks, words or outlines of
/// the same file become others.
const VERSION: &[u8; 8] = b"codebas1";

/// Why bytes are no code base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotStored {
    /// They were written by another version.
    #[error("the index was written by another version")]
    Version,
    /// They are not what was written.
    #[error("the index is damaged")]
    Damaged,
}

impl Codebase {
    /// Returns all that is known as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = Writer {
            bytes: VERSION.to_vec(),
        };
        let mut words: Vec<&str> = vec![""; self.index.words.len()];
        for (word, number) in &self.index.words {
            if let Some(slot) = words.get_mut(*number as usize) {
                *slot = word;
            }
        }
        writer.list(words.iter(), |writer, word| writer.text(word));
        writer.list(self.index.files(), Writer::file);
        let hash = content_hash(&writer.bytes);
        writer.bytes.extend(hash);
        writer.bytes
    }

    /// Reads what [`Codebase::to_bytes`] wrote.
    ///
    /// # Errors
    /// When another version wrote the bytes, or they are damaged.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NotStored> {
        if !bytes.starts_with(VERSION) {
            return Err(NotStored::Version);
        }
        let end = bytes.len() - size_of::<ContentHash>().min(bytes.len());
        let (body, hash) = bytes.split_at(end);
        if content_hash(body) != hash {
            return Err(NotStored::Damaged);
        }
        let mut reader = Reader {
            bytes: body.get(VERSION.len()..).unwrap_or_default(),
        };
        let index = reader.index().ok_or(NotStored::Damaged)?;
        Ok(Self { index })
    }
}

struct Writer {
    bytes: Vec<u8>,
}

impl Writer {
    fn number(&mut self, number: impl Into<u64>) {
        let mut rest = number.into();
        while rest >= 0x80 {
            self.bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        self.bytes.push(rest as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn list<T>(&mut self, items: impl Iterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        let items: Vec<T> = items.collect();
        self.number(items.len() as u64);
        for item in items {
            write(self, item);
        }
    }

    fn file(&mut self, file: &File) {
        let entry = &file.entry;
        self.text(&file.path);
        self.number(entry.stamp.size);
        self.number(entry.stamp.modified);
        self.bytes.extend(entry.stamp.hash);
        self.number(entry.origin as u8);
        self.number(entry.length);
        self.list(entry.outline.definitions.iter(), |writer, it| {
            writer.text(&it.name);
            writer.number(it.line);
            writer.number(it.first_line);
            writer.number(it.last_line);
            writer.text(&it.signature);
        });
        self.list(entry.outline.references.iter(), |writer, it| {
            writer.text(&it.name);
            writer.number(it.count);
        });
        self.list(entry.chunks.iter(), |writer, it| {
            writer.number(it.lines.first);
            writer.number(it.lines.last);
            writer.list(it.scope.iter(), |writer, name| writer.text(name));
            writer.bytes.extend(it.key.0);
            writer.number(it.length);
        });
        self.list(file.places.iter(), |writer, it| {
            writer.number(it.word);
            writer.number(it.at.in_path);
            writer.list(it.at.chunks.iter(), |writer, it| {
                writer.number(it.chunk);
                writer.number(it.count);
            });
        });
    }
}

/// Reads what the writer wrote; every part is `None` where the bytes are not that.
struct Reader<'a> {
    bytes: &'a [u8],
}

impl<'a> Reader<'a> {
    fn number<T: TryFrom<u64>>(&mut self) -> Option<T> {
        let mut number: u64 = 0;
        for shift in (0..64).step_by(7) {
            let (first, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            number |= u64::from(first & 0x7f) << shift;
            if first & 0x80 == 0 {
                return T::try_from(number).ok();
            }
        }
        None
    }

    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.bytes.split_at_checked(count)?;
        self.bytes = rest;
        Some(taken)
    }

    fn text(&mut self) -> Option<&'a str> {
        let length = self.number()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn hash(&mut self) -> Option<ContentHash> {
        self.take(size_of::<ContentHash>())?.try_into().ok()
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let count: usize = self.number()?;
        (0..count).map(|_| read(self)).collect()
    }

    fn index(&mut self) -> Option<Index> {
        let words = self.list(Self::text)?;
        let mut index = Index::of_words(&words);
        let count: usize = self.number()?;
        for _ in 0..count {
            let path = self.text()?;
            let entry = self.entry()?;
            let places = self.places(words.len())?;
            index.add(path, entry, places);
        }
        self.bytes.is_empty().then_some(index)
    }

    fn entry(&mut self) -> Option<Entry> {
        let stamp = Stamp {
            size: self.number()?,
            modified: self.number()?,
            hash: self.hash()?,
        };
        Some(Entry {
            stamp,
            origin: origin(self.number()?)?,
            length: self.number()?,
            outline: Outline {
                definitions: self.list(Self::definition)?,
                references: self.list(Self::reference)?,
            },
            chunks: self.list(Self::chunk)?,
            words: std::collections::BTreeMap::new(),
        })
    }

    fn definition(&mut self) -> Option<Definition> {
        Some(Definition {
            name: self.text()?.to_owned(),
            line: self.number()?,
            first_line: self.number()?,
            last_line: self.number()?,
            signature: self.text()?.to_owned(),
        })
    }

    fn reference(&mut self) -> Option<Reference> {
        Some(Reference {
            name: self.text()?.to_owned(),
            count: self.number()?,
        })
    }

    fn chunk(&mut self) -> Option<Chunk> {
        Some(Chunk {
            lines: Lines {
                first: self.number()?,
                last: self.number()?,
            },
            scope: self.list(|reader| reader.text().map(str::to_owned))?,
            key: ChunkKey(self.hash()?),
            length: self.number()?,
        })
    }

    fn places(&mut self, words: usize) -> Option<Vec<Places>> {
        self.list(|reader| {
            let word = reader.number()?;
            let in_path = reader.number()?;
            let chunks = reader.list(|reader| {
                Some(ChunkCount {
                    chunk: reader.number()?,
                    count: reader.number()?,
                })
            })?;
            let at = WordPlaces { in_path, chunks };
            ((word as usize) < words).then_some(Places { word, at })
        })
    }
}

fn origin(number: u8) -> Option<Origin> {
    [Origin::Written, Origin::Generated, Origin::Vendored]
        .into_iter()
        .find(|origin| *origin as u8 == number)
}
