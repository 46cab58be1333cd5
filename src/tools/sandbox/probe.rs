//! Trying, from inside, what a confined command must not be able to do.
//!
//! Nothing that is tried does harm where it succeeds: files are the self-test's own, the signal
//! is none, the processes and namespaces that are asked for do not exist or cannot be had.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sched::CloneFlags;
use nix::unistd::{Pid, getppid};
use serde::{Deserialize, Serialize};

use super::plan::Plan;

/// What to try under which plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The plan; tried as far as the kernel keeps to it.
    pub plan: Plan,
    /// A directory that the plan does not give, with the file [`SECRET`] in it.
    pub outside: PathBuf,
}

/// The name of the file that must not be read.
pub const SECRET: &str = "secret";

/// One promise of the sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Check {
    /// Ordinary programs run, and may write to the workspace.
    ProgramsRun,
    /// Nothing is written outside the workspace.
    NoWriting,
    /// No file outside is cut.
    NoCutting,
    /// Nothing private is read.
    NoReading,
    /// No directory outside is listed.
    NoListing,
    /// No TCP.
    NoTcp,
    /// No UDP.
    NoUdp,
    /// No socket of this machine, such as Docker's.
    NoLocalSockets,
    /// No signal to a process outside.
    NoSignals,
    /// No look at the environment of a process outside.
    NoSpying,
    /// No debugging.
    NoTracing,
    /// No namespace in which it is root.
    NoNamespaces,
    /// No change of modes, owners and times outside the workspace. No promise, since Landlock
    /// does not see it: it is kept where there are namespaces.
    NoModes,
}

/// A promise, and whether it was kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The promise.
    pub check: Check,
    /// Whether it was kept.
    pub kept: bool,
}

/// Tries everything. The calling thread must be confined already.
pub fn probe(probe: &Probe) -> Vec<Tried> {
    let secret = probe.outside.join(SECRET);
    let environment = format!("/proc/{}/environ", getppid());
    let workspace = probe
        .plan
        .write
        .first()
        .map_or(Path::new("."), PathBuf::as_path);
    let refused = [
        (
            Check::NoWriting,
            is_refused(File::create(probe.outside.join("written"))),
        ),
        (
            Check::NoCutting,
            is_refused(nix::unistd::truncate(&secret, 0)),
        ),
        (Check::NoReading, is_refused(File::open(&secret))),
        (Check::NoListing, is_refused(fs::read_dir(&probe.outside))),
        (
            Check::NoTcp,
            is_refused(TcpStream::connect(("127.0.0.1", 9))),
        ),
        (Check::NoUdp, is_refused(UdpSocket::bind(("127.0.0.1", 0)))),
        (Check::NoLocalSockets, is_refused(UnixDatagram::unbound())),
        (
            Check::NoSignals,
            is_refused(nix::sys::signal::kill(getppid(), None)),
        ),
        (Check::NoSpying, is_refused(File::open(environment))),
        (
            Check::NoTracing,
            is_refused(nix::sys::ptrace::attach(Pid::from_raw(i32::MAX))),
        ),
        (
            Check::NoModes,
            is_refused(fs::set_permissions(&secret, Permissions::from_mode(0o600))),
        ),
        (
            Check::NoNamespaces,
            is_refused(nix::sched::unshare(CloneFlags::CLONE_NEWUSER)),
        ),
    ];
    let mut tried = vec![Tried {
        check: Check::ProgramsRun,
        kept: programs_run(workspace),
    }];
    tried.extend(refused.map(|(check, kept)| Tried { check, kept }));
    tried
}

/// Returns whether something was refused for want of a right, and not for another reason.
fn is_refused<T, E: Into<io::Error>>(result: Result<T, E>) -> bool {
    result.err().is_some_and(|error| {
        let error: io::Error = error.into();
        let number = error.raw_os_error().map(Errno::from_raw);
        matches!(number, Some(Errno::EPERM | Errno::EACCES | Errno::EROFS))
    })
}

fn programs_run(workspace: &Path) -> bool {
    let status = Command::new("/bin/sh")
        .args(["-c", "echo works > tried && cat tried && rm tried"])
        .current_dir(workspace)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
