//! The search by words: the one thing that two engines cannot do with one text.
//!
//! What is looked for is a question of marked words ([`word_index::SearchTerms`]); how an index keeps them is
//! known in these files alone.

pub mod line_words;
pub mod memory_words;
pub mod reindex;
pub mod unindexed;
pub mod word_index;
