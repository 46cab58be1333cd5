//! What models were shown of files: a change that is meant for a text which is not there any more
//! is refused.
//!
//! It is kept in memory, per conversation and with a bound: after a restart a patch is guarded by
//! its own context lines and by what its approval is bound to.

use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use sayso_core::transcript::SessionId;

/// How many files are remembered over all conversations.
const MAX_FILES: usize = 400;
/// The most bytes that are remembered of them.
const MAX_BYTES: usize = 32 * 1024 * 1024;

/// The files that models were shown, the oldest first.
#[derive(Debug, Clone, Default)]
pub struct SeenFiles(Arc<Mutex<VecDeque<Seen>>>);

#[derive(Debug)]
struct Seen {
    session: SessionId,
    path: PathBuf,
    content: Vec<u8>,
}

impl SeenFiles {
    /// Notes what a file was when a model was shown it, or wrote it.
    pub(super) fn note(&self, session: SessionId, path: &Path, content: &[u8]) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|one| one.session != session || one.path != path);
        seen.push_back(Seen {
            session,
            path: path.to_path_buf(),
            content: content.to_vec(),
        });
        let mut bytes: usize = seen.iter().map(|one| one.content.len()).sum();
        while seen.len() > MAX_FILES || bytes > MAX_BYTES {
            let Some(oldest) = seen.pop_front() else {
                break;
            };
            bytes -= oldest.content.len();
        }
    }

    /// Lets go of a file that a call removed.
    pub(super) fn forget(&self, session: SessionId, path: &Path) {
        let mut seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|one| one.session != session || one.path != path);
    }

    /// Returns what a file was when a model of this conversation saw it last, unless it still is.
    pub(super) fn differing(&self, session: SessionId, path: &Path, now: &[u8]) -> Option<Vec<u8>> {
        let seen = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let one = seen
            .iter()
            .find(|one| one.session == session && one.path == path)?;
        (one.content != now).then(|| one.content.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use sayso_core::transcript::SessionId;

    use super::{MAX_FILES, SeenFiles};

    #[test]
    fn what_was_seen_is_known_per_conversation_and_in_bounds() {
        let seen = SeenFiles::default();
        let file = Path::new("/p/a");
        seen.note(SessionId(1), file, b"old");
        assert_eq!(seen.differing(SessionId(1), file, b"old"), None);
        assert_eq!(
            seen.differing(SessionId(1), file, b"new"),
            Some(b"old".to_vec())
        );
        assert_eq!(seen.differing(SessionId(2), file, b"new"), None);
        for number in 0..MAX_FILES {
            seen.note(SessionId(1), Path::new(&format!("/p/{number}")), b"");
        }
        assert_eq!(seen.differing(SessionId(1), file, b"new"), None);
    }
}
