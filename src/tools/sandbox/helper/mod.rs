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
//! Where the plan says so it first goes into namespaces of its own (`standing.rs`). As the first
//! process of one it inherits whatever lost its parent as well, and when it ends or is killed the
//! kernel ends the rest, at once.
//!
//! A server (`serve.rs`) is run in the same way, but for its standard input: that is what the agent
//! says behind the request.
//!
//! Sealed work (`sealed.rs`), such as reading a document or a page, is done by the helper itself, on what comes
//! behind the request. Which work that is, the caller of [`helper_main`] says.
//!
//! A command with a plan is started by a thread that is confined to it. The helper itself is
//! not, and stays able to end everything; a confined command cannot signal it. A command without
//! a plan that kills the helper escapes it; the agent then kills the command's group.

mod descent;
mod disk;
mod entries;
mod launch;
mod left;
mod limits;
mod placement;
mod protocol;
mod sealed;
mod sealed_helper;
mod serve;
mod temporary;
mod watch;

use std::ffi::OsStr;
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::prctl;
use nix::sys::resource::{Resource, setrlimit};
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, wait, waitpid};
use nix::unistd::Pid;

use self::descent::signal_descent;
use self::disk::Disk;
pub use self::launch::{HelperPath, Launched, helper_arguments};
use self::left::left_by;
pub use self::limits::{Limit, Limits};
use self::placement::{Stand, Standing};
pub use self::protocol::HELPER_ARGUMENT;
pub use self::protocol::{End, Left, Order, Report, Request, Server};
pub use self::sealed::{SealedEnd, SealedJob, SealedLimits, SealedWork};
pub use self::sealed_helper::{SealedError, SealedHelper, SealedTask};
use self::temporary::Temporary;
use self::watch::watch;
use crate::{Entered, Namespace, SandboxProfile, confine_thread, enter_view, probe};

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
    setrlimit(Resource::RLIMIT_CORE, 0, 0)?;
    Ok(prctl::set_dumpable(false)?)
}

/// Is the helper, from its first to its last moment. Called by `main` when the first argument is
/// [`HELPER_ARGUMENT`], before anything else starts a thread. Sealed work is done by this job.
pub fn helper_main(job: SealedJob) -> ExitCode {
    let argument = std::env::args().nth(2);
    let done = match Standing::take(argument.as_deref()) {
        Ok(Stand::Here(entered)) => run(&entered, job),
        Ok(Stand::Done(code)) => return code,
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error is the command's, where the model reads it.
            let _ = writeln!(io::stderr(), "the command could not be run: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(entered: &Entered, job: SealedJob) -> io::Result<()> {
    let agent = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut lines = BufReader::new(agent.try_clone()?);
    let mut line = String::new();
    lines.read_line(&mut line)?;
    match serde_json::from_str(&line)? {
        Request::Run(order) => carry_out(&order, &agent, lines, entered),
        Request::Probe(asked) => {
            enter_view(&asked.plan, entered, asked.tasks)?;
            let tried = confined(Some(&asked.plan), || Ok(probe(&asked)))?;
            report(&agent, &Report::Tried(tried));
            Ok(())
        }
        Request::Serve(server) => serve::serve(&server, lines),
        Request::Work(work) => {
            let end = sealed::work_here(&work, &mut lines, job)?;
            report(&agent, &Report::Worked(end));
            Ok(())
        }
    }
}

/// Runs one command to its end.
fn carry_out(
    order: &Order,
    agent: &UnixStream,
    lines: BufReader<UnixStream>,
    entered: &Entered,
) -> io::Result<()> {
    prctl::set_child_subreaper(true)?;
    let temporary = order.plan.as_ref().map(Temporary::make).transpose()?;
    let disks = disks(order);
    if let Some(plan) = &order.plan {
        enter_view(plan, entered, order.limits.threads)?;
    }
    let variables = temporary.as_ref().map(Temporary::variables);
    let command = confined(order.plan.as_ref(), || {
        start_stopped(&order.command, variables.unwrap_or_default())
    })?;
    order
        .limits
        .impose(command, disks.iter().map(Disk::room).min(), entered)?;
    let number = (!entered.has(Namespace::Processes)).then_some(command.as_raw());
    report(
        agent,
        &Report::Started {
            group: number.map(i32::cast_unsigned),
        },
    );
    let overdrawn = Arc::new(OnceLock::new());
    watch(order.limits, disks, &overdrawn);
    kill(command, Signal::SIGCONT)?;
    let stopping = Arc::new(AtomicBool::new(false));
    end_when_agent_leaves(lines, Arc::clone(&stopping));
    let end = reap(command, &stopping, || {
        let left = left_by(&order.command);
        if left.count > 0 {
            report(agent, &Report::Left(left));
        }
    })?;
    drop(temporary);
    let end = overdrawn.get().copied().map_or(end, End::Overdrawn);
    report(agent, &Report::Ended(end));
    Ok(())
}

/// Looks at the disks of the directories that a command may write to, which may be one disk.
fn disks(order: &Order) -> Vec<Disk> {
    let plan = order.plan.as_ref();
    let workspace = (!plan.is_some_and(SandboxProfile::only_reads)).then_some(Path::new("."));
    let temporary = plan.map(|plan| plan.temporary.as_path());
    let directories = workspace.into_iter().chain(temporary);
    directories.filter_map(Disk::of).collect()
}

/// Does something in a thread that is confined to a plan, as is all that it starts.
fn confined<T: Send>(
    plan: Option<&SandboxProfile>,
    act: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    let Some(plan) = plan else { return act() };
    let acting = || {
        confine_thread(plan)?;
        act()
    };
    let over = thread::scope(|scope| scope.spawn(acting).join());
    over.unwrap_or_else(|_panic| Err(io::Error::other("its confinement fell over")))
}

/// Starts the command in a group of its own and stops it before its first instruction, so that
/// its group is reported and its limits hold whatever it does.
fn start_stopped(command: &str, variables: Vec<(&str, &OsStr)>) -> io::Result<Pid> {
    let child = Command::new("/bin/sh")
        .args(["-c", STOP_THEN_RUN, "sh", command])
        .envs(variables)
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

/// Reports to the agent. If the agent is gone, the report is dropped, and the helper ends the same
/// way.
fn report(mut agent: &UnixStream, report: &Report) {
    if let Ok(line) = serde_json::to_string(report) {
        let _ = writeln!(agent, "{line}");
    }
}

/// Waits until the agent's end closes, then kills until the process ends with its last child.
fn end_when_agent_leaves(mut agent: BufReader<UnixStream>, stopping: Arc<AtomicBool>) {
    thread::spawn(move || {
        // Nothing more is said: whatever this returns, the agent's end is closed.
        let _ = agent.read_to_end(&mut Vec::new());
        stopping.store(true, Ordering::SeqCst);
        end_descent();
    });
}

/// Kills everything that there is, until the process ends with its last child.
fn end_descent() {
    signal_descent(Signal::SIGTERM);
    thread::sleep(KILL_AFTER);
    for round in 1.. {
        signal_descent(Signal::SIGKILL);
        thread::sleep(SLOWEST_KILL_ROUND.min(KILL_ROUND * round / 10 + KILL_ROUND));
    }
}

/// Waits for every child there is, own or inherited, and returns how the command ended.
///
/// When the command itself ended, what it left behind is looked at and killed; after a stop this is
/// left to the one who stops, who first gives it time.
fn reap(
    command: Pid,
    stopping: &AtomicBool,
    look_at_what_is_left: impl FnOnce(),
) -> io::Result<End> {
    let mut look = Some(look_at_what_is_left);
    let mut end = None;
    loop {
        match wait() {
            Ok(status) => end = end.or(end_of(command, status)),
            Err(Errno::EINTR) => {}
            Err(Errno::ECHILD) => return end.ok_or_else(|| Errno::ECHILD.into()),
            Err(error) => return Err(error.into()),
        }
        if end.is_some() && !stopping.load(Ordering::SeqCst) {
            if let Some(look) = look.take() {
                look();
            }
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
