//! Work on hostile bytes, done in a helper process: both sides of it.
//!
//! The helper has all that it needs from the start, so it can open no file, start no program and
//! open no connection. It has limits on memory and time, and a crash there affects nothing else.
//! What is read, and how, belongs to `documents` and `fetch`.

use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::sys::resource::{Resource, setrlimit};
use thiserror::Error;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;

use super::helper::{HelperPath, Launched, Report, Request};
use super::sandbox::{Sandbox, SandboxProfile, confine_thread};

/// What recursion in a library may use, in bytes.
const STACK: usize = 16 * 1024 * 1024;
/// The longest report, in bytes: a helper that was taken over must not fill the agent's memory.
const MAX_REPORT_BYTES: u64 = 256 * 1024 * 1024;

/// How much the work may use.
#[derive(Debug, Clone, Copy)]
pub(super) struct SealedLimits {
    /// Memory, in bytes.
    pub memory: u64,
    /// Seconds on a processor.
    pub cpu_secs: u64,
}

/// Why a helper did not answer.
#[derive(Debug, Error)]
pub(super) enum SealedError {
    /// It could not be started or spoken to.
    #[error("its reader could not be started")]
    Unavailable(#[from] io::Error),
    /// It was ended for what it used, or crashed.
    #[error("reading it took more memory or time than it may")]
    Ended,
    /// It took too long.
    #[error("reading it took too long")]
    TooLate,
}

/// Starts helpers for such work.
pub(super) struct SealedHelper {
    program: HelperPath,
    sandbox: Sandbox,
}

impl SealedHelper {
    /// Uses this program as the helper, confined as this sandbox says.
    pub(super) fn new(program: HelperPath, sandbox: Sandbox) -> Self {
        Self { program, sandbox }
    }

    /// Returns the sandbox of the work; `None` where commands are not confined.
    pub(super) fn plan(&self) -> Option<SandboxProfile> {
        self.sandbox.sealed()
    }

    /// Sends a request with its bytes to a helper, and returns its report. After `within` the
    /// helper is ended.
    pub(super) async fn ask(
        &self,
        directory: &Path,
        request: &Request,
        bytes: &[u8],
        within: Duration,
    ) -> Result<Report, SealedError> {
        let nothing: [(&str, &str); 0] = [];
        let launched = self.program.launch(nothing, directory, request).await?;
        let reported = tokio::time::timeout(within, report_of(launched, bytes)).await;
        reported.unwrap_or(Err(SealedError::TooLate))
    }
}

/// Ends the helper when its report has come, or is no longer waited for.
struct Ending(Child);

impl Drop for Ending {
    fn drop(&mut self) {
        // One that has ended by itself needs nothing.
        let _ = self.0.start_kill();
    }
}

async fn report_of(launched: Launched, bytes: &[u8]) -> Result<Report, SealedError> {
    let Launched {
        process,
        reports,
        mut leave,
    } = launched;
    let _ending = Ending(process);
    // It may end before it has taken all: then it says why, or nothing.
    let _ = leave.write_all(bytes).await;
    let mut line = String::new();
    reports.take(MAX_REPORT_BYTES).read_line(&mut line).await?;
    serde_json::from_str(&line).map_err(|_nothing| SealedError::Ended)
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
