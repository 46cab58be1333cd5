//! Sealed work: what a helper does itself, on bytes that come behind the request. It has all it needs
//! from the start, so it opens no file, runs no program and has no network, and its memory and time
//! are limited: a crash there affects nothing else.

use std::io::{self, Read};
use std::thread;

use nix::sys::resource::{Resource, setrlimit};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{SandboxProfile, confine_thread};

/// What recursion in a library may use, in bytes.
const STACK: usize = 16 * 1024 * 1024;

/// Work for a helper: its bytes come behind the request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedWork {
    /// How many bytes come.
    pub bytes: u64,
    /// What is wanted of them, in the words of the job.
    pub wanted: Value,
    /// How much it may use.
    pub limits: SealedLimits,
    /// The sandbox of the helper; `None` where commands are not confined.
    pub plan: Option<SandboxProfile>,
}

/// How much sealed work may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SealedLimits {
    /// Memory, in bytes.
    pub memory: u64,
    /// Seconds on a processor.
    pub cpu_secs: u64,
}

/// How sealed work ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SealedEnd {
    /// The job returned this.
    Done(Value),
    /// The job panicked.
    Panicked,
}

/// What does the work, from what is wanted and the bytes. The crate of the sandbox knows no document
/// and no parser, so the program that is the helper passes it.
pub type SealedJob = fn(&Value, &[u8]) -> Value;

/// Does the work in this process, which must be a helper: from now on it can do little else.
pub(super) fn work_here(
    work: &SealedWork,
    from: &mut impl Read,
    job: SealedJob,
) -> io::Result<SealedEnd> {
    let mut bytes = Vec::new();
    from.take(work.bytes).read_to_end(&mut bytes)?;
    let SealedLimits { memory, cpu_secs } = work.limits;
    setrlimit(Resource::RLIMIT_DATA, memory, memory)?;
    setrlimit(Resource::RLIMIT_CPU, cpu_secs, cpu_secs)?;
    setrlimit(Resource::RLIMIT_FSIZE, 0, 0)?;
    let confined = || {
        if let Some(plan) = &work.plan {
            confine_thread(plan)?;
        }
        Ok(SealedEnd::Done(job(&work.wanted, &bytes)))
    };
    thread::scope(|scope| {
        let worker = thread::Builder::new().stack_size(STACK);
        let over = worker.spawn_scoped(scope, confined)?.join();
        over.unwrap_or(Ok(SealedEnd::Panicked))
    })
}
