//! An MCP server over streamable HTTP that wants a login, with its authorization server on the same
//! port.
//!
//! It checks what it is sent against the Model Context Protocol (authorization, 2025-06-18) and the
//! documents that it builds on: RFC 6749 and OAuth 2.1, RFC 7591, RFC 7636, RFC 8414, RFC 8707, RFC
//! 9207 and RFC 9728. What a real one would refuse it refuses; what a client must not do stands in
//! the violations.

mod authorization;
mod service;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::Value;
use url::Url;

use self::authorization::Authorization;
use crate::wire::{self, Served};

/// The server. Dropping it cuts every connection.
#[derive(Debug)]
pub struct FakeMcp {
    world: Arc<World>,
    served: Served,
}

/// What both halves of the server know.
#[derive(Debug)]
pub(crate) struct World {
    /// Where they are: `http://127.0.0.1:PORT`.
    origin: String,
    state: Mutex<State>,
}

/// What changes.
#[derive(Debug, Default)]
pub(crate) struct State {
    authorization: Authorization,
    /// Where the service says that its authorization server is; `None` is here.
    issuer: Option<String>,
    /// Whether the service takes no token at all.
    takes_none: bool,
    /// The names of the tools that were called.
    called: Vec<String>,
    violations: Vec<String>,
}

impl World {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn resource(&self) -> String {
        format!("{}/mcp", self.origin)
    }
}

impl FakeMcp {
    /// Starts the server on a free loopback port.
    pub async fn start() -> Self {
        let (listener, served) = wire::bind().await;
        let world = Arc::new(World {
            origin: format!("http://{}", served.address),
            state: Mutex::default(),
        });
        let router =
            authorization::router(Arc::clone(&world)).merge(service::router(Arc::clone(&world)));
        wire::serve(listener, router, served.stop.clone());
        Self { world, served }
    }

    /// Returns the address of the service.
    pub fn url(&self) -> String {
        self.world.resource()
    }

    /// Returns host and port.
    pub fn address(&self) -> String {
        self.served.address.to_string()
    }

    /// Opens an address as a browser does, logs in and says yes. Returns where the browser is sent.
    pub fn logs_in(&self, address: &str) -> String {
        let address = Url::parse(address).expect("an address to open");
        let mut state = self.world.state();
        let back = authorization::authorize(&mut state, &self.world, &address);
        back.unwrap_or_else(|why| panic!("the authorization server shows an error page: {why}"))
    }

    /// Lets no client register any more, and knows this one.
    pub fn knows_only(&self, client_id: &str, client_secret: &str, redirect: &str) {
        let mut state = self.world.state();
        state
            .authorization
            .knows_only(client_id, client_secret, redirect);
    }

    /// Has the service name another authorization server.
    pub fn names_as_issuer(&self, issuer: &str) {
        self.world.state().issuer = Some(issuer.to_owned());
    }

    /// Sets the lifetime of new access tokens, in seconds.
    pub fn gives_tokens_for(&self, seconds: u64) {
        self.world.state().authorization.lasts_secs = seconds;
    }

    /// Takes no access token any more that it gave so far; refresh tokens stay.
    pub fn ends_access_tokens(&self) {
        self.world.state().authorization.end_access_tokens();
    }

    /// Takes nothing any more that it gave so far.
    pub fn revokes_everything(&self) {
        self.world.state().authorization.revoke_everything();
    }

    /// Takes no token from now on, however new, though its authorization server goes on giving
    /// them.
    pub fn takes_no_token(&self) {
        self.world.state().takes_none = true;
    }

    /// Returns every token, code and secret that it ever gave.
    pub fn secrets(&self) -> Vec<String> {
        self.world.state().authorization.secrets.clone()
    }

    /// Returns how often tokens were renewed.
    pub fn renewals(&self) -> usize {
        self.world.state().authorization.renewals
    }

    /// Returns how often somebody came with a refresh token that had been used before.
    pub fn replays(&self) -> usize {
        self.world.state().authorization.replays
    }

    /// Returns the names of the tools that were called.
    pub fn called(&self) -> Vec<String> {
        self.world.state().called.clone()
    }

    /// Fails when somebody did what the protocol forbids.
    pub fn assert_clean(&self) {
        let state = self.world.state();
        assert!(state.violations.is_empty(), "{:#?}", state.violations);
    }
}

impl State {
    fn breaks(&mut self, rule: impl Into<String>) {
        self.violations.push(rule.into());
    }
}

/// A JSON answer with its status.
type Answer = (axum::http::StatusCode, axum::Json<Value>);
