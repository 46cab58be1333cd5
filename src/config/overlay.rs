//! What owners changed in chat, laid over what the operator wrote.
//!
//! Few keys may be changed so, and most of them one way only: nothing here lets anybody in, frees
//! anything of asking, names a server or a command, or touches a secret. A change is checked as a
//! start checks what is written. One that what is written now does not allow any more is dropped.

use serde::Deserialize as _;
use toml::Value;

use super::change_base::{Change, Written};
use super::checked::Config;
use super::error::{ConfigError, Origin};
use super::key_paths;
use super::keys::{Key, Kind};
use super::settings::{Setting, Settings};
use super::{check, known_secrets, written};

/// The model that answers unless a session chose another one.
const MODEL: &str = "providers.0.model";
/// The models that may be chosen besides.
const MODELS: &str = "providers.0.models";
/// The factor by which a limit may be raised above its configured value.
const RAISED: f64 = 2.0;

/// How far a key may be changed from what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    /// To whatever could be written.
    Any,
    /// To an earlier one of its words.
    Down,
    /// To [`RAISED`] times what is written; without a limit, only where none is written.
    Twice,
    /// Off, where it is on.
    Off,
    /// To a model that is offered there.
    Offered,
}

/// Every key that may be changed in chat.
const CHANGEABLE: [(&str, Bound); 18] = [
    ("language", Bound::Any),
    ("agent.autonomy", Bound::Down),
    ("agent.routing", Bound::Any),
    ("agent.routing_messages", Bound::Any),
    ("agent.max_steps", Bound::Any),
    ("agent.history_messages", Bound::Twice),
    (MODEL, Bound::Offered),
    ("memory.learning.enabled", Bound::Off),
    ("memory.learning.note", Bound::Any),
    ("tools.web_search.results", Bound::Any),
    ("budget.turn_tokens", Bound::Twice),
    ("budget.turn_money", Bound::Twice),
    ("budget.user_day_tokens", Bound::Twice),
    ("budget.user_day_money", Bound::Twice),
    ("budget.instance_day_tokens", Bound::Twice),
    ("budget.instance_day_money", Bound::Twice),
    ("budget.instance_month_tokens", Bound::Twice),
    ("budget.instance_month_money", Bound::Twice),
];

/// Returns the keys that may be changed in chat.
pub fn changeable() -> impl Iterator<Item = &'static str> {
    CHANGEABLE.iter().map(|(key, _)| *key)
}

/// One key and what it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The dotted key.
    pub key: String,
    /// The value as the file has it; `None` is a secret that is set.
    pub value: Option<String>,
}

/// What became of the changes at a start.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overlay {
    /// Those that hold, the newest of each key.
    pub in_force: Vec<Change>,
    /// Those that what is written does not allow, with the reason.
    pub dropped: Vec<(Change, String)>,
}

impl Written {
    /// Returns the checked configuration of what is written alone.
    pub(super) fn config(&self) -> Result<Config, ConfigError> {
        self.check(&self.settings)
    }

    fn check(&self, settings: &Settings) -> Result<Config, ConfigError> {
        let file = written::ConfigFile::deserialize(settings.to_table())
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

    /// Says why a change may not be made on top of others, if it may not.
    ///
    /// # Errors
    /// The reason, in one line for the user who requested the change.
    pub fn judge(&self, earlier: &[Change], change: &Change) -> Result<(), String> {
        let mut settings = self.with(earlier).0;
        self.lay(&mut settings, change)
    }

    /// Returns what every key is with these changes, by name.
    pub fn lines(&self, changes: &[Change]) -> Vec<Line> {
        let settings = self.with(changes).0;
        let lines = settings.iter().map(|(key, setting)| Line {
            key: key.to_owned(),
            value: (!is_secret(key)).then(|| setting.value.to_string()),
        });
        lines.collect()
    }

    /// Lays changes over what is written, the oldest first; a later one of a key stands for all of
    /// them.
    fn with(&self, changes: &[Change]) -> (Settings, Overlay) {
        let mut settings = self.settings.clone();
        let mut overlay = Overlay::default();
        for (place, change) in changes.iter().enumerate() {
            let is_last = changes[place + 1..].iter().all(|(key, _)| *key != change.0);
            if !is_last {
                continue;
            }
            match self.lay(&mut settings, change) {
                Ok(()) => overlay.in_force.push(change.clone()),
                Err(why) => overlay.dropped.push((change.clone(), why)),
            }
        }
        (settings, overlay)
    }

    /// Lays one change over settings, or says why not and leaves them as they are.
    fn lay(&self, settings: &mut Settings, (path, text): &Change) -> Result<(), String> {
        let may_be_changed = CHANGEABLE.iter().find(|(key, _)| key == path);
        let key = key_paths::find(path).filter(|_| self.settings.has(path));
        let (Some((_, bound)), Some(key)) = (may_be_changed, key) else {
            let known = changeable().collect::<Vec<_>>().join("`, `");
            return Err(format!(
                "`{path}` is not changed in chat; these are: `{known}`"
            ));
        };
        let setting =
            Setting::of_text(key, path, text, Origin::Chat).map_err(|error| error.to_string())?;
        self.within(key, path, *bound, &setting.value)?;
        let mut changed = settings.clone();
        if *bound == Bound::Offered {
            self.offer_the_others(&mut changed, &setting.value);
        }
        changed.set(path.clone(), setting);
        self.check(&changed).map_err(|error| error.to_string())?;
        *settings = changed;
        Ok(())
    }

    fn within(&self, key: &Key, path: &str, bound: Bound, value: &Value) -> Result<(), String> {
        let written = self.settings.value(path);
        let (is_within, allowed) = match bound {
            Bound::Any => (true, String::new()),
            Bound::Down => (
                place(key.kind, value) <= written.and_then(|it| place(key.kind, it)),
                "no higher than what the operator wrote".to_owned(),
            ),
            Bound::Off => (
                value.as_bool() == Some(false) || Some(value) == written,
                "`false`, or as the operator wrote it".to_owned(),
            ),
            Bound::Twice => {
                let most = written.and_then(number).unwrap_or_default() * RAISED;
                let wanted = number(value).unwrap_or_default();
                let is_within = most == 0.0 || (wanted > 0.0 && wanted <= most);
                (is_within, format!("above 0 and at most {most}"))
            }
            Bound::Offered => {
                let offered = self.offered();
                let is_within = value.as_str().is_some_and(|name| offered.contains(&name));
                (is_within, format!("one of `{}`", offered.join("`, `")))
            }
        };
        if is_within {
            return Ok(());
        }
        Err(format!("`{path}` may be {allowed}, and not {value}"))
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
