//! For whom and where a turn acts.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::{ChatId, SessionId, TurnId, UserId};
use crate::{ChatKind, UnknownName};

/// Whose memory and workspace a turn uses: a person's in a direct chat, the chat's in a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Owner {
    /// A person, in a direct chat.
    User(UserId),
    /// A group.
    Chat(ChatId),
}

impl Owner {
    /// Returns whose memory and workspace a turn of this user in this chat uses.
    pub fn of(kind: ChatKind, user: UserId, chat: ChatId) -> Self {
        match kind {
            ChatKind::Direct => Self::User(user),
            ChatKind::Group => Self::Chat(chat),
        }
    }

    /// Returns the name of the folder among the workspaces that tools work in for it.
    pub fn folder_name(self) -> String {
        match self {
            Self::User(user) => format!("user-{user}"),
            Self::Chat(chat) => format!("chat-{chat}"),
        }
    }
}

/// What a user may do here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// May chat, and nothing else: a model has no tools for them.
    Guest,
    /// May speak and decide on what was asked for them.
    Member,
    /// Operates this Sayso: may also decide for others, admit and block.
    Owner,
}

impl Role {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::Guest, Self::Member, Self::Owner];

    /// Returns the name that the store uses.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Guest => "guest",
            Self::Member => "member",
            Self::Owner => "owner",
        }
    }

    /// Returns the role of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

impl TryFrom<String> for Role {
    type Error = UnknownName;

    fn try_from(name: String) -> Result<Self, UnknownName> {
        Self::named(&name).ok_or_else(|| UnknownName::of("role", name))
    }
}

/// For whom and where one turn acts.
#[derive(Debug, Clone, PartialEq)]
pub struct Scope {
    /// The one user the turn acts for.
    pub user: UserId,
    /// What that user may do.
    pub role: Role,
    /// The chat it happens in.
    pub chat: ChatId,
    /// The session it belongs to.
    pub session: SessionId,
    /// The turn.
    pub turn: TurnId,
    /// Whose memory and workspace it uses.
    pub owner: Owner,
    /// The directory that tools work in: its project's, or else its owner's own.
    pub workspace: PathBuf,
    /// The directory of its owner, which keeps received files and long results also while tools
    /// work in a project.
    pub home: PathBuf,
    /// The project that it works in.
    pub project: Option<ScopeProject>,
}

/// A project, as the turn that works in it knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScopeProject {
    /// Its name in the configuration.
    pub name: String,
    /// Whether anything may be changed in it.
    pub may_write: bool,
    /// What it is, in a line of the operator's.
    pub description: Option<String>,
}

impl Scope {
    /// Returns the directory that keeps the files that are on their way to a chat.
    pub fn outgoing(&self) -> PathBuf {
        outgoing_beside(&self.home)
    }

    /// Returns whether its tools may change nothing in the directory that they work in.
    pub fn is_read_only(&self) -> bool {
        self.project
            .as_ref()
            .is_some_and(|project| !project.may_write)
    }
}

/// Returns the directory that keeps the files that are on their way to a chat: beside all
/// workspaces, where nothing comes that runs in one.
pub fn outgoing_beside(workspace: &Path) -> PathBuf {
    let owner = workspace.file_name().unwrap_or_default();
    let workspaces = workspace.parent().unwrap_or(workspace);
    workspaces.with_file_name("outgoing").join(owner)
}
