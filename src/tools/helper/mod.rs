//! The helper process: our own binary re-executed, which runs one command and leaves nothing of
//! it behind.
//!
//! It is a process of its own because only a process without other children may be a *child
//! subreaper*: whatever the command starts, also through `setsid`, becomes a child of the helper
//! when its parent ends, and is found and killed there.
//!
//! Its standard input is a socket to the agent. A line with the [`Request`] comes in, lines with
//! [`Report`]s go out, and when the agent's end closes (a stop, a time-out, the agent's death)
//! the whole descent gets SIGTERM, and [`KILL_AFTER`] later SIGKILL. Directory, environment,
//! standard output and standard error are the helper's own, as the agent set them.
//!
//! A command that kills the helper itself escapes it; the agent then kills the command's group.

mod descent;
mod protocol;

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, wait, waitpid};
use nix::unistd::Pid;

use self::descent::signal_descent;
pub use self::protocol::{End, Report, Request};

/// The first argument that makes our binary the helper.
pub const HELPER_ARGUMENT: &str = "__helper";
/// The shell stops, and when it is continued it becomes the one that runs the command.
const STOP_THEN_RUN: &str = "kill -STOP $$; exec /bin/sh -c \"$1\"";
/// How long a command has between SIGTERM and SIGKILL.
const KILL_AFTER: Duration = Duration::from_millis(500);
/// Between two rounds of killing: a process may be born while a round goes through the list.
const KILL_ROUND: Duration = Duration::from_millis(20);
/// Rounds become rarer up to this: what runs as another user cannot be killed, only waited for.
const SLOWEST_KILL_ROUND: Duration = Duration::from_secs(1);

/// Makes this process unreadable for others of its user: no memory, no environment under
/// `/proc`, no core file. Called first in `main` of the agent.
pub fn harden_process() -> io::Result<()> {
    Ok(prctl::set_dumpable(false)?)
}

/// Is the helper, from its first to its last moment. Called by `main` when the first argument is
/// [`HELPER_ARGUMENT`], before anything else starts a thread.
pub fn helper_main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error is the command's, where the model reads it.
            let _ = writeln!(io::stderr(), "the command could not be run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> io::Result<()> {
    let agent = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut lines = BufReader::new(agent.try_clone()?);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    let request: Request = serde_json::from_str(&line)?;
    prctl::set_child_subreaper(true)?;
    let command = start_stopped(&request.command)?;
    report(
        &agent,
        &Report::Started {
            group: command.as_raw().cast_unsigned(),
        },
    );
    kill(command, Signal::SIGCONT)?;
    let stopping = Arc::new(AtomicBool::new(false));
    end_when_agent_leaves(lines, Arc::clone(&stopping));
    let end = reap(command, &stopping)?;
    report(&agent, &Report::Ended(end));
    Ok(())
}

/// Starts the command in a group of its own and stops it before its first instruction, so that
/// its group is reported whatever it does.
fn start_stopped(command: &str) -> io::Result<Pid> {
    let child = Command::new("/bin/sh")
        .args(["-c", STOP_THEN_RUN, "sh", command])
        .stdin(Stdio::null())
        .process_group(0)
        .spawn()?;
    let pid = Pid::from_raw(child.id().cast_signed());
    match waitpid(pid, Some(WaitPidFlag::WUNTRACED))? {
        WaitStatus::Stopped(..) => Ok(pid),
        status => Err(io::Error::other(format!(
            "the shell did not start: {status:?}"
        ))),
    }
}

/// Tells the agent. Where it is gone there is nobody to tell, and the end is the same.
fn report(mut agent: &UnixStream, report: &Report) {
    if let Ok(line) = serde_json::to_string(report) {
        let _ = writeln!(agent, "{line}");
    }
}

/// Waits until the agent's end closes, then kills until the process ends with its last child.
fn end_when_agent_leaves(mut agent: BufReader<UnixStream>, stopping: Arc<AtomicBool>) {
    std::thread::spawn(move || {
        // Nothing more is said: whatever this returns, the agent's end is closed.
        let _ = agent.read_to_end(&mut Vec::new());
        stopping.store(true, Ordering::SeqCst);
        signal_descent(Signal::SIGTERM);
        std::thread::sleep(KILL_AFTER);
        for round in 1.. {
            signal_descent(Signal::SIGKILL);
            std::thread::sleep(SLOWEST_KILL_ROUND.min(KILL_ROUND * round / 10 + KILL_ROUND));
        }
    });
}

/// Waits for every child there is, own or inherited, and returns how the command ended.
///
/// When the command itself ended, what it left behind is killed; after a stop this is left to
/// the one who stops, who first gives it time.
fn reap(command: Pid, stopping: &AtomicBool) -> io::Result<End> {
    let mut end = None;
    loop {
        match wait() {
            Ok(status) => end = end.or(end_of(command, status)),
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return end.ok_or_else(|| Errno::ECHILD.into()),
            Err(error) => return Err(error.into()),
        }
        if end.is_some() && !stopping.load(Ordering::SeqCst) {
            signal_descent(Signal::SIGKILL);
        }
    }
}

fn end_of(command: Pid, status: WaitStatus) -> Option<End> {
    match status {
        WaitStatus::Exited(pid, code) if pid == command => Some(End::Exited { code }),
        WaitStatus::Signaled(pid, signal, _core) if pid == command => Some(End::Killed {
            signal: signal.as_str().to_owned(),
        }),
        _ => None,
    }
}
