//! The file of a login, the one place where its tokens are: it is replaced whole or not at all, and
//! only its owner reads it.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use nix::fcntl::{Flock, FlockArg};
use rmcp::transport::StoredCredentials;
use secrecy::{ExposeSecret as _, SecretString};
use serde::{Deserialize, Serialize};

use crate::mcp::private_file::{directory_of, remove_half, write_whole};

/// What is kept of a login.
#[derive(Debug, Clone)]
pub(super) struct StoredTokens {
    /// The address of the service. Its tokens are shown to no other, also when the name moves on.
    pub server: String,
    /// What we were given when we registered, if anything.
    pub client_secret: Option<SecretString>,
    /// Who we are, and the tokens.
    pub credentials: StoredCredentials,
}

/// The same, as it stands in the file.
#[derive(Serialize, Deserialize)]
struct Written {
    server: String,
    client_secret: Option<String>,
    credentials: StoredCredentials,
}

/// The file, which need not be there.
#[derive(Debug, Clone)]
pub(super) struct LoginFile {
    path: PathBuf,
}

impl LoginFile {
    /// Names it.
    pub(super) fn at(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
        }
    }

    /// Returns where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Reads it; `None` when it is not there.
    pub(super) fn read(&self) -> io::Result<Option<StoredTokens>> {
        let text = match fs::read_to_string(&self.path) {
            Ok(text) => SecretString::from(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        // The error would quote what it could not read.
        let written: Written = serde_json::from_str(text.expose_secret())
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "the login is not readable"))?;
        Ok(Some(StoredTokens {
            server: written.server,
            client_secret: written.client_secret.map(SecretString::from),
            credentials: written.credentials,
        }))
    }

    /// Replaces it. When this returns, it is on the disk.
    pub(super) fn write(&self, kept: &StoredTokens) -> io::Result<()> {
        let secret = kept.client_secret.as_ref();
        let text = serde_json::to_string_pretty(&Written {
            server: kept.server.clone(),
            client_secret: secret.map(|secret| secret.expose_secret().to_owned()),
            credentials: kept.credentials.clone(),
        })?;
        let text = SecretString::from(text);
        write_whole(&self.path, text.expose_secret())
    }

    /// Removes it. Returns whether it was there.
    pub(super) fn remove(&self) -> io::Result<bool> {
        match fs::remove_file(&self.path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Removes it while no one is about to replace it. Returns whether it was there.
    pub(super) fn forget(&self) -> io::Result<bool> {
        if !fs::exists(&self.path)? {
            return Ok(false);
        }
        let _lock = self.lock()?;
        self.remove()
    }

    /// Waits until no other process or thread is about to replace it.
    pub(super) fn lock(&self) -> io::Result<Flock<File>> {
        directory_of(&self.path)?;
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .mode(0o600)
            .open(self.path.with_extension("lock"))?;
        let lock = Flock::lock(file, FlockArg::LockExclusive).map_err(|(_, error)| error)?;
        // What a process left that was killed while it wrote.
        remove_half(&self.path)?;
        Ok(lock)
    }

    /// Returns when it was last written, if there are tokens in it.
    pub(super) fn written_at(&self) -> Option<SystemTime> {
        self.read().ok()??.credentials.token_response?;
        fs::metadata(&self.path).ok()?.modified().ok()
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    fn kept(client: &str) -> StoredTokens {
        StoredTokens {
            server: "https://a.example/mcp".to_owned(),
            client_secret: Some("hush-hush-31".into()),
            credentials: StoredCredentials::new(client.to_owned(), None, Vec::new(), None),
        }
    }

    #[test]
    fn it_is_replaced_whole_and_only_its_owner_reads_it() {
        let home = tempfile::tempdir().unwrap();
        let file = LoginFile::at(&home.path().join("logins/a.json"));
        assert!(file.read().unwrap().is_none());
        for client in ["first", "second"] {
            file.write(&kept(client)).unwrap();
            let read = file.read().unwrap().unwrap();
            assert_eq!(read.credentials.client_id, client);
            assert_eq!(read.client_secret.unwrap().expose_secret(), "hush-hush-31");
        }
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&home.path().join("logins/a.json")), 0o600);
        assert_eq!(mode(&home.path().join("logins")), 0o700);
        assert!(file.remove().unwrap() && !file.remove().unwrap());
    }

    #[test]
    fn it_is_forgotten_only_when_no_one_is_about_to_replace_it() {
        let home = tempfile::tempdir().unwrap();
        let file = LoginFile::at(&home.path().join("a.json"));
        file.write(&kept("first")).unwrap();
        let lock = file.lock().unwrap();
        let forgetting = {
            let file = file.clone();
            std::thread::spawn(move || file.forget().unwrap())
        };
        file.write(&kept("second")).unwrap();
        assert!(file.read().unwrap().is_some());
        drop(lock);
        assert!(forgetting.join().unwrap());
        assert!(file.read().unwrap().is_none());
        assert!(!file.forget().unwrap());
    }

    #[test]
    fn half_a_file_that_a_dead_process_left_goes_and_is_never_read() {
        let home = tempfile::tempdir().unwrap();
        let file = LoginFile::at(&home.path().join("a.json"));
        fs::write(home.path().join("a.new"), "{\"server\": \"hush").unwrap();
        assert!(file.read().unwrap().is_none());
        drop(file.lock().unwrap());
        assert!(!home.path().join("a.new").exists());
        file.write(&kept("first")).unwrap();
    }

    #[test]
    fn what_cannot_be_read_is_not_quoted() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.json");
        fs::write(&path, "{\"server\": hush-hush-32}").unwrap();
        let error = LoginFile::at(&path).read().unwrap_err();
        assert!(!error.to_string().contains("hush-hush-32"), "{error}");
    }
}
