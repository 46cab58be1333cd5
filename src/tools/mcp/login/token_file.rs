//! What the library asks for and gives back: the tokens of one service, out of their file and into
//! it. New tokens are on the disk before one of them is used, for the old ones are worth nothing by
//! then; they take the place of those that they came from, and of no others: a login that was
//! forgotten meanwhile stays so.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use rmcp::transport::auth::AuthError;
use rmcp::transport::{CredentialRefreshGuard, CredentialStore, StoredCredentials};
use sayso_core::redact::{KnownSecret, LateSecrets};
use secrecy::SecretString;
use sha2::{Digest as _, Sha256};
use tokio::task::spawn_blocking;
use url::Url;

use super::McpLogin;
use super::file::{LoginFile, StoredTokens};

/// What stands in the place of a token where one would be shown.
const KIND: &str = "mcp-secret";
/// What is secret in the answer of an authorization server.
const SECRET_FIELDS: [&str; 3] = ["access_token", "refresh_token", "id_token"];
/// What is secret of our registration.
const REGISTERED: &str = "client_secret";

/// What is kept of one login. Clones keep the same.
#[derive(Clone)]
pub(super) struct StoredLogin {
    file: LoginFile,
    server: String,
    /// The required client ID; `None` accepts the registered one.
    client_id: Option<String>,
    /// What came with a registration that is not in the file yet.
    registered_secret: Option<SecretString>,
    late_secrets: LateSecrets,
    /// Whether somebody is logging in: then the next tokens come from no earlier ones.
    is_new_login: bool,
    /// What was last read. Each connection to the service has a clone of this and of the next.
    last_read: Arc<Mutex<Option<Fingerprint>>>,
    /// New tokens that the disk did not take.
    unsaved: Arc<Mutex<Option<Unsaved>>>,
}

/// What tells credentials from others.
type Fingerprint = [u8; 32];

/// New tokens that the disk did not take, and what they came from.
#[derive(Clone)]
struct Unsaved {
    credentials: StoredCredentials,
    came_from: Option<Fingerprint>,
}

impl StoredLogin {
    /// Keeps the login of the service at `url` in a file.
    pub(super) fn new(file: LoginFile, url: &Url, way: &McpLogin) -> Self {
        Self {
            file,
            server: url.to_string(),
            client_id: way.client_id.clone(),
            registered_secret: None,
            late_secrets: way.late_secrets.clone(),
            is_new_login: false,
            last_read: Arc::default(),
            unsaved: Arc::default(),
        }
    }

    /// Keeps what somebody who logs in is given, whatever was there before.
    pub(super) fn for_new_login(mut self) -> Self {
        self.is_new_login = true;
        self
    }

    /// Keeps a secret with the next tokens that it came with our registration.
    pub(super) fn with_registered_secret(mut self, secret: Option<SecretString>) -> Self {
        if let Some(secret) = &secret {
            self.hide(REGISTERED, secret.clone());
        }
        self.registered_secret = secret;
        self
    }

    /// Returns the file.
    pub(super) fn file(&self) -> &LoginFile {
        &self.file
    }

    /// Returns the secret that came with our registration.
    pub(super) async fn client_secret(&self) -> Result<Option<SecretString>, AuthError> {
        Ok(self.read().await?.and_then(|kept| kept.client_secret))
    }

    /// Reads what is kept, if it is of this service and of who we are there.
    async fn read(&self) -> Result<Option<StoredTokens>, AuthError> {
        let file = self.file.clone();
        let kept = blocking(move || file.read()).await?;
        let kept = kept.filter(|kept| {
            let client_id = &kept.credentials.client_id;
            kept.server == self.server && self.client_id.as_ref().is_none_or(|it| it == client_id)
        });
        if let Some(kept) = &kept {
            self.learn(&kept.credentials);
            if let Some(secret) = kept.client_secret.clone() {
                self.hide(REGISTERED, secret);
            }
        }
        Ok(kept)
    }

    fn learn(&self, credentials: &StoredCredentials) {
        for field in SECRET_FIELDS {
            if let Some(secret) = secret_of(credentials, field) {
                self.hide(field, secret);
            }
        }
    }

    fn hide(&self, field: &str, secret: SecretString) {
        let place = format!("{} {field}", self.file.path().display());
        self.late_secrets
            .learn(&place, KnownSecret::new(KIND, secret));
    }

    /// Returns whether what is kept is still what new tokens came from.
    async fn is_still(&self, came_from: Option<&Fingerprint>) -> Result<bool, AuthError> {
        let now = self.read().await?;
        let now = now.map(|kept| fingerprint(&kept.credentials));
        Ok(now.is_some() && now.as_ref() == came_from)
    }

    async fn write(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let earlier = self.read().await?;
        let earlier = earlier.filter(|kept| kept.credentials.client_id == credentials.client_id);
        let secret = self.registered_secret.clone();
        let kept = StoredTokens {
            server: self.server.clone(),
            client_secret: secret.or_else(|| earlier.and_then(|kept| kept.client_secret)),
            credentials,
        };
        let file = self.file.clone();
        blocking(move || file.write(&kept)).await
    }

    fn set_unsaved(&self, unsaved: Option<Unsaved>) {
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = unsaved;
    }

    fn last_read(&self) -> MutexGuard<'_, Option<Fingerprint>> {
        let last_read = self.last_read.lock();
        last_read.unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl CredentialStore for StoredLogin {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let unsaved = {
            let unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
            unsaved.clone()
        };
        if let Some(unsaved) = unsaved {
            if self.is_still(unsaved.came_from.as_ref()).await? {
                self.write(unsaved.credentials).await?;
            }
            self.set_unsaved(None);
        }
        let credentials = self.read().await?.map(|kept| kept.credentials);
        *self.last_read() = credentials.as_ref().map(fingerprint);
        Ok(credentials)
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.learn(&credentials);
        if self.is_new_login {
            return self.write(credentials).await;
        }
        let came_from = *self.last_read();
        if !self.is_still(came_from.as_ref()).await? {
            tracing::info!("discarded refreshed MCP tokens: the login was removed");
            return Err(AuthError::AuthorizationRequired);
        }
        let written = self.write(credentials.clone()).await;
        if let Err(error) = &written {
            tracing::error!(%error, "cannot store MCP tokens; retrying");
            self.set_unsaved(Some(Unsaved {
                credentials,
                came_from,
            }));
        }
        written
    }

    async fn clear(&self) -> Result<(), AuthError> {
        self.set_unsaved(None);
        let file = self.file.clone();
        blocking(move || file.remove().map(drop)).await
    }

    /// Lets go of tokens that are worth nothing, unless newer ones are there.
    async fn on_refresh_token_rejected(
        &self,
        credentials: &StoredCredentials,
    ) -> Result<(), AuthError> {
        let refresh = |credentials: &StoredCredentials| {
            let stored = credentials.token_response.as_ref()?;
            let value = serde_json::to_value(stored).ok()?;
            value.get("refresh_token").cloned()
        };
        let kept = self.read().await?;
        let is_this = kept.is_some_and(|kept| refresh(&kept.credentials) == refresh(credentials));
        if !is_this {
            return Ok(());
        }
        let mut worthless = credentials.clone();
        worthless.token_response = None;
        self.write(worthless).await
    }

    async fn acquire_refresh_guard(&self) -> Result<Option<CredentialRefreshGuard>, AuthError> {
        let file = self.file.clone();
        let lock = blocking(move || file.lock()).await?;
        Ok(Some(CredentialRefreshGuard::new(lock)))
    }
}

fn fingerprint(credentials: &StoredCredentials) -> Fingerprint {
    // All of it can be written: it was read. Some of its fields come in any order.
    let mut written = serde_json::to_value(credentials).unwrap_or_default();
    written.sort_all_objects();
    Sha256::digest(written.to_string()).into()
}

/// Returns a secret of what an authorization server answered.
fn secret_of(credentials: &StoredCredentials, field: &str) -> Option<SecretString> {
    let answered = serde_json::to_value(credentials.token_response.as_ref()?).ok()?;
    Some(answered.get(field)?.as_str()?.into())
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> Result<T, AuthError> {
    let done = spawn_blocking(work).await;
    let failed = |why: String| AuthError::CredentialStoreError(why);
    done.map_err(|error| failed(error.to_string()))?
        .map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use sayso_policy::HostRules;
    use serde_json::json;

    use super::*;

    fn kept_at(path: &Path) -> StoredLogin {
        let way = McpLogin {
            file: path.to_owned(),
            client_id: None,
            client_secret: None,
            redirect_port: None,
            hosts: HostRules::default(),
            late_secrets: LateSecrets::default(),
        };
        let url = Url::parse("https://a.example/mcp").unwrap();
        StoredLogin::new(LoginFile::at(path), &url, &way)
    }

    fn tokens(number: u32) -> StoredCredentials {
        let answered = json!({
            "access_token": format!("access-{number}"),
            "token_type": "Bearer",
            "refresh_token": format!("refresh-{number}"),
            "a": 1, "b": 2, "c": 3, "d": 4,
        });
        let answered = serde_json::from_value(answered).unwrap();
        StoredCredentials::new("sayso-7".to_owned(), Some(answered), Vec::new(), None)
    }

    fn is_kept(kept: &StoredLogin, number: u32) -> bool {
        let read = kept.file().read().unwrap();
        read.is_some_and(|kept| fingerprint(&kept.credentials) == fingerprint(&tokens(number)))
    }

    #[tokio::test]
    async fn new_tokens_take_the_place_of_those_they_came_from_and_of_no_others() {
        let home = tempfile::tempdir().unwrap();
        let kept = kept_at(&home.path().join("a.json"));
        kept.clone().for_new_login().save(tokens(1)).await.unwrap();
        kept.load().await.unwrap().unwrap();
        kept.save(tokens(2)).await.unwrap();
        assert!(is_kept(&kept, 2));

        kept.load().await.unwrap().unwrap();
        assert!(kept.file().forget().unwrap());
        let refused = kept.save(tokens(3)).await;
        assert!(matches!(refused, Err(AuthError::AuthorizationRequired)));
        assert!(kept.load().await.unwrap().is_none());

        // Somebody logs in again while the tokens of before are renewed.
        kept.clone().for_new_login().save(tokens(4)).await.unwrap();
        assert!(kept.save(tokens(5)).await.is_err());
        assert!(is_kept(&kept, 4));
    }

    #[tokio::test]
    async fn tokens_that_the_disk_did_not_take_do_not_bring_a_login_back() {
        for is_forgotten in [false, true] {
            let home = tempfile::tempdir().unwrap();
            let kept = kept_at(&home.path().join("a.json"));
            kept.clone().for_new_login().save(tokens(1)).await.unwrap();
            kept.load().await.unwrap().unwrap();
            // Where it would be written lies something that cannot be removed.
            let in_the_way = home.path().join("a.new/full");
            fs::create_dir_all(&in_the_way).unwrap();
            assert!(kept.save(tokens(2)).await.is_err());
            fs::remove_dir_all(home.path().join("a.new")).unwrap();
            if is_forgotten {
                assert!(kept.file().forget().unwrap());
            }
            let loaded = kept.load().await.unwrap();
            assert_eq!(loaded.is_none(), is_forgotten);
            assert_eq!(is_kept(&kept, 2), !is_forgotten);
        }
    }
}
