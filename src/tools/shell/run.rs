//! One command under its helper, from the agent's side: start, collect, end.

use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use sayso_sandbox::SandboxProfile;
use sayso_sandbox::ShellEnvironment;
use sayso_sandbox::helper::{End, HelperPath, Left, Limits, Order, Report, Request};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::io::{AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, BufReader};
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::process::Child;
use tokio_util::sync::CancellationToken;

use crate::spool::Spool;
use crate::terminal_text::TextSpool;

/// How long the helper may take to end all processes after a stop.
const END_WITHIN: Duration = Duration::from_millis(1500);
/// How long output is waited for after the helper is gone: what escaped it may hold the pipes.
const LAST_OUTPUT_WITHIN: Duration = Duration::from_millis(300);
/// How much is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// What to run, and how long at most.
pub(super) struct Job<'a> {
    pub helper: &'a HelperPath,
    pub environment: &'a ShellEnvironment,
    /// What it finds in its environment besides: the secrets that it was cleared for.
    pub variables: Vec<(String, SecretString)>,
    pub workspace: &'a Path,
    pub command: &'a str,
    /// What it may touch; `None` confines it in nothing.
    pub plan: Option<SandboxProfile>,
    pub timeout: Duration,
}

/// Why a command is over.
#[derive(Debug, PartialEq, Eq)]
pub enum Over {
    /// It ended, and its helper said how.
    Ended(End),
    /// It took too long and was ended.
    TimedOut,
    /// The turn was stopped.
    Stopped,
    /// Its helper vanished without a word.
    HelperLost,
}

/// A command that is over.
#[derive(Debug)]
pub(super) struct Finished {
    /// Why.
    pub over: Over,
    /// What it left running, which was ended with it.
    pub left: Left,
}

/// Takes what a command writes.
pub(super) trait Sink: Send {
    /// Takes more.
    fn take(&mut self, bytes: &[u8]);
}

impl Sink for Spool {
    fn take(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }
}

impl Sink for TextSpool {
    fn take(&mut self, bytes: &[u8]) {
        self.push(bytes);
    }
}

/// Where the output of a command goes.
pub(super) struct Output<S = Spool> {
    pub stdout: S,
    pub stderr: S,
}

impl Output {
    /// Returns how many bytes were written.
    pub(super) fn total(&self) -> u64 {
        self.stdout.total() + self.stderr.total()
    }
}

impl Job<'_> {
    /// Runs the command until it ends, takes too long or is stopped. Dropping the future ends it
    /// as well: the helper sees its socket close.
    pub(super) async fn run<S: Sink>(
        &self,
        output: &mut Output<S>,
        stop: &CancellationToken,
    ) -> io::Result<Finished> {
        let without_leftovers = |over| Finished {
            over,
            left: Left::default(),
        };
        if stop.is_cancelled() {
            return Ok(without_leftovers(Over::Stopped));
        }
        let mut running = self.start().await?;
        let mut said = Said::default();
        let interrupted = {
            let (streams, reports) = (&mut running.streams, &mut running.reports);
            let work = collect(streams, output, reports, &mut said);
            tokio::pin!(work);
            let interrupted = tokio::select! {
                biased;
                () = stop.cancelled() => Some(Over::Stopped),
                () = &mut work => None,
                () = tokio::time::sleep(self.timeout) => Some(Over::TimedOut),
            };
            if interrupted.is_some() {
                drop(running.leave);
                if tokio::time::timeout(END_WITHIN, work).await.is_err() {
                    tracing::warn!("command not terminated in time");
                }
            }
            interrupted
        };
        match interrupted {
            Some(over) => Ok(without_leftovers(over)),
            None => Ok(said.finished(&mut running.helper).await),
        }
    }

    async fn start(&self) -> io::Result<Running> {
        let usual = self.environment.in_workspace(self.workspace).into_iter();
        let usual = usual.map(|(name, value)| (name.to_owned(), value));
        let more = self.variables.iter();
        let more = more.map(|(name, value)| (name.clone(), value.expose_secret().into()));
        let environment: Vec<(String, OsString)> = usual.chain(more).collect();
        let request = Request::Run(self.order());
        let launch = self.helper.launch(environment, self.workspace, &request);
        let mut launched = launch.await?;
        let (stdout, stderr) = (
            launched.process.stdout.take(),
            launched.process.stderr.take(),
        );
        Ok(Running {
            streams: Streams {
                stdout: stdout.ok_or(io::ErrorKind::BrokenPipe)?,
                stderr: stderr.ok_or(io::ErrorKind::BrokenPipe)?,
            },
            helper: launched.process,
            reports: launched.reports,
            leave: launched.leave,
        })
    }

    fn order(&self) -> Order {
        Order {
            command: self.command.to_owned(),
            plan: self.plan.clone(),
            limits: match self.plan {
                Some(_) => Limits::confined(self.timeout),
                None => Limits::default(),
            },
        }
    }
}

struct Running {
    helper: Child,
    reports: BufReader<OwnedReadHalf>,
    streams: Streams,
    /// Dropping it tells the helper to end everything.
    leave: OwnedWriteHalf,
}

/// What the helper has said.
#[derive(Default)]
struct Said {
    group: Option<u32>,
    left: Left,
    end: Option<End>,
}

impl Said {
    /// Returns how the command ended, after the helper did. When the helper did not say, it was
    /// killed: then we end what it would have ended, as far as we know it.
    async fn finished(self, helper: &mut Child) -> Finished {
        let left = self.left;
        if let Some(end) = self.end {
            let over = Over::Ended(end);
            return Finished { over, left };
        }
        if let Some(group) = self.group {
            let _ = killpg(Pid::from_raw(group.cast_signed()), Signal::SIGKILL);
        }
        let status = tokio::time::timeout(LAST_OUTPUT_WITHIN, helper.wait()).await;
        tracing::warn!(?status, "command helper disconnected");
        Finished {
            over: Over::HelperLost,
            left,
        }
    }
}

struct Streams {
    stdout: tokio::process::ChildStdout,
    stderr: tokio::process::ChildStderr,
}

/// Takes output and reports until the helper is gone and the output is through.
async fn collect<S: Sink>(
    streams: &mut Streams,
    output: &mut Output<S>,
    reports: &mut BufReader<OwnedReadHalf>,
    said: &mut Said,
) {
    let helper_gone = CancellationToken::new();
    let outputs = async {
        tokio::join!(
            pump(&mut streams.stdout, &mut output.stdout),
            pump(&mut streams.stderr, &mut output.stderr),
        );
    };
    let overdue = async {
        helper_gone.cancelled().await;
        tokio::time::sleep(LAST_OUTPUT_WITHIN).await;
    };
    tokio::join!(
        async {
            follow(reports, said).await;
            helper_gone.cancel();
        },
        async {
            tokio::select! {
                () = outputs => {}
                () = overdue => {}
            }
        },
    );
}

/// Takes reports until the helper closes its end.
async fn follow(reports: &mut BufReader<OwnedReadHalf>, said: &mut Said) {
    let mut line = String::new();
    while let Ok(1..) = reports.read_line(&mut line).await {
        match serde_json::from_str(&line) {
            Ok(Report::Started { group: started }) => said.group = started,
            Ok(Report::Left(left)) => said.left = left,
            Ok(Report::Ended(end)) => said.end = Some(end),
            Ok(Report::Tried(_) | Report::Worked(_)) => {
                tracing::warn!("unexpected reply from the command helper");
            }
            Err(error) => tracing::warn!(%error, "unknown message from the command helper"),
        }
        line.clear();
    }
}

async fn pump(stream: &mut (impl AsyncRead + Unpin), sink: &mut impl Sink) {
    let mut chunk = vec![0; CHUNK_BYTES];
    while let Ok(length @ 1..) = stream.read(&mut chunk).await {
        sink.take(&chunk[..length]);
    }
}
