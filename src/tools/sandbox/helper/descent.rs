//! Finding, counting and signalling everything that a command started.

use std::collections::HashMap;
use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};

/// One process, as `/proc/PID/stat` tells it (proc_pid_stat(5)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Process {
    /// Its number.
    pub pid: i32,
    /// Its parent's.
    parent: i32,
    /// How many threads it has.
    pub threads: usize,
    /// Pages of it that are in memory.
    pub resident_pages: u64,
    /// Whether it has ended and only waits for its parent to notice.
    pub has_ended: bool,
}

/// The number of the first process of a namespace. The agent starts no helper that has it, so who
/// has it is the helper inside (`standing.rs`).
const FIRST: Pid = Pid::from_raw(1);
/// Everybody in this namespace but the first (kill(2)).
const ALL: Pid = Pid::from_raw(-1);

/// Signals every descendant of this process once. The caller repeats it until no child is left: a
/// process may be forked during the round, and becomes a child of this process. In a PID namespace
/// the kernel signals all of them at once.
pub(crate) fn signal_descent(signal: Signal) {
    if getpid() == FIRST {
        // Without anybody there is nothing to signal.
        let _ = kill(ALL, signal);
        return;
    }
    for process in descent() {
        // One that ended meanwhile needs nothing.
        let _ = kill(Pid::from_raw(process.pid), signal);
    }
}

/// Returns the processes that descend from this one, parents before children.
pub(crate) fn descent() -> Vec<Process> {
    let mut children: HashMap<i32, Vec<Process>> = HashMap::new();
    for process in processes() {
        children.entry(process.parent).or_default().push(process);
    }
    let mut found = children.remove(&getpid().as_raw()).unwrap_or_default();
    let mut next = 0;
    while let Some(process) = found.get(next) {
        let grandchildren = children.remove(&process.pid);
        found.extend(grandchildren.unwrap_or_default());
        next += 1;
    }
    found
}

/// Returns all processes.
fn processes() -> impl Iterator<Item = Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read(entry.path().join("stat")).ok()?;
        Process::read(pid, &String::from_utf8_lossy(&stat))
    })
}

impl Process {
    /// Reads the fields behind the second, the name in brackets, which may hold anything.
    fn read(pid: i32, stat: &str) -> Option<Self> {
        let (_, behind_name) = stat.rsplit_once(')')?;
        let fields: Vec<&str> = behind_name.split_ascii_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied();
        Some(Self {
            pid,
            parent: field(4)?.parse().ok()?,
            threads: field(20)?.parse().ok()?,
            resident_pages: field(24)?.parse().unwrap_or_default(),
            has_ended: matches!(field(3)?, "Z" | "X"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Process;

    fn read(name: &str) -> Option<Process> {
        let stat = format!("12 ({name}) S 7 12 12 0 -1 4194304 1 2 3 4 5 6 7 8 20 0 9 0 5 6 77 18");
        Process::read(12, &stat)
    }

    #[test]
    fn fields_are_found_behind_any_name() {
        for name in ["sh", "a) S 1 (x", ")", ""] {
            let process = read(name).unwrap();
            assert_eq!(
                (process.parent, process.threads, process.resident_pages),
                (7, 9, 77),
                "{name}"
            );
        }
        assert_eq!(Process::read(12, "12 (sh"), None);
        assert_eq!(Process::read(12, "12 (sh) S 7"), None);
    }
}
