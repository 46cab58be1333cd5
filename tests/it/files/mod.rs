//! Files that people send: kept, named, read, and what becomes of those that do not come.

/// What is fetched, under which name, and when it is not.
mod attachments;
/// Documents as text: sent, asked about, and read where they can break nothing.
mod documents;
/// Pictures for models that see, on both wires, and for those that do not.
pub mod seeing;
