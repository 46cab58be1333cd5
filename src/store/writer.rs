//! The one writer: a line of work that shares commits.
//!
//! Properties. Work runs in the order in which it was put in line. What waits together is
//! committed together, so a hundred turns cost one flush to disk. A piece that fails is rolled
//! back alone. Nobody hears a success before the commit is on disk. A caller that goes away does
//! not take its work with it.

use std::fmt;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use sqlx::{Connection, Executor, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use super::StoreError;

/// How much work may wait in line; more makes its callers wait.
const LINE_LENGTH: usize = 1024;
/// How many pieces share one commit at most.
const SHARED_COMMIT: usize = 128;

/// The transaction that a piece of work runs in.
#[derive(Debug)]
pub struct Tx {
    connection: SqliteConnection,
}

impl Tx {
    /// Returns what a query is executed on.
    pub fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.connection
    }
}

/// The end of a piece of work that is in line.
#[derive(Debug)]
pub struct Committed<T>(oneshot::Receiver<Result<T, StoreError>>);

impl<T> Committed<T> {
    /// Returns when the work is on disk, or has failed.
    pub async fn wait(self) -> Result<T, StoreError> {
        self.0.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Returns the failure of the work, if it has already failed.
    pub fn failure(&mut self) -> Option<StoreError> {
        match self.0.try_recv() {
            Ok(Err(error)) => Some(error),
            Ok(Ok(_)) | Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(StoreError::Closed),
        }
    }
}

/// Tells a caller what came of its work; called after the commit.
type Finish = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Runs a piece of work; says whether it succeeded, and how to tell its caller.
type Work = Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, (bool, Finish)> + Send>;

/// The near end of the line. Clones lead to the same writer.
#[derive(Clone)]
pub struct Writer {
    line: mpsc::Sender<Work>,
    closing: CancellationToken,
    task: Arc<tokio::sync::Mutex<Option<JoinHandle<()>>>>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Starts the writer on its connection.
    pub fn start(connection: SqliteConnection) -> Self {
        let (line, work) = mpsc::channel(LINE_LENGTH);
        let closing = CancellationToken::new();
        let task = tokio::spawn(run(Tx { connection }, work, closing.clone()));
        Self {
            line,
            closing,
            task: Arc::new(tokio::sync::Mutex::new(Some(task))),
        }
    }

    /// Puts a piece of work in line.
    pub async fn enqueue<T, W>(&self, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        let (caller, committed) = oneshot::channel();
        let boxed: Work = Box::new(move |tx| {
            Box::pin(async move {
                let result = work(tx).await;
                let succeeded = result.is_ok();
                let finish: Finish = Box::new(move |commit| {
                    // A caller that went away needs no answer.
                    let _ = caller.send(commit.and(result));
                });
                (succeeded, finish)
            })
        });
        // A closed line drops the work, and the caller hears `Closed`.
        let _ = self.line.send(boxed).await;
        Committed(committed)
    }

    /// Lets the line run empty and closes the file. Work that is put in line later is refused.
    pub async fn close(self) {
        self.closing.cancel();
        let task = self.task.lock().await.take();
        if let Some(task) = task
            && let Err(error) = task.await
        {
            tracing::error!(%error, "the database writer ended badly");
        }
    }
}

async fn run(mut tx: Tx, mut line: mpsc::Receiver<Work>, closing: CancellationToken) {
    let mut batch = Vec::with_capacity(SHARED_COMMIT);
    loop {
        tokio::select! {
            // A closed line still gives what is in it.
            () = closing.cancelled(), if !line.is_closed() => line.close(),
            taken = line.recv_many(&mut batch, SHARED_COMMIT) => if taken == 0 {
                break;
            },
        }
        if batch.is_empty() {
            continue;
        }
        let mut finishes = Vec::with_capacity(batch.len());
        let outcome = commit_together(&mut tx, batch.drain(..), &mut finishes).await;
        if let Err(error) = &outcome {
            tracing::error!(%error, "a commit failed");
        }
        for finish in finishes {
            finish(outcome.clone());
        }
    }
    if let Err(error) = tx.connection.close().await {
        tracing::error!(%error, "the database did not close cleanly");
    }
}

async fn commit_together(
    tx: &mut Tx,
    batch: impl ExactSizeIterator<Item = Work>,
    finishes: &mut Vec<Finish>,
) -> Result<(), StoreError> {
    let outcome = run_together(tx, batch, finishes).await;
    if outcome.is_err() {
        // Some errors have rolled back already; then this one says so and is no news.
        let _ = tx.connection.execute("ROLLBACK").await;
    }
    outcome
}

async fn run_together(
    tx: &mut Tx,
    batch: impl ExactSizeIterator<Item = Work>,
    finishes: &mut Vec<Finish>,
) -> Result<(), StoreError> {
    tx.connection.execute("BEGIN IMMEDIATE").await?;
    for work in batch {
        // A savepoint keeps one failing piece from undoing the others.
        tx.connection.execute("SAVEPOINT piece").await?;
        let (succeeded, finish) = work(tx).await;
        finishes.push(finish);
        if !succeeded {
            tx.connection.execute("ROLLBACK TO piece").await?;
        }
        tx.connection.execute("RELEASE piece").await?;
    }
    tx.connection.execute("COMMIT").await?;
    Ok(())
}
