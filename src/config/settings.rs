//! The configured values, key by key, with their origins: the layers before they are checked.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::error::{ConfigError, Fault, Origin};
use super::key_paths;
use super::keys::{self, Key, Kind};
use super::messages::{Hint, Reason, Rule};
use super::{several, suggest};

/// Longer values are cut in refusals.
const SHOWN_CHARACTERS: usize = 60;

/// Keys that were written, by their dotted name (`providers.0.model`).
#[derive(Clone, Default)]
pub(super) struct Settings {
    values: BTreeMap<String, Setting>,
    sections: BTreeMap<String, Origin>,
}

/// One value and where it was written.
#[derive(Clone)]
pub(super) struct Setting {
    /// The value, of the right type and in its range.
    pub(super) value: Value,
    /// What a refusal may show of it; `None` for secrets.
    pub(super) shown: Option<String>,
    /// Where it was written.
    pub(super) origin: Origin,
}

impl Setting {
    /// Reads the text of a variable or a default.
    pub(super) fn of_text(
        key: &Key,
        path: &str,
        text: &str,
        origin: Origin,
    ) -> Result<Self, ConfigError> {
        let shown = shown(key.kind, text);
        if let Some(value) = key.kind.read_text(text) {
            return Ok(Self {
                value,
                shown,
                origin,
            });
        }
        // Files of variables keep their quotes, which a shell would take off.
        let meant = unquoted(text).and_then(|text| key.kind.read_text(text));
        let fault = Fault::Refused {
            value: shown,
            allowed: key.kind.rule(),
            hint: meant.map(|_| Hint::WithoutQuotes),
        };
        Err(ConfigError::of_key(origin, path, fault))
    }
}

/// Returns what stands between quotes.
fn unquoted(text: &str) -> Option<&str> {
    let text = text.trim();
    let inner = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    inner('"').or_else(|| inner('\''))
}

impl Settings {
    /// Sets a key, also over an earlier value.
    pub(super) fn set(&mut self, path: impl Into<String>, setting: Setting) {
        self.values.insert(path.into(), setting);
    }

    /// Notes that a section was written, even when nothing stands in it.
    pub(super) fn set_section(&mut self, section: impl Into<String>, origin: Origin) {
        self.sections.insert(section.into(), origin);
    }

    /// Lays `upper` over these settings.
    pub(super) fn cover_with(&mut self, upper: Self) {
        self.values.extend(upper.values);
        self.sections.extend(upper.sections);
    }

    /// Returns every key that is set, by name.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&str, &Setting)> {
        let settings = self.values.iter();
        settings.map(|(path, setting)| (path.as_str(), setting))
    }

    /// Returns what a key is set to.
    pub(super) fn value(&self, path: &str) -> Option<&Value> {
        self.values.get(path).map(|setting| &setting.value)
    }

    /// Changes what a key is set to, if it is set.
    pub(super) fn replace(&mut self, path: &str, value: Value) {
        if let Some(setting) = self.values.get_mut(path) {
            setting.value = value;
        }
    }

    /// Returns whether a key is set.
    pub(super) fn has(&self, path: &str) -> bool {
        self.values.contains_key(path)
    }

    /// Returns what was written for the keys that take secrets: texts, `env:NAME`, `file:PATH`.
    pub(super) fn secrets(&self) -> impl Iterator<Item = &str> {
        let secrets = self.values.iter().filter_map(|(path, setting)| {
            let kind = key_paths::find(path)?.kind;
            kind.is_secret().then_some((kind, setting))
        });
        secrets.flat_map(|(kind, setting)| {
            let several = setting.value.as_array().into_iter().flatten();
            let texts = several.filter_map(Value::as_str);
            let texts = setting.value.as_str().into_iter().chain(texts);
            texts.map(move |text| match (kind, text.split_once('=')) {
                (Kind::Variables, Some((_, value))) => value,
                _ => text,
            })
        })
    }

    /// Returns whether a section was written, or a key right in it.
    pub(super) fn has_section(&self, section: &str) -> bool {
        self.sections.contains_key(section) || self.values.keys().any(|path| is_in(path, section))
    }

    /// Returns whether a section has named accounts in it.
    pub(super) fn has_accounts(&self, section: &str) -> bool {
        !self.accounts_of(section).is_empty()
    }

    /// Returns the sections of the named accounts in a section.
    fn accounts_of(&self, section: &str) -> BTreeSet<String> {
        let written = self.values.keys().chain(self.sections.keys());
        written
            .filter_map(|path| several::split(path))
            .filter(|named| named.section == section)
            .map(|named| format!("{section}.{}", named.account))
            .collect()
    }

    /// Returns how many items a list of tables has: one more than the highest number written.
    pub(super) fn items_of(&self, list: &str) -> usize {
        let written = self.values.keys().chain(self.sections.keys());
        written
            .filter_map(|path| {
                key_paths::item_number(
                    path.strip_prefix(list)?
                        .strip_prefix('.')?
                        .split('.')
                        .next()?,
                )
            })
            .max()
            .map_or(0, |highest| highest + 1)
    }

    /// Sets every default that was not overridden, in the sections that are present.
    pub(super) fn fill_defaults(&mut self) -> Result<(), ConfigError> {
        for key in keys::all() {
            let Some(text) = key.default else { continue };
            for path in self.places_of(key) {
                if !self.has(&path) {
                    let setting = Setting::of_text(key, &path, text, Origin::Default)?;
                    self.set(path, setting);
                }
            }
        }
        Ok(())
    }

    /// Returns the dotted names that a key has here: one for each list item and each account, none
    /// in a channel that is not configured.
    fn places_of(&self, key: &Key) -> Vec<String> {
        if let Some((list, name)) = key.path.split_once(".*.") {
            return (0..self.items_of(list))
                .map(|item| format!("{list}.{item}.{name}"))
                .collect();
        }
        let (section, name) = key.path.rsplit_once('.').unwrap_or(("", key.path));
        if !several::has_accounts(section) {
            return vec![key.path.to_owned()];
        }
        let plain = self.has_section(section).then(|| section.to_owned());
        plain
            .into_iter()
            .chain(self.accounts_of(section))
            .map(|account| format!("{account}.{name}"))
            .collect()
    }

    /// Refuses a value that has the right type and still cannot be used.
    pub(super) fn refuse(&self, path: &str, allowed: Rule) -> ConfigError {
        self.refuse_with(path, allowed, None)
    }

    /// Refuses a value, with a hint on how what was meant is written.
    pub(super) fn refuse_with(&self, path: &str, allowed: Rule, hint: Option<Hint>) -> ConfigError {
        let setting = self.values.get(path);
        let fault = Fault::Refused {
            value: setting.and_then(|setting| setting.shown.clone()),
            allowed,
            hint,
        };
        ConfigError::of_key(self.origin(path), path, fault)
    }

    /// Refuses a section in which a key is missing.
    pub(super) fn missing(
        &self,
        section: &str,
        name: &str,
        because: Reason,
        hint: Hint,
    ) -> ConfigError {
        let fault = Fault::Missing { because, hint };
        ConfigError::of_key(
            self.section_origin(section),
            format!("{section}.{name}"),
            fault,
        )
    }

    /// Returns where a key was written.
    pub(super) fn origin(&self, path: &str) -> Origin {
        self.values
            .get(path)
            .map_or(Origin::Default, |setting| setting.origin.clone())
    }

    /// Returns where a section was written, or the first key in it.
    pub(super) fn section_origin(&self, section: &str) -> Origin {
        let first_key = || {
            self.values
                .iter()
                .find(|(path, setting)| is_in(path, section) && setting.origin != Origin::Default)
                .map(|(_, setting)| setting.origin.clone())
        };
        let written = self.sections.get(section).cloned();
        written.or_else(first_key).unwrap_or(Origin::Default)
    }

    /// Returns the settings as the file would have them, with every account in a table of its own.
    pub(super) fn to_table(&self) -> Table {
        let mut root = Table::new();
        for section in self.sections.keys() {
            table_at(&mut root, &several::in_tables(section));
        }
        for (path, setting) in &self.values {
            let (section, name) = path.rsplit_once('.').unwrap_or(("", path));
            if let Some(table) = table_at(&mut root, &several::in_tables(section)) {
                table.insert(name.to_owned(), setting.value.clone());
            }
        }
        root
    }
}

/// Returns whether a key stands right in a section, and not in one below it.
fn is_in(path: &str, section: &str) -> bool {
    path.rsplit_once('.')
        .is_some_and(|(holder, _)| holder == section)
}

/// Returns the table of a section, made when missing; a number is an item of a list.
fn table_at<'t>(root: &'t mut Table, section: &str) -> Option<&'t mut Table> {
    let mut table = root;
    let mut steps = section
        .split('.')
        .filter(|step| !step.is_empty())
        .peekable();
    while let Some(step) = steps.next() {
        let item = steps.next_if(|next| key_paths::item_number(next).is_some());
        table = match item.and_then(key_paths::item_number) {
            Some(item) => item_at(table, step, item)?,
            None => table
                .entry(step)
                .or_insert_with(|| Value::Table(Table::new()))
                .as_table_mut()?,
        };
    }
    Some(table)
}

fn item_at<'t>(table: &'t mut Table, list: &str, item: usize) -> Option<&'t mut Table> {
    let items = table
        .entry(list)
        .or_insert_with(|| Value::Array(Vec::new()))
        .as_array_mut()?;
    while items.len() <= item {
        items.push(Value::Table(Table::new()));
    }
    items.get_mut(item)?.as_table_mut()
}

/// Returns what a refusal may show of a value: its first line, cut, and nothing of a secret.
pub(super) fn shown(kind: Kind, text: &str) -> Option<String> {
    if kind.is_secret() {
        return None;
    }
    let line = text.lines().next().unwrap_or_default();
    // An address may carry a password between `//` and `@`.
    if line.contains("://") && line.contains('@') {
        return None;
    }
    let cut: String = line.chars().take(SHOWN_CHARACTERS).collect();
    Some(if cut.len() < text.len() {
        cut + "…"
    } else {
        cut
    })
}

/// Refuses a key that does not exist, naming what may stand there.
pub(super) fn unknown_key(path: &str, origin: Origin) -> ConfigError {
    let mut section = path;
    let mut name = path;
    // Climb to the innermost section that exists: `bus.url` is an unknown section of the file.
    while let Some((parent, step)) = section.rsplit_once('.') {
        (section, name) = (parent, step);
        if key_paths::is_section(section) {
            break;
        }
    }
    if !key_paths::is_section(section) {
        name = section;
        section = "";
    }
    let allowed = key_paths::names_in(section);
    let fault = Fault::Unknown {
        nearest: suggest::nearest(name, &allowed),
        section: section.to_owned(),
        allowed,
    };
    ConfigError::of_key(origin, path, fault)
}
