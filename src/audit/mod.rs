//! What happened, for people (the audit) and for replays (the trace).
//!
//! The audit is a table: a row commits in the transaction of what it says, so a call that cannot
//! be written down is not run. Rows are chained by hashes and never change; what they are about in
//! a person's words lies beside them, salted, and can be erased. `audit.jsonl` is its export.
//! `trace.jsonl` and [`Timeline`] are read from the journals of turns.
//!
//! Nothing is written here that was not redacted first. Files may lag behind the database, and
//! are never ahead of it.

mod calls;
mod chain;
mod entries;
mod export;
mod exporter;
mod messages;
mod record;
mod tidy;
mod timeline;
mod trace;
mod verify;

pub use calls::CallsSeen;
pub use entries::record_of;
pub use export::AUDIT_FILE;
pub use exporter::AuditExporter;
pub use messages::broken;
pub use record::{Auditor, By, Decision, Event, Place, Record};
pub use timeline::Timeline;
pub use verify::{Broken, Head, Verified, verify};
