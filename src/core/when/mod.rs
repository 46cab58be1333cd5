//! Times as people write and read them.

mod schedule_words;

pub use schedule_words::in_words as schedule_in_words;
