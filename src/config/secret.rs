//! Secrets: written out, in an environment variable (`env:NAME`) or in a file (`file:PATH`).

use std::fs;
use std::io;
use std::path::PathBuf;

use secrecy::SecretString;

use super::Environment;
use super::error::{ConfigError, Origin};
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
    let missing = |why: String| ConfigError::NoSecret {
        origin: origin.clone(),
        key: key.to_owned(),
        place: format!("`{written}`"),
        why,
    };
    let secret = if let Some(name) = written.strip_prefix("env:") {
        environment
            .get(name)
            .ok_or_else(|| missing("that variable is not set".to_owned()))?
            .to_owned()
    } else if written.starts_with(FILE) {
        let path =
            file(written, environment).ok_or_else(|| missing("HOME is not set".to_owned()))?;
        fs::read_to_string(path).map_err(|error| missing(unreadable(&error)))?
    } else {
        written.to_owned()
    };
    let secret = secret.trim_end_matches(['\r', '\n']);
    if secret.is_empty() {
        return Err(missing("nothing is there".to_owned()));
    }
    Ok(SecretString::from(secret))
}

/// Says why the file of a secret cannot be read.
pub(super) fn unreadable(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::IsADirectory => "it is a directory, and must be a file (Docker makes a \
             directory where the file of a bind mount is missing)"
            .to_owned(),
        io::ErrorKind::InvalidData => "the file is not in UTF-8".to_owned(),
        _ => format!("the file cannot be read: {error}"),
    }
}
