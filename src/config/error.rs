//! Why a configuration cannot be used: where, which key, what it says and what is allowed.
//!
//! The value of a secret key is in no variant, so no text can show it.

use std::fmt;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::file_name::FILE_NAME;
use super::mistakes::Mistake;

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// A file that was named is not there.
    #[error("`{}` does not exist (named by {named_by})", path.display())]
    NoFile {
        /// The file.
        path: PathBuf,
        /// `--config` or `SAYSO_CONFIG`.
        named_by: &'static str,
    },
    /// A directory stands where a file is wanted.
    #[error(
        "`{}` is a directory, and must be a file (named by {named_by})\nhint: {}",
        path.display(),
        of_directory(path)
    )]
    Directory {
        /// The directory.
        path: PathBuf,
        /// `--config` or `SAYSO_CONFIG`, or that it was found.
        named_by: &'static str,
    },
    /// The file cannot be read.
    #[error("cannot read `{}`: {why}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// The file is not TOML.
    #[error(
        "{}:{line}:{column}: this is not TOML: {}",
        path.display(),
        why(mistake.as_ref(), message)
    )]
    Syntax {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The character in the line, from 1.
        column: usize,
        /// What the parser expected; it quotes nothing of the file.
        message: String,
        /// What is wrong in words, where it is a frequent mistake.
        mistake: Option<Mistake>,
    },
    /// A key that does not exist.
    #[error(
        "{origin}: unknown key `{key}`; allowed in {}: {}{}",
        section_name(section),
        listed(allowed),
        hint(*nearest)
    )]
    UnknownKey {
        /// Where it is written.
        origin: Origin,
        /// The whole dotted name.
        key: String,
        /// The section that it stands in; "" is the top of the file.
        section: String,
        /// What may stand there.
        allowed: Vec<&'static str>,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// A value that is not allowed.
    #[error("{origin}: `{key}`{} must be {allowed}", shown(value.as_deref()))]
    Refused {
        /// Where it is written.
        origin: Origin,
        /// The whole dotted name.
        key: String,
        /// What is written, cut to one short line; `None` for secrets.
        value: Option<String>,
        /// What is allowed.
        allowed: String,
    },
    /// A value of another type than the key takes.
    #[error("{origin}: `{key}` is {found}, but must be {allowed}")]
    WrongType {
        /// Where it is written.
        origin: Origin,
        /// The whole dotted name.
        key: String,
        /// What it is; the value of a secret is not in it.
        found: String,
        /// What is allowed, and how what was meant is written.
        allowed: String,
    },
    /// A key that must be set is not.
    #[error("{origin}: `{key}` is not set, but {because}\nhint: {hint}")]
    Missing {
        /// Where the section is written.
        origin: Origin,
        /// The whole dotted name.
        key: String,
        /// Why it is needed.
        because: String,
        /// How to set it.
        hint: String,
    },
    /// The table of keys and the types disagree: an internal error.
    #[error("the configuration cannot be read: {0}")]
    Inconsistent(String),
    /// A secret is kept somewhere else, and is not there.
    #[error("{origin}: `{key}` is kept in {place}, but {why}")]
    NoSecret {
        /// Where the key is written.
        origin: Origin,
        /// The whole dotted name.
        key: String,
        /// `env:NAME` or `file:PATH`, as written.
        place: String,
        /// What is wrong there.
        why: String,
    },
}

/// Where a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// A line of the file.
    File {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// An environment variable.
    Variable(String),
    /// An owner changed it in chat.
    Chat,
    /// The built-in default.
    Default,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File { path, line } => write!(f, "{}:{line}", path.display()),
            Self::Variable(name) => write!(f, "environment variable {name}"),
            Self::Chat => f.write_str("changed in chat"),
            Self::Default => f.write_str("default"),
        }
    }
}

fn why(mistake: Option<&Mistake>, message: &str) -> String {
    mistake.map_or_else(|| message.to_owned(), ToString::to_string)
}

fn section_name(section: &str) -> String {
    if section.is_empty() {
        "the file".to_owned()
    } else {
        format!("`[{section}]`")
    }
}

fn listed(names: &[&str]) -> String {
    if names.is_empty() {
        return "no keys".to_owned();
    }
    format!("`{}`", names.join("`, `"))
}

fn hint(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |name| {
        format!("\nhint: did you mean `{name}`?")
    })
}

/// What to do about a directory in the place of the file.
fn of_directory(path: &Path) -> String {
    let inside = path.join(FILE_NAME);
    if inside.is_file() {
        return format!("name the file in it: `{}`", inside.display());
    }
    "name the file itself; Docker makes a directory where the file of a bind mount is missing"
        .to_owned()
}

fn shown(value: Option<&str>) -> String {
    value.map_or_else(String::new, |value| format!(" is `{value}`, but"))
}
