//! The result of Phase 1, and what the free local rules make of a message.

use serde::{Deserialize, Serialize};

/// Why Phase 1 was not asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Skipped {
    /// Routing is switched off.
    SwitchedOff,
    /// The whole message is a greeting, thanks, a goodbye or the like.
    SmallTalk,
    /// The message answers what the model asked, which goes on with what it had.
    Continued,
    /// The message is clear without its surroundings, and no skill has a word in common with it.
    NothingMatches,
}

/// What Phase 1 decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouteResult {
    /// One or more skills match; their names.
    Skills(Vec<String>),
    /// The intent is clear and needs no skill.
    Direct,
    /// The intent is unclear: a question for the user.
    NeedClarification {
        /// The question, in the user's language.
        question: String,
        /// Answers to choose from; may be empty.
        choices: Vec<String>,
    },
}

/// What the local rules beside Phase 1 make of a message.
///
/// They cost no call: how often they agree with Phase 1 shows what it is worth, and they stand in
/// where it fails.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByRules {
    /// The skills that they would load; none means [`RouteResult::Direct`].
    #[serde(default)]
    pub skills: Vec<String>,
    /// Whether they were followed because Phase 1 failed.
    #[serde(default)]
    pub stood_in: bool,
    /// What kind of message it is.
    pub label: IntentLabel,
    /// How sure that is, in percent.
    pub confidence: u8,
    /// What speaks for it.
    pub reason: LabelReason,
    /// Whether a plan is made for such a message before it is acted on.
    pub enable_planning: bool,
}

impl ByRules {
    /// Returns the decision that these rules alone would take.
    pub fn route(&self) -> RouteResult {
        if self.skills.is_empty() {
            RouteResult::Direct
        } else {
            RouteResult::Skills(self.skills.clone())
        }
    }
}

/// What kind of message it is, as the decision gate before planning wants to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum IntentLabel {
    /// Code is to be written, changed, mended or tested.
    CodingTask,
    /// The speaker asks what Sayso can do.
    CapabilityQuery,
    /// Code that is there is to be explained.
    RepoAnalysis,
    /// Talk, or a question about the world.
    GeneralChat,
    /// None of these for sure.
    Uncertain,
}

/// What speaks for a label.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LabelReason {
    /// These words are in the message.
    Words(Vec<String>),
    /// There are courtesies alone in it.
    Courtesies,
    /// It is clear by itself, and no skill has a word of it.
    ClearAlone,
    /// Phase 1 asks back.
    AskedBack,
    /// No word of it asks for a task.
    NoTask,
    /// It asks for a task, and nothing says whether that is about code.
    NotClear,
    /// As journals say it that were written before reasons had names.
    #[serde(untagged)]
    InWords(String),
}

impl IntentLabel {
    /// Returns whether a plan is made for such a message before it is acted on: for work on code
    /// alone, so that nothing else pays for one.
    pub fn enables_planning(self) -> bool {
        match self {
            Self::CodingTask => true,
            Self::CapabilityQuery | Self::RepoAnalysis | Self::GeneralChat | Self::Uncertain => {
                false
            }
        }
    }

    /// Returns the name that the journal writes.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CodingTask => "CODING_TASK",
            Self::CapabilityQuery => "CAPABILITY_QUERY",
            Self::RepoAnalysis => "REPO_ANALYSIS",
            Self::GeneralChat => "GENERAL_CHAT",
            Self::Uncertain => "UNCERTAIN",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::LabelReason;

    #[test]
    fn reasons_in_words_of_older_journals_are_read() {
        let read = |json: &str| serde_json::from_str::<LabelReason>(json).unwrap();
        let older = "no word asks for a task";
        assert_eq!(
            read("\"no word asks for a task\""),
            LabelReason::InWords(older.to_owned())
        );
        for reason in [
            LabelReason::NoTask,
            LabelReason::Words(vec!["fix".to_owned()]),
        ] {
            assert_eq!(read(&serde_json::to_string(&reason).unwrap()), reason);
        }
    }
}
