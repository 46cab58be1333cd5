//! SQLite: one file, one writer that shares its commits, and readers beside it.
//!
//! A statement runs on the thread that awaits it, and its future is ready at once. The writer has a
//! thread of its own, on which whole transactions run; a read runs where it is asked for, which
//! takes less time than waking another thread. While a read that may take long
//! runs ([`Readers::begin`]), the runtime gives the thread's other work to another one.

mod check;
mod connection;
mod copy;
mod log;
mod migrate;
mod open;
mod readers;
mod room;
mod scrub;
mod tx;
mod writer;

pub use check::{FileCheck, check_file};
pub(crate) use connection::Connection;
pub use copy::{copy, examine};
pub use open::open_to_read;
pub use readers::Readers;
pub use room::Sizes;
pub use tx::Tx;
pub use writer::{Committed, Urgency};

#[cfg(test)]
pub(crate) use connection::Access;
pub(crate) use migrate::remove_copies;
#[cfg(test)]
pub(crate) use migrate::{MIGRATIONS, Migration, known_schema, migrate, schema_version};
pub(crate) use open::open;
pub(crate) use room::{give_back, sizes};
pub(crate) use scrub::scrub;
pub(crate) use writer::Writer;
