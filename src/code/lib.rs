//! Source code as text: what a patch changes, and what the output of compilers and tests says.
//!
//! [`patch`] reads the patches that models write and applies them to texts; [`feedback`] finds the
//! failures and errors in the output of build tools and test runners. Nothing here awaits, reads a
//! clock, or touches disk or network: callers bring the texts.

pub mod feedback;
pub mod patch;
