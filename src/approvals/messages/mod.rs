//! What a card and its buttons say.

mod buttons;
mod names;
mod notices;
mod settled;
mod title;

pub use buttons::{
    always, always_alike, always_in_project, approve, approve_all, ask_again, covered_project,
    covered_words, deny, deny_all, deny_and_say_why, one_by_one, take_back,
};
pub use names::plain;
pub use notices::{
    already_decided, asks_again, asks_already, counted, lapsed, not_your_request, not_yours,
    owners_approve, partly_approved, remind, stopped_before, taken_back, taken_back_before,
    too_late, unknown,
};
pub use settled::{settled, verdict_mark, waits_for_reason};
pub use title::{all_of_these, footer, stands_above, stands_in_file, title};
