//! Commands that keep running in the background after their call: what a shell passes to the
//! component that supervises them, and what can be seen of them.
//!
//! They run under a helper as every command does, with the same sandbox and limits, and end with
//! the agent, however that ends.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use sayso_core::transcript::{CallId, Scope, TurnId};
use sayso_sandbox::helper::{End, Limit};
use serde::{Deserialize, Serialize};
use thiserror::Error;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use super::outcome::overdrawn;
use super::run::{Finished, Output, Over, Sink};
use super::runner::{Run, Runner};
use crate::spool::{Spool, SpoolPlace};
use crate::terminal_text::TerminalText;

/// How much of its output is held at its beginning and at its end, in bytes; the rest is in a file.
const HELD_BYTES: usize = 32 * 1024;

/// Looks after background processes.
#[async_trait]
pub trait Background: Send + Sync {
    /// Starts one. It is written down before it runs, so that its end is known whatever happens.
    async fn start(&self, process: NewProcess) -> Result<Running, NotStarted>;

    /// Returns what is to be seen of the process that a call of this user and session started;
    /// `None` where it started none. The end of one that is seen counts as told to the model.
    async fn look(&self, scope: &Scope, turn: TurnId, call: &CallId) -> Option<ProcessView>;
}

/// Why a process was not started, for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotStarted {
    /// As many as may run for this person.
    #[error(
        "{0} processes run in the background of this person, which is as many as may; a person \
         ends them with /stop"
    )]
    TooManyOfPerson(usize),
    /// As many as may run for all.
    #[error(
        "{0} processes run in the background in all, which is as many as may; a person ends them \
         with /stop"
    )]
    TooMany(usize),
    /// The store does not take it.
    #[error("it cannot be written down, so it would not be known")]
    NotWritten,
    /// The program ends.
    #[error("Sayso is about to end; try again when it runs again")]
    ProgramEnds,
}

/// A process to be started.
pub struct NewProcess {
    /// For whom and where.
    pub scope: Scope,
    /// The call that starts it.
    pub call: CallId,
    /// What runs, for people.
    pub command: String,
    /// When it is ended at the latest.
    pub lifetime: Duration,
    /// How it is run.
    pub job: BackgroundJob,
}

/// One that was started.
pub struct Running {
    /// What it has written.
    pub output: SharedOutput,
    /// Stops it.
    pub stop: CancellationToken,
    /// How it ended, once it has.
    pub ended: watch::Receiver<Option<ProcessEnd>>,
}

/// What is to be seen of a process.
#[derive(Debug, Clone)]
pub struct ProcessView {
    /// How it ended; `None` while it runs.
    pub ended: Option<ProcessEnd>,
    /// What it has written, where that is still known.
    pub output: Option<SharedOutput>,
}

/// How a background process ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProcessEnd {
    /// By itself.
    Exited {
        /// Its exit code.
        code: i32,
    },
    /// By a signal.
    Killed {
        /// The signal's name.
        signal: String,
    },
    /// It used more than it may.
    Overdrawn(Limit),
    /// Its time was up.
    TimedOut,
    /// Somebody wanted it stopped.
    Stopped,
    /// How is not known: its helper vanished.
    Lost,
    /// It could not be started.
    NotStarted,
    /// The program that ran it ended or was restarted.
    WithProgram,
}

impl ProcessEnd {
    fn of(finished: io::Result<Finished>) -> Self {
        match finished.map(|finished| finished.over) {
            Ok(Over::Ended(End::Exited { code })) => Self::Exited { code },
            Ok(Over::Ended(End::Killed { signal })) => Self::Killed { signal },
            Ok(Over::Ended(End::Overdrawn(limit))) => Self::Overdrawn(limit),
            Ok(Over::TimedOut) => Self::TimedOut,
            Ok(Over::Stopped) => Self::Stopped,
            Ok(Over::HelperLost) => Self::Lost,
            Err(error) => {
                tracing::warn!(%error, "cannot start a background process");
                Self::NotStarted
            }
        }
    }

    /// Returns whether it ended otherwise than by itself in good order, or because somebody wanted
    /// it.
    pub fn is_failure(&self) -> bool {
        match self {
            Self::Exited { code } => *code != 0,
            Self::Stopped => false,
            Self::Killed { .. }
            | Self::Overdrawn(_)
            | Self::TimedOut
            | Self::Lost
            | Self::NotStarted
            | Self::WithProgram => true,
        }
    }

    /// Says it to the model.
    pub fn for_model(&self) -> String {
        match self {
            Self::Exited { code } => format!("it ended by itself, exit code {code}"),
            Self::Killed { signal } => format!("it was ended by {signal}"),
            Self::Overdrawn(limit) => overdrawn(*limit).to_owned(),
            Self::TimedOut => "its time was up, and it was ended".to_owned(),
            Self::Stopped => "it was stopped by a person".to_owned(),
            Self::Lost => "it has ended; how is unknown".to_owned(),
            Self::NotStarted => "it could not be started".to_owned(),
            Self::WithProgram => "it ended when the program restarted".to_owned(),
        }
    }
}

/// Runs one command in the background.
pub struct BackgroundJob {
    pub(super) runner: Runner,
    pub(super) run: Run,
}

impl BackgroundJob {
    /// Runs it until it ends, its time is up or it is stopped. Dropping the future ends it as well.
    pub async fn run(
        self,
        scope: Scope,
        output: SharedOutput,
        stop: CancellationToken,
    ) -> ProcessEnd {
        let mut outputs = Output {
            stdout: Stream::of(&output),
            stderr: Stream::of(&output),
        };
        let finished = self.runner.run_in(&scope, &self.run, &mut outputs, &stop);
        ProcessEnd::of(finished.await)
    }
}

/// The output of a process, both streams interleaved in order of arrival, as text. The process
/// writes it while the supervisor reads it; the lock is held for a copy of bytes, never across an
/// await.
#[derive(Debug, Clone)]
pub struct SharedOutput(Arc<Mutex<Held>>);

/// What is held of an output.
#[derive(Debug)]
struct Held {
    spool: Spool,
    /// One for each stream that writes.
    terminals: Vec<TerminalText>,
}

impl SharedOutput {
    /// Makes what takes in the output of a process that a call starts.
    pub fn new(scope: &Scope, call: &CallId) -> Self {
        let spool = Spool::new(SpoolPlace::of(scope, call), HELD_BYTES);
        Self(Arc::new(Mutex::new(Held {
            spool,
            terminals: Vec::new(),
        })))
    }

    /// Returns the output so far, cut to the allowance in bytes, with a note of what is left out.
    pub fn so_far(&self, allowance: usize) -> String {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Held { spool, terminals } = &mut *held;
        for terminal in terminals {
            spool.push(&terminal.flush());
        }
        spool.so_far(allowance)
    }
}

/// One of the streams of a process.
struct Stream {
    output: SharedOutput,
    number: usize,
}

impl Stream {
    fn of(output: &SharedOutput) -> Self {
        let mut held = output.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.terminals.push(TerminalText::default());
        Self {
            output: output.clone(),
            number: held.terminals.len() - 1,
        }
    }
}

impl Sink for Stream {
    fn take(&mut self, bytes: &[u8]) {
        let mut held = self.output.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Held { spool, terminals } = &mut *held;
        if let Some(terminal) = terminals.get_mut(self.number) {
            spool.push(&terminal.take(bytes));
        }
    }
}
