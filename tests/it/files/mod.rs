//! Files that people send: kept, named, read, and what becomes of those that do not come.

/// What is fetched, under which name, and when it is not.
mod arriving;
