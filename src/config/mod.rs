//! What the operator wrote, from the file and the environment, checked before anything starts.
//!
//! Layers, the upper wins: `SAYSO__SECTION__KEY` variables, the file, well-known variables
//! (`TELEGRAM_BOT_TOKEN`, `DISCORD_BOT_TOKEN` ...), defaults. `keys/` declares every key, once; an
//! unknown one is an error. They are merged key by key with their origins (`settings.rs`), read as
//! [`ConfigFile`] and checked into [`Config`] (`check.rs`, `checked.rs`). The environment is an
//! argument, read once by `main`. What owners changed in chat lies over all of it, from the next
//! start on (`overlay.rs`). `descriptions/` writes the example file, the reference page and the JSON
//! schema from the declarations. Only `app` and `cli` see a whole [`Config`].
//!
//! # Files
//!
//! `config` turns what is written (file and environment, unknown keys refused) into a checked
//! `Config` with wrapped secrets.
//!
//! A key is declared once, in `config/keys/SECTION.rs`: `declare!` makes of a section the table
//! that is read and the list of its keys. `config/descriptions` writes the example file, the
//! reference page (`docs/src/reference/configuration.md`, in both languages) and the JSON schema
//! from these lists; a test compares them with the files in the repository.
//!
//! A refusal is structured (`config/error.rs`: where, which key, what is wrong, what is allowed,
//! how what was meant is written); `config/messages.rs` has the words of each part in both
//! languages, side by side.
//!
//! # Invariants
//!
//! - A platform may have several accounts; each is a channel of its own (`telegram.work`), and no
//!   two have one token.
//! - `config` is read by `app` and `cli` only: a room gets its own small struct.
//!
//! [`ConfigFile`]: keys::ConfigFile

mod access;
mod account;
mod change_base;
mod check;
mod check_budget;
mod check_discord;
mod check_embedder;
mod check_endpoint;
mod check_hosts;
mod check_mcp;
mod check_projects;
mod check_providers;
mod check_routines;
mod check_search;
mod check_secrets;
mod check_telegram;
mod checked;
mod choices;
mod descriptions;
mod environment;
mod error;
mod file_name;
mod for_rooms;
mod key_paths;
mod keys;
mod kind_defaults;
mod known_secrets;
mod locate;
mod messages;
mod mistakes;
mod overlay;
mod path;
mod read_environment;
mod read_file;
mod secret;
mod settings;
mod several;
mod suggest;
#[cfg(test)]
mod tests;
mod wrong_type;

use std::path::Path;
use std::sync::Arc;

pub use access::AccessConfig;
pub use account::AccountPattern;
pub use change_base::{Change, Written};
pub use checked::{
    AgentConfig, ChannelConfigs, ChecksConfig, Config, DiscordAccount, EmbedderConfig,
    LearningConfig, McpClientConfig, McpConfig, McpShownConfig, McpVariable, McpWayConfig,
    ModelServer, ProjectConfig, ProviderConfig, RetentionConfig, SecretConfig, TelegramAccount,
    TelegramMode, TerminalAccount, ToolConfig, WebSearchConfig, WebSearchKind,
};
pub use choices::{
    AskAboutPlans, LlamaMode, LogFormat, LogLevel, LongAnswers, Planning, Routing, WhenChecked,
    WhileBusy,
};
pub use descriptions::{example, reference, schema};
pub use environment::Environment;
pub use error::{ConfigError, Fault, KeyError, Origin};
pub use file_name::FILE_NAME;
pub use locate::locate;
pub use messages::{Choices, Found, Hint, Mistake, NamedBy, Names, OutOfBounds, Reason, Rule};
pub use overlay::{ChangeRefused, Line, Overlay, changeable};
pub use suggest::service_address;

/// Returns every key that can be written, by its dotted name; `*` stands for the number of a list
/// item. Named accounts have the keys of their platform's plain section.
pub fn key_names() -> impl Iterator<Item = &'static str> {
    keys::all().map(|key| key.path)
}

/// Reads and checks the configuration; without a file, the environment and the defaults are all.
pub fn load(file: Option<&Path>, environment: &Environment) -> Result<Config, ConfigError> {
    let written = match file {
        Some(path) => read_file::read_file(path)?,
        None => settings::Settings::default(),
    };
    let mut config = merge(written, environment)?;
    config.file = file.map(Path::to_owned);
    Ok(config)
}

/// Lays the environment over what the file says and checks the result.
fn merge(file: settings::Settings, environment: &Environment) -> Result<Config, ConfigError> {
    let variables = read_environment::read_environment(environment)?;
    let mut settings = read_environment::read_well_known(environment, &file, &variables);
    settings.cover_with(file);
    settings.cover_with(variables);
    settings.fill_defaults()?;
    kind_defaults::fill(&mut settings);
    let written = Written::new(settings, environment.clone());
    let mut config = written.config()?;
    config.written = Arc::new(written);
    Ok(config)
}
