//! Where the untrusted text of a turn came from: what the model may have been told by somebody
//! whom it does not act for.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::ToolCall;

/// How many sources are distinguished; beyond it there are [`TaintOrigin::Many`].
const MAX_SOURCES: usize = 16;
/// The longest arguments that a source keeps, in bytes.
const MAX_ARGUMENTS_BYTES: usize = 512;

/// The sources of the untrusted text in a turn. Empty: there is none.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Taint {
    sources: BTreeSet<TaintSource>,
}

/// A source of untrusted text, and the way that it took.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TaintSource {
    /// The way that it took into the turn.
    pub way: Way,
    /// Where it came from.
    pub origin: TaintOrigin,
}

/// How untrusted text came into a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// In the turn itself.
    Here,
    /// In an earlier turn of the conversation, which is in view.
    Earlier,
    /// In a memory, which was written in a turn that had such text in view.
    Memory,
}

/// Where untrusted text comes from.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaintOrigin {
    /// Words of others than the turn's user.
    Others,
    /// The result of a tool call.
    Tool {
        /// The name of the tool.
        name: String,
        /// The canonical arguments, where they are short enough to be kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<String>,
    },
    /// The content of a picture: its sender need not be the author of the text in it.
    Picture,
    /// More sources than are distinguished.
    Many,
}

impl Taint {
    /// Returns whether there is no untrusted text.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }

    /// Returns the sources, those of the turn itself first.
    pub fn sources(&self) -> impl Iterator<Item = &TaintSource> {
        self.sources.iter()
    }

    /// Notes words of others in the turn itself.
    pub fn add_others(&mut self) {
        self.add(TaintSource {
            way: Way::Here,
            origin: TaintOrigin::Others,
        });
    }

    /// Notes more text in the turn itself than its named sources account for.
    pub fn add_unnamed(&mut self) {
        self.add(TaintSource {
            way: Way::Here,
            origin: TaintOrigin::Many,
        });
    }

    /// Notes a picture that the turn's user sent.
    pub fn add_picture(&mut self) {
        self.add(TaintSource {
            way: Way::Here,
            origin: TaintOrigin::Picture,
        });
    }

    /// Notes the result of a call in the turn itself.
    pub fn add_result_of(&mut self, call: &ToolCall) {
        let arguments = call.canonical_arguments();
        self.add(TaintSource {
            way: Way::Here,
            origin: TaintOrigin::Tool {
                name: call.name.clone(),
                arguments: (arguments.len() <= MAX_ARGUMENTS_BYTES).then_some(arguments),
            },
        });
    }

    /// Takes over what another one holds.
    pub fn merge(&mut self, other: &Self) {
        for source in &other.sources {
            self.add(source.clone());
        }
    }

    /// Returns the same origins as they are seen from where they came by this way.
    pub fn by(&self, way: Way) -> Self {
        let mut moved = Self::default();
        for source in &self.sources {
            moved.add(TaintSource {
                way,
                origin: source.origin.clone(),
            });
        }
        moved
    }

    /// Returns the same origins as a later turn of the conversation sees them. What a memory
    /// brought stays a memory's: no text from outside came into the conversation itself.
    pub fn in_later_turns(&self) -> Self {
        let mut moved = Self::default();
        for source in &self.sources {
            let way = match source.way {
                Way::Here | Way::Earlier => Way::Earlier,
                Way::Memory => Way::Memory,
            };
            moved.add(TaintSource {
                way,
                origin: source.origin.clone(),
            });
        }
        moved
    }

    /// Returns whether all that is in view came by way of memories.
    pub fn is_only_remembered(&self) -> bool {
        self.sources.iter().all(|source| source.way == Way::Memory)
    }

    /// Returns whether nothing is in view but what equal calls gave: such a text can ask for
    /// nothing more than what it came from.
    pub fn is_only_of(&self, call: &ToolCall) -> bool {
        let arguments = call.canonical_arguments();
        self.sources.iter().all(|source| match &source.origin {
            TaintOrigin::Tool {
                name,
                arguments: Some(known),
            } => *name == call.name && *known == arguments,
            TaintOrigin::Tool {
                arguments: None, ..
            }
            | TaintOrigin::Others
            | TaintOrigin::Picture
            | TaintOrigin::Many => false,
        })
    }

    fn add(&mut self, source: TaintSource) {
        if self.sources.len() < MAX_SOURCES || self.sources.contains(&source) {
            self.sources.insert(source);
            return;
        }
        self.sources.insert(TaintSource {
            way: source.way,
            origin: TaintOrigin::Many,
        });
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Taint, TaintOrigin, Way};
    use crate::transcript::{CallId, ToolCall};

    fn call(command: &str) -> ToolCall {
        ToolCall {
            id: CallId("1".into()),
            name: "shell".into(),
            arguments: json!({ "command": command }),
        }
    }

    fn of(commands: &[&str]) -> Taint {
        let mut taint = Taint::default();
        for command in commands {
            taint.add_result_of(&call(command));
        }
        taint
    }

    #[test]
    fn only_what_equal_calls_gave_is_only_of_a_call() {
        assert!(Taint::default().is_only_of(&call("ls")));
        assert!(of(&["ls"]).by(Way::Memory).is_only_of(&call("ls")));
        assert!(!of(&["ls", "cat x"]).is_only_of(&call("ls")));
        assert!(!of(&["ls"]).is_only_of(&call("ls -l")));
        let mut words = of(&["ls"]);
        words.add_others();
        assert!(!words.is_only_of(&call("ls")));
        let long = "x".repeat(600);
        assert!(!of(&[&long]).is_only_of(&call(&long)));
    }

    #[test]
    fn chat_u2_what_a_memory_brought_stays_so_in_later_turns() {
        let remembered = of(&["ls"]).by(Way::Memory);
        assert_eq!(remembered.in_later_turns(), remembered);
        assert!(remembered.is_only_remembered());
        let mut both = of(&["cat x"]);
        both.merge(&remembered);
        assert!(!both.is_only_remembered());
        let mut later = of(&["cat x"]).by(Way::Earlier);
        later.merge(&remembered);
        assert_eq!(both.in_later_turns(), later);
        assert!(!later.is_only_remembered());
    }

    #[test]
    fn sources_are_bounded_and_none_is_forgotten_in_silence() {
        let commands: Vec<String> = (0..40).map(|number| number.to_string()).collect();
        let commands: Vec<&str> = commands.iter().map(String::as_str).collect();
        let taint = of(&commands);
        assert!(taint.sources().count() <= 17);
        assert!(
            taint
                .sources()
                .any(|source| source.origin == TaintOrigin::Many)
        );
        assert!(!taint.is_only_of(&call("0")));
    }

    #[test]
    fn a_taint_is_read_back_as_it_was_written() {
        let mut taint = of(&["ls"]);
        taint.add_others();
        taint.merge(&of(&["cat x"]).by(Way::Earlier));
        let written = serde_json::to_string(&taint).unwrap();
        insta::assert_snapshot!(written, @r#"[{"way":"here","origin":"others"},{"way":"here","origin":{"tool":{"name":"shell","arguments":"{\"command\":\"ls\"}"}}},{"way":"earlier","origin":{"tool":{"name":"shell","arguments":"{\"command\":\"cat x\"}"}}}]"#);
        assert_eq!(serde_json::from_str::<Taint>(&written).unwrap(), taint);
    }
}
