//! `/forget` with words: shows the matching memories and the number of messages with all of these
//! words; a press deletes them: rows, words, vectors, and what the card itself said of it, in one
//! transaction. In a direct chat it is the person's own memory, in a group the group's.

mod answer;
mod ask;
mod card;
mod messages;

pub use answer::{answer, expired};
pub use ask::ask;
