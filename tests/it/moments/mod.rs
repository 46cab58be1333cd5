//! The seventy moments that people meet most, as they read on both platforms and in both languages.
//!
//! A theme is a conversation with one bot. What stands in the chat after each moment is kept under
//! the moment's number in `snapshots/THEME.PLATFORM.LANGUAGE.snap`: one page to read as a person
//! would. `numbers` sees that no moment is missing.

/// Cards: what is asked, and what is left when it is decided.
mod cards;
/// What the commands answer.
mod commands;
/// Work under way: the live message, stops, and what is said meanwhile.
mod live;
/// That each of the seventy moments stands on a page.
mod numbers;
/// Strangers, first contact, and what a person is.
mod people;
/// Start, `doctor`, `init` and the terminal chat.
mod terminal;
/// What goes wrong, and what is said of it.
mod trouble;

/// Where their pages are kept, from `tests/it`.
const PAGES: &str = "moments/snapshots";
