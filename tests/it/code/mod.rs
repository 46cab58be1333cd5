//! Work on code: projects that a conversation is bound to, and the tools that work in them.

/// The `AGENTS.md` of a project.
mod agents_md;
/// The checks of what was changed.
pub mod checks;
/// The index of its code.
mod index;
pub mod patches;
pub mod projects;
