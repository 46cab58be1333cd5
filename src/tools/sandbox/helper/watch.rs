//! Looking after a command while it runs: what all of its processes use together, how much of the
//! disk is left, and how many files it has made.

use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use nix::sys::signal::Signal;
use rustix::param::page_size;

use super::descent::{descent, signal_descent};
use super::disk::Disk;
use super::entries::count_entries;
use super::limits::{Limit, Limits};

/// Between two looks, at least.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Between two looks, at most.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_millis(250);
/// Between these two bounds, looking takes about one part in this many of the time.
const SHARE_OF_TIME: u32 = 20;
/// Between two looks at a disk that is nearly full: files are made by the hundred in a millisecond.
const LOOK_AT_FULL_DISK_EVERY: Duration = Duration::from_millis(5);
/// Between two counts of files, at least.
const COUNT_EVERY: Duration = Duration::from_millis(250);
/// Between two rounds of killing what exceeded a limit: short, so that processes have no time to
/// multiply.
const KILL_ROUND: Duration = Duration::from_millis(2);
/// How many files may be made where there were too many from the beginning.
const LEAST_ENTRIES: u64 = 1000;

/// Watches until the process ends. What uses too much is killed whole; the limit is left in
/// `overdrawn` before the first is. The disks are those of the directories that the command may
/// write to, as they were when it began.
pub(crate) fn watch(limits: Limits, disks: Vec<Disk>, overdrawn: &Arc<OnceLock<Limit>>) {
    let spawn = |watching: Box<dyn FnOnce() -> Limit + Send>| {
        let overdrawn = Arc::clone(overdrawn);
        thread::spawn(move || {
            let limit = watching();
            // Where two limits are met at once, the first one is reported.
            let _ = overdrawn.set(limit);
            loop {
                signal_descent(Signal::SIGKILL);
                thread::sleep(KILL_ROUND);
            }
        });
    };
    spawn(Box::new(move || until_processes_use_too_much(&limits)));
    if let Some(most) = limits.entries {
        let disks = disks.clone();
        spawn(Box::new(move || until_entries_are_over(most, &disks)));
    }
    // Only who is held to a length of files is held to the disk's.
    if limits.file.is_some() {
        spawn(Box::new(move || until_a_disk_is_used_up(&disks)));
    }
}

fn until_processes_use_too_much(limits: &Limits) -> Limit {
    loop {
        let begin = Instant::now();
        if let Some(limit) = used_up(limits) {
            return limit;
        }
        let pause = begin.elapsed() * SHARE_OF_TIME;
        thread::sleep(pause.clamp(LOOK_EVERY, LOOK_AT_LEAST_EVERY));
    }
}

fn until_a_disk_is_used_up(disks: &[Disk]) -> Limit {
    loop {
        let mut pause = LOOK_EVERY;
        for before in disks {
            let Some(now) = Disk::of(before.directory()) else {
                continue;
            };
            if let Some(limit) = before.used_up(&now) {
                return limit;
            }
            if now.is_nearly_full() {
                pause = LOOK_AT_FULL_DISK_EVERY;
            }
        }
        thread::sleep(pause);
    }
}

fn until_entries_are_over(most: u64, disks: &[Disk]) -> Limit {
    let count = || -> u64 {
        let directories = disks.iter().map(Disk::directory);
        directories.map(count_entries).sum()
    };
    let at_first = count();
    let most = if at_first > most {
        at_first + LEAST_ENTRIES
    } else {
        most
    };
    let mut pause = COUNT_EVERY;
    loop {
        thread::sleep(pause);
        let begin = Instant::now();
        if count() > most {
            return Limit::Files;
        }
        pause = COUNT_EVERY.max(begin.elapsed() * SHARE_OF_TIME);
    }
}

fn used_up(limits: &Limits) -> Option<Limit> {
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
    None
}
