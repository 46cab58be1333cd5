//! Every secret that the configuration knows, for the redactor: keys, tokens, passwords in
//! addresses, and variables whose names say that a secret is in them.

use reqwest::Url;
use sayso_core::redact::{KnownSecret, Redactor, TooMuch};
use sayso_providers::EmbedderSource;
use secrecy::{ExposeSecret as _, SecretString};

use super::Environment;
use super::checked::{
    Config, EmbedderConfig, McpConfig, McpShownConfig, McpWayConfig, ProviderConfig, SecretConfig,
    TelegramMode, WebSearchConfig,
};
use super::read_environment;

/// What the name of a variable with a secret contains.
const NAMES: [&str; 9] = [
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "PASSPHRASE",
    "API_KEY",
    "APIKEY",
    "PRIVATE_KEY",
    "ACCESS_KEY",
];

impl Config {
    /// Returns a redactor that knows every secret of this configuration, and those that come later.
    pub fn redactor(&self) -> Result<Redactor, TooMuch> {
        let redactor = Redactor::new(self.known_secrets.iter().cloned())?;
        Ok(redactor.with_late(self.late_secrets.clone()))
    }
}

/// Collects them. What the names of variables promise is a secret only if it is none of the
/// places where secrets are.
pub(super) fn gather(config: &Config, environment: &Environment) -> Vec<KnownSecret> {
    let variables = environment
        .beginning_with("")
        .filter(|(name, value)| is_secret(name, value))
        .map(|(_, value)| known("environment-secret", value));
    variables
        .chain(of_channels(config))
        .chain(config.providers.iter().flat_map(of_provider))
        .chain(config.embedder.iter().flat_map(of_embedder))
        .chain(config.web_search.iter().filter_map(of_search))
        .chain(config.secrets.iter().map(of_secret))
        .chain(config.mcp.iter().flat_map(of_mcp))
        .collect()
}

fn is_secret(name: &str, value: &str) -> bool {
    let name = name.to_ascii_uppercase();
    let is_place = ["env:", "file:", "/", "./", "~/"]
        .iter()
        .any(|place| value.starts_with(place));
    let is_path = name.ends_with("_FILE") || name.ends_with("_PATH");
    let promises_secret = match read_environment::kind_of(&name) {
        Some(kind) => kind.is_secret(),
        None => NAMES.iter().any(|it| name.contains(it)),
    };
    !is_place && !is_path && promises_secret
}

fn of_secret(secret: &SecretConfig) -> KnownSecret {
    KnownSecret::new(&format!("secret-{}", secret.name), secret.value.clone())
}

fn of_channels(config: &Config) -> Vec<KnownSecret> {
    let mut found = Vec::new();
    for account in &config.channels.telegram {
        found.push(KnownSecret::new("telegram-token", account.token.clone()));
        if let TelegramMode::Webhook { secret, .. } = &account.mode {
            found.push(KnownSecret::new("webhook-secret", secret.clone()));
        }
        found.extend(of_address(&account.api_url));
    }
    for account in &config.channels.discord {
        found.push(KnownSecret::new("discord-token", account.token.clone()));
        found.extend(of_address(&account.api_url));
    }
    found
}

fn of_provider(provider: &ProviderConfig) -> Vec<KnownSecret> {
    let Some(server) = provider.server() else {
        return Vec::new();
    };
    let keys = server.api_keys.iter();
    let keys = keys.map(|key| known("provider-key", key.expose_secret()));
    keys.chain(of_address(&server.base_url)).collect()
}

fn of_embedder(embedder: &EmbedderConfig) -> Vec<KnownSecret> {
    let EmbedderSource::Server(server) = &embedder.source else {
        return Vec::new();
    };
    let key = server.api_key.iter();
    key.map(|key| known("provider-key", key.expose_secret()))
        .chain(of_address(&server.base_url))
        .collect()
}

/// What stands in the file itself as a variable is a setting, such as a path; what is kept
/// elsewhere is a secret.
fn of_mcp(server: &McpConfig) -> Vec<KnownSecret> {
    match &server.way {
        McpWayConfig::Program { variables, .. } => variables
            .iter()
            .filter(|variable| variable.is_secret)
            .map(|variable| KnownSecret::new("mcp-secret", variable.value.clone()))
            .collect(),
        McpWayConfig::Url { shown, .. } => {
            let secret = match shown {
                McpShownConfig::Token(token) => Some(token),
                McpShownConfig::Login(client) => client.secret.as_ref(),
            };
            let secret = secret.into_iter();
            secret
                .map(|secret| KnownSecret::new("mcp-secret", secret.clone()))
                .collect()
        }
    }
}

fn of_search(search: &WebSearchConfig) -> Option<KnownSecret> {
    let key = search.api_key.as_ref();
    key.map(|key| known("search-key", key.expose_secret()))
}

fn of_address(url: &Url) -> Option<KnownSecret> {
    url.password().map(|password| known("password", password))
}

fn known(kind: &str, value: &str) -> KnownSecret {
    KnownSecret::new(kind, SecretString::from(value))
}
