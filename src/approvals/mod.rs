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
pub use claim::claim;
pub use grants::{GrantLine, list, revoke, revoke_session};
pub use messages::plain as plain_name;
pub use open::{Ask, NewCard, drop_cards, expire, open, redeem};
pub use plain_words::{Speaker, awaited, says_yes_or_no};
pub use press::press;
pub use pressed::Presser;
pub use sayso_store::cards::{ApprovedIn, CallKind};
#[cfg(test)]
pub use token::Verb;
pub use words::{reason_awaited, take_reason};
