//! Asking a person to log in: where to go, and what the browser comes back with.

use rmcp::transport::auth::{AuthError, AuthorizationMetadata, OAuthClientConfig};
use rmcp::transport::{AuthorizationManager, CredentialStore as _};
use sayso_core::visible::visible_line;
use sayso_policy::is_this_machine;
use secrecy::ExposeSecret as _;
use url::Url;

use super::Login;
use super::token_file::StoredLogin;

/// Who we say we are when we register.
const CLIENT_NAME: &str = "Sayso";
/// The longest text that is repeated of an authorization server, in characters.
const MAX_SAID_CHARS: usize = 300;

/// Why a login came to nothing.
#[derive(Debug, PartialEq, Eq)]
pub enum NoLogin {
    /// The way to the service is open to everybody on it.
    NotPrivate,
    /// The service does not say how to log in.
    NothingSaid,
    /// The authorization server does not allow clients to register.
    NoRegistration,
    /// That is no answer to what was asked for here.
    NotOurs,
    /// The person, or the authorization server, said no; in its words.
    Refused(String),
    /// Something else.
    Failed(String),
}

/// A login that somebody has been asked for.
pub struct Asking {
    manager: AuthorizationManager,
    kept: StoredLogin,
    address: Url,
    state: String,
}

impl Login {
    /// Asks the service how to log in, and prepares for it. The browser will come back to
    /// `redirect`; `scopes` are asked for beside those that the service wants and those that there
    /// were.
    ///
    /// # Errors
    /// Why a login is not possible.
    pub async fn ask(&self, redirect: &str, scopes: &[String]) -> Result<Asking, NoLogin> {
        if self.url.scheme() != "https" && !is_this_machine(&self.url) {
            return Err(NoLogin::NotPrivate);
        }
        let kept = self.kept.clone().for_new_login();
        let mut manager = self.manager_over(kept.clone()).await.map_err(failed)?;
        let resolution = manager.resolve_metadata().await.map_err(failed)?;
        if !resolution.source.is_discovered() {
            return Err(NoLogin::NothingSaid);
        }
        let metadata = resolution.metadata;
        self.outside.check_endpoints(&metadata).map_err(failed)?;
        manager.set_metadata(metadata.clone());
        let all_scopes = self.scopes(&manager, scopes).await?;
        let scopes: Vec<&str> = all_scopes.iter().map(String::as_str).collect();
        let kept = self
            .introduce(kept, &mut manager, &metadata, redirect, &scopes)
            .await?;
        let written = manager.get_authorization_url(&scopes).await;
        let address =
            Url::parse(&written.map_err(failed)?).map_err(|error| failed(error.into()))?;
        let state = parameter(&address, "state").unwrap_or_default();
        Ok(Asking {
            manager,
            kept,
            address,
            state,
        })
    }

    /// Says who we are: as was agreed upon, or by registering.
    async fn introduce(
        &self,
        kept: StoredLogin,
        manager: &mut AuthorizationManager,
        metadata: &AuthorizationMetadata,
        redirect: &str,
        scopes: &[&str],
    ) -> Result<StoredLogin, NoLogin> {
        let Some(client_id) = &self.way.client_id else {
            if metadata.registration_endpoint.is_none() {
                return Err(NoLogin::NoRegistration);
            }
            let registered = manager.register_client(CLIENT_NAME, redirect, scopes).await;
            let secret = registered.map_err(failed)?.client_secret;
            let kept = kept.with_registered_secret(secret.map(Into::into));
            manager.set_credential_store(kept.clone());
            return Ok(kept);
        };
        let mut client = OAuthClientConfig::new(client_id, redirect);
        if let Some(secret) = &self.way.client_secret {
            client = client.with_client_secret(secret.expose_secret());
        }
        manager.configure_client(client).map_err(failed)?;
        Ok(kept)
    }

    async fn scopes(
        &self,
        manager: &AuthorizationManager,
        wanted: &[String],
    ) -> Result<Vec<String>, NoLogin> {
        let mut scopes = manager.select_initial_scopes(&[]).await;
        let earlier = self.kept.load().await.map_err(failed)?;
        let earlier = earlier.map(|stored| stored.granted_scopes);
        for scope in wanted.iter().chain(earlier.iter().flatten()) {
            if !scopes.contains(scope) {
                scopes.push(scope.clone());
            }
        }
        Ok(scopes)
    }
}

impl Asking {
    /// Returns the address that a person opens to log in.
    pub fn address(&self) -> &Url {
        &self.address
    }

    /// Takes the address that the browser came back to, and gets the tokens for it.
    ///
    /// # Errors
    /// Why it is no login; after [`NoLogin::NotOurs`] another may follow.
    pub async fn answer(&self, back: &Url) -> Result<(), NoLogin> {
        if self.state.is_empty() || parameter(back, "state").as_ref() != Some(&self.state) {
            return Err(NoLogin::NotOurs);
        }
        if let Some(error) = parameter(back, "error") {
            let description = parameter(back, "error_description").unwrap_or_default();
            return Err(NoLogin::Refused(said(&format!("{error} {description}"))));
        }
        let Some(code) = parameter(back, "code") else {
            return Err(NoLogin::NotOurs);
        };
        let issuer = parameter(back, "iss");
        // Sayso may be renewing the tokens that are about to be replaced.
        let guard = self.kept.acquire_refresh_guard().await.map_err(failed)?;
        let exchanged = self
            .manager
            .exchange_code_for_token_with_issuer(&code, &self.state, issuer.as_deref())
            .await;
        drop(guard);
        exchanged.map(drop).map_err(failed)
    }
}

fn parameter(url: &Url, name: &str) -> Option<String> {
    let mut pairs = url.query_pairs();
    let found = pairs.find(|(key, _)| key == name);
    found.map(|(_, value)| value.into_owned())
}

fn failed(error: AuthError) -> NoLogin {
    match error {
        AuthError::NoAuthorizationSupport => NoLogin::NothingSaid,
        AuthError::DiscoveryRequestFailed { url, source } => {
            NoLogin::Failed(said(&format!("{url}: {source}")))
        }
        error => NoLogin::Failed(said(&error.to_string())),
    }
}

/// Returns what others said as it may be shown.
fn said(text: &str) -> String {
    let line = visible_line(text.trim());
    line.chars().take(MAX_SAID_CHARS).collect()
}
