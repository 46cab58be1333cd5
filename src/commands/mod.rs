//! What people ask for by a command or answer by a button: one module for each feature.
//!
//! `registry.rs` says which function runs a command, and `answers.rs` which one a prompt's answer
//! goes to. [`Commands`] is what `intake` calls, by its port `Features`.

mod answers;
mod approval;
mod audit_records;
mod autonomy;
mod budget_prompts;
mod codes;
mod context;
mod denial_reason;
mod erasure;
mod expiry;
mod features;
mod forget;
mod grants;
mod linking;
mod memory;
mod messages;
mod model;
mod new;
mod owners;
mod pairing;
mod profile;
mod question;
mod queue;
mod registry;
mod routines;
mod skill_review;
mod skills;
mod status;
mod stop;
mod stop_button;
mod undo;
mod usage;

pub use codes::owner_code;
pub use context::{Background, CommandContext, ModelChoice, PolicyView, SandboxWords, StatusView};
pub use features::Commands;
pub use owners::OwnerChats;
pub use registry::menu;
pub use skill_review::skill_to_install;
