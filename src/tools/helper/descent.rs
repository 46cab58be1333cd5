//! Finding and signalling everything that a command started.

use std::collections::HashMap;
use std::fs;

use nix::sys::signal::{Signal, kill};
use nix::unistd::{Pid, getpid};

/// Signals every process that descends from this one, one round. Who kills repeats it until no
/// child is left: a process may be born during the round, and is then a child of ours.
pub fn signal_descent(signal: Signal) {
    for pid in descent() {
        // One that ended meanwhile needs nothing.
        let _ = kill(pid, signal);
    }
}

/// Returns the processes that descend from this one, parents before children.
fn descent() -> Vec<Pid> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for (pid, parent) in processes() {
        children.entry(parent).or_default().push(pid);
    }
    let mut found = children.remove(&getpid().as_raw()).unwrap_or_default();
    let mut next = 0;
    while let Some(pid) = found.get(next) {
        let grandchildren = children.remove(pid);
        found.extend(grandchildren.unwrap_or_default());
        next += 1;
    }
    found.into_iter().map(Pid::from_raw).collect()
}

/// Returns all processes with their parents, from `/proc/PID/stat` (proc_pid_stat(5)).
fn processes() -> impl Iterator<Item = (i32, i32)> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| {
        let pid = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read(entry.path().join("stat")).ok()?;
        Some((pid, parent_in(&String::from_utf8_lossy(&stat))?))
    })
}

/// Returns the fourth field. The second, the name in brackets, may hold anything.
fn parent_in(stat: &str) -> Option<i32> {
    let (_, behind_name) = stat.rsplit_once(')')?;
    behind_name.split_ascii_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::parent_in;

    #[test]
    fn the_parent_is_found_behind_any_name() {
        assert_eq!(parent_in("12 (sh) S 7 12 12 0"), Some(7));
        assert_eq!(parent_in("12 (a) S 1 (x)) R 9 12 12 0"), Some(9));
        assert_eq!(parent_in("12 (sh"), None);
    }
}
