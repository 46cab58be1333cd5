//! Processes in the background: commands that keep running when their call is over.
//!
//! One task owns all of them ([`Supervisor`]); [`Processes`] is its mailbox, for the tools. A
//! process is written down before it starts and its end when it ends, so a row without an end that
//! the task does not know was ended together with an earlier run of the program. Who wants one
//! stopped (`/stop`, an erasure) says so in its row, and the task looks there as long as anything
//! runs.
//!
//! Everything is bounded: how many run for a person and in all, for how long, and how much is held
//! of what they write. They do not outlive the program: their helpers end with it, however it ends.
//!
//! # Files
//!
//! Commands that keep running when their call is over: `supervisor.rs` is the one task that owns
//! them, `mod.rs` its mailbox, the port `Background` of `tools`.
//!
//! # Invariants
//!
//! - A process is in `processes` before it starts, and its end when it ends; a row without an end
//!   that the supervisor does not know ended with an earlier run of the program; the person is
//!   informed at the next start.
//! - A request to stop one (`/stop`, an erasure) is written into its row; the supervisor polls the
//!   rows while a process runs.
//! - No process outlives the program: its helper ends everything when its socket closes.
//! - What it ran is kept for people while it runs, and not any longer; what it writes is text from
//!   outside and is checked when it is read.

mod messages;
mod supervisor;

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{CallId, Scope, TurnId};
use sayso_store::{Store, processes};
use sayso_tools::{Background, NewProcess, NotStarted, ProcessEnd, ProcessView, Running};
use tokio::sync::{mpsc, oneshot};

pub use self::supervisor::{Ask, Supervisor};
use self::supervisor::{ProcessKey, ProcessOwner};

/// How many asks may wait.
const ASKS: usize = 64;

/// Starts processes and shows them. Clones lead to the same supervisor.
#[derive(Clone)]
pub struct Processes {
    asks: mpsc::Sender<Ask>,
    store: Store,
}

impl Processes {
    /// Returns the mailbox and its other end.
    pub fn new(store: Store) -> (Arc<Self>, mpsc::Receiver<Ask>) {
        let (asks, asked) = mpsc::channel(ASKS);
        (Arc::new(Self { asks, store }), asked)
    }

    /// Returns how a process ended, as its row says; one that has no end ended with the program.
    async fn written(&self, scope: &Scope, key: &ProcessKey) -> Option<ProcessEnd> {
        let (session, user) = (scope.session, scope.user);
        let readers = self.store.reader();
        let read = processes::end_of(readers, session, user, key.turn, &key.call).await;
        let written = read.unwrap_or_else(|error| {
            tracing::error!(%error, "cannot look up a background process");
            None
        })?;
        let end = written.and_then(|json| serde_json::from_str(&json).ok());
        Some(end.unwrap_or(ProcessEnd::WithProgram))
    }
}

#[async_trait]
impl Background for Processes {
    async fn start(&self, process: NewProcess) -> Result<Running, NotStarted> {
        let (answer, answered) = oneshot::channel();
        let asked = self.asks.send(Ask::Start(Box::new(process), answer)).await;
        asked.map_err(|_ended| NotStarted::ProgramEnds)?;
        answered.await.unwrap_or(Err(NotStarted::ProgramEnds))
    }

    async fn look(&self, scope: &Scope, turn: TurnId, call: &CallId) -> Option<ProcessView> {
        let call = call.clone();
        let key = ProcessKey { turn, call };
        let (answer, answered) = oneshot::channel();
        let whose = ProcessOwner::of(scope);
        let asked = self.asks.send(Ask::Look(key.clone(), whose, answer)).await;
        let seen = match asked {
            Ok(()) => answered.await.ok().flatten(),
            Err(_ended) => None,
        };
        let view = match seen {
            Some(view) => view,
            None => ProcessView {
                ended: Some(self.written(scope, &key).await?),
                output: None,
            },
        };
        if view.ended.is_some() {
            // What fails here tells it once more.
            let _ = self
                .store
                .write_later(move |tx| {
                    Box::pin(async move { processes::note_told(tx, key.turn, &key.call).await })
                })
                .await;
        }
        Some(view)
    }
}
