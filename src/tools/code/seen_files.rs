//! What models were shown of files: a change that is meant for a text which is not there any more
//! is refused.
//!
//! The digest of each file is known per conversation, also after a restart: a [`SeenStore`] keeps it,
//! and a new conversation begins without. What the newest files held is kept in memory besides, so that a refusal can say what changed.

use std::collections::VecDeque;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use sayso_core::transcript::{Scope, SessionId};

use super::file_edit::digest;

/// How many files are remembered of one conversation, the newest.
pub const SEEN_FILES_OF_SESSION: usize = 400;
/// Of how many conversations digests are in memory; those of others are read again.
const MAX_SESSIONS: usize = 64;
/// Of how many files over all conversations the content is in memory.
const MAX_CONTENTS: usize = 400;
/// The most bytes of all these contents together.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// A file as a model saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenFile {
    /// Where it is, absolute and resolved.
    pub path: PathBuf,
    /// The SHA-256 of what it held, in hexadecimal; `None` where a call removed it.
    pub digest: Option<String>,
}

/// Keeps what models saw for the time after a restart.
#[async_trait]
pub trait SeenStore: Send + Sync {
    /// Returns what is kept of a conversation, the oldest first.
    async fn load(&self, session: SessionId) -> io::Result<Vec<SeenFile>>;

    /// Keeps files as a turn saw them, in place of what was kept of them, and of the conversation the
    /// newest [`SEEN_FILES_OF_SESSION`].
    async fn save(&self, scope: &Scope, files: Vec<SeenFile>) -> io::Result<()>;
}

/// The files that models were shown. Clones are the same.
#[derive(Clone, Default)]
pub struct SeenFiles {
    known: Arc<Mutex<Known>>,
    store: Option<Arc<dyn SeenStore>>,
}

#[derive(Default)]
struct Known {
    /// The digests of conversations, the one that was used last at the end.
    sessions: VecDeque<SeenBySession>,
    /// The newest contents, the oldest first.
    contents: VecDeque<SeenContent>,
}

struct SeenBySession {
    session: SessionId,
    /// Each file once, the oldest first.
    files: VecDeque<(PathBuf, String)>,
}

struct SeenContent {
    digest: String,
    content: Vec<u8>,
}

/// A file that is not what a model saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Differing {
    /// It was this.
    From(Vec<u8>),
    /// What it was is not in memory any more.
    FromUnknown,
}

impl SeenFiles {
    /// Has them kept for the time after a restart.
    pub fn kept_by(store: Arc<dyn SeenStore>) -> Self {
        Self {
            known: Arc::default(),
            store: Some(store),
        }
    }

    /// Takes up what is kept of a conversation now: a new one begins without. Where it cannot be read,
    /// what is in memory counts.
    pub(super) async fn load(&self, session: SessionId) {
        let Some(store) = &self.store else { return };
        match store.load(session).await {
            Ok(files) => {
                let mut known = self.known();
                known.sessions.retain(|one| one.session != session);
                for file in files {
                    if let Some(digest) = file.digest {
                        known.note(session, &file.path, digest);
                    }
                }
            }
            Err(error) => tracing::error!(%error, "what models saw of files cannot be read"),
        }
    }

    /// Notes what a file was when a model was shown it, or wrote it. Returns what is to be kept of
    /// that, where it is new.
    pub(super) fn note(&self, session: SessionId, path: &Path, content: &[u8]) -> Option<SeenFile> {
        let digest = digest(content);
        let mut known = self.known();
        known.keep_content(&digest, content);
        let is_new = known.note(session, path, digest.clone());
        is_new.then(|| SeenFile {
            path: path.to_path_buf(),
            digest: Some(digest),
        })
    }

    /// Lets go of a file that a call removed. Returns what is to be kept of that.
    pub(super) fn forget(&self, session: SessionId, path: &Path) -> Option<SeenFile> {
        self.known().forget(session, path).then(|| SeenFile {
            path: path.to_path_buf(),
            digest: None,
        })
    }

    /// Keeps what was noted for the time after a restart.
    pub(super) async fn save(&self, scope: &Scope, files: Vec<SeenFile>) {
        let Some(store) = self.store.as_ref().filter(|_| !files.is_empty()) else {
            return;
        };
        if let Err(error) = store.save(scope, files).await {
            tracing::error!(%error, "what models saw of files cannot be kept for the next start");
        }
    }

    /// Returns what a file was when a model of this conversation saw it last, unless it still is.
    pub(super) fn differing(
        &self,
        session: SessionId,
        path: &Path,
        now: &[u8],
    ) -> Option<Differing> {
        let known = self.known();
        let seen = known.digest_of(session, path)?;
        if *seen == digest(now) {
            return None;
        }
        let mut contents = known.contents.iter();
        let content = contents.find(|content| content.digest == *seen);
        Some(match content {
            Some(content) => Differing::From(content.content.clone()),
            None => Differing::FromUnknown,
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Known {
    fn digest_of(&self, session: SessionId, path: &Path) -> Option<&String> {
        let mut sessions = self.sessions.iter();
        let files = &sessions.find(|one| one.session == session)?.files;
        let mut files = files.iter();
        files
            .find(|(known, _)| known == path)
            .map(|(_, digest)| digest)
    }

    /// Returns whether that was not known.
    fn note(&mut self, session: SessionId, path: &Path, digest: String) -> bool {
        let place = self.sessions.iter().position(|one| one.session == session);
        let known = place.and_then(|place| self.sessions.remove(place));
        let mut seen = known.unwrap_or_else(|| SeenBySession {
            session,
            files: VecDeque::new(),
        });
        let place = seen.files.iter().position(|(known, _)| known == path);
        let before = place.and_then(|place| seen.files.remove(place));
        let is_new = before.is_none_or(|(_, before)| before != digest);
        seen.files.push_back((path.to_path_buf(), digest));
        if seen.files.len() > SEEN_FILES_OF_SESSION {
            seen.files.pop_front();
        }
        self.sessions.push_back(seen);
        if self.sessions.len() > MAX_SESSIONS {
            self.sessions.pop_front();
        }
        is_new
    }

    /// Returns whether it was known.
    fn forget(&mut self, session: SessionId, path: &Path) -> bool {
        let mut sessions = self.sessions.iter_mut();
        let Some(seen) = sessions.find(|one| one.session == session) else {
            return false;
        };
        let before = seen.files.len();
        seen.files.retain(|(known, _)| known != path);
        seen.files.len() < before
    }

    fn keep_content(&mut self, digest: &str, content: &[u8]) {
        self.contents.retain(|one| one.digest != digest);
        self.contents.push_back(SeenContent {
            digest: digest.to_owned(),
            content: content.to_vec(),
        });
        let mut bytes: usize = self.contents.iter().map(|one| one.content.len()).sum();
        while self.contents.len() > MAX_CONTENTS || bytes > MAX_BYTES {
            let Some(oldest) = self.contents.pop_front() else {
                break;
            };
            bytes -= oldest.content.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sayso_core::transcript::SessionId;

    use super::{Differing, MAX_CONTENTS, SEEN_FILES_OF_SESSION, SeenFiles};

    #[test]
    fn what_was_seen_is_known_per_conversation_and_in_bounds() {
        let seen = SeenFiles::default();
        let file = Path::new("/p/a");
        assert!(seen.note(SessionId(1), file, b"old").is_some());
        assert_eq!(seen.note(SessionId(1), file, b"old"), None, "known");
        assert_eq!(seen.differing(SessionId(1), file, b"old"), None);
        assert_eq!(
            seen.differing(SessionId(1), file, b"new"),
            Some(Differing::From(b"old".to_vec()))
        );
        assert_eq!(seen.differing(SessionId(2), file, b"new"), None);
        for number in 0..MAX_CONTENTS {
            let content = number.to_string();
            seen.note(SessionId(2), Path::new("/p/b"), content.as_bytes());
        }
        assert_eq!(
            seen.differing(SessionId(1), file, b"new"),
            Some(Differing::FromUnknown)
        );
        for number in 0..SEEN_FILES_OF_SESSION {
            seen.note(SessionId(1), Path::new(&format!("/p/{number}")), b"");
        }
        assert_eq!(seen.differing(SessionId(1), file, b"new"), None);
    }

    #[test]
    fn what_was_removed_is_not_known() {
        let seen = SeenFiles::default();
        let file = Path::new("/p/a");
        seen.note(SessionId(1), file, b"old");
        assert_eq!(seen.forget(SessionId(1), file).unwrap().digest, None);
        assert_eq!(seen.forget(SessionId(1), file), None);
        assert_eq!(seen.differing(SessionId(1), file, b"new"), None);
    }
}
