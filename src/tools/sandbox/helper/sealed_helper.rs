//! Having sealed work done, from the agent's side.

use std::io;
use std::path::Path;
use std::time::Duration;

use serde_json::Value;
use thiserror::Error;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;

use super::launch::{HelperPath, Launched};
use super::protocol::{Report, Request};
use super::sealed::{SealedEnd, SealedLimits, SealedWork};
use crate::Sandbox;

/// The longest report, in bytes: a helper that was taken over must not fill the agent's memory.
const MAX_REPORT_BYTES: u64 = 256 * 1024 * 1024;

/// What is asked of a helper.
#[derive(Debug, Clone, PartialEq)]
pub struct SealedTask {
    /// What is wanted of the bytes, in the words of the job.
    pub wanted: Value,
    /// How much the work may use.
    pub limits: SealedLimits,
    /// After this the helper is ended.
    pub within: Duration,
}

/// Why a helper did not answer.
#[derive(Debug, Error)]
pub enum SealedError {
    /// It could not be started or spoken to.
    #[error("its reader could not be started")]
    Unavailable(#[from] io::Error),
    /// It was ended for what it used, or crashed.
    #[error("reading it took more memory or time than it may")]
    Ended,
    /// The job panicked.
    #[error("its reader broke off")]
    Panicked,
    /// It took too long.
    #[error("reading it took too long")]
    TooLate,
}

/// Starts helpers for sealed work.
#[derive(Debug, Clone)]
pub struct SealedHelper {
    program: HelperPath,
    sandbox: Sandbox,
}

impl SealedHelper {
    /// Uses this program as the helper, confined as this sandbox says.
    pub fn new(program: HelperPath, sandbox: Sandbox) -> Self {
        Self { program, sandbox }
    }

    /// Has a helper do the work on these bytes, and returns what its job returned. The helper is
    /// started in this directory, which it cannot read.
    pub async fn ask(
        &self,
        directory: &Path,
        task: SealedTask,
        bytes: &[u8],
    ) -> Result<Value, SealedError> {
        let request = Request::Work(SealedWork {
            bytes: bytes.len() as u64,
            wanted: task.wanted,
            limits: task.limits,
            plan: self.sandbox.sealed(),
        });
        let nothing: [(&str, &str); 0] = [];
        let launched = self.program.launch(nothing, directory, &request).await?;
        let reported = tokio::time::timeout(task.within, end_of(launched, bytes)).await;
        match reported.unwrap_or(Err(SealedError::TooLate))? {
            SealedEnd::Done(found) => Ok(found),
            SealedEnd::Panicked => Err(SealedError::Panicked),
        }
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

async fn end_of(launched: Launched, bytes: &[u8]) -> Result<SealedEnd, SealedError> {
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
    match serde_json::from_str(&line) {
        Ok(Report::Worked(end)) => Ok(end),
        Ok(_) | Err(_) => Err(SealedError::Ended),
    }
}
