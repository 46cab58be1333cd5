//! What a command may touch: a plan per call, kept to by the kernel (Landlock and seccomp).
//!
//! A [`Plan`] is an allowlist: the workspace and a temporary directory of the call's own to write
//! to, the programs of the system to read, the network when the call was cleared for it. The
//! helper applies it to the thread that starts the command (`confine.rs`), in namespaces of its own
//! where there are any (`namespaces.rs`), and the self-test finds out which of its promises the
//! kernel of this machine keeps.
//!
//! A command that runs unasked because it provably only reads gets its workspace to read and not
//! to write, without the files that keep secrets by their names (`ordinary.rs`): whatever a
//! search comes upon, and whatever program a repository's settings name, it can neither open
//! these nor change anything.
//!
//! Known gaps: names, sizes and times of files outside can be looked up (`stat`). Where the system
//! gives us no namespaces, a command that was approved can change modes, owners and times of files
//! outside (`view.rs`), and the command lines of other processes can be read. A command with the
//! network also reaches what listens on this machine.
//!
//! # Invariants
//!
//! - A command gets no more than `ClearedCall::access` says: `SandboxProfile` is the list of what
//!   it may touch, and what is not on it is refused by the kernel (Landlock for files and signals,
//!   seccomp for sockets and dangerous calls, namespaces where there are any: mounts that are
//!   read-only, processes with a `/proc` of their own, IPC, and without the network an empty one of
//!   that). A plan that only reads (`Plan::only_reads`) has a second seccomp filter, against
//!   changes of file attributes, and its temporary directory for its home (`helper/temporary.rs`).
//! - Only the thread of the helper that starts the command is confined, never the helper: it must
//!   be able to end everything, and the command must not be able to end it.
//! - A helper goes into namespaces before it reads its request, root directly and other users by a
//!   user namespace. It starts itself again as the first process of the new one, which counts and
//!   ends by the numbers in there; killing either ends all. Where there are no namespaces the
//!   helper finds what it started as a child subreaper.
//! - bubblewrap is not used. Its namespaces are the same ones, made by the same calls: without the
//!   setuid bit, which Debian no longer gives it, it is refused where the helper is, and where it
//!   is allowed so is the helper. Only where an AppArmor profile names `bwrap` and not Sayso could
//!   it do more; there a profile for Sayso does the same, without a program between the helper and
//!   what it must end.
//! - The sandbox is never silently weaker than `policy.sandbox`: the self-test of every start tries
//!   each promise with a real helper, its result is a fact of the policy, and with `require` the
//!   helper runs nothing that it cannot confine.

mod attributes;
mod confine;
mod environment;
mod exclusion;
mod filter;
pub mod helper;
mod kernel_restriction;
mod messages;
mod namespaces;
mod ordinary;
mod places;
mod probe;
mod profile;
mod self_test;
mod strictness;
mod toolchains;
mod view;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use sayso_policy::{Access, SandboxMode, WorkspaceUse};

pub use self::confine::confine_thread;
pub use self::environment::ShellEnvironment;
pub use self::namespaces::{Entered, HELPER_TASKS, Namespace, NamespaceSetup, enter};
pub use self::probe::{Probe, Tried, probe};
pub use self::profile::{Network, SandboxProfile, View};
pub use self::self_test::{SandboxState, self_test};
pub use self::strictness::Strictness;
pub use self::view::enter_view;

/// Where the temporary directories of commands are, in the data directory.
const TEMPORARY: &str = "tmp";

/// Numbers the temporary directories of this process.
static NUMBER: AtomicU64 = AtomicU64::new(1);

/// Where things are that a plan must know of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxPlaces {
    /// The data directory: no command reads it, but for its own workspace.
    pub data_dir: PathBuf,
    /// What else no confined command reads: the configuration file, files with secrets.
    pub private: Vec<PathBuf>,
}

/// Makes the plan of each command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sandbox {
    mode: SandboxMode,
    view: View,
    apart: Vec<Namespace>,
    data_dir: PathBuf,
    /// What every command may read.
    system: Vec<PathBuf>,
    /// What commands with the network may read besides.
    names: Vec<PathBuf>,
}

impl Sandbox {
    /// Looks at the system once. Of the agent's variables `PATH` and `HOME` count: programs of
    /// the operator's home that lie on the search path may be read.
    pub fn new(
        mode: SandboxMode,
        places: SandboxPlaces,
        variables: impl IntoIterator<Item = (OsString, OsString)>,
    ) -> Self {
        let private: Vec<PathBuf> = places
            .private
            .iter()
            .chain([&places.data_dir])
            .map(|place| place.canonicalize().unwrap_or_else(|_| place.clone()))
            .collect();
        let system = places::SYSTEM
            .iter()
            .chain(places::SETTINGS)
            .map(PathBuf::from);
        let names = places::NAMES.iter().map(PathBuf::from);
        Self {
            mode,
            view: View::default(),
            apart: Vec::new(),
            data_dir: places.data_dir,
            system: readable(system.chain(own_programs(variables)), &private),
            names: readable(names, &private),
        }
    }

    /// Gives commands the view of the files and the namespaces that the self-test found to work.
    pub fn with(mut self, state: &SandboxState) -> Self {
        self.view = state.view;
        self.apart.clone_from(&state.apart);
        self
    }

    /// Returns what a command may touch that works in this workspace; `None` confines it in
    /// nothing.
    pub fn plan(
        &self,
        access: Access,
        workspace_use: WorkspaceUse,
        workspace: &Path,
    ) -> Option<SandboxProfile> {
        let strictness = self.strictness()?;
        let network = match access {
            Access::System => return None,
            Access::Network => Network::Allowed,
            Access::Workspace => Network::Refused,
        };
        let names: &[PathBuf] = match network {
            Network::Refused => &[],
            Network::Allowed => &self.names,
        };
        let workspace = vec![workspace.to_path_buf()];
        let (read_ordinary, write) = match workspace_use {
            WorkspaceUse::Reading => (workspace, Vec::new()),
            WorkspaceUse::Changing => (Vec::new(), workspace),
        };
        Some(SandboxProfile {
            strictness,
            network,
            view: self.view,
            apart: self.apart_for(network),
            read: [self.system.as_slice(), names].concat(),
            devices: places::devices(),
            read_ordinary,
            write,
            temporary: self.temporary(),
        })
    }

    /// Returns the sandbox for work that has all it needs from the start: it opens no file, runs no
    /// program and has no network. `None` means no confinement.
    pub fn sealed(&self) -> Option<SandboxProfile> {
        Some(SandboxProfile {
            strictness: self.strictness()?,
            network: Network::Refused,
            view: View::AsItIs,
            apart: Vec::new(),
            read: Vec::new(),
            devices: Vec::new(),
            read_ordinary: Vec::new(),
            write: Vec::new(),
            temporary: self.temporary(),
        })
    }

    fn strictness(&self) -> Option<Strictness> {
        match self.mode {
            SandboxMode::Off => None,
            SandboxMode::Prefer => Some(Strictness::BestEffort),
            SandboxMode::Require => Some(Strictness::Whole),
        }
    }

    fn apart_for(&self, network: Network) -> Vec<Namespace> {
        let mut apart = self.apart.clone();
        if network == Network::Allowed {
            apart.retain(|namespace| *namespace != Namespace::Network);
        }
        apart
    }

    /// Removes the temporary directories that a killed helper left behind. Only who holds the
    /// data directory may call it, before any command runs.
    pub fn clear(&self) -> std::io::Result<()> {
        match std::fs::remove_dir_all(self.data_dir.join(TEMPORARY)) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            cleared => cleared,
        }
    }

    /// Names a directory that no other command has. It does not lie in the workspace, so that no
    /// command can put something else in its place before it is removed.
    fn temporary(&self) -> PathBuf {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("{}-{number}", std::process::id());
        self.data_dir.join(TEMPORARY).join(name)
    }
}

/// Returns what exists of these places, without what is private.
fn readable(places: impl Iterator<Item = PathBuf>, private: &[PathBuf]) -> Vec<PathBuf> {
    places
        .flat_map(|place| exclusion::without(&place, private))
        .collect()
}

fn own_programs(
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> impl Iterator<Item = PathBuf> {
    let (mut search_path, mut home) = (Vec::new(), None);
    for (name, value) in variables {
        if name == "PATH" {
            search_path = std::env::split_paths(&value).collect();
        } else if name == "HOME" {
            home = Some(PathBuf::from(value)).filter(|home| home.is_absolute());
        }
    }
    toolchains::toolchains(&search_path, home.as_deref()).into_iter()
}

#[cfg(test)]
mod tests;
