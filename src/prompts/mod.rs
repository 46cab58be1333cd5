//! Prompts: one mechanism for every question with buttons.
//!
//! A prompt is a row with a token that cannot be guessed. Its buttons carry a kind, a choice and the
//! token ([`PressedButton`]); [`press`] finds the row and checks where it was pressed, by whom and
//! when, and closes it, in one compare-and-set. What the answer does is the affair of the feature
//! that the kind names, in the same transaction, so a press counts whole or not at all.
//!
//! What a prompt holds for its feature (its payload) is deleted when it is closed. Kinds without a
//! secret have no row: their buttons carry a number, and the feature judges each press.
//! This room does not know what any prompt is about.

mod button;
mod kind;
mod messages;
mod prompt;
#[cfg(test)]
mod prompt_tests;

pub use button::PressedButton;
pub use kind::PromptKind;
pub use prompt::{
    Asked, NewPrompt, Place, Press, Presser, Prompt, Refusal, about, expire, next_expiry, open,
    open_for, open_of, press, reopen, set_payload, withdraw, withdraw_about,
};
