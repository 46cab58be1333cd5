//! Projects: the folders of the configuration that the turns of a session may work in.
//!
//! A session is bound to a project by its name. A turn takes that over when it begins and keeps it,
//! so what was approved for one folder never runs in another. Each time the turn is taken up, its
//! project is looked up again: one that is gone, or that its user may not use any more, ends it.
//! Whether its folder is there is looked up outside of transactions: the disk may be far away.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{ChannelName, SenderKey};
use sayso_core::transcript::{Role, ScopeProject, UserId};
use sayso_store::chats::SessionRow;
use sayso_store::inbox::InboxRow;
use sayso_store::people::AccountRow;
use sayso_store::{StoreError, Tx, people};

/// How long the disk of a project may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// An account as the configuration names it; the bare name of a platform stands for every bot
/// account there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectAccount {
    /// The channel.
    pub channel: ChannelName,
    /// The account.
    pub sender: SenderKey,
}

impl ProjectAccount {
    fn means(&self, account: &AccountRow) -> bool {
        let channel = ChannelName::from(account.channel.as_str());
        let is_here = self.channel == channel || self.channel.as_str() == channel.platform();
        is_here && self.sender.as_str() == account.sender
    }
}

/// A folder that people may have worked in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Project {
    /// Its name; no two have the same.
    pub name: String,
    /// The folder; absolute, symlinks resolved.
    pub path: PathBuf,
    /// Who may use it beside the owners.
    pub people: Vec<ProjectAccount>,
    /// Whether anything may be changed there.
    pub may_write: bool,
    /// What it is, in a line.
    pub description: Option<String>,
}

impl Project {
    /// Returns what a turn knows of it.
    pub fn to_scope(&self) -> ScopeProject {
        ScopeProject {
            name: self.name.clone(),
            may_write: self.may_write,
            description: self.description.clone(),
        }
    }
}

/// The projects of the configuration, in the order of their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Projects(Arc<[Arc<Project>]>);

impl Projects {
    /// Returns whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns every project, in the order of their names.
    pub fn iter(&self) -> impl Iterator<Item = &Arc<Project>> {
        self.0.iter()
    }

    /// Returns the project of this name.
    pub fn named(&self, name: &str) -> Option<&Arc<Project>> {
        self.0.iter().find(|project| project.name == name)
    }

    /// Returns the projects that a person may use: an owner every one, others those that name an
    /// account of theirs.
    pub async fn of(
        &self,
        tx: &mut Tx,
        user: UserId,
        role: Role,
    ) -> Result<Vec<Arc<Project>>, StoreError> {
        match role {
            Role::Owner => Ok(self.0.to_vec()),
            Role::Guest => Ok(Vec::new()),
            Role::Member if self.is_empty() => Ok(Vec::new()),
            Role::Member => {
                let accounts = people::accounts_of(tx, user).await?;
                let theirs = self.0.iter().filter(|project| {
                    let mut people = project.people.iter();
                    people.any(|one| accounts.iter().any(|account| one.means(account)))
                });
                Ok(theirs.cloned().collect())
            }
        }
    }

    /// Returns where a new turn of a user works in a session that is bound to a project. Where others
    /// bound it to one that is not the user's, that is the workspace of the chat.
    pub(super) async fn of_new_turn(
        &self,
        tx: &mut Tx,
        session: &SessionRow,
        first: &InboxRow,
    ) -> Result<TurnProject, StoreError> {
        let user = first.user_id.unwrap_or(UserId(0));
        let bound = session.project.as_deref();
        let found = self.of_turn(tx, user, first.role, bound).await?;
        let is_of_others = bound.is_some_and(|name| self.named(name).is_some());
        Ok(match found {
            TurnProject::Gone if is_of_others => TurnProject::None,
            found @ (TurnProject::None | TurnProject::In(_) | TurnProject::Gone) => found,
        })
    }

    /// Returns where a turn works that is bound to a project by its name.
    pub(super) async fn of_turn(
        &self,
        tx: &mut Tx,
        user: UserId,
        role: Role,
        name: Option<&str>,
    ) -> Result<TurnProject, StoreError> {
        let Some(name) = name else {
            return Ok(TurnProject::None);
        };
        let theirs = self.of(tx, user, role).await?;
        let found = theirs.into_iter().find(|project| project.name == name);
        Ok(found.map_or(TurnProject::Gone, TurnProject::In))
    }
}

impl FromIterator<Project> for Projects {
    fn from_iter<I: IntoIterator<Item = Project>>(projects: I) -> Self {
        Self(projects.into_iter().map(Arc::new).collect())
    }
}

/// Where a turn works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TurnProject {
    /// In its owner's own workspace.
    None,
    /// In this project.
    In(Arc<Project>),
    /// In a project that the configuration has no more, or that its user may not use.
    Gone,
}

impl TurnProject {
    /// Returns whether it is a project, there or not.
    pub fn is_some(&self) -> bool {
        match self {
            Self::None => false,
            Self::In(_) | Self::Gone => true,
        }
    }

    /// Returns whether nothing may be done in it: it is gone, or its folder is not there or does not
    /// answer. A tool would make an empty folder in the place of a disk that is not mounted.
    pub(super) async fn is_gone(&self) -> bool {
        match self {
            Self::None => false,
            Self::Gone => true,
            Self::In(project) => {
                let path = project.path.clone();
                let looking = tokio::task::spawn_blocking(move || path.is_dir());
                let is_there = tokio::time::timeout(PATIENCE, looking).await;
                !matches!(is_there, Ok(Ok(true)))
            }
        }
    }
}
