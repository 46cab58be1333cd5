//! Keeping vectors up with what is remembered, behind the writing of it.
//!
//! The queue is the table itself: every memory without a vector of the current embedder. So a kill
//! loses nothing, and a change of the embedder or of the dimension is handled like new memories.
//! Memories are processed in the order of their ids, which is the order of their commits, so one
//! query behind the last processed id finds the new ones. That order does not hold if the clock was
//! set back before a restart; so every writer reports the ids that it wrote ([`Written`]), and the
//! query begins there. Vectors that are missing for another reason, such as a changed text, are
//! found by the next full scan ([`LOOK_FROM_START`]).
//!
//! Vectors of other embedders are deleted when none of the present one is missing any more.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use sayso_core::transcript::MemoryId;
use sayso_providers::{Embedding, MAX_TEXTS, ProviderError};
use sayso_store::vectors::{self, EmbedderRow, Unembedded};
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::Vectors;
use super::parts::{embed_in_parts, has_parts, may_be_about_a_text, takes_another};
use super::quantization::Quantised;

/// The first pause after a failure; each further one is twice as long.
const FIRST_PAUSE: Duration = Duration::from_secs(1);

/// The longest pause after failures.
const LONGEST_PAUSE: Duration = Duration::from_mins(5);

/// How long a look behind the last memory is enough.
const LOOK_FROM_START: Duration = Duration::from_mins(5);

/// What takes less is done without a word.
const SILENT_FOR: Duration = Duration::from_secs(1);

/// The time between two lines about how far it is.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// How many old vectors one transaction deletes: concurrent writes wait for it.
const DELETED_AT_ONCE: usize = 500;

/// What was written since the last look.
#[derive(Debug, Default)]
pub(super) struct Written {
    /// The lowest id of it. Shared by all who write; held for a comparison.
    first: Mutex<Option<MemoryId>>,
    wake: Notify,
}

impl Written {
    /// Notes that this was written.
    pub(super) fn note(&self, memory: MemoryId) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        *first = Some(first.map_or(memory, |first| first.min(memory)));
        drop(first);
        self.wake();
    }

    /// Has somebody look.
    pub(super) fn wake(&self) {
        self.wake.notify_one();
    }

    /// Returns behind which id a look finds all of it, when it was behind `after` so far.
    fn look_behind(&self, after: MemoryId) -> MemoryId {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        match first.take() {
            Some(MemoryId(first)) => after.min(MemoryId(first - 1)),
            None => after,
        }
    }
}

/// A memory that was embedded.
type Embedded = (Unembedded, Vec<f32>);

/// The result of embedding a batch of memories.
struct Answered {
    embedded: Vec<Embedded>,
    /// Why the rest has no vectors yet.
    failure: Option<ProviderError>,
}

/// How far it is.
pub(super) struct Progress {
    embedder: Option<EmbedderRow>,
    after: MemoryId,
    began: Instant,
}

impl Progress {
    pub(super) fn at_start(embedder: Option<EmbedderRow>) -> Self {
        Self {
            embedder,
            after: MemoryId(0),
            began: Instant::now(),
        }
    }
}

/// When a line is due about how far it is: after a second, and then seldom.
struct Reporting {
    next: Instant,
    /// Whether there was a line.
    has_begun: bool,
}

impl Reporting {
    fn from(now: Instant) -> Self {
        Self {
            next: now + SILENT_FOR,
            has_begun: false,
        }
    }

    /// Returns whether a line is due.
    fn is_due(&mut self, now: Instant) -> bool {
        let is_due = now >= self.next;
        if is_due {
            self.next = now + LINE_EVERY;
            self.has_begun = true;
        }
        is_due
    }
}

/// What a step came to.
enum Step {
    More,
    UpToDate,
}

/// Why a step failed.
#[derive(Debug)]
pub(super) enum Failure {
    Embedder(ProviderError),
    Here(anyhow::Error),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Here(error)
    }
}

impl Vectors {
    /// Keeps vectors up until `shutdown`.
    pub async fn keep_up(self: Arc<Self>, shutdown: CancellationToken) {
        shutdown.run_until_cancelled(self.follow()).await;
    }

    /// Embeds everything that has no vector yet, and returns when that is done.
    ///
    /// # Errors
    /// Fails with the embedder, and with the database.
    pub async fn catch_up_from_start(&self) -> anyhow::Result<()> {
        let mut progress = Progress::at_start(self.present());
        match self.catch_up(&mut progress).await {
            Ok(()) => Ok(()),
            Err(Failure::Embedder(error)) => Err(error.into()),
            Err(Failure::Here(error)) => Err(error),
        }
    }

    async fn follow(&self) {
        let mut progress = Progress::at_start(self.present());
        let mut pause = FIRST_PAUSE;
        loop {
            let before = progress.after;
            let Err(failure) = self.catch_up(&mut progress).await else {
                pause = FIRST_PAUSE;
                self.written.wake.notified().await;
                progress.after = self.written.look_behind(progress.after);
                if progress.began.elapsed() > LOOK_FROM_START {
                    progress = Progress::at_start(progress.embedder);
                }
                continue;
            };
            match failure {
                Failure::Embedder(error) => self.outage.note(&error.to_string()),
                Failure::Here(error) => {
                    tracing::error!(error = %format!("{error:#}"), "cannot store memory vectors");
                }
            }
            if progress.after != before {
                pause = FIRST_PAUSE;
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Embeds everything that needs it. The log says how far it is when that takes longer than a second.
    pub(super) async fn catch_up(&self, progress: &mut Progress) -> Result<(), Failure> {
        let mut reporting = Reporting::from(Instant::now());
        while let Step::More = self.step(progress).await? {
            if reporting.is_due(Instant::now()) {
                let (present, after) = (progress.embedder, progress.after);
                let left = vectors::count_unembedded(self.store.reader(), present, after).await;
                let left = left.context("cannot count memories without a vector")?;
                tracing::info!(left, "embedding memories");
            }
        }
        if reporting.has_begun {
            tracing::info!("all memories are embedded");
        }
        Ok(())
    }

    /// Embeds the next few memories that need it; with none left, deletes what is old.
    async fn step(&self, progress: &mut Progress) -> Result<Step, Failure> {
        let present = self.present();
        if present != progress.embedder {
            if progress.embedder.is_some() {
                tracing::info!("embedder changed; re-embedding all memories");
            }
            *progress = Progress::at_start(present);
        }
        let missing =
            vectors::unembedded(self.store.reader(), present, progress.after, MAX_TEXTS).await;
        let missing = missing.context("cannot look for memories without a vector")?;
        let Some(last) = missing.last().map(|memory| memory.id) else {
            return Ok(self.clean_up(present).await?);
        };
        let Answered { embedded, failure } = self.embed(missing).await;
        if let Some((_, vector)) = embedded.first() {
            let dimension = vector.len();
            let embedder = match present.filter(|it| it.dimension == dimension as i64) {
                Some(present) => present,
                None => self.turn_to(dimension).await?,
            };
            self.keep(embedder, embedded).await?;
        }
        if let Some(error) = failure {
            return Err(Failure::Embedder(error));
        }
        progress.after = last;
        Ok(Step::More)
    }

    /// Asks for the vectors of some memories. What the embedder refuses by itself has none.
    async fn embed(&self, missing: Vec<Unembedded>) -> Answered {
        let texts: Vec<String> = missing.iter().map(Unembedded::embedded_text).collect();
        let error = match self.embedder.embed(&texts).await {
            Ok(Embedding { vectors, tokens }) => {
                self.outage.is_over();
                self.book_memories(&missing, tokens).await;
                return Answered {
                    embedded: missing.into_iter().zip(vectors).collect(),
                    failure: None,
                };
            }
            Err(error) => error,
        };
        if may_be_about_a_text(&error) && takes_another(self.embedder.as_ref()).await {
            self.outage.is_over();
            return self.embed_each(missing, error).await;
        }
        Answered {
            embedded: Vec::new(),
            failure: Some(error),
        }
    }

    /// Asks for one after the other, since one of them is refused. What is embedded before the
    /// embedder fails is kept.
    async fn embed_each(&self, missing: Vec<Unembedded>, refusal: ProviderError) -> Answered {
        let mut embedded = Vec::new();
        // One that was asked for alone has been refused already.
        let mut refusal = (missing.len() == 1).then_some(refusal);
        for memory in missing {
            match self.embed_one(&memory, refusal.take()).await {
                Ok(vector) => embedded.extend(vector.map(|vector| (memory, vector))),
                Err(error) => {
                    return Answered {
                        embedded,
                        failure: Some(error),
                    };
                }
            }
        }
        Answered {
            embedded,
            failure: None,
        }
    }

    /// Asks for one memory, whole and then in parts. `None` where the embedder refuses all of it.
    async fn embed_one(
        &self,
        memory: &Unembedded,
        refusal: Option<ProviderError>,
    ) -> Result<Option<Vec<f32>>, ProviderError> {
        let embedder = self.embedder.as_ref();
        let text = memory.embedded_text();
        let whole = match refusal {
            Some(refusal) => Err(refusal),
            None => embedder.embed(std::slice::from_ref(&text)).await,
        };
        let answered = match whole {
            Err(error) if may_be_about_a_text(&error) && has_parts(&text) => {
                tracing::info!(memory = %memory.id, %error, "memory embedded in chunks");
                embed_in_parts(embedder, &text, error).await
            }
            whole => whole,
        };
        match answered {
            Ok(Embedding {
                mut vectors,
                tokens,
            }) => {
                self.book_memories(std::slice::from_ref(memory), tokens)
                    .await;
                Ok(vectors.pop())
            }
            Err(error) if may_be_about_a_text(&error) => {
                tracing::warn!(memory = %memory.id, %error, "embedder rejected a memory; it is found by words only");
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    async fn keep(&self, embedder: EmbedderRow, embedded: Vec<Embedded>) -> anyhow::Result<()> {
        let kept = self.store.write(move |tx| {
            Box::pin(async move {
                for (memory, vector) in &embedded {
                    let Quantised { scale, bytes } = Quantised::of(vector);
                    vectors::keep(tx, embedder.id, memory, scale, &bytes).await?;
                }
                Ok(())
            })
        });
        kept.await.context("cannot keep vectors")
    }

    async fn clean_up(&self, present: Option<EmbedderRow>) -> anyhow::Result<Step> {
        let Some(present) = present else {
            return Ok(Step::UpToDate);
        };
        // Asked first: a look must not cost a commit.
        let has_others = vectors::has_others(self.store.reader(), present.id).await;
        if !has_others.context("cannot look for old vectors")? {
            return Ok(Step::UpToDate);
        }
        let deleted = self.store.write(move |tx| {
            Box::pin(async move { vectors::delete_others(tx, present.id, DELETED_AT_ONCE).await })
        });
        deleted.await.context("cannot delete old vectors")?;
        Ok(Step::More)
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::{LINE_EVERY, Reporting, SILENT_FOR};

    #[test]
    fn the_log_says_how_far_it_is_after_a_second_and_then_seldom() {
        let begun = Instant::now();
        let mut reporting = Reporting::from(begun);
        assert!(!reporting.is_due(begun));
        assert!(!reporting.has_begun);
        let first = begun + SILENT_FOR;
        assert!(reporting.is_due(first) && reporting.has_begun);
        assert!(!reporting.is_due(first + Duration::from_secs(1)));
        assert!(reporting.is_due(first + LINE_EVERY));
    }
}
