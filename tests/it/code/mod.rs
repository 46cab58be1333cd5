//! Work on code: projects that a conversation is bound to, and the tools that work in them.

/// The `AGENTS.md` of a project.
mod agents_md;
/// The checks of what was changed.
pub mod checks;
/// The index of its code.
mod index;
/// Kills between the entries of a turn that patches.
mod kills;
/// Permissions that last, what was read before a restart, and what commands changed.
mod lasting;
pub mod patches;
pub mod projects;
/// Longer stories: with Rust, and with a plan.
mod stories;
