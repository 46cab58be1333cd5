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
//!
//! # Files
//!
//! One mechanism for every question with buttons, except approvals: the table `prompts` (kind,
//! token, place, audience, subject, payload, state, expiry), one button format
//! (`<kind>.<choice>:<reference>`, read by `PressedButton::parse`), one `press`, one set of
//! refusals (`Refusal`), one expiry.
//!
//! # Invariants
//!
//! - A press is judged in this order: found, where, who (with the presser's role now), answered
//!   before, when; then one compare-and-set from open to answered. It is the transaction that
//!   stores the press, so a press counts whole or not at all.
//! - The payload is what a feature keeps with its question, and is deleted when the prompt is
//!   closed: no words of a person outlive their question.
//! - A feature whose question takes several presses opens the prompt again in the same transaction
//!   (`reopen`), and so does the dispatcher for a choice that was forged.
//! - Kinds without a secret have no row: a stop button carries the number of its turn, lists and
//!   the notice of waiting messages theirs. The feature judges each press, so a live message costs
//!   no row.
//! - `prompts` does not know what a prompt is about, and names `store` and `transcript` only.
//! - Adding a prompt costs a variant of `PromptKind` and a function of its feature; the exhaustive
//!   matches in `commands/answers.rs` do not build without it.
//! - No other table has a token, except those of approvals (a test).
//! - An answer with buttons that its asker may press again and again is a `ListMessage`
//!   (`commands/list_message.rs`): the button carries the number of the message, and only a message
//!   that was sent under that number is rewritten. `commands/layers.rs` has the commands with two
//!   layers: a `View` (which command) and a `Layer` (a few lines, or everything), written for a
//!   `Viewer` (`commands/viewer.rs`), who is the sender of the command or the presser of a button.
//! - Words of people: `docs/words.md` is the list, and `layers::words_of_the_list` looks for other
//!   words in every `messages*` file that people read.

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
