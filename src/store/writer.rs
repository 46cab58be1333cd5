//! The one writer: a line of work that shares commits.
//!
//! Properties. Work runs in the order in which it was put in line. What waits together is
//! committed together, so a hundred turns cost one flush to disk. What only rides waits a moment
//! for a commit that somebody waits for. A piece that fails is rolled back alone. Nobody hears a
//! success before the commit is on disk. A caller that goes away does not take its work with it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use sqlx::{Connection, Executor, SqliteConnection};
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::StoreError;

/// How much work may wait in line; more makes its callers wait.
const LINE_LENGTH: usize = 1024;
/// How many pieces share one commit at most.
const SHARED_COMMIT: usize = 128;
/// How long work that rides waits for a commit to ride with: what a power cut may take of it.
const RIDES_WITHIN: Duration = Duration::from_millis(20);

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

    /// Begins a part of the work that may fail alone.
    pub async fn begin_part(&mut self) -> Result<(), StoreError> {
        self.connection.execute("SAVEPOINT part").await?;
        Ok(())
    }

    /// Undoes what was done since the part began; it has to be ended too.
    pub async fn undo_part(&mut self) -> Result<(), StoreError> {
        self.connection.execute("ROLLBACK TO part").await?;
        Ok(())
    }

    /// Ends the part.
    pub async fn end_part(&mut self) -> Result<(), StoreError> {
        self.connection.execute("RELEASE part").await?;
        Ok(())
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

/// How soon a piece of work is to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// As soon as the line allows.
    Now,
    /// With the next commit that somebody waits for, or after [`RIDES_WITHIN`].
    Rides,
}

/// A piece of work in line.
struct Piece {
    urgency: Urgency,
    work: Work,
}

/// The near end of the line. Clones lead to the same writer.
#[derive(Clone)]
pub struct Writer {
    line: mpsc::Sender<Piece>,
    scrubs: mpsc::Sender<oneshot::Sender<Result<(), StoreError>>>,
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
        let (scrubs, wanted) = mpsc::channel(1);
        let closing = CancellationToken::new();
        let task = tokio::spawn(run(Tx { connection }, work, wanted, closing.clone()));
        Self {
            line,
            scrubs,
            closing,
            task: Arc::new(tokio::sync::Mutex::new(Some(task))),
        }
    }

    /// Puts a piece of work in line.
    pub async fn enqueue<T, W>(&self, urgency: Urgency, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        let (caller, committed) = oneshot::channel();
        let work: Work = Box::new(move |tx| {
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
        let _ = self.line.send(Piece { urgency, work }).await;
        Committed(committed)
    }

    /// Rewrites the file without what was deleted from it, between two commits.
    pub async fn scrub(&self) -> Result<(), StoreError> {
        let (caller, scrubbed) = oneshot::channel();
        // A closed writer drops it, and the caller hears `Closed`.
        let _ = self.scrubs.send(caller).await;
        // It is looked for behind each commit.
        let nothing = self.enqueue(Urgency::Now, |_| Box::pin(async { Ok(()) }));
        nothing.await.wait().await?;
        scrubbed.await.unwrap_or(Err(StoreError::Closed))
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

async fn run(
    mut tx: Tx,
    mut line: mpsc::Receiver<Piece>,
    mut scrubs: mpsc::Receiver<oneshot::Sender<Result<(), StoreError>>>,
    closing: CancellationToken,
) {
    let mut batch = Vec::with_capacity(SHARED_COMMIT);
    while gather(&mut line, &mut batch, &closing).await {
        let mut finishes = Vec::with_capacity(batch.len());
        let outcome = commit_together(&mut tx, batch.drain(..), &mut finishes).await;
        if let Err(error) = &outcome {
            tracing::error!(%error, "a commit failed");
        }
        for finish in finishes {
            finish(outcome.clone());
        }
        while let Ok(caller) = scrubs.try_recv() {
            // A caller that went away needs no answer.
            let _ = caller.send(scrub(&mut tx).await);
        }
    }
    if let Err(error) = tx.connection.close().await {
        tracing::error!(%error, "the database did not close cleanly");
    }
}

/// Rewrites the file and empties the log. What readers still look at cannot go.
async fn scrub(tx: &mut Tx) -> Result<(), StoreError> {
    tx.connection.execute("VACUUM").await?;
    let (busy, _, _): (i64, i64, i64) = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut tx.connection)
        .await?;
    if busy == 0 {
        Ok(())
    } else {
        Err(StoreError::Broken("a reader holds the log".to_owned()))
    }
}

/// Takes what is in line for one commit. Returns `false` when the line is closed and empty.
async fn gather(
    line: &mut mpsc::Receiver<Piece>,
    batch: &mut Vec<Piece>,
    closing: &CancellationToken,
) -> bool {
    while batch.is_empty() {
        tokio::select! {
            // A closed line still gives what is in it.
            () = closing.cancelled(), if !line.is_closed() => line.close(),
            taken = line.recv_many(batch, SHARED_COMMIT) => if taken == 0 {
                return false;
            },
        }
    }
    let last_ride = Instant::now() + RIDES_WITHIN;
    while batch.len() < SHARED_COMMIT && batch.iter().all(|piece| piece.urgency == Urgency::Rides) {
        let more = line.recv_many(batch, SHARED_COMMIT - batch.len());
        if timeout_at(last_ride, more)
            .await
            .is_ok_and(|taken| taken > 0)
        {
            continue;
        }
        break;
    }
    true
}

async fn commit_together(
    tx: &mut Tx,
    batch: impl ExactSizeIterator<Item = Piece>,
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
    mut batch: impl ExactSizeIterator<Item = Piece>,
    finishes: &mut Vec<Finish>,
) -> Result<(), StoreError> {
    if batch.len() == 1
        && let Some(only) = batch.next()
    {
        return run_alone(tx, only, finishes).await;
    }
    // A savepoint keeps one failing piece from undoing the others. Each text is one message to
    // SQLite's thread and back, however many statements are in it.
    let mut before = "BEGIN IMMEDIATE; SAVEPOINT piece";
    let mut end = "COMMIT";
    for piece in batch {
        tx.connection.execute(before).await?;
        (before, end) = if run_piece(tx, piece, finishes).await {
            ("RELEASE piece; SAVEPOINT piece", "COMMIT")
        } else {
            ("ROLLBACK TO piece", "ROLLBACK TO piece; COMMIT")
        };
    }
    tx.connection.execute(end).await?;
    Ok(())
}

async fn run_alone(tx: &mut Tx, only: Piece, finishes: &mut Vec<Finish>) -> Result<(), StoreError> {
    tx.connection.execute("BEGIN IMMEDIATE").await?;
    let end = if run_piece(tx, only, finishes).await {
        "COMMIT"
    } else {
        "ROLLBACK"
    };
    tx.connection.execute(end).await?;
    Ok(())
}

/// Runs a piece and says whether it succeeded.
async fn run_piece(tx: &mut Tx, piece: Piece, finishes: &mut Vec<Finish>) -> bool {
    let (succeeded, finish) = (piece.work)(tx).await;
    finishes.push(finish);
    succeeded
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
