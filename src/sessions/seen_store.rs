//! What models saw of files, kept in the database for the time after a restart.

use std::io;
use std::path::PathBuf;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, SessionId};
use sayso_store::seen_files::SeenRow;
use sayso_store::{Store, seen_files};
use sayso_tools::{SEEN_FILES_OF_SESSION, SeenFile, SeenStore};

/// The table of seen files.
pub struct StoredSeenFiles {
    store: Store,
}

impl StoredSeenFiles {
    /// Keeps them in this database.
    pub fn new(store: Store) -> Self {
        Self { store }
    }
}

#[async_trait]
impl SeenStore for StoredSeenFiles {
    async fn load(&self, session: SessionId) -> io::Result<Vec<SeenFile>> {
        let rows = seen_files::of_session(self.store.reader(), session)
            .await
            .map_err(io::Error::other)?;
        let seen = rows.into_iter().map(|row| SeenFile {
            path: PathBuf::from(row.path),
            digest: Some(row.digest),
        });
        Ok(seen.collect())
    }

    async fn save(&self, scope: &Scope, files: Vec<SeenFile>) -> io::Result<()> {
        let (session, user) = (scope.session, scope.user);
        // A kill must not come between a result that a model reads and this.
        let kept = self.store.write_soon(move |tx| {
            Box::pin(async move {
                for file in files {
                    // One whose name is no UTF-8 is not changed by patches.
                    let Ok(path) = file.path.into_os_string().into_string() else {
                        continue;
                    };
                    match file.digest {
                        Some(digest) => {
                            seen_files::keep(tx, session, user, &SeenRow { path, digest }).await?;
                        }
                        None => seen_files::forget(tx, session, &path).await?,
                    }
                }
                seen_files::trim(tx, session, SEEN_FILES_OF_SESSION).await
            })
        });
        kept.await.map_err(io::Error::other)
    }
}
