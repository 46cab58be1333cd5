//! The keys of webhooks. One file beside the database has random bytes, and the key of a routine is
//! derived from them and from its number: so no log has one, and the key of a routine that was deleted is
//! that of no other. `sayso backup` takes the file along, as it takes logins.
//!
//! The message that shows a key is a row of the outbox, as every message is, until
//! `retention.messages_days` are over: the database is as secret as the file.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::hmac;
use sayso_core::transcript::RoutineId;

/// The name of the file in the data directory.
const FILE: &str = "webhook.key";
/// Its length.
const BYTES: usize = 32;
/// What a derived key is for: another use of the file would have another text here.
const PURPOSE: &[u8] = b"sayso webhook of routine ";

/// What the keys of all webhooks are derived from.
pub struct WebhookKey(hmac::Key);

impl WebhookKey {
    /// Reads it from the data directory; it is made where there is none.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not as long as it must be.
    pub fn open(data_dir: &Path) -> io::Result<Self> {
        let path = data_dir.join(FILE);
        let bytes = match fs::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => make(&path)?,
            Err(error) => return Err(error),
        };
        if bytes.len() != BYTES {
            return Err(io::Error::new(
                io::ErrorKind::InvalidData,
                format!("`{FILE}` is not {BYTES} bytes long"),
            ));
        }
        Ok(Self(hmac::Key::new(hmac::HMAC_SHA256, &bytes)))
    }

    /// Returns the key of a routine, in base64 as Standard Webhooks has it
    /// (<https://www.standardwebhooks.com>).
    pub fn of_routine(&self, id: RoutineId) -> String {
        STANDARD.encode(self.derived(id))
    }

    /// Returns the key by which the calls of a routine are signed.
    pub(super) fn signing(&self, id: RoutineId) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, self.derived(id).as_ref())
    }

    fn derived(&self, id: RoutineId) -> hmac::Tag {
        let mut text = PURPOSE.to_vec();
        text.extend(id.0.to_string().as_bytes());
        hmac::sign(&self.0, &text)
    }
}

/// Shows nothing.
impl std::fmt::Debug for WebhookKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookKey").finish_non_exhaustive()
    }
}

/// Makes the file, whole or not at all: it gets its name when it is written.
fn make(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; BYTES];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    let beginning = path.with_extension("key.new");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&beginning)?;
    file.write_all(&bytes)?;
    file.sync_all()?;
    fs::rename(&beginning, path)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use sayso_core::transcript::RoutineId;

    use super::WebhookKey;

    #[test]
    fn keys_are_one_per_routine_and_the_same_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let first = WebhookKey::open(folder.path()).unwrap();
        let again = WebhookKey::open(folder.path()).unwrap();
        let of = |key: &WebhookKey, id| key.of_routine(RoutineId(id));
        assert_eq!(of(&first, 1), of(&again, 1));
        assert_ne!(of(&first, 1), of(&first, 2));
        let file = folder.path().join("webhook.key");
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let elsewhere = tempfile::tempdir().unwrap();
        let other = WebhookKey::open(elsewhere.path()).unwrap();
        assert_ne!(of(&first, 1), of(&other, 1));
        std::fs::write(file, "short").unwrap();
        assert!(WebhookKey::open(folder.path()).is_err());
    }
}
