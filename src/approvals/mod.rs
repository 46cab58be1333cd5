//! Held calls until a person answers: tokens, who may press, expiry and grants.
//!
//! This room does not judge risk, run tools or name `policy`: it is told what to show and what
//! it is bound to, and it says who answered what. Every answer is a compare-and-set on its own
//! row: the first wins, and a second press, a stranger's, another chat's or a late one changes
//! nothing and is told so.

mod approved;
mod card;
mod grants;
mod messages;
mod open;
mod press;
mod token;
mod words;

pub use approved::Approved;
pub use card::{CardView, document, preface};
pub use grants::{GrantLine, list, revoke, revoke_session};
pub use open::{Ask, CallKind, NewCard, drop_cards, expire, open, redeem};
pub use press::{Presser, press};
pub use token::new_token;
pub use words::{reason_awaited, take_reason};
