//! Starting a helper, from the agent's side.

use std::ffi::OsStr;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream as BlockingStream;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use tokio::io::{AsyncWriteExt as _, BufReader};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::{Child, Command};

use super::placement::Standing;
use super::protocol::{HELPER_ARGUMENT, Request};
use crate::SandboxProfile;

/// The program that acts as the helper: our own binary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HelperPath(PathBuf);

/// A helper that has its request.
pub struct Launched {
    /// Its process. Standard output and error are pipes.
    pub process: Child,
    /// What it says; closed when it ends.
    pub reports: BufReader<OwnedReadHalf>,
    /// Dropping it tells the helper to end everything.
    pub leave: OwnedWriteHalf,
}

/// Returns the arguments of a helper: what it is, and what it must know before it reads its request.
pub fn helper_arguments(plan: Option<&SandboxProfile>) -> serde_json::Result<Vec<String>> {
    let standing = plan
        .and_then(SandboxProfile::parting)
        .map(Standing::Outside);
    let standing = standing.as_ref().map(serde_json::to_string).transpose()?;
    let first = HELPER_ARGUMENT.to_owned();
    Ok([first].into_iter().chain(standing).collect())
}

impl HelperPath {
    /// Takes the binary that this process runs, also when its file was replaced meanwhile.
    pub fn own() -> Self {
        Self("/proc/self/exe".into())
    }

    /// Takes a program for it: unit tests are not our own binary.
    #[cfg(any(test, feature = "testing"))]
    pub fn at(program: impl Into<PathBuf>) -> Self {
        Self(program.into())
    }

    /// Starts a helper with nothing but this environment, in this directory.
    pub async fn launch(
        &self,
        environment: impl IntoIterator<Item = (impl AsRef<OsStr>, impl AsRef<OsStr>)>,
        directory: &Path,
        request: &Request,
    ) -> io::Result<Launched> {
        let line = format!("{}\n", serde_json::to_string(request)?);
        let (ours, theirs) = BlockingStream::pair()?;
        ours.set_nonblocking(true)?;
        let process = Command::new(&self.0)
            .args(helper_arguments(request.plan())?)
            .env_clear()
            .envs(environment)
            .current_dir(directory)
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            // Out of our group, or Ctrl-C at a terminal would end the helper before its command.
            .process_group(0)
            .spawn()?;
        let (reports, mut leave) = UnixStream::from_std(ours)?.into_split();
        leave.write_all(line.as_bytes()).await?;
        Ok(Launched {
            process,
            reports: BufReader::new(reports),
            leave,
        })
    }
}
