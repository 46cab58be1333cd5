//! What was looked up about a call before the policy judges it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use sayso_core::Language;
use sayso_core::transcript::{Role, Taint};
use serde::{Deserialize, Serialize};

use super::access::Access;
use super::autonomy_level::AutonomyLevel;
use super::binding::Binding;
use super::commands::prefix_for;
use super::hosts::{Method, Server};
use super::own_words;
use super::summary::Summary;

/// What a tool found out about one call of it. The tool looks; the policy judges.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolFacts {
    /// What the call would do, in one line for people.
    pub summary: Summary,
    /// What else a person must see before they say yes, whole: the text that would be written.
    pub detail: Option<String>,
    /// What the call would do, as the policy judges it.
    pub action: Action,
    /// The current state on disk of what the call may run: a change between approval and execution
    /// requires a new approval.
    pub scripts: Vec<Binding>,
    /// The names of the secrets that it uses, sorted.
    pub secrets: Vec<String>,
}

impl ToolFacts {
    /// Returns whether it runs a check of a project by the recipe that the project's files define,
    /// so that no text that a model read has chosen the command.
    pub fn is_recipe(&self) -> bool {
        self.scripts.iter().any(Binding::is_recipe)
    }

    /// Returns whether what it starts goes on when the call is over.
    pub fn keeps_running(&self) -> bool {
        matches!(
            self.action,
            Action::Exec {
                lasting: Lasting::Background,
                ..
            }
        )
    }
}

/// What a call would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Nothing outside Sayso itself, and nothing lasting: skills, self information, recall.
    Internal,
    /// Writes or deletes what later turns are shown: a memory.
    Remember {
        /// Whether the text reads like instructions to a model.
        is_suspicious: bool,
        /// The whole text, where nothing but it is remembered.
        text: Option<String>,
    },
    /// Changes the configuration of this Sayso, for everybody.
    Configure,
    /// Schedules something, to be done by turns that no person starts. When it is due next is shown
    /// on its card only: that changes while the card waits, without invalidating the approval.
    Schedule(#[serde(skip)] Option<Due>),
    /// Reads a path.
    Read {
        /// Where the path leads, symlinks resolved.
        path: Reach,
    },
    /// Writes a path.
    Write {
        /// Where the path leads, symlinks resolved.
        path: Reach,
    },
    /// Asks a server over HTTP.
    Fetch {
        /// What the server is asked to do.
        method: Method,
        /// The whole URL that is requested.
        url: String,
        /// The server that the URL names.
        server: Server,
    },
    /// Has an MCP server do something.
    Mcp {
        /// The name of the server in the configuration.
        server: String,
        /// The tool by the server's own name for it.
        tool: String,
        /// Whether the server says that it changes nothing. Its word, which proves nothing.
        says_it_reads: bool,
    },
    /// Runs a command.
    Exec {
        /// The whole command, as it would run.
        command: String,
        /// How far it asks to reach.
        access: Access,
        /// The program that the command names first, without its directory; `None` when it is not
        /// one plain word.
        program: Option<String>,
        /// Where the paths lead that the judgement depends on (`commands::named_paths`), symlinks
        /// resolved. What is not here counts as outside the workspace.
        places: BTreeMap<String, Place>,
        /// Whether it ends with its call.
        #[serde(skip_serializing_if = "Lasting::is_while_called")]
        lasting: Lasting,
    },
}

/// How long what a call starts may run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Lasting {
    /// Until the call is over.
    #[default]
    WhileCalled,
    /// On, in the background, when the call is over.
    Background,
}

impl Lasting {
    /// What ends with its call is written down as it always was, so that a card which waits holds.
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks for it")]
    fn is_while_called(&self) -> bool {
        *self == Self::WhileCalled
    }
}

/// When something is due next, in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// In English.
    pub english: String,
    /// In Chinese.
    pub chinese: String,
}

impl Due {
    /// Returns it in one language.
    pub fn in_language(&self, language: Language) -> &str {
        match language {
            Language::English => &self.english,
            Language::Chinese => &self.chinese,
        }
    }
}

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Into the workspace; the path is absolute and resolved.
    Inside(PathBuf),
    /// Somewhere else.
    Outside(PathBuf),
}

/// Where a path of a command leads, and whether anything is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Place {
    /// To something in the workspace; the path is absolute and resolved.
    Inside(PathBuf),
    /// Into the workspace, to where nothing is.
    Nothing(PathBuf),
    /// Somewhere else.
    Outside(PathBuf),
}

/// Everything that the policy judges a call by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallFacts {
    /// What the tool found out.
    pub tool: ToolFacts,
    /// The level that holds for this user in this turn.
    pub autonomy: AutonomyLevel,
    /// What the user may do.
    pub role: Role,
    /// The project that the turn works in, by its name, where it may be changed.
    pub project: Option<String>,
    /// The grants that this user has in this session.
    pub grants: Vec<GrantPattern>,
    /// Where the untrusted text came from that is in the prompt.
    pub taint: Taint,
    /// What the person said themselves in this turn.
    pub said: Vec<String>,
    /// The display name of the person; empty where it is not known.
    pub person: String,
    /// Whether an equal call of this turn was started and its outcome is unknown.
    pub repeats_unknown: bool,
}

impl CallFacts {
    /// Returns whether the call does no more than remember what the person said themselves in this
    /// turn. Text from outside can have added nothing to it.
    pub fn is_in_own_words(&self) -> bool {
        match &self.tool.action {
            Action::Remember {
                is_suspicious: false,
                text: Some(text),
            } => {
                let restates = |said: &String| own_words::restates(text, said, &self.person);
                self.said.iter().any(restates)
            }
            Action::Remember { .. }
            | Action::Internal
            | Action::Configure
            | Action::Schedule(_)
            | Action::Read { .. }
            | Action::Write { .. }
            | Action::Fetch { .. }
            | Action::Mcp { .. }
            | Action::Exec { .. } => false,
        }
    }
}

/// What an "always" covers. Narrow on purpose: one tool, and one command or those that begin like
/// it; or patches in one project.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GrantPattern {
    /// The name of the tool.
    pub tool: String,
    /// The furthest that it may reach.
    #[serde(default)]
    pub access: Access,
    /// The secrets that it uses, all of them and no other, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub secrets: Vec<String>,
    /// The files that its command names, as they were: the grant holds as long as they are so.
    pub files: Vec<Binding>,
    /// Which of its calls.
    #[serde(flatten)]
    pub covers: Covers,
}

impl GrantPattern {
    /// Returns whether nothing has changed since the grant that a command may run, given what that
    /// is now.
    pub fn holds(&self, now: &[Binding]) -> bool {
        !now.iter().any(Binding::is_whole_workspace)
            && self.files.iter().all(|file| now.contains(file))
    }
}

/// What a grant covers.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Covers {
    /// This exact command.
    Command(String),
    /// Changes of files by patches in the project of this name, none of which keeps secrets by its
    /// name (`project_edit.rs`).
    Project(String),
    /// Commands with these first words, and behind them only what the table of prefixes
    /// ([`super::commands::prefix_for`]) lets follow.
    Prefix(String),
}

impl Covers {
    /// Returns whether it covers a command.
    pub fn command(&self, command: &str) -> bool {
        match self {
            Self::Command(exact) => exact == command,
            Self::Project(_) => false,
            Self::Prefix(words) => {
                prefix_for(command).is_some_and(|prefix| prefix.as_text() == *words)
            }
        }
    }
}
