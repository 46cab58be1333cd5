//! What owners changed in chat, laid over what the operator wrote.
//!
//! Few keys may be changed so, and most of them one way only: nothing here lets anybody in, frees
//! anything of asking, names a server or a command, or touches a secret. A change is checked as a
//! start checks what is written. One that what is written now does not allow any more is dropped.

use std::error::Error;
use std::fmt::{self, Display, Formatter};

use sayso_channel::Language;
use serde::Deserialize as _;
use toml::Value;

use super::change_base::{Change, Written};
use super::checked::Config;
use super::error::{ConfigError, Origin};
use super::key_paths;
use super::keys::{self, Bound, Key, Kind};
use super::messages::{Names, OutOfBounds};
use super::settings::{Setting, Settings};
use super::{check, known_secrets};

/// The model that answers unless a session chose another one.
const MODEL: &str = "providers.0.model";
/// The models that may be chosen besides.
const MODELS: &str = "providers.0.models";
/// The factor by which a limit may be raised above its configured value.
const RAISED: f64 = 2.0;

/// Returns the keys that may be changed in chat; of a list, those of its first item.
pub fn changeable() -> impl Iterator<Item = &'static str> {
    bounds().map(|(path, ..)| path)
}

/// Returns each key that may be changed, with its place and how far.
fn bounds() -> impl Iterator<Item = (&'static str, &'static Key, Bound)> {
    keys::all().filter_map(|key| {
        let bound = key.bound?;
        let path = if bound == Bound::Offered {
            MODEL
        } else {
            key.path
        };
        Some((path, key, bound))
    })
}

/// Why a change may not be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChangeRefused {
    /// It goes further than a change in chat may.
    Bounds(OutOfBounds),
    /// It could not be written either.
    Config(ConfigError),
}

impl ChangeRefused {
    /// Returns the reason in a language.
    pub fn in_words(&self, language: Language) -> String {
        match self {
            Self::Bounds(bounds) => bounds.in_words(language),
            Self::Config(error) => error.in_words(language),
        }
    }
}

impl Display for ChangeRefused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_words(Language::English))
    }
}

impl Error for ChangeRefused {}

impl From<ConfigError> for ChangeRefused {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

/// One key and what it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The dotted key.
    pub key: String,
    /// The value as the file has it; `None` is a secret that is set.
    pub value: Option<String>,
    /// Where it comes from.
    pub origin: Origin,
}

/// What became of the changes at a start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    /// Those that hold, the newest of each key.
    pub in_force: Vec<Change>,
    /// Those that what is written does not allow, with the reason.
    pub dropped: Vec<(Change, ChangeRefused)>,
}

impl Written {
    /// Returns the checked configuration of what is written alone.
    pub(super) fn config(&self) -> Result<Config, ConfigError> {
        self.check(&self.settings)
    }

    fn check(&self, settings: &Settings) -> Result<Config, ConfigError> {
        let file = keys::ConfigFile::deserialize(settings.to_table())
            .map_err(|error| ConfigError::Inconsistent(error.message().to_owned()))?;
        let check = check::Check {
            settings,
            environment: &self.environment,
        };
        let mut config = check.config(file)?;
        config.known_secrets = known_secrets::gather(&config, &self.environment);
        config.late_secrets = self.late_secrets.clone();
        Ok(config)
    }

    /// Says why a key may not get a value on top of earlier changes, if it may not.
    ///
    /// # Errors
    /// The reason, for the user who requested the change.
    pub fn judge(&self, earlier: &[Change], key: &str, value: &str) -> Result<(), ChangeRefused> {
        let mut settings = self.with(earlier).0;
        self.lay(&mut settings, key, value)
    }

    /// Returns what every key is with these changes, by name.
    pub fn lines(&self, changes: &[Change]) -> Vec<Line> {
        let settings = self.with(changes).0;
        let lines = settings.iter().map(|(key, setting)| Line {
            key: key.to_owned(),
            value: (!is_secret(key)).then(|| setting.value.to_string()),
            origin: setting.origin.clone(),
        });
        lines.collect()
    }

    /// Lays changes over what is written, the oldest first; a later one of a key stands for all of
    /// them.
    fn with(&self, changes: &[Change]) -> (Settings, Overlay) {
        let mut settings = self.settings.clone();
        let mut overlay = Overlay::default();
        for (place, change) in changes.iter().enumerate() {
            let (key, value) = change;
            let is_last = changes[place + 1..].iter().all(|(later, _)| later != key);
            if !is_last {
                continue;
            }
            match self.lay(&mut settings, key, value) {
                Ok(()) => overlay.in_force.push(change.clone()),
                Err(why) => overlay.dropped.push((change.clone(), why)),
            }
        }
        (settings, overlay)
    }

    /// Lays one change over settings, or says why not and leaves them as they are.
    fn lay(&self, settings: &mut Settings, path: &str, text: &str) -> Result<(), ChangeRefused> {
        let may_be_changed = bounds().find(|(key, ..)| *key == path);
        let Some((_, key, bound)) = may_be_changed.filter(|_| self.settings.has(path)) else {
            return Err(ChangeRefused::Bounds(OutOfBounds::NotInChat {
                key: path.to_owned(),
                known: Names(changeable().map(str::to_owned).collect()),
            }));
        };
        let setting = Setting::of_text(key, path, text, Origin::Chat)?;
        self.within(key, path, bound, &setting.value)
            .map_err(ChangeRefused::Bounds)?;
        let mut changed = settings.clone();
        if bound == Bound::Offered {
            self.offer_the_others(&mut changed, &setting.value);
        }
        changed.set(path.to_owned(), setting);
        self.check(&changed)?;
        *settings = changed;
        Ok(())
    }

    fn within(
        &self,
        key: &Key,
        path: &str,
        bound: Bound,
        changed: &Value,
    ) -> Result<(), OutOfBounds> {
        let written = self.settings.value(path);
        let (key_name, value) = (path.to_owned(), changed.to_string());
        let refused = |is_within: bool, refusal| if is_within { Ok(()) } else { Err(refusal) };
        match bound {
            Bound::Any => Ok(()),
            Bound::Down => refused(
                place(key.kind, changed) <= written.and_then(|it| place(key.kind, it)),
                OutOfBounds::NoHigher {
                    key: key_name,
                    value,
                },
            ),
            Bound::Off => refused(
                changed.as_bool() == Some(false) || Some(changed) == written,
                OutOfBounds::OnlyOff {
                    key: key_name,
                    value,
                },
            ),
            Bound::Twice => {
                let most = written.and_then(number).unwrap_or_default() * RAISED;
                let wanted = number(changed).unwrap_or_default();
                refused(
                    most == 0.0 || (wanted > 0.0 && wanted <= most),
                    OutOfBounds::AtMost {
                        key: key_name,
                        most: most.to_string(),
                        value,
                    },
                )
            }
            Bound::Offered => {
                let models = self.offered();
                refused(
                    changed.as_str().is_some_and(|name| models.contains(&name)),
                    OutOfBounds::NotOffered {
                        key: key_name,
                        models: Names(models.into_iter().map(str::to_owned).collect()),
                        value,
                    },
                )
            }
        }
    }

    /// Returns the models of the first provider, its own first.
    fn offered(&self) -> Vec<&str> {
        let own = self.settings.value(MODEL).and_then(Value::as_str);
        let others = self.settings.value(MODELS).and_then(Value::as_array);
        let others = others.into_iter().flatten().filter_map(Value::as_str);
        own.into_iter().chain(others).collect()
    }

    /// The model that answered before is offered in the place of the one that answers now.
    fn offer_the_others(&self, settings: &mut Settings, chosen: &Value) {
        let offered = self.offered().into_iter();
        let others = offered
            .filter(|name| chosen.as_str() != Some(name))
            .map(|name| Value::String(name.to_owned()));
        settings.replace(MODELS, Value::Array(others.collect()));
    }
}

/// Returns the place of a word among those that a key takes.
fn place(kind: Kind, value: &Value) -> Option<usize> {
    let Kind::Choice(words) = kind else {
        return None;
    };
    words.iter().position(|word| value.as_str() == Some(word))
}

fn number(value: &Value) -> Option<f64> {
    let whole = value.as_integer().map(|whole| whole as f64);
    whole.or_else(|| value.as_float())
}

fn is_secret(path: &str) -> bool {
    key_paths::find(path).is_none_or(|key| key.kind.is_secret())
}

impl Config {
    /// Lays what owners changed over this configuration, and says what became of it.
    #[must_use]
    pub fn covered_with(mut self, changes: &[Change]) -> (Self, Overlay) {
        let (settings, overlay) = self.written.with(changes);
        if overlay.in_force.is_empty() {
            return (self, overlay);
        }
        // Each change was checked like this before it was let in.
        let Ok(covered) = self.written.check(&settings) else {
            return (self, Overlay::default());
        };
        for (key, _) in &overlay.in_force {
            self.take(key, &covered);
        }
        self.changed.clone_from(&overlay.in_force);
        (self, overlay)
    }

    /// Copies the value of a key from the same configuration with changes. Other choices of the
    /// command line are kept.
    fn take(&mut self, key: &str, covered: &Self) {
        match key.split('.').next().unwrap_or(key) {
            "language" => self.language = covered.language,
            "agent" => {
                self.agent = covered.agent;
                self.policy.autonomy = covered.policy.autonomy;
            }
            "providers" => self.providers.clone_from(&covered.providers),
            "memory" => self.learning = covered.learning,
            "tools" => self.web_search.clone_from(&covered.web_search),
            "budget" => self.budget.clone_from(&covered.budget),
            other => tracing::error!(section = other, "ignored the changes of this section"),
        }
    }
}
