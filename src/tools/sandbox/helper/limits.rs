//! How much a command may use. What one process may use the kernel counts (setrlimit(2)); what
//! all of them use together, `watch.rs` does: the kernel's count of processes is per user, and
//! does not bind root. In a user namespace of the helper's own it is, so there the kernel counts
//! as well, and so it does in a namespace of processes ([`enter_view`](crate::enter_view)).

use std::io;
use std::time::Duration;

use nix::unistd::Pid;
use rustix::process::{Resource, Rlimit, getrlimit, prlimit};
use serde::{Deserialize, Serialize};

use crate::{Entered, HELPER_TASKS, Namespace};

const MIB: u64 = 1024 * 1024;
const GIB: u64 = 1024 * MIB;

/// Processes of a confined command: a build on many cores, and no fork bomb.
const CONFINED_PROCESSES: usize = 128;
/// Threads of all of them together.
const CONFINED_THREADS: usize = 2048;
/// Memory of all of them together.
const CONFINED_MEMORY: u64 = 4 * GIB;
/// The longest file that it may write.
const CONFINED_FILE: u64 = 2 * GIB;
/// Files and directories in its workspace and its temporary directory: large trees of dependencies
/// have some hundred thousand.
const CONFINED_ENTRIES: u64 = 1_000_000;
/// Files that one process may have open.
const CONFINED_OPEN_FILES: u64 = 4096;
/// Processes of a command that nothing confines: far over what work needs.
const PROCESSES: usize = 2048;
/// Its threads.
const THREADS: usize = 32 * 1024;

/// How much a command may use. `None` is as much as the system lets it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processes at a time.
    pub processes: usize,
    /// Threads at a time.
    pub threads: usize,
    /// Bytes of memory: private to one process, and resident in all of them.
    pub memory: Option<u64>,
    /// Bytes of one file. Never more than leaves [`reserve`](super::disk) of the disk.
    pub file: Option<u64>,
    /// Files and directories where it may write, unless there were more from the beginning.
    pub entries: Option<u64>,
    /// Open files of one process.
    pub open_files: Option<u64>,
    /// Seconds on a processor, of one process.
    pub cpu_secs: Option<u64>,
}

/// What was used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Too many processes, or threads of them.
    Processes,
    /// Too much memory of all together.
    Memory,
    /// The disk of the workspace was nearly full.
    Disk,
    /// Too many files and directories, or nearly as many as the disk can have.
    Files,
}

impl Default for Limits {
    /// What holds for commands that a person let go unconfined: nothing but a fork bomb is over it.
    fn default() -> Self {
        Self {
            processes: PROCESSES,
            threads: THREADS,
            memory: None,
            file: None,
            entries: None,
            open_files: None,
            cpu_secs: None,
        }
    }
}

impl Limits {
    /// Returns what holds for a confined command. Its seconds on a processor are what it could
    /// use on all of them until its time-out: they end what somehow outlives that.
    pub fn confined(timeout: Duration) -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from) as u64;
        Self {
            processes: CONFINED_PROCESSES,
            threads: CONFINED_THREADS,
            memory: Some(CONFINED_MEMORY),
            file: Some(CONFINED_FILE),
            entries: Some(CONFINED_ENTRIES),
            open_files: Some(CONFINED_OPEN_FILES),
            cpu_secs: Some(timeout.as_secs().max(1) * processors),
        }
    }

    /// Sets what the kernel counts, for a process that is stopped before its first instruction.
    /// `room` is how long a file may be for the disk's sake.
    ///
    /// Memory is counted as what is private and may be written (`RLIMIT_DATA`), not as addresses:
    /// many programs reserve more of those than any machine has.
    pub fn impose(&self, process: Pid, room: Option<u64>, entered: &Entered) -> io::Result<()> {
        let file = self.file.map(|most| most.min(room.unwrap_or(most)));
        let tasks = entered
            .has(Namespace::Users)
            .then_some((self.threads + HELPER_TASKS) as u64);
        let limits = [
            (Resource::Core, Some(0)),
            (Resource::Nproc, tasks),
            (Resource::Data, self.memory),
            (Resource::Fsize, file),
            (Resource::Nofile, self.open_files),
            (Resource::Cpu, self.cpu_secs),
        ];
        let process = rustix::process::Pid::from_raw(process.as_raw());
        for (resource, most) in limits {
            let Some(most) = most else { continue };
            // The command inherits our hard limit, and only root may raise it.
            let inherited = getrlimit(resource).maximum;
            let most = inherited.map_or(most, |maximum| most.min(maximum));
            let limit = Rlimit {
                current: Some(most),
                maximum: Some(most),
            };
            prlimit(process, resource, limit)?;
        }
        Ok(())
    }
}
