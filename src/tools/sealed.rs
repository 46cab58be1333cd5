//! Work on hostile bytes in a helper process: its limits and its confinement.
//!
//! The helper has all that it needs from the start, so it can open no file, start no program and
//! open no connection. It has limits on memory and time, and a crash there affects nothing else.
//! What is read, and how, belongs to `documents` and `fetch`; the agent's side is `sealed_helper.rs`.

use std::io;
use std::thread;

use nix::sys::resource::{Resource, setrlimit};

use super::sandbox::{SandboxProfile, confine_thread};

/// What recursion in a library may use, in bytes.
const STACK: usize = 16 * 1024 * 1024;

/// How much the work may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct SealedLimits {
    /// Memory, in bytes.
    pub memory: u64,
    /// Seconds on a processor.
    pub cpu_secs: u64,
}

/// Does the work in this process, which must be a helper: from now on it can do little else. `None`
/// where the work panicked.
pub(super) fn work_sealed<T: Send>(
    plan: Option<&SandboxProfile>,
    limits: SealedLimits,
    work: impl FnOnce() -> T + Send,
) -> io::Result<Option<T>> {
    setrlimit(Resource::RLIMIT_DATA, limits.memory, limits.memory)?;
    setrlimit(Resource::RLIMIT_CPU, limits.cpu_secs, limits.cpu_secs)?;
    setrlimit(Resource::RLIMIT_FSIZE, 0, 0)?;
    let confined = || {
        plan.map_or(Ok(()), confine_thread)?;
        Ok(work())
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK);
        let over = worker.spawn_scoped(scope, confined)?.join();
        over.map_or(Ok(None), |done: io::Result<T>| done.map(Some))
    })
}
