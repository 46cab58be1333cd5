//! Times as people write and read them.
//!
//! # Files
//!
//! Times as people write and read them: `schedule_words.rs` says a stored schedule in words, for
//! cards (`policy`) and `/routines`.
//!
//! # Invariants
//!
//! - It names no room.

mod schedule_words;

pub use schedule_words::in_words as schedule_in_words;
