//! The temporary directory of a confined command: its own, and gone when it has ended.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::Path;

use crate::tools::sandbox::Plan;

/// A directory that is removed when it is dropped. It does not follow links out of it, and its
/// place is out of the command's reach.
pub struct Temporary<'a>(&'a Path);

impl<'a> Temporary<'a> {
    /// Makes the directory that a plan names, for nobody but this user.
    pub fn make(plan: &'a Plan) -> io::Result<Self> {
        let mut builder = DirBuilder::new();
        builder
            .recursive(true)
            .mode(0o700)
            .create(&plan.temporary)?;
        Ok(Self(&plan.temporary))
    }

    /// Returns the variable by which programs find it.
    pub fn variable(&self) -> (&'static str, &'a Path) {
        ("TMPDIR", self.0)
    }
}

impl Drop for Temporary<'_> {
    fn drop(&mut self) {
        // What cannot be removed goes when the agent starts the next time.
        let _ = fs::remove_dir_all(self.0);
    }
}
