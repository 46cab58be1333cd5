//! What a question wants beside its words: the form and the length of its answer, how often it is
//! asked, and who hears what the service does before it answers.

use std::fmt;

use super::AnswerForm;

/// What a question wants beside its words. By default: any answer, as long as the configuration
/// lets it be, asked again while that may help.
#[derive(Debug, Clone, Copy, Default)]
pub struct ChatOptions<'a> {
    /// The form of the answer, where a program reads it and no tools are offered.
    pub form: Option<&'a AnswerForm>,
    /// How long the answer may become, in tokens; `None` takes the configured value. A model that
    /// is known to think first is not held to it, for its thoughts count, too.
    pub max_tokens: Option<u32>,
    /// How often it is asked.
    pub retries: Retries,
    /// Who hears what the service does before it answers.
    pub watcher: Option<Watcher<'a>>,
}

/// How often the same service is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Retries {
    /// Again while that may help.
    #[default]
    Some,
    /// Once: the caller can do without an answer, and does not wait for a second attempt. After a
    /// timeout no other service is tried either.
    None,
}

/// What a service does before it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It loads its model.
    Starting,
    /// It reads the question; the value is the progress in percent.
    Reading(u8),
}

/// Who hears of each stage.
#[derive(Clone, Copy)]
pub struct Watcher<'a>(pub &'a (dyn Fn(Stage) + Send + Sync));

impl fmt::Debug for Watcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Watcher")
    }
}

impl ChatOptions<'_> {
    /// Tells of a stage.
    pub(super) fn note(&self, stage: Stage) {
        if let Some(Watcher(hear)) = self.watcher {
            hear(stage);
        }
    }
}
