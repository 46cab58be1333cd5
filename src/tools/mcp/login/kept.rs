//! What the library asks for and gives back: the tokens of one service, out of their file and into
//! it. New tokens are on the disk before one of them is used, for the old ones are worth nothing by
//! then.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use rmcp::transport::auth::AuthError;
use rmcp::transport::{CredentialRefreshGuard, CredentialStore, StoredCredentials};
use secrecy::SecretString;
use tokio::task::spawn_blocking;
use url::Url;

use super::McpLogin;
use super::file::{Kept, LoginFile};
use crate::redact::{KnownSecret, LateSecrets};

/// What stands in the place of a token where one would be shown.
const KIND: &str = "mcp-secret";
/// What is secret in the answer of an authorization server.
const SECRET_FIELDS: [&str; 3] = ["access_token", "refresh_token", "id_token"];

/// What is kept of one login. Clones keep the same.
#[derive(Clone)]
pub struct KeptLogin {
    file: LoginFile,
    server: String,
    /// Who we must be; `None` is whoever registered.
    client_id: Option<String>,
    /// What came with a registration that is not in the file yet.
    registered_secret: Option<SecretString>,
    late_secrets: LateSecrets,
    /// New tokens that the disk did not take. Each connection to the service has a clone of this.
    unsaved: Arc<Mutex<Option<StoredCredentials>>>,
}

impl KeptLogin {
    /// Keeps the login of the service at `url` in a file.
    pub fn new(file: LoginFile, url: &Url, way: &McpLogin) -> Self {
        Self {
            file,
            server: url.to_string(),
            client_id: way.client_id.clone(),
            registered_secret: None,
            late_secrets: way.late_secrets.clone(),
            unsaved: Arc::default(),
        }
    }

    /// Keeps a secret with the next tokens that it came with our registration.
    pub fn with_registered_secret(mut self, secret: Option<SecretString>) -> Self {
        if let Some(secret) = &secret {
            self.late_secrets
                .learn(KnownSecret::new(KIND, secret.clone()));
        }
        self.registered_secret = secret;
        self
    }

    /// Returns the file.
    pub fn file(&self) -> &LoginFile {
        &self.file
    }

    /// Returns the secret that came with our registration.
    pub async fn client_secret(&self) -> Result<Option<SecretString>, AuthError> {
        Ok(self.read().await?.and_then(|kept| kept.client_secret))
    }

    /// Reads what is kept, if it is of this service and of who we are there.
    async fn read(&self) -> Result<Option<Kept>, AuthError> {
        let file = self.file.clone();
        let kept = blocking(move || file.read()).await?;
        let kept = kept.filter(|kept| {
            let client_id = &kept.credentials.client_id;
            kept.server == self.server && self.client_id.as_ref().is_none_or(|it| it == client_id)
        });
        if let Some(kept) = &kept {
            self.learn(&kept.credentials);
            if let Some(secret) = kept.client_secret.clone() {
                self.late_secrets.learn(KnownSecret::new(KIND, secret));
            }
        }
        Ok(kept)
    }

    fn learn(&self, credentials: &StoredCredentials) {
        for field in SECRET_FIELDS {
            if let Some(secret) = secret_of(credentials, field) {
                self.late_secrets.learn(KnownSecret::new(KIND, secret));
            }
        }
    }

    async fn write(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        let earlier = self.read().await?;
        let earlier = earlier.filter(|kept| kept.credentials.client_id == credentials.client_id);
        let secret = self.registered_secret.clone();
        let kept = Kept {
            server: self.server.clone(),
            client_secret: secret.or_else(|| earlier.and_then(|kept| kept.client_secret)),
            credentials,
        };
        let file = self.file.clone();
        blocking(move || file.write(&kept)).await
    }

    fn set_unsaved(&self, credentials: Option<StoredCredentials>) {
        *self.unsaved.lock().unwrap_or_else(PoisonError::into_inner) = credentials;
    }
}

#[async_trait]
impl CredentialStore for KeptLogin {
    async fn load(&self) -> Result<Option<StoredCredentials>, AuthError> {
        let unsaved = {
            let unsaved = self.unsaved.lock().unwrap_or_else(PoisonError::into_inner);
            unsaved.clone()
        };
        if let Some(unsaved) = unsaved {
            self.write(unsaved).await?;
            self.set_unsaved(None);
        }
        Ok(self.read().await?.map(|kept| kept.credentials))
    }

    async fn save(&self, credentials: StoredCredentials) -> Result<(), AuthError> {
        self.learn(&credentials);
        let written = self.write(credentials.clone()).await;
        if let Err(error) = &written {
            tracing::error!(%error, "the tokens of an MCP server cannot be kept; they are tried again");
            self.set_unsaved(Some(credentials));
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
