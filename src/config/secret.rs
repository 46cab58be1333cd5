//! Secrets: written out, in an environment variable (`env:NAME`) or in a file (`file:PATH`).

use std::fs;
use std::io;
use std::path::PathBuf;

use secrecy::SecretString;

use super::Environment;
use super::error::{ConfigError, Fault, Origin};
use super::messages::Reason;
use super::path::expand_home;

/// What stands before the path of a file with a secret.
const FILE: &str = "file:";

/// Returns the file that a secret is read from; `None` when it comes from elsewhere.
pub(super) fn file(written: &str, environment: &Environment) -> Option<PathBuf> {
    expand_home(written.strip_prefix(FILE)?, environment)
}

/// Returns the secret that a key stands for. The error names the place, never the secret.
pub(super) fn resolve(
    key: &str,
    written: &str,
    origin: &Origin,
    environment: &Environment,
) -> Result<SecretString, ConfigError> {
    let missing = |why| {
        let place = format!("`{written}`");
        ConfigError::of_key(origin.clone(), key, Fault::NoSecret { place, why })
    };
    let secret = if let Some(name) = written.strip_prefix("env:") {
        environment
            .get(name)
            .ok_or_else(|| missing(Reason::VariableNotSet))?
            .to_owned()
    } else if written.starts_with(FILE) {
        let path = file(written, environment).ok_or_else(|| missing(Reason::HomeNotSet))?;
        fs::read_to_string(path).map_err(|error| missing(unreadable(&error)))?
    } else {
        written.to_owned()
    };
    let secret = secret.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(missing(Reason::Empty));
    }
    Ok(SecretString::from(secret))
}

/// Returns why the file of a secret cannot be read.
fn unreadable(error: &io::Error) -> Reason {
    match error.kind() {
        io::ErrorKind::IsADirectory => Reason::IsDirectory,
        io::ErrorKind::InvalidData => Reason::FileNotUtf8,
        _ => Reason::FileUnreadable {
            error: error.to_string(),
        },
    }
}
