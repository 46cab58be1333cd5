//! Names of tools by which what they did is found in a transcript.

/// The name of the tool that forgets.
pub(super) const FORGET: &str = "memory_forget";
