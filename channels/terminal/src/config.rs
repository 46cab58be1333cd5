//! What the terminal channel must be told.

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

use sayso_channel::{ChannelName, Language};

/// What the terminal channel must be told.
#[derive(Debug, Clone)]
pub struct TerminalConfig {
    /// The channel's name in the configuration.
    pub name: ChannelName,
    /// How the person at the terminal is called.
    pub person: String,
    /// The language of our own words on the screen.
    pub language: Language,
    /// Where typed lines are kept for the next start; `None` keeps them until the end only.
    pub history_file: Option<PathBuf>,
    /// What is hidden in a typed line before it becomes history.
    pub history_filter: HistoryFilter,
    /// When a line is heard that was written before the last one was answered.
    pub pace: LinePace,
    /// Who shows what is typed.
    pub echo: Echo,
}

impl TerminalConfig {
    /// Returns the settings of a chat in English without history, where every line is heard at
    /// once.
    pub fn new(name: impl Into<ChannelName>, person: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            person: person.into(),
            language: Language::English,
            history_file: None,
            history_filter: HistoryFilter::default(),
            pace: LinePace::AtOnce,
            echo: Echo::Theirs,
        }
    }
}

/// Hides secrets in a line before it becomes history. The default hides nothing.
#[derive(Clone)]
pub struct HistoryFilter(Arc<dyn Fn(&str) -> String + Send + Sync>);

impl HistoryFilter {
    /// Returns a filter that replaces each line by what this makes of it.
    pub fn new(hide: impl Fn(&str) -> String + Send + Sync + 'static) -> Self {
        Self(Arc::new(hide))
    }

    /// Returns the line in the form in which it is stored.
    pub(crate) fn apply(&self, line: &str) -> String {
        (self.0)(line)
    }
}

impl Default for HistoryFilter {
    fn default() -> Self {
        Self::new(str::to_owned)
    }
}

impl fmt::Debug for HistoryFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HistoryFilter").finish_non_exhaustive()
    }
}

/// When a line is heard that was written before the last one was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinePace {
    /// At once: a person types it and knows what is on the screen.
    AtOnce,
    /// After the answer: the lines are a script, and the next one may be the `y` for a card.
    AfterAnswer,
}

/// Who shows what is typed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Echo {
    /// The input side: a keyboard echoes its lines itself, and a pipe shows none.
    Theirs,
    /// We do: the lines are a script that somebody watches.
    Ours,
}
