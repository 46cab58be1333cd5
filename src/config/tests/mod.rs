//! What a configuration says and what becomes of it: every key, every layer, every refusal.

mod accounts;
mod budget;
mod chinese;
mod descriptions;
mod example;
mod keys;
mod layers;
mod overlay;
mod refusals;

use std::path::Path;

use super::{Config, ConfigError, Environment, merge, read_file};

/// Reads a file's text with the environment `HOME=/home/mia` and `more`.
fn read(text: &str, more: &[(&str, &str)]) -> Result<Config, ConfigError> {
    let written = read_file::read_text(Path::new("sayso.toml"), text)?;
    let home = ("HOME", "/home/mia");
    let environment: Environment = more.iter().copied().chain([home]).collect();
    merge(written, &environment)
}
