//! What one command may access, in the form in which the helper receives it.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::namespaces::{Namespace, NamespaceSetup};
use super::strictness::Strictness;

/// The bounds of one command. What is not named here is refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SandboxProfile {
    /// What to do when the kernel cannot keep to it.
    pub strictness: Strictness,
    /// Whether it may speak to the network.
    pub network: Network,
    /// What it sees of the files, whatever it may do with them.
    pub view: View,
    /// What it has of its own besides.
    pub apart: Vec<Namespace>,
    /// What may be read and executed; what does not exist is left out.
    pub read: Vec<PathBuf>,
    /// What may be written to although nothing may be made there: devices.
    pub devices: Vec<PathBuf>,
    /// Where everything may be listed, and everything read but files that keep secrets by their
    /// names.
    pub read_ordinary: Vec<PathBuf>,
    /// Where everything may be done.
    pub write: Vec<PathBuf>,
    /// A directory that is made for this command and removed after it; everything may be done in
    /// it.
    pub temporary: PathBuf,
}

impl SandboxProfile {
    /// Returns whether a command may change nothing but its temporary directory.
    pub fn only_reads(&self) -> bool {
        self.write.is_empty()
    }

    /// Returns which namespaces it takes, if any.
    pub fn parting(&self) -> Option<NamespaceSetup> {
        let mounts = self.view == View::ReadOnly || self.apart.contains(&Namespace::Processes);
        let mounts = mounts.then_some(Namespace::Mounts);
        let namespaces: Vec<_> = mounts.into_iter().chain(self.apart.clone()).collect();
        (!namespaces.is_empty()).then_some(NamespaceSetup {
            strictness: self.strictness,
            namespaces,
        })
    }
}

/// What a command sees of the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// All files, unchanged.
    #[default]
    AsItIs,
    /// Everything read-only, but where it may write.
    ReadOnly,
}

/// Whether a command may speak to the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Network {
    /// It gets no socket at all.
    Refused,
    /// It may speak IPv4 and IPv6.
    Allowed,
}
