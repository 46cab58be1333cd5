//! `/forget everything`: a person is asked once more, and then erased, wherever a kill cuts in.
//!
//! The confirmation is a row. The remaining work is done by [`run`], which resumes at the next
//! start: the person's turns end, the tables are cleared in one transaction, then the trace, the
//! workspaces and the file of the database. Nothing that is said about it holds anything of the
//! person.

mod answer;
mod ask;
mod card;
mod messages;
mod run;

pub use answer::{answer, expired};
pub use ask::{ask, is_everything};
pub use messages::usage;
pub use run::run;
