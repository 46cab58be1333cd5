//! Asking a helper process for work on hostile bytes: the agent's side of `sealed.rs`.

use std::io;
use std::path::Path;
use std::time::Duration;

use thiserror::Error;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::Child;

use super::helper::{HelperPath, Launched, Report, Request};
use super::sandbox::{Sandbox, SandboxProfile};

/// The longest report, in bytes: a helper that was taken over must not fill the agent's memory.
const MAX_REPORT_BYTES: u64 = 256 * 1024 * 1024;

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
