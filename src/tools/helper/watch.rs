//! Looking after a command while it runs: what all of its processes use together, and how much
//! of the disk is left.

use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use nix::sys::statvfs::statvfs;
use rustix::param::page_size;

use super::descent::{descent, signal_descent};
use super::limits::{Limit, Limits};

/// Between two looks, at least.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Between two looks, at most.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_millis(250);
/// Between the two, looking takes one part in so many of the time.
const SHARE_OF_TIME: u32 = 20;
/// Between two rounds of killing what used too much: nobody is given time to multiply.
const KILL_ROUND: Duration = Duration::from_millis(2);
/// What a command must leave of the disk, for the database beside it ...
const RESERVE: u64 = 64 * 1024 * 1024;
/// ... or of a small one this part.
const RESERVE_SHARE: u64 = 10;
/// What may be written where even less than the reserve was left from the beginning.
const LEAST_ROOM: u64 = 1024 * 1024;

/// How much room the disk of the workspace had when the command began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Disk {
    free: u64,
    reserve: u64,
}

impl Disk {
    /// Looks at the disk of the working directory; `None` where the system does not say.
    pub fn here() -> Option<Self> {
        let disk = statvfs(Path::new(".")).ok()?;
        let size = disk.blocks() * disk.fragment_size();
        Some(Self {
            free: disk.blocks_available() * disk.fragment_size(),
            reserve: RESERVE.min(size / RESERVE_SHARE),
        })
    }

    /// Returns how long a file may be that leaves the reserve.
    pub fn room(self) -> u64 {
        self.free.saturating_sub(self.reserve).max(LEAST_ROOM)
    }

    /// Returns whether the command has come to the reserve since it began.
    fn is_used_up(self, now: Self) -> bool {
        now.free < now.reserve && now.free + LEAST_ROOM <= self.free
    }
}

/// Watches until the process ends. What uses too much is killed whole; the limit is left in
/// `overdrawn` before the first is.
pub fn watch(limits: Limits, disk: Option<Disk>, overdrawn: Arc<OnceLock<Limit>>) {
    thread::spawn(move || {
        let limit = loop {
            let begin = Instant::now();
            if let Some(limit) = used_up(&limits, disk) {
                break limit;
            }
            let pause = begin.elapsed() * SHARE_OF_TIME;
            thread::sleep(pause.clamp(LOOK_EVERY, LOOK_AT_LEAST_EVERY));
        };
        // Nobody else sets it.
        let _ = overdrawn.set(limit);
        loop {
            signal_descent(Signal::SIGKILL);
            thread::sleep(KILL_ROUND);
        }
    });
}

fn used_up(limits: &Limits, disk: Option<Disk>) -> Option<Limit> {
    let descent = descent();
    let threads: usize = descent.iter().map(|process| process.threads).sum();
    let pages: u64 = descent.iter().map(|process| process.resident_pages).sum();
    if descent.len() > limits.processes || threads > limits.threads {
        return Some(Limit::Processes);
    }
    if limits
        .memory
        .is_some_and(|most| pages * page_size() as u64 > most)
    {
        return Some(Limit::Memory);
    }
    // Only who is held to a length of files is held to the disk's.
    let before = disk.filter(|_| limits.file.is_some())?;
    before.is_used_up(Disk::here()?).then_some(Limit::Disk)
}

#[cfg(test)]
mod tests {
    use super::{Disk, LEAST_ROOM};

    fn disk(free: u64) -> Disk {
        Disk {
            free,
            reserve: 100 * LEAST_ROOM,
        }
    }

    #[test]
    fn a_disk_is_used_up_by_who_came_to_its_reserve() {
        let before = disk(500 * LEAST_ROOM);
        assert!(!before.is_used_up(disk(101 * LEAST_ROOM)));
        assert!(before.is_used_up(disk(99 * LEAST_ROOM)));
    }

    #[test]
    fn on_a_full_disk_one_may_still_clean_up() {
        let full = disk(LEAST_ROOM);
        assert!(!full.is_used_up(full));
        assert_eq!(full.room(), LEAST_ROOM);
    }
}
