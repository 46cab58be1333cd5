//! What starts a routine besides the clock, in the form that its row keeps.

use std::path::{Component, Path};

use sayso_policy::is_secret_like;
use sayso_store::routines::RoutineRow;
use serde::{Deserialize, Serialize};

use super::{glob, phrases};

/// The longest pattern of file names, in characters.
const GLOB_CHARS: usize = 200;
/// How many words or phrases start one routine at most.
const PHRASES: usize = 10;
/// The longest of them, in characters.
const PHRASE_CHARS: usize = 80;

/// What starts a routine besides the clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Trigger {
    /// A file of the workspace changes.
    File {
        /// Which, as `glob.rs` reads it.
        glob: String,
    },
    /// Somebody writes words in the group in which the routine was made.
    Words {
        /// Any one of these.
        words: Vec<String>,
    },
    /// A signed call of its webhook.
    Webhook,
}

/// Why something is not taken for a trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BadTrigger {
    /// The pattern is empty, too long, none, or leads out of the workspace.
    Glob,
    /// The pattern names files that keep secrets.
    SecretFiles,
    /// There are no words, or too many of them.
    Count,
    /// A word is too short or too long.
    Phrase,
}

impl Trigger {
    /// Returns what a change of files is that a pattern names, such as `reports/*.csv`.
    ///
    /// # Errors
    /// Why the pattern is not taken.
    pub fn file(pattern: &str) -> Result<Self, BadTrigger> {
        let pattern = pattern.trim().trim_start_matches("./");
        let length = pattern.chars().count();
        let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        if length == 0
            || length > GLOB_CHARS
            || pattern.chars().any(char::is_control)
            || !Path::new(pattern).components().all(is_inside)
            || glob::read(pattern).is_none()
        {
            return Err(BadTrigger::Glob);
        }
        if is_secret_like(Path::new(pattern)) {
            return Err(BadTrigger::SecretFiles);
        }
        let glob = pattern.to_owned();
        Ok(Self::File { glob })
    }

    /// Returns what a message is that has one of these words or phrases in it.
    ///
    /// # Errors
    /// Why they are not taken.
    pub fn words(words: &[String]) -> Result<Self, BadTrigger> {
        let words: Vec<String> = words.iter().map(|it| phrases::in_one_line(it)).collect();
        if words.is_empty() || words.len() > PHRASES {
            return Err(BadTrigger::Count);
        }
        let is_fine = |phrase: &String| {
            phrase.chars().count() <= PHRASE_CHARS && phrases::can_be_sought(phrase)
        };
        if !words.iter().all(is_fine) {
            return Err(BadTrigger::Phrase);
        }
        Ok(Self::Words { words })
    }

    /// Reads what starts a routine; `None` where the clock does, or where it is of another version.
    pub fn of(row: &RoutineRow) -> Option<Self> {
        serde_json::from_str(row.source.as_deref()?).ok()
    }

    /// Returns what the row of a routine keeps of it.
    pub fn as_text(&self) -> String {
        // A tree of texts is always written.
        serde_json::to_string(self).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{BadTrigger, Trigger};

    #[track_caller]
    fn check_glob(glob: &str, kept: Result<&str, BadTrigger>) {
        let kept = kept.map(|glob| Trigger::File {
            glob: glob.to_owned(),
        });
        assert_eq!(Trigger::file(glob), kept, "{glob}");
    }

    #[test]
    fn a_pattern_stays_in_the_workspace_and_away_from_secrets() {
        check_glob(" ./reports/*.csv", Ok("reports/*.csv"));
        check_glob("报告/**", Ok("报告/**"));
        for outside in [
            "",
            "/etc/*",
            "../*",
            "a/../../b",
            "a\nb",
            "a[",
            &"a".repeat(201),
        ] {
            check_glob(outside, Err(BadTrigger::Glob));
        }
        check_glob(".env", Err(BadTrigger::SecretFiles));
        check_glob(".ssh/id_rsa", Err(BadTrigger::SecretFiles));
    }

    #[test]
    fn words_are_few_and_neither_too_short_nor_too_long() {
        let words = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|it| (*it).to_owned()).collect();
            Trigger::words(&words)
        };
        let kept = Trigger::Words {
            words: vec!["deploy failed".to_owned(), "着火".to_owned()],
        };
        assert_eq!(words(&[" deploy\n failed ", "着火"]), Ok(kept));
        assert_eq!(words(&[]), Err(BadTrigger::Count));
        assert_eq!(words(&["ab"; 11]), Err(BadTrigger::Count));
        for phrase in ["", "a", "?!", &"a".repeat(81)] {
            assert_eq!(words(&[phrase]), Err(BadTrigger::Phrase), "{phrase}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again() {
        let all = [
            Trigger::file("a/*").unwrap(),
            Trigger::words(&["hello".to_owned()]).unwrap(),
            Trigger::Webhook,
        ];
        for trigger in all {
            let read: Trigger = serde_json::from_str(&trigger.as_text()).unwrap();
            assert_eq!(read, trigger);
        }
    }
}
