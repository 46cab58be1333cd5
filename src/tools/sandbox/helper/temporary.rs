//! The temporary directory of a confined command: its own, and gone when it has ended.
//!
//! A command that only reads has it for its home, too. Many programs run what their settings at
//! home name, also when they are asked for no more than their version; the workspace, which is
//! home to the other commands, may hold such settings from anybody.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;

use crate::SandboxProfile;

/// A directory that is removed when it is dropped. It does not follow links out of it, and its
/// place is out of the command's reach.
pub(crate) struct Temporary<'a>(&'a SandboxProfile);

/// What commands that only read get besides: Python takes no code from the home or from the
/// directory that it is started in (<https://docs.python.org/3/using/cmdline.html>).
const READERS: &[(&str, &str)] = &[("PYTHONNOUSERSITE", "1"), ("PYTHONSAFEPATH", "1")];

impl<'a> Temporary<'a> {
    /// Creates the directory that a plan names, accessible to this user only.
    pub(crate) fn make(plan: &'a SandboxProfile) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(&plan.temporary)?;
        Ok(Self(plan))
    }

    /// Returns the variables by which programs find it, and what else is set for its command.
    pub(crate) fn variables(&self) -> Vec<(&'static str, &'a OsStr)> {
        let directory = self.0.temporary.as_os_str();
        let mut variables = vec![("TMPDIR", directory)];
        if self.0.only_reads() {
            variables.push(("HOME", directory));
            let more = READERS
                .iter()
                .map(|(name, value)| (*name, OsStr::new(*value)));
            variables.extend(more);
        }
        variables
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // What cannot be removed goes when the agent starts the next time.
        let _ = fs::remove_dir_all(&self.0.temporary);
    }
}
