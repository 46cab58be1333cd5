//! Why a configuration cannot be used: where, which key, what it says and what is allowed.
//!
//! The value of a secret key is in no variant, so no text can show it.

use std::error::Error;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use sayso_channel::Language;

use super::file_name::FILE_NAME;
use super::messages::{Found, Hint, Mistake, NamedBy, Names, Reason, Rule, Sentence, Written};

/// Why a configuration cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConfigError {
    /// A file that was named is not there.
    NoFile {
        /// The file.
        path: PathBuf,
        /// What named it.
        named_by: NamedBy,
    },
    /// A directory stands where a file is wanted.
    Directory {
        /// The directory.
        path: PathBuf,
        /// What named it.
        named_by: NamedBy,
    },
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: Reason,
    },
    /// The file is not TOML.
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
    /// Something is wrong with one key.
    Key(Box<KeyError>),
    /// The keys and the types disagree: an internal error.
    Inconsistent(String),
}

/// What is wrong with one key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    /// Where it is written, or its section.
    pub origin: Origin,
    /// The whole dotted name.
    pub key: String,
    /// What is wrong.
    pub fault: Fault,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It does not exist.
    Unknown {
        /// The section that it stands in; "" is the top of the file.
        section: String,
        /// What may stand there.
        allowed: Vec<&'static str>,
        /// What was probably meant.
        nearest: Option<&'static str>,
    },
    /// Its value is not allowed.
    Refused {
        /// What is written, cut to one short line; `None` for secrets.
        value: Option<String>,
        /// What is allowed.
        allowed: Rule,
        /// How what was meant is written.
        hint: Option<Hint>,
    },
    /// Its value is of another type.
    WrongType {
        /// What it is; the value of a secret is not in it.
        found: Found,
        /// What is allowed.
        allowed: Rule,
        /// How what was meant is written.
        hint: Option<Hint>,
    },
    /// It must be set, and is not.
    Missing {
        /// Why it is needed.
        because: Reason,
        /// How to set it.
        hint: Hint,
    },
    /// It is a secret that is kept somewhere else, and is not there.
    NoSecret {
        /// `env:NAME` or `file:PATH`, as written.
        place: String,
        /// What is wrong there.
        why: Reason,
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

impl ConfigError {
    /// Returns what is wrong with one key.
    pub(super) fn of_key(origin: Origin, key: impl Into<String>, fault: Fault) -> Self {
        Self::Key(Box::new(KeyError {
            origin,
            key: key.into(),
            fault,
        }))
    }

    /// Returns the refusal with its hint, in a language.
    pub fn in_words(&self, language: Language) -> String {
        let sentence = self.sentence(language).in_words(language);
        match self.hint() {
            Some(hint) => {
                let hint = hint.in_words(language);
                format!("{sentence}\n{}", Sentence::Hint { hint }.in_words(language))
            }
            None => sentence,
        }
    }

    fn sentence(&self, language: Language) -> Sentence {
        let name = |path: &Path| path.display().to_string();
        match self {
            Self::NoFile { path, named_by } => Sentence::NoFile {
                path: name(path),
                named_by: named_by.in_words(language),
            },
            Self::Directory { path, named_by } => Sentence::Directory {
                path: name(path),
                named_by: named_by.in_words(language),
            },
            Self::Unreadable { path, why } => Sentence::Unreadable {
                path: name(path),
                why: why.in_words(language),
            },
            Self::Syntax {
                path,
                line,
                column,
                message,
                mistake,
            } => Sentence::Syntax {
                path: name(path),
                line: *line,
                column: *column,
                why: why(mistake.as_ref(), message, language),
            },
            Self::Key(error) => Sentence::Key {
                place: error.origin.in_words(language),
                fault: error.sentence(language).in_words(language),
            },
            Self::Inconsistent(why) => Sentence::Inconsistent { why: why.clone() },
        }
    }

    fn hint(&self) -> Option<Hint> {
        match self {
            Self::Directory { path, .. } => Some(of_directory(path)),
            Self::Unreadable {
                why: Reason::Utf16 | Reason::LineNotUtf8 { .. },
                ..
            } => Some(Hint::SaveAsUtf8),
            Self::Key(error) => error.hint(),
            Self::NoFile { .. }
            | Self::Unreadable { .. }
            | Self::Syntax { .. }
            | Self::Inconsistent(_) => None,
        }
    }
}

impl KeyError {
    fn sentence(&self, language: Language) -> Sentence {
        let key = self.key.clone();
        match &self.fault {
            Fault::Unknown {
                section, allowed, ..
            } => Sentence::UnknownKey {
                key,
                section: section_name(section, language),
                allowed: listed(allowed, language),
            },
            Fault::Refused {
                value: Some(value),
                allowed,
                ..
            } => Sentence::Refused {
                key,
                value: value.clone(),
                allowed: allowed.in_words(language),
            },
            Fault::Refused {
                value: None,
                allowed,
                ..
            } => Sentence::RefusedUnseen {
                key,
                allowed: allowed.in_words(language),
            },
            Fault::WrongType { found, allowed, .. } => Sentence::WrongType {
                key,
                found: found.in_words(language),
                allowed: allowed.in_words(language),
            },
            Fault::Missing { because, .. } => Sentence::Missing {
                key,
                because: because.in_words(language),
            },
            Fault::NoSecret { place, why } => Sentence::NoSecret {
                key,
                place: place.clone(),
                why: why.in_words(language),
            },
        }
    }

    fn hint(&self) -> Option<Hint> {
        match &self.fault {
            Fault::Unknown { nearest, .. } => nearest.map(|word| Hint::Nearest { word }),
            Fault::Refused { hint, .. } | Fault::WrongType { hint, .. } => hint.clone(),
            Fault::Missing { hint, .. } => Some(hint.clone()),
            Fault::NoSecret { .. } => None,
        }
    }
}

impl Display for ConfigError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Language::English))
    }
}

impl Error for ConfigError {}

impl Origin {
    /// Returns the place in a language.
    pub fn in_words(&self, language: Language) -> String {
        let sentence = match self {
            Self::File { path, line } => return format!("{}:{line}", path.display()),
            Self::Variable(name) => Sentence::OfVariable { name: name.clone() },
            Self::Chat => Sentence::OfChat,
            Self::Default => Sentence::OfDefault,
        };
        sentence.in_words(language)
    }
}

fn why(mistake: Option<&Mistake>, message: &str, language: Language) -> String {
    let message = message.to_owned();
    match mistake {
        Some(mistake) => mistake.in_words(language),
        None => Sentence::Parser { message }.in_words(language),
    }
}

fn section_name(section: &str, language: Language) -> String {
    if section.is_empty() {
        Sentence::TheFile.in_words(language)
    } else {
        format!("`[{section}]`")
    }
}

fn listed(names: &[&str], language: Language) -> String {
    if names.is_empty() {
        return Sentence::NoKeys.in_words(language);
    }
    let names = Names(names.iter().map(|name| (*name).to_owned()).collect());
    names.written(language)
}

/// What to do about a directory in the place of the file.
fn of_directory(path: &Path) -> Hint {
    let inside = path.join(FILE_NAME);
    if inside.is_file() {
        let path = inside.display().to_string();
        return Hint::FileInside { path };
    }
    Hint::FileItself
}
