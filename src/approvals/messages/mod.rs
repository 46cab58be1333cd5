//! What a card and its buttons say.

mod buttons;
mod notices;
mod settled;
mod title;

pub use buttons::{
    always, always_alike, approve, approve_all, ask_again, covered_words, deny, deny_all,
    deny_and_say_why, one_by_one, take_back,
};
pub use notices::{
    already_decided, asks_again, asks_already, counted, lapsed, not_your_request, not_yours, owners_approve,
    partly_approved, remind, stopped_before, taken_back, taken_back_before, too_late, unknown,
};
pub use settled::{settled, verdict_mark, waits_for_reason};
pub use title::{all_of_these, footer, stands_above, stands_in_file, title};

/// Returns a name without anything that could pass for our own formatting.
fn plain(name: &str) -> String {
    let is_hidden = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}')
    };
    name.chars()
        .filter(|letter| !is_hidden(*letter) && !"*_`[]<>~|\\".contains(*letter))
        .collect()
}
