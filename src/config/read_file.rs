//! The file, as TOML, into settings: every key known, every value of its type and in its range.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::error::{ConfigError, Fault, Origin};
use super::key_paths;
use super::keys;
use super::messages::{Mistake, Reason, Rule};
use super::settings::{self, Setting, Settings};
use super::several;
use super::suggest;
use super::wrong_type::{WrongType, wrong_type};

/// Longer files are no configuration.
const MOST_BYTES: u64 = 1024 * 1024;

/// Reads a file.
pub(super) fn read_file(path: &Path) -> Result<Settings, ConfigError> {
    let unreadable = |why: Reason| ConfigError::Unreadable {
        path: path.to_owned(),
        why,
    };
    let failed = |error: io::Error| {
        unreadable(Reason::System {
            error: error.to_string(),
        })
    };
    let size = fs::metadata(path).map_err(failed)?.len();
    if size > MOST_BYTES {
        return Err(unreadable(Reason::TooLong { bytes: size }));
    }
    let bytes = fs::read(path).map_err(failed)?;
    if is_utf16(&bytes) {
        return Err(unreadable(Reason::Utf16));
    }
    let text = String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = error.as_bytes().get(..valid).unwrap_or_default();
        let line = before.split(|byte| *byte == b'\n').count();
        unreadable(Reason::LineNotUtf8 { line })
    })?;
    read_text(path, &text)
}

/// Returns whether a file is in UTF-16, as some editors of Windows save one: by its mark, or by the
/// zero bytes that TOML cannot have.
fn is_utf16(bytes: &[u8]) -> bool {
    let zeros = bytes.split(|byte| *byte == 0).count() - 1;
    bytes.starts_with(b"\xff\xfe") || bytes.starts_with(b"\xfe\xff") || zeros * 4 > bytes.len()
}

/// Reads the text of a file; `path` is for the words of a refusal.
pub(super) fn read_text(path: &Path, text: &str) -> Result<Settings, ConfigError> {
    let file = WrittenFile { path, text };
    let root = DeTable::parse(text).map_err(|error| file.syntax(&error))?;
    let mut settings = Settings::default();
    file.read_table("", root.get_ref(), &mut settings)?;
    Ok(settings)
}

/// Returns whether a name that a section may have is one: `tokn = "x"` is a mistyped key, no
/// account.
fn may_be_section(path: &str, value: &Spanned<DeValue<'_>>) -> bool {
    !several::is_account(path) || value.get_ref().is_table()
}

/// Returns whether a platform's own section is there only because those of its accounts are.
fn holds_only_accounts(path: &str, table: &DeTable<'_>) -> bool {
    several::has_accounts(path)
        && !table.is_empty()
        && table.values().all(|value| value.get_ref().is_table())
}

fn refused(
    kind: keys::Kind,
    path: &str,
    value: &DeValue<'_>,
    shown: Option<String>,
    origin: Origin,
) -> ConfigError {
    let name = path.rsplit('.').next().unwrap_or(path);
    let fault = match wrong_type(kind, name, value, shown.as_deref()) {
        Some(WrongType { found, hint }) => Fault::WrongType {
            found,
            allowed: kind.rule(),
            hint,
        },
        None => Fault::Refused {
            value: shown,
            allowed: kind.rule(),
            hint: suggest::meant_word(kind, path, value.as_str().unwrap_or_default()),
        },
    };
    ConfigError::of_key(origin, path, fault)
}

/// Refuses what stands in the place of a section, of which nothing is shown.
fn no_such_section(path: &str, allowed: Rule, origin: Origin) -> ConfigError {
    let fault = Fault::Refused {
        value: None,
        allowed,
        hint: None,
    };
    ConfigError::of_key(origin, path, fault)
}

/// A file and where it is, for origins.
struct WrittenFile<'a> {
    path: &'a Path,
    text: &'a str,
}

impl WrittenFile<'_> {
    fn read_table(
        &self,
        section: &str,
        table: &DeTable<'_>,
        settings: &mut Settings,
    ) -> Result<(), ConfigError> {
        for (name, value) in table {
            let path = match section {
                "" => name.get_ref().to_string(),
                section => format!("{section}.{}", name.get_ref()),
            };
            let is_named = several::is_account(&path) && value.get_ref().is_table();
            if several::has_only_named(section) && !is_named {
                let origin = self.origin(&name.span());
                let rule = match section {
                    several::PROJECTS => Rule::ProjectSection,
                    _ => Rule::SecretSection,
                };
                return Err(no_such_section(&path, rule, origin));
            }
            if let Some(key) = key_paths::find(&path) {
                let setting = self.read_value(key, &path, value)?;
                settings.set(path, setting);
            } else if key_paths::is_section(&path) && may_be_section(&path, value) {
                self.read_section(&path, value, settings)?;
            } else if several::has_accounts(section) && value.get_ref().is_table() {
                let origin = self.origin(&name.span());
                return Err(no_such_section(&path, Rule::AccountName, origin));
            } else {
                return Err(settings::unknown_key(&path, self.origin(&name.span())));
            }
        }
        Ok(())
    }

    fn read_section(
        &self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        settings: &mut Settings,
    ) -> Result<(), ConfigError> {
        match value.get_ref() {
            DeValue::Table(table) if !key_paths::is_list(path) => {
                if !holds_only_accounts(path, table) {
                    settings.set_section(path, self.origin(&value.span()));
                }
                self.read_table(path, table, settings)
            }
            DeValue::Array(items) if key_paths::is_list(path) => {
                for (number, item) in items.iter().enumerate() {
                    let path = format!("{path}.{number}");
                    let Some(table) = item.get_ref().as_table() else {
                        return Err(self.no_section(&path, item));
                    };
                    if !key_paths::is_section(&path) {
                        return Err(settings::unknown_key(&path, self.origin(&item.span())));
                    }
                    settings.set_section(path.as_str(), self.origin(&item.span()));
                    self.read_table(&path, table, settings)?;
                }
                Ok(())
            }
            _ => Err(self.no_section(path, value)),
        }
    }

    fn read_value(
        &self,
        key: &keys::Key,
        path: &str,
        value: &Spanned<DeValue<'_>>,
    ) -> Result<Setting, ConfigError> {
        let origin = self.origin(&value.span());
        let shown = settings::shown(key.kind, self.written(&value.span()));
        match key.kind.read_toml(value.get_ref()) {
            Some(value) => Ok(Setting {
                value,
                shown,
                origin,
            }),
            None => Err(refused(key.kind, path, value.get_ref(), shown, origin)),
        }
    }

    fn no_section(&self, path: &str, value: &Spanned<DeValue<'_>>) -> ConfigError {
        let first = path.split('.').next().unwrap_or(path);
        let allowed = if key_paths::is_list(first) {
            let list = first.to_owned();
            Rule::Sections { list }
        } else {
            let path = path.to_owned();
            Rule::Section { path }
        };
        no_such_section(path, allowed, self.origin(&value.span()))
    }

    fn syntax(&self, error: &toml::de::Error) -> ConfigError {
        let (line, column) = self.position(error.span().map_or(0, |span| span.start));
        ConfigError::Syntax {
            path: self.path.to_owned(),
            line,
            column,
            message: error.message().to_owned(),
            mistake: self.text.lines().nth(line - 1).and_then(Mistake::in_line),
        }
    }

    fn origin(&self, span: &Range<usize>) -> Origin {
        Origin::File {
            path: self.path.to_owned(),
            line: self.position(span.start).0,
        }
    }

    /// Returns what stands at a place, a text without its quotes.
    fn written(&self, span: &Range<usize>) -> &str {
        self.text
            .get(span.clone())
            .unwrap_or_default()
            .trim_matches(['"', '\''])
    }

    /// Returns line and character of a byte, from 1.
    fn position(&self, byte: usize) -> (usize, usize) {
        let before = self.text.get(..byte).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before
            .rsplit('\n')
            .next()
            .unwrap_or_default()
            .chars()
            .count()
            + 1;
        (line, column)
    }
}
