//! Several accounts of one person: joined by a code and a yes of each account, parted by one yes.
//!
//! Memory follows the person; roles, grants, cards and limits stay with the account. A request and
//! its cards are rows, so a kill between two confirmations loses neither, and the last confirmation
//! and the joining are one transaction. A request is about the persons that its cards show: when
//! one of them gains or loses an account meanwhile, it is dropped.

mod answer;
mod ask;
mod card;
mod messages;
mod request;

pub use answer::{answer, expired, stale};
pub use ask::{link, unlink, who_am_i};
