//! Trying, from inside, what a confined command must not be able to do.
//!
//! Nothing that is tried does harm where it succeeds: files are the self-test's own, the signal
//! is none, the processes and namespaces that are asked for do not exist or cannot be had.

use std::fs::{self, File, Permissions};
use std::io;
use std::net::{TcpStream, UdpSocket};
use std::os::unix::fs::{PermissionsExt as _, chown};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nix::errno::Errno;
use nix::sched::CloneFlags;
use nix::unistd::{Pid, getpid};
use rustix::fs::{AtFlags, CWD, Timespec, Timestamps, XattrFlags};
use rustix::net::{SendFlags, SocketAddrUnix};
use serde::{Deserialize, Serialize};

use super::confine::keep_attributes;
use super::namespaces::{Namespace, PID_MAX, pid_max_for};
use super::profile::SandboxProfile;

/// What to try under which plan.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
    /// The plan; tried as far as the kernel keeps to it.
    pub plan: SandboxProfile,
    /// A directory that the plan does not give, with the file [`SECRET`] in it.
    pub outside: PathBuf,
    /// The agent, from whose reach the command must be.
    pub agent: Agent,
    /// How many tasks the kernel is to count.
    pub tasks: usize,
}

/// The agent as it sees itself, to be compared with what is seen inside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Agent {
    process: i32,
    /// The namespaces that it is in.
    namespaces: Vec<(Namespace, PathBuf)>,
    pid_max: Option<String>,
}

impl Agent {
    /// Looks at this process.
    pub fn here() -> Self {
        let namespaces = Namespace::APART
            .into_iter()
            .filter_map(|namespace| Some((namespace, our(namespace)?)));
        Self {
            process: getpid().as_raw(),
            namespaces: namespaces.collect(),
            pid_max: pid_max(),
        }
    }

    /// Returns whether we have one of these to ourselves.
    fn lacks(&self, namespace: Namespace) -> bool {
        let same = |theirs: &(Namespace, PathBuf)| {
            theirs.0 == namespace && our(namespace).is_none_or(|ours| ours == theirs.1)
        };
        let known = self.namespaces.iter().any(|(known, _)| *known == namespace);
        known && !self.namespaces.iter().any(same)
    }
}

/// The name of the file that must not be read.
pub(crate) const SECRET: &str = "secret";

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
    /// No datagram to any socket of this machine, and no address for a pair of sockets.
    NoDatagrams,
    /// No change of modes, owners, times and extended attributes by a command that only reads.
    ReadersKeepAttributes,
    /// No signal to a process outside.
    NoSignals,
    /// No look at the environment of a process outside.
    NoSpying,
    /// No debugging.
    NoTracing,
    /// No namespace in which it is root.
    NoNamespaces,
    /// No change of modes, owners and times outside the workspace, by a command that may write to
    /// it. No promise, since Landlock does not see it: it is kept where there are namespaces.
    NoModes,
    /// One of these of its own. No promise either.
    Apart(Namespace),
    /// A count of its tasks by the kernel, which no haste outruns. No promise either.
    CountedByKernel,
}

impl Check {
    /// Returns whether a sandbox without it is less than whole.
    pub fn is_promise(self) -> bool {
        !matches!(self, Self::NoModes | Self::Apart(_) | Self::CountedByKernel)
    }
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
    let agent = Pid::from_raw(probe.agent.process);
    let environment = format!("/proc/{agent}/environ");
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
        (Check::NoDatagrams, datagrams_are_refused()),
        (
            Check::NoSignals,
            is_refused_or_absent(nix::sys::signal::kill(agent, None)),
        ),
        (
            Check::NoSpying,
            is_refused_or_absent(File::open(environment)),
        ),
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
    // The last that is tried: from here on this thread may change no attributes.
    let kept = readers_keep_attributes(workspace);
    let more = own(probe).chain([(Check::ReadersKeepAttributes, kept)]);
    tried.extend(more.map(|(check, kept)| Tried { check, kept }));
    tried
}

/// Tries a pair of sockets for datagrams, and everything that gives a pair an address.
fn datagrams_are_refused() -> bool {
    let Ok((stream, _peer)) = UnixStream::pair() else {
        return false;
    };
    let Ok(address) = SocketAddrUnix::new_abstract_name(SECRET.as_bytes()) else {
        return false;
    };
    is_refused(UnixDatagram::pair())
        && is_refused(rustix::net::connect(&stream, &address))
        && is_refused(rustix::net::bind(&stream, &address))
        && is_refused(rustix::net::listen(&stream, 1))
        && is_refused(rustix::net::accept(&stream))
        && is_refused(rustix::net::sendto(
            &stream,
            b"x",
            SendFlags::NOSIGNAL,
            &address,
        ))
}

/// Tries to change the attributes of a file of the workspace, where nothing but the filter of
/// commands that only read is in the way.
fn readers_keep_attributes(workspace: &Path) -> bool {
    let file = workspace.join("attributes");
    let can_try = fs::write(&file, "").is_ok() && keep_attributes().is_ok();
    let attribute = "user.sayso";
    let now = Timespec {
        tv_sec: 0,
        tv_nsec: rustix::fs::UTIME_NOW,
    };
    let times = Timestamps {
        last_access: now,
        last_modification: now,
    };
    can_try
        && is_refused(fs::set_permissions(&file, Permissions::from_mode(0o600)))
        && is_refused(chown(&file, None, None))
        && is_refused(rustix::fs::utimensat(CWD, &file, &times, AtFlags::empty()))
        && is_refused(rustix::fs::setxattr(
            &file,
            attribute,
            b"x",
            XattrFlags::empty(),
        ))
        && is_refused(rustix::fs::removexattr(&file, attribute))
}

/// Looks whether what is its own is. It runs when nothing else does in its namespaces.
fn own(probe: &Probe) -> impl Iterator<Item = (Check, bool)> {
    let agent = &probe.agent;
    let counted = pid_max().is_some_and(|most| {
        most == pid_max_for(probe.tasks)
            && agent.pid_max.as_ref().is_some_and(|theirs| *theirs != most)
    });
    Namespace::APART
        .into_iter()
        .map(|namespace| {
            let seen_alone = namespace != Namespace::Processes || sees_only_itself();
            (
                Check::Apart(namespace),
                seen_alone && agent.lacks(namespace),
            )
        })
        .chain([(Check::CountedByKernel, counted)])
}

/// Returns which namespace of this kind we are in.
fn our(namespace: Namespace) -> Option<PathBuf> {
    fs::read_link(Path::new("/proc/self/ns").join(namespace.link())).ok()
}

fn pid_max() -> Option<String> {
    Some(fs::read_to_string(PID_MAX).ok()?.trim().to_owned())
}

/// Returns whether `/proc` tells of no other process.
fn sees_only_itself() -> bool {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let mut processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let ourselves = getpid().as_raw();
    processes.next() == Some(ourselves) && processes.next().is_none()
}

/// Returns whether something was refused for want of a right, and not for another reason.
fn is_refused<T, E: Into<io::Error>>(result: Result<T, E>) -> bool {
    let refusals = [Errno::EPERM, Errno::EACCES, Errno::EROFS];
    failure(result).is_some_and(|number| refusals.contains(&number))
}

/// Returns whether a process was unreachable: access was denied, or it is in none of our
/// namespaces.
fn is_refused_or_absent<T, E: Into<io::Error>>(result: Result<T, E>) -> bool {
    let refusals = [Errno::EPERM, Errno::EACCES, Errno::ENOENT, Errno::ESRCH];
    failure(result).is_some_and(|number| refusals.contains(&number))
}

fn failure<T, E: Into<io::Error>>(result: Result<T, E>) -> Option<Errno> {
    let error: io::Error = result.err()?.into();
    error.raw_os_error().map(Errno::from_raw)
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
