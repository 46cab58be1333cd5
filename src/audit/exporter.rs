//! The exporter: the one task that writes the files, some time after the commits that they show.

use std::path::Path;
use std::time::Duration;

use sayso_store::{Readers, Store, erase};
use tokio_util::sync::CancellationToken;

use super::export::Export;
use super::record::Auditor;
use super::trace::Trace;

/// How long to wait for more after something was written down, so that a turn is written at once.
const GATHER: Duration = Duration::from_millis(50);
/// How long to wait after a file or the database failed.
const PAUSE: Duration = Duration::from_secs(5);

/// Writes `audit.jsonl` and `trace.jsonl` beside a running Sayso. A turn neither waits for it nor
/// fails with it.
pub struct AuditExporter {
    store: Store,
    auditor: Auditor,
    export: Export,
    trace: Trace,
}

impl AuditExporter {
    /// Returns the exporter of a data directory.
    pub fn new(store: Store, auditor: Auditor, data_dir: &Path) -> Self {
        let trace = Trace::new(data_dir, auditor.redactor().clone());
        Self {
            store,
            auditor,
            export: Export::new(data_dir),
            trace,
        }
    }

    /// Writes what earlier runs left, then what is committed, until `shutdown`; then the rest.
    pub async fn run(mut self, shutdown: CancellationToken) {
        loop {
            let written = self.write().await;
            let wait = async {
                match written {
                    Ok(()) => {
                        self.auditor.written().await;
                        tokio::time::sleep(GATHER).await;
                    }
                    Err(error) => {
                        tracing::error!(error = %format!("{error:#}"), "cannot export audit and trace; retrying (both are safe in the database)");
                        tokio::time::sleep(PAUSE).await;
                    }
                }
            };
            tokio::select! {
                () = shutdown.cancelled() => break,
                () = wait => {}
            }
        }
        if let Err(error) = self.write().await {
            tracing::error!(error = %format!("{error:#}"), "remaining audit and trace rows will be exported at the next start");
        }
    }

    async fn write(&mut self) -> anyhow::Result<()> {
        // A file must not know of what a power cut takes out of the database.
        self.store.flushed().await?;
        let readers: &Readers = self.store.reader();
        // Neither file waits for the other one's disk.
        let audit = self.export.catch_up(readers).await;
        let trace = self.trace.catch_up(readers).await;
        audit?;
        trace?;
        self.lose_erased().await
    }

    /// Takes erased people out of the trace. It is up to date by now, and what is erased is not in
    /// the journals any more, so nothing of it comes back.
    async fn lose_erased(&mut self) -> anyhow::Result<()> {
        for erasure in erase::unfinished(self.store.reader()).await? {
            let Some(lost) = erasure.traces()? else {
                continue;
            };
            self.trace.lose(&lost)?;
            self.store
                .write(move |tx| Box::pin(erase::traces_lost(tx, erasure.id)))
                .await?;
        }
        Ok(())
    }
}
