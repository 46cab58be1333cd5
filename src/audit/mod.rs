//! What happened, for people (the audit) and for replays (the trace).
//!
//! The audit is a table: a row commits in the transaction of what it says, so a call that cannot
//! be written down is not run. Rows are chained by hashes and never change; what they are about in
//! a person's words lies beside them, salted, and can be erased. `audit.jsonl` is its export.
//! `trace.jsonl` and [`Timeline`] are read from the journals of turns.
//!
//! Nothing is written here that was not redacted first. Files may lag behind the database, and
//! are never ahead of it.
//!
//! # Files
//!
//! `record.rs` writes rows, `entries.rs` says what an entry of a journal means for them, `chain.rs`
//! binds each to the one before, `verify.rs` finds what does not fit, `export.rs` and `trace/`
//! write the files, `exporter.rs` is the task that does so, `timeline.rs` is what `sayso trace
//! show` reads.
//!
//! # Invariants
//!
//! - A row commits in the transaction of what it says: `Called`, `Returned`, `Decided`, a result
//!   that gives orders to the model, a stop, a refusal, a grant, a change of access or autonomy.
//! - It is never optional for a call: one whose row is refused does not run, and its turn fails
//!   visibly. A no, a stop and a press count also when they cannot be written down; that is an
//!   error in the log.
//! - It contains no secrets: payload and trace pass the redactor. Payloads and their salts can be
//!   erased; the chain holds digests only.
//! - Rows are never changed; triggers refuse it.
//! - Files follow the database and are never ahead of it. A kill leaves them behind, and the next
//!   start catches up. What stands in `audit.jsonl` is never rewritten, so damage stays visible.
//! - `trace.jsonl` loses the lines of a person who was erased; the exporter alone rewrites it, so
//!   nothing that it had read before comes back.
//! - No turn waits for a file or fails with one.

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
