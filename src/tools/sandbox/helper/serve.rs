//! A server under the helper: it is spoken to over the helper's connection to the agent, and ends
//! with it.

use std::io::{self, BufRead, BufReader, Write};
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::prctl;
use nix::unistd::Pid;

use super::{Server, end_descent, reap};

/// How long a server has to end by itself once nothing more is said to it.
const LEAVE_WITHIN: Duration = Duration::from_secs(1);

/// Runs a server until it ends or the agent leaves; then nothing that it started is left.
pub(super) fn serve(server: &Server, agent: BufReader<UnixStream>) -> io::Result<()> {
    prctl::set_child_subreaper(true)?;
    let watched = agent.get_ref().try_clone()?;
    let mut child = Command::new(&server.program)
        .args(&server.arguments)
        .stdin(Stdio::piped())
        .process_group(0)
        .spawn()
        .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", server.program)))?;
    let input = child
        .stdin
        .take()
        .ok_or_else(|| io::Error::other("it has no input"))?;
    let stopping = Arc::new(AtomicBool::new(false));
    pass_on(agent, input);
    end_when_parted(watched, Arc::clone(&stopping));
    let pid = Pid::from_raw(child.id().cast_signed());
    reap(pid, &stopping, || ()).map(drop)
}

/// Passes on the agent's input, until it ends or the server no longer reads.
fn pass_on(mut agent: BufReader<UnixStream>, mut input: ChildStdin) {
    thread::spawn(move || {
        // Whichever of the two has gone, there is nothing more to pass on.
        let _ = copy(&mut agent, &mut input);
        drop(input);
        // It fails where the agent has gone, and then they have parted.
        let _ = agent.get_ref().shutdown(Shutdown::Both);
    });
}

/// Ends everything when the agent has gone. A server that does not read blocks the thread that
/// writes to it, so a separate thread watches the connection.
fn end_when_parted(agent: UnixStream, stopping: Arc<AtomicBool>) {
    thread::spawn(move || {
        // No event is asked for: what is left is the end of the connection.
        let mut watched = [PollFd::new(agent.as_fd(), PollFlags::empty())];
        while poll(&mut watched, PollTimeout::NONE) == Err(Errno::EINTR) {}
        stopping.store(true, Ordering::SeqCst);
        thread::sleep(LEAVE_WITHIN);
        end_descent();
    });
}

/// Copies piece by piece, as it comes. `io::copy` has the kernel do it, which waits for more before
/// it lets go of a piece.
fn copy(from: &mut impl BufRead, to: &mut impl Write) -> io::Result<()> {
    loop {
        let piece = from.fill_buf()?;
        if piece.is_empty() {
            return Ok(());
        }
        to.write_all(piece)?;
        let passed_on = piece.len();
        from.consume(passed_on);
    }
}
