//! Work on code: projects that a conversation is bound to, and the tools that work in them.

pub mod projects;
