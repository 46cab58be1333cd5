//! Skills of somebody else: an owner wants one, reads what it is on a card, and says yes or no.
//!
//! The request is a row, and so is the approval. File operations are done in the background by
//! [`run`], which resumes at the next start, so nothing is installed before the approval, and after
//! it everything or nothing. The approval is bound to the hash of the files shown: other files are
//! neither installed nor loaded.

mod answer;
mod card;
mod messages;
mod run;
mod want;

pub use answer::{answer, expired};
pub use messages::to_install as skill_to_install;
pub use run::run;
pub use want::want;
