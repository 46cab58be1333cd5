//! Held calls until a person answers: tokens, who may press, expiry and grants.
//!
//! This module does not judge risk, run tools or name `policy`: its input is what to show and what
//! the approval is bound to, and it returns who answered what. Every answer is a compare-and-set on
//! its own row: the first one wins, and a repeated, unauthorized or expired press, or one from
//! another chat, changes nothing and is rejected with a notice.
//!
//! A call that reaches past its asker's own space names an owner as its
//! [`Approver`](sayso_core::approval::Approver). A card with such calls of a member has copies in
//! the direct chats of owners, where it may be pressed too.
//!
//! # Invariants
//!
//! - `approvals` judges no risk, runs no tool and does not name `policy`.
//! - Only this room makes an `Approved` (`core/approval`), from a row whose token was consumed.
//! - A held call names who may approve it (`Approver`), as the policy said. What needs an owner is
//!   a card of its own for a member, with copies in the direct chats of owners (`owner_copies`),
//!   where it counts while the presser is an owner; `sessions/cards.rs` writes and rewrites all of
//!   them.
//! - A token is 128 random bits and is derived from nothing.
//! - "Deny and say why" denies at the press. The card stays open for the words only, and expires as
//!   a plain denial.
//! - Nothing is shortened while a card is open: what stands on it, or right above it when it is
//!   long, is what runs. A decided card is one or two lines (`messages/settled.rs`).
//! - The title is the model's claim (`claim.rs`): the last sentence of the very answer that made
//!   the calls, kept with the card, without anything that could pass for our own words. It stands
//!   in quotation marks and replaces none of them.
//! - Words decide nothing: a message that says only yes or no (`plain_words.rs`) brings the buttons
//!   again, with the same tokens, as one more message of the card (`commands/card_words.rs`), and
//!   reaches no model.
//! - `afterwards.rs` is what can be done about a decided card: revoke the grant that its Always
//!   gave, and make an expired request anew through the inbox. An expiry is said by the card alone.

mod afterwards;
mod card;
mod card_buttons;
mod card_view;
mod claim;
mod grants;
mod messages;
mod open;
mod plain_words;
mod press;
mod pressed;
mod token;
mod words;

#[cfg(test)]
mod card_tests;

pub use card::{document, preface, reminder};
pub use card_view::{AskedBy, CardView, OwnersWhy, Reader};
pub use claim::{claim, is_all_claimed};
pub use grants::{GrantLine, list, revoke, revoke_session};
pub use messages::plain as plain_name;
pub use open::{Ask, NewCard, drop_cards, expire, open, redeem};
pub use plain_words::{Speaker, awaited, says_no, says_yes, says_yes_or_no};
pub use press::press;
pub use pressed::Presser;
pub use sayso_store::cards::{ApprovedIn, CallKind};
#[cfg(test)]
pub use token::Verb;
pub use words::{reason_awaited, take_reason};
