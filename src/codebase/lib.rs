//! A code base as a whole: what its files define, a map of them within a budget of tokens, and the
//! search for the place that a sentence speaks of.
//!
//! A [`Codebase`] holds what is known of the files under a root. A [`Look`] reads those that changed;
//! [`Codebase::map`] writes the map, by how much the rest of the code and the message refer to each
//! definition; [`Codebase::search`] ranks pieces of files by their words, and by vectors where the
//! caller has some; [`Codebase::locate`] ranks files by search and map together.
//! [`Codebase::to_bytes`] is for keeping it between two runs.
//!
//! Which files there are, and who may see them, is the caller's business; so are threads, waiting and
//! embedding. Nothing here awaits, reads a clock or writes to disk.

mod chunks;
mod codebase;
mod index;
mod language;
mod look;
mod map;
mod outline;
mod reader;
mod source;
mod syntax;
mod words;

pub use chunks::{Lines, MAX_CHUNK_LINES};
pub use codebase::Codebase;
pub use index::{ChunkKey, Embedding, Hit, Located, NotStored, Query, RankedFile};
pub use language::CodeLanguage;
pub use look::{Known, Limits, Look, MAX_FILES, MAX_TEXT_BYTES, Refresh, SeenFile};
pub use map::{Map, MapRequest};
pub use reader::read_text;
pub use source::{LeftOut, MAX_FILE_BYTES, MAX_LINE_BYTES, Origin};
pub use syntax::parse;
