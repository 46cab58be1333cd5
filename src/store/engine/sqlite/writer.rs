//! The one writer: a line of work that shares commits.
//!
//! Properties: Work runs in the order in which it was queued. Queued work is committed together, so
//! a hundred turns cost one flush to disk. Work with [`Urgency::Rides`] waits a moment for a commit
//! that is awaited. A failed piece is rolled back alone. No caller is informed of success before
//! the commit, nor, with [`Urgency::Now`], before the commit is on disk. When a commit is on disk,
//! all earlier ones are too. A caller that stops waiting does not cancel its work.

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use futures_util::future::BoxFuture;
use tokio::runtime;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, timeout_at};
use tokio_util::sync::CancellationToken;

use super::log::Log;
use super::tx::{BEGIN, FLUSH, SAVEPOINT, Synchronous, Tx, UNDO};
use crate::trouble::Trouble;
use crate::{Connection, StoreError};

/// How much work may wait in line; more makes its callers wait.
const LINE_LENGTH: usize = 1024;
/// How many pieces share one commit at most.
const SHARED_COMMIT: usize = 128;
/// How long work that rides waits for a commit to ride with: what a power cut may take of it.
const RIDES_WITHIN: Duration = Duration::from_millis(20);
/// How long a commit may be there that a kill does not take and a power cut does.
const FLUSHED_WITHIN: Duration = Duration::from_millis(20);
/// How often it is tried whether a database that could not be written can be.
const TRY_AGAIN: Duration = Duration::from_secs(2);

/// The end of a piece of work that is in line.
#[derive(Debug)]
pub struct Committed<T> {
    result: oneshot::Receiver<Result<T, StoreError>>,
    closing: CancellationToken,
}

impl<T> Committed<T> {
    /// Returns when the work is as safe as its [`Urgency`] says, or has failed.
    pub async fn wait(self) -> Result<T, StoreError> {
        let result = self.result.await;
        result.unwrap_or_else(|_| Err(dropped(&self.closing)))
    }

    /// Returns the failure of the work, if it has already failed.
    pub fn failure(&mut self) -> Option<StoreError> {
        match self.result.try_recv() {
            Ok(Err(error)) => Some(error),
            Ok(Ok(_)) | Err(oneshot::error::TryRecvError::Empty) => None,
            Err(oneshot::error::TryRecvError::Closed) => Some(dropped(&self.closing)),
        }
    }
}

/// Returns why work was dropped unrun: the writer closes or has ended, or no transaction could be
/// begun.
fn dropped(closing: &CancellationToken) -> StoreError {
    if closing.is_cancelled() {
        StoreError::Closed
    } else {
        StoreError::Locked("the work was not begun".to_owned())
    }
}

/// Sends the result of a piece of work to its caller; called after the commit.
type Finish = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
/// Runs a piece of work; says why it failed if it did, and how to tell its caller.
type Work =
    Box<dyn for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, (Result<(), StoreError>, Finish)> + Send>;
/// What is done between two commits, in no transaction.
type Aside = Box<dyn FnOnce(&mut Tx) + Send>;

/// How soon a piece of work is to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// As soon as the line allows.
    Now,
    /// Committed as soon as the line allows, which a kill does not undo, and on disk with the next
    /// commit that is wanted there now, or after [`FLUSHED_WITHIN`]. For what no outside effect
    /// follows at once.
    Soon,
    /// With the next commit that somebody waits for, or after [`RIDES_WITHIN`].
    Rides,
}

/// What a commit has on disk when it is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnDisk {
    /// Nothing yet.
    Nothing,
    /// Itself; all before it is there.
    Itself,
    /// Itself and all before it, also when nothing is written: an unused page is written then.
    AllBefore,
}

impl OnDisk {
    /// Returns how the commit treats the disk.
    fn synchronous(self) -> Synchronous {
        match self {
            Self::Nothing => Synchronous::Normal,
            Self::Itself | Self::AllBefore => Synchronous::Full,
        }
    }

    /// Returns what begins a transaction of several pieces.
    fn begin(self) -> &'static [&'static str] {
        match self {
            Self::Nothing | Self::Itself => &[BEGIN, SAVEPOINT],
            Self::AllBefore => &[BEGIN, FLUSH, SAVEPOINT],
        }
    }

    /// Returns what begins a transaction of one piece; `None` where it is not all that is written.
    fn begin_alone(self) -> Option<&'static [&'static str]> {
        match self {
            Self::Nothing | Self::Itself => Some(&[BEGIN]),
            Self::AllBefore => None,
        }
    }
}

/// A piece of work in line.
struct Piece {
    urgency: Urgency,
    work: Work,
}

/// The near end of the line. Clones lead to the same writer.
#[derive(Clone)]
pub(crate) struct Writer {
    line: mpsc::Sender<Piece>,
    asides: mpsc::Sender<Aside>,
    trouble: Trouble,
    commits: watch::Receiver<u64>,
    /// The version of the last transaction that was committed ([`Tx::version`]).
    version: Arc<AtomicU64>,
    closing: CancellationToken,
    /// Signals that the writer task has closed the file; taken by the first caller that closes.
    ended: Arc<Mutex<Option<oneshot::Receiver<()>>>>,
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl Writer {
    /// Starts the writer, on a thread of its own, with its connection to the database at `path`.
    ///
    /// # Errors
    /// Fails when there cannot be one more thread.
    pub(crate) fn start(connection: Connection, path: &Path) -> Result<Self, StoreError> {
        let (line, work) = mpsc::channel(LINE_LENGTH);
        let (asides, wanted) = mpsc::channel(1);
        let (closing, trouble) = (CancellationToken::new(), Trouble::none());
        let (counted, commits) = watch::channel(0);
        let version = Arc::<AtomicU64>::default();
        let writing = Writing {
            tx: Tx::on(connection),
            log: Log::of(path),
            trouble: trouble.clone(),
            commits: counted,
            version: Arc::clone(&version),
            flush_by: None,
            tried: Instant::now(),
        };
        let ended = on_its_own_thread(writing.run(work, wanted, closing.clone()))
            .map_err(|error| StoreError::Broken(format!("it has no thread of its own: {error}")))?;
        Ok(Self {
            line,
            asides,
            trouble,
            commits,
            version,
            closing,
            ended: Arc::new(Mutex::new(Some(ended))),
        })
    }

    /// Puts a piece of work in line.
    pub(crate) async fn enqueue<T, W>(&self, urgency: Urgency, work: W) -> Committed<T>
    where
        T: Send + 'static,
        W: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T, StoreError>> + Send + 'static,
    {
        let (caller, committed) = oneshot::channel();
        let work: Work = Box::new(move |tx| {
            Box::pin(async move {
                let result = work(tx).await;
                let outcome = result.as_ref().map(drop).map_err(Clone::clone);
                let finish: Finish = Box::new(move |commit| {
                    // A caller that went away needs no answer.
                    let _ = caller.send(commit.and(result));
                });
                (outcome, finish)
            })
        });
        // A closed line drops the work, and the caller hears `Closed`.
        let _ = self.line.send(Piece { urgency, work }).await;
        Committed {
            result: committed,
            closing: self.closing.clone(),
        }
    }

    /// Does something between two commits, in no transaction; everything in line waits for it.
    pub(crate) async fn aside<T, W>(&self, work: W) -> Result<T, StoreError>
    where
        T: Send + 'static,
        W: FnOnce(&mut Tx) -> Result<T, StoreError> + Send + 'static,
    {
        let (caller, done) = oneshot::channel();
        let aside: Aside = Box::new(move |tx| {
            // A caller that went away needs no answer.
            let _ = caller.send(work(tx));
        });
        // A closed writer drops it, and the caller hears `Closed`.
        let _ = self.asides.send(aside).await;
        // It is looked for behind each commit.
        let nothing = self.enqueue(Urgency::Now, |_| Box::pin(async { Ok(()) }));
        nothing.await.wait().await?;
        done.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Returns what keeps the database from being written, if anything does.
    pub(crate) fn trouble(&self) -> Option<StoreError> {
        self.trouble.get()
    }

    /// Returns how many commits there were, those that failed among them, as it grows.
    pub(crate) fn commits(&self) -> watch::Receiver<u64> {
        self.commits.clone()
    }

    /// Returns the version of the last transaction that was committed.
    pub(crate) fn version(&self) -> u64 {
        self.version.load(Ordering::Acquire)
    }

    /// Returns where that is kept. It is written before any caller hears of the commit.
    pub(crate) fn versions(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.version)
    }

    /// Lets the line run empty and closes the file. Work that is put in line later is refused.
    pub(crate) async fn close(self) {
        self.closing.cancel();
        let ended = self
            .ended
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(ended) = ended
            && ended.await.is_err()
        {
            tracing::error!("database writer panicked");
        }
    }
}

/// Runs `future` on a thread of its own. What is returned hears of its end, also when it panics.
fn on_its_own_thread<F>(future: F) -> io::Result<oneshot::Receiver<()>>
where
    F: Future<Output = ()> + Send + 'static,
{
    let (caller, end) = oneshot::channel();
    // It hears of time by itself: the runtime of the others may end before it does.
    let runtime = runtime::Builder::new_current_thread()
        .enable_time()
        .build()?;
    thread::Builder::new()
        .name("writer".to_owned())
        .spawn(move || {
            runtime.block_on(future);
            // A caller that went away needs no answer.
            let _ = caller.send(());
        })?;
    Ok(end)
}

/// The far end of the line.
struct Writing {
    tx: Tx,
    log: Log,
    trouble: Trouble,
    commits: watch::Sender<u64>,
    version: Arc<AtomicU64>,
    /// Until when what was committed is to be on disk; `None` when it is, and commits wait for the
    /// disk.
    flush_by: Option<Instant>,
    tried: Instant,
}

impl Writing {
    async fn run(
        mut self,
        mut line: mpsc::Receiver<Piece>,
        mut asides: mpsc::Receiver<Aside>,
        closing: CancellationToken,
    ) {
        // However it ends, nothing waits for it in vain.
        let _ended = closing.clone().drop_guard();
        let mut batch = Vec::with_capacity(SHARED_COMMIT);
        while gather(&mut line, &mut batch, &closing, self.rests_for()).await {
            if batch.is_empty() && self.flush_by.is_some() {
                self.flush();
            } else if batch.is_empty() {
                self.log.tidy(self.tx.sqlite());
            } else {
                self.commit(&mut batch).await;
                self.log.bound(self.tx.sqlite());
            }
            while let Ok(aside) = asides.try_recv() {
                self.flush();
                aside(&mut self.tx);
            }
            self.try_again();
        }
        self.flush();
        if let Err(error) = self.tx.close() {
            tracing::error!(%error, "the database did not close cleanly");
        }
    }

    /// Returns after how long without work there is something to do; `None` is never.
    fn rests_for(&self) -> Option<Duration> {
        let in_trouble = self.trouble.get().map(|_| TRY_AGAIN);
        let unflushed = || Some(self.flush_by?.saturating_duration_since(Instant::now()));
        in_trouble
            .or_else(unflushed)
            .or_else(|| self.log.tidied_after())
    }

    async fn commit(&mut self, batch: &mut Vec<Piece>) {
        let mut ran = Ran::default();
        let on_disk = self.on_disk(batch);
        let outcome = commit_together(&mut self.tx, on_disk, batch.drain(..), &mut ran).await;
        if on_disk == OnDisk::Nothing {
            self.flush_by
                .get_or_insert_with(|| Instant::now() + FLUSHED_WITHIN);
        } else if outcome.is_ok() {
            self.flush_by = None;
        }
        self.version.store(self.tx.version(), Ordering::Release);
        self.commits.send_modify(|commits| *commits += 1);
        if let Err(error) = &outcome {
            tracing::error!(%error, "a commit failed");
            ran.failures.push(error.clone());
        }
        for failure in &ran.failures {
            self.trouble.note(failure);
        }
        for finish in ran.finishes {
            finish(outcome.clone());
        }
    }

    /// Returns what a commit of these pieces is to have on disk.
    fn on_disk(&self, batch: &[Piece]) -> OnDisk {
        let mut urgencies = batch.iter().map(|piece| piece.urgency);
        let waits = urgencies.clone().any(|urgency| urgency == Urgency::Now)
            || urgencies.all(|urgency| urgency == Urgency::Rides);
        match self.flush_by {
            Some(by) if waits || by <= Instant::now() => OnDisk::AllBefore,
            None if waits => OnDisk::Itself,
            _ => OnDisk::Nothing,
        }
    }

    /// Has what was committed on disk, if it is not there yet.
    fn flush(&mut self) {
        if self.flush_by.is_none() {
            return;
        }
        match self.tx.flush() {
            Ok(()) => self.flush_by = None,
            Err(error) => {
                tracing::error!(%error, "fsync of committed data failed");
                self.flush_by = Some(Instant::now() + TRY_AGAIN);
                self.trouble.note(&error);
            }
        }
    }

    /// Looks whether a database that could not be written can be. A commit alone does not say so:
    /// it may have had nothing to write.
    fn try_again(&mut self) {
        if self.trouble.get().is_none() || self.tried.elapsed() < TRY_AGAIN {
            return;
        }
        match self.tx.flush() {
            Ok(()) => {
                self.flush_by = None;
                self.trouble.is_over();
            }
            Err(error) => self.trouble.note(&error),
        }
        self.tried = Instant::now();
    }
}

/// Takes what is in line for one commit: nothing, when nothing comes for as long as it `rests`.
/// Returns `false` when the line is closed and empty.
async fn gather(
    line: &mut mpsc::Receiver<Piece>,
    batch: &mut Vec<Piece>,
    closing: &CancellationToken,
    rests: Option<Duration>,
) -> bool {
    let rest = async {
        match rests {
            Some(rests) => tokio::time::sleep(rests).await,
            None => std::future::pending().await,
        }
    };
    tokio::pin!(rest);
    while batch.is_empty() {
        tokio::select! {
            // A closed line still gives what is in it.
            () = closing.cancelled(), if !line.is_closed() => line.close(),
            taken = line.recv_many(batch, SHARED_COMMIT) => if taken == 0 {
                return false;
            },
            () = &mut rest => return true,
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

/// What became of the pieces of a commit.
#[derive(Default)]
struct Ran {
    /// The callbacks for their callers.
    finishes: Vec<Finish>,
    /// The errors of those that failed.
    failures: Vec<StoreError>,
}

async fn commit_together(
    tx: &mut Tx,
    on_disk: OnDisk,
    batch: impl ExactSizeIterator<Item = Piece>,
    ran: &mut Ran,
) -> Result<(), StoreError> {
    let outcome = run_together(tx, on_disk, batch, ran).await;
    if outcome.is_err() {
        tx.outdates_caches();
        // Some errors have rolled back already; then this one says so and is no news.
        let _ = tx.run_each(&["ROLLBACK"]);
    }
    outcome
}

async fn run_together(
    tx: &mut Tx,
    on_disk: OnDisk,
    mut batch: impl ExactSizeIterator<Item = Piece>,
    ran: &mut Ran,
) -> Result<(), StoreError> {
    tx.set_synchronous(on_disk.synchronous())?;
    if batch.len() == 1
        && let Some(begin) = on_disk.begin_alone()
        && let Some(only) = batch.next()
    {
        return run_alone(tx, begin, only, ran).await;
    }
    let mut before = on_disk.begin();
    let mut end: &[&str] = &["COMMIT"];
    for piece in batch {
        tx.begin(before)?;
        let next: (&[&str], &[&str]) = if run_piece(tx, piece, ran).await {
            (&["RELEASE piece", SAVEPOINT], &["COMMIT"])
        } else {
            (&[UNDO], &[UNDO, "COMMIT"])
        };
        (before, end) = next;
    }
    tx.run_each(end)
}

async fn run_alone(
    tx: &mut Tx,
    begin: &'static [&'static str],
    only: Piece,
    ran: &mut Ran,
) -> Result<(), StoreError> {
    tx.begin(begin)?;
    let end = if run_piece(tx, only, ran).await {
        "COMMIT"
    } else {
        "ROLLBACK"
    };
    tx.run_each(&[end])
}

/// Runs a piece and says whether it succeeded.
async fn run_piece(tx: &mut Tx, piece: Piece, ran: &mut Ran) -> bool {
    let (outcome, finish) = (piece.work)(tx).await;
    ran.finishes.push(finish);
    let succeeded = outcome.is_ok();
    if !succeeded {
        tx.outdates_caches();
    }
    ran.failures.extend(outcome.err());
    succeeded
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
