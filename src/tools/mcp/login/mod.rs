//! Logging in to a service that asks for it: OAuth 2.1, as the Model Context Protocol uses it.
//!
//! A person logs in once, by `sayso mcp login` (`asking`). The tokens from the authorization server
//! are kept in one file (`file`), renewed before they expire and when the service refuses them
//! (`kept`), and sent only to that service and its authorization server. The library implements the
//! protocol; its requests go through the guarded fetcher (`outside`), because every address but the
//! service's own comes from outside.

mod authorization;
mod file;
mod outside;
mod token_file;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;

use rmcp::transport::auth::{AuthError, OAuthClientConfig};
use rmcp::transport::{AuthorizationManager, CredentialStore as _};
use sayso_core::redact::LateSecrets;
use sayso_policy::HostRules;
use secrecy::{ExposeSecret as _, SecretString};
use url::Url;

pub use authorization::{Asking, NoLogin};

use self::file::LoginFile;
use self::outside::Outside;
use self::token_file::StoredLogin;

/// What must be known to log in to a service.
#[derive(Debug, Clone)]
pub struct McpLogin {
    /// Where is kept what a login gave us.
    pub file: PathBuf,
    /// Who we are at the authorization server, where that was agreed upon; else we register there.
    pub client_id: Option<String>,
    /// The secret that belongs to it.
    pub client_secret: Option<SecretString>,
    /// The port of the address that the browser comes back to; without one any free port.
    pub redirect_port: Option<u16>,
    /// The rules for hosts.
    pub hosts: HostRules,
    /// Hears of every token, so that none is shown.
    pub late_secrets: LateSecrets,
}

/// The login of one service.
pub struct Login {
    url: Url,
    way: McpLogin,
    kept: StoredLogin,
    outside: Arc<Outside>,
}

impl Login {
    /// Makes it from what must be known; nothing is read yet.
    pub fn new(url: &Url, way: &McpLogin) -> Self {
        Self {
            url: url.clone(),
            kept: StoredLogin::new(LoginFile::at(&way.file), url, way),
            outside: Arc::new(Outside::new(url, &way.hosts)),
            way: way.clone(),
        }
    }

    /// Returns what shows the service its token and renews it. Without a login, or after one that
    /// is no longer worth anything, it shows nothing.
    pub(super) async fn manager(&self) -> Result<AuthorizationManager, AuthError> {
        let mut manager = self.manager_over(self.kept.clone()).await?;
        let stored = self.kept.load().await?;
        if stored.is_none_or(|stored| stored.token_response.is_none()) {
            return Ok(manager);
        }
        let resolution = manager.resolve_metadata().await?;
        if !resolution.source.is_discovered() {
            return Err(AuthError::NoAuthorizationSupport);
        }
        self.outside.check_endpoints(&resolution.metadata)?;
        manager.set_metadata(resolution.metadata);
        if !manager.initialize_from_store().await? {
            return Ok(manager);
        }
        let (client_id, _) = manager.get_credentials().await?;
        if let Some(secret) = self.client_secret().await? {
            let client = OAuthClientConfig::new(client_id, self.url.as_str());
            manager.configure_client(client.with_client_secret(secret.expose_secret()))?;
        }
        Ok(manager)
    }

    async fn manager_over(&self, kept: StoredLogin) -> Result<AuthorizationManager, AuthError> {
        let outside = Arc::clone(&self.outside);
        let manager =
            AuthorizationManager::new_with_oauth_http_client(self.url.as_str(), outside).await;
        let mut manager = manager?;
        manager.set_credential_store(kept);
        Ok(manager)
    }

    async fn client_secret(&self) -> Result<Option<SecretString>, AuthError> {
        match (&self.way.client_id, &self.way.client_secret) {
            (Some(_), secret) => Ok(secret.clone()),
            (None, _) => self.kept.client_secret().await,
        }
    }

    /// Returns the port of the address that the browser comes back to, where it is agreed upon.
    pub fn redirect_port(&self) -> Option<u16> {
        self.way.redirect_port
    }

    /// Returns when the tokens were written that are kept; `None` where there are none.
    pub fn written_at(&self) -> Option<SystemTime> {
        self.kept.file().written_at()
    }

    /// Deletes the login, once a renewal in progress is finished. Returns whether there was one.
    ///
    /// # Errors
    /// When the file cannot be removed.
    pub fn forget(&self) -> std::io::Result<bool> {
        self.kept.file().forget()
    }
}
