//! The processor that the writer and SQLite's own thread for it share.
//!
//! The two take turns: one waits whenever the other works, some fifty times for each message, most
//! often for some ten microseconds. On one processor such a turn is one change of context; of two
//! processors, one has to wake the other up.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use tokio::runtime;
use tokio::sync::oneshot;

use super::StoreError;

/// How many databases this process has opened: each has the next processor.
static OPENED: AtomicUsize = AtomicUsize::new(0);

/// This thread, in calls that name one.
const THIS_THREAD: Pid = Pid::from_raw(0);

/// One of the processors that this process may use, or all of them where one cannot be had alone.
#[derive(Debug, Clone, Copy)]
pub(super) struct Processor(Option<CpuSet>);

impl Processor {
    /// Returns the next one: another for each database, and likely another in each process.
    pub(super) fn next() -> Self {
        let number = OPENED.fetch_add(1, Ordering::Relaxed);
        Self(only(number.wrapping_add(std::process::id() as usize)))
    }

    /// Runs `future` on a thread of its own that stays here, as all do that it starts. What comes
    /// of it is received; nothing is when it panics.
    ///
    /// # Errors
    /// Fails when there cannot be one more thread.
    pub(super) fn run<F>(
        self,
        name: &str,
        future: F,
    ) -> Result<oneshot::Receiver<F::Output>, StoreError>
    where
        F: Future<Output: Send> + Send + 'static,
    {
        let (caller, end) = oneshot::channel();
        // It hears of time by itself: the runtime of the others may end before it does.
        let runtime = runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .map_err(|error| no_thread(&error))?;
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                self.stay();
                // A caller that went away needs no answer.
                let _ = caller.send(runtime.block_on(future));
            })
            .map_err(|error| no_thread(&error))?;
        Ok(end)
    }

    /// Keeps this thread here. Where that is refused it only takes longer.
    fn stay(self) {
        if let Some(only) = self.0
            && let Err(error) = sched_setaffinity(THIS_THREAD, &only)
        {
            tracing::debug!(%error, "database writer not pinned to a processor");
        }
    }
}

fn no_thread(error: &io::Error) -> StoreError {
    StoreError::Broken(format!("it has no thread of its own: {error}"))
}

/// Returns the processor of this number, counted among those that this process may use.
fn only(number: usize) -> Option<CpuSet> {
    let allowed = sched_getaffinity(THIS_THREAD).ok()?;
    let allowed: Vec<usize> = (0..CpuSet::count())
        .filter(|&processor| allowed.is_set(processor).unwrap_or_default())
        .collect();
    let mut only = CpuSet::new();
    only.set(*allowed.get(number.checked_rem(allowed.len())?)?)
        .ok()?;
    Some(only)
}

#[cfg(test)]
mod tests {
    use nix::sched::{CpuSet, sched_getaffinity};

    use super::{Processor, THIS_THREAD, only};

    fn allowed_here() -> Vec<usize> {
        let here = sched_getaffinity(THIS_THREAD).unwrap();
        let all = 0..CpuSet::count();
        all.filter(|&it| here.is_set(it).unwrap()).collect()
    }

    #[tokio::test]
    async fn what_runs_on_a_processor_and_what_it_starts_stays_there() {
        let ours = allowed_here();
        let there = Processor::next().run("test", async {
            let started = std::thread::spawn(allowed_here);
            (allowed_here(), started.join().unwrap())
        });
        let (there, started) = there.unwrap().await.unwrap();
        assert_eq!((there.len(), &started), (1, &there));
        assert_eq!(allowed_here(), ours, "this thread goes where it went");
    }

    #[test]
    fn processors_take_turns() {
        let ours = allowed_here();
        let chosen: Vec<usize> = (0..2 * ours.len())
            .map(|number| {
                let only = only(number).unwrap();
                ours.iter().position(|&it| only.is_set(it).unwrap())
            })
            .map(Option::unwrap)
            .collect();
        let wanted: Vec<usize> = (0..ours.len()).chain(0..ours.len()).collect();
        assert_eq!(chosen, wanted);
    }

    #[tokio::test]
    async fn of_what_panics_nothing_comes() {
        let panicked = Processor::next().run("test", async {
            assert!(std::hint::black_box(false), "as expected");
        });
        assert!(panicked.unwrap().await.is_err());
    }
}
