//! The library: the skills of this instance, and which of them a person or a group uses.
//!
//! All code that lists, selects or loads skills for a turn gets the skills of its scope here. So a
//! disabled skill appears nowhere: not in a catalogue, not in a recommendation, not through the
//! `skill` tool. A skill of a third party (installed, or found in a workspace) is loaded only while
//! its content is what an owner approved.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use sayso_core::transcript::Owner;
use sayso_store::skill_pins::{self, SkillPin, SkillPlace};
use sayso_store::skills_off::{self, SkillOff};
use sayso_store::{Readers, Store, StoreError, Tx};
use sayso_tools::Remotes;

use super::choosers::WithoutChoices;
use super::content::StoredFiles;
use super::places::{Found, Places, in_workspace};
use super::problem::Refusal;
use super::repository::{self, NamedIn};
use super::review::Review;
use super::source::{self, Taken};
use super::{Host, Skill, SkillSource, Skills};

/// The skills of this instance.
#[derive(Debug)]
pub struct Library {
    /// What is trusted for where it lies: the built-in skills, and the operator's.
    own: Skills,
    /// These and the installed ones. Readers take the whole snapshot; only [`Library::rebuild`]
    /// replaces it.
    all: RwLock<Arc<Shelf>>,
    places: Places,
    host: Arc<Host>,
    /// What fetches skills that are not on this machine.
    remotes: Option<Remotes>,
    /// Where choices and approvals are; none where there are none to make.
    store: Option<Store>,
    without_choices: WithoutChoices,
}

/// What is installed, and what of it is not loaded.
#[derive(Debug)]
struct Shelf {
    skills: Arc<Skills>,
    left_out: Vec<LeftOut>,
}

/// A third-party skill that is not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Its name.
    pub name: String,
    /// Where it lies.
    pub source: SkillSource,
    /// Why it is not loaded.
    pub why: Why,
}

/// Why a third-party skill is not loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// No owner has approved it.
    New,
    /// It is not what an owner approved any more.
    Changed,
    /// It cannot be loaded.
    Refused(Refusal),
}

/// A skill that an owner may approve.
#[derive(Debug)]
pub struct Candidate {
    /// Where it lies, or will.
    pub place: SkillPlace,
    /// Its files.
    pub taken: Taken,
    /// What an owner reads of it.
    pub review: Review,
    /// The pin that is stored on approval.
    pub pin: SkillPin,
    /// Whether it is what was approved already.
    pub is_approved: bool,
    /// What it is in place of, or what goes before it, if it has the name of another.
    pub same_name: Option<SkillSource>,
}

impl Library {
    /// Returns the library of these skills and of what is installed; choices and approvals are in
    /// the store.
    pub async fn open(
        own: Skills,
        places: Places,
        host: Host,
        store: Store,
    ) -> Result<Self, StoreError> {
        let library = Self {
            store: Some(store),
            ..Self::without_store(own, places, host)
        };
        library.rebuild().await?;
        Ok(library)
    }

    /// Returns a library in which nothing can be switched off, and nothing is installed.
    #[cfg(test)]
    pub fn without_choices(own: Skills) -> Self {
        Self::without_store(own, Places::new("/nonexistent".into()), Host::new([]))
    }

    fn without_store(own: Skills, places: Places, host: Host) -> Self {
        let shelf = Shelf {
            skills: Arc::new(own.clone()),
            left_out: Vec::new(),
        };
        Self {
            own,
            all: RwLock::new(Arc::new(shelf)),
            places,
            host: Arc::new(host),
            remotes: None,
            store: None,
            without_choices: WithoutChoices::default(),
        }
    }

    /// Returns where skills are put that are installed.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// Returns what is installed and not loaded.
    pub fn left_out(&self) -> Vec<LeftOut> {
        self.shelf().left_out.clone()
    }

    /// Reads again what is installed and approved. What is left out is logged.
    pub async fn rebuild(&self) -> Result<(), StoreError> {
        let Some(store) = &self.store else {
            return Ok(());
        };
        let pins = skill_pins::of(store.reader(), SkillPlace::Installed).await?;
        let (places, host, own) = (self.places.clone(), self.host(), self.own.clone());
        let (skills, left_out) = read(move || {
            let found = places.installed();
            with(&own, found, &pins, SkillSource::Installed, &host)
        })
        .await?;
        for one in &left_out {
            tracing::warn!(skill = one.name, why = ?one.why, "installed skill skipped");
        }
        let shelf = Shelf {
            skills: Arc::new(skills),
            left_out,
        };
        *self.all.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(shelf);
        Ok(())
    }

    /// Returns the skills that are used for a person, or for a group, with those of their
    /// workspace.
    pub async fn of(&self, owner: Owner, workspace: &Path) -> Result<Arc<Skills>, StoreError> {
        let Some(store) = &self.store else {
            return Ok(Arc::clone(&self.shelf().skills));
        };
        let version = store.version();
        if self.without_choices.has(version, owner) {
            return Ok(Arc::clone(&self.shelf().skills));
        }
        let place = SkillPlace::Workspace(owner);
        let (off, pins) = tokio::try_join!(
            skills_off::of(store.reader(), owner),
            skill_pins::of(store.reader(), place)
        )?;
        if off.is_empty() && pins.is_empty() {
            self.without_choices.note(version, owner);
        }
        let (skills, _) = self.with_workspace(workspace, pins, Look::Approved).await?;
        Ok(without(skills, &off))
    }

    /// Returns the same inside a transaction.
    pub async fn of_in(
        &self,
        tx: &mut Tx,
        owner: Owner,
        workspace: &Path,
    ) -> Result<Arc<Skills>, StoreError> {
        let off = skills_off::of_in(tx, owner).await?;
        let pins = skill_pins::of_in(tx, SkillPlace::Workspace(owner)).await?;
        let (skills, _) = self.with_workspace(workspace, pins, Look::Approved).await?;
        Ok(without(skills, &off))
    }

    /// Returns all skills that there are for an owner, also those that are switched off, and what
    /// is not loaded.
    pub async fn everything(
        &self,
        tx: &mut Tx,
        owner: Owner,
        workspace: &Path,
    ) -> Result<(Arc<Skills>, Vec<LeftOut>), StoreError> {
        let pins = skill_pins::of_in(tx, SkillPlace::Workspace(owner)).await?;
        let (skills, mut left_out) = self
            .with_workspace(workspace, pins, Look::Everything)
            .await?;
        left_out.extend(self.left_out());
        Ok((skills, left_out))
    }

    /// Has skills fetched that are not on this machine.
    pub fn fetching(mut self, remotes: Remotes) -> Self {
        self.remotes = Some(remotes);
        self
    }

    /// Takes a skill from a source, to be installed. The caller must ensure that only one skill is
    /// fetched from a repository at a time.
    pub async fn at_source(
        &self,
        written: &str,
        named_in: NamedIn,
        base: &Path,
    ) -> Result<Result<Candidate, Refusal>, StoreError> {
        let taken = match &self.remotes {
            Some(remotes) if repository::is_remote(written) => {
                let directory = self.places.fetched();
                repository::take(written, remotes, named_in, directory).await
            }
            Some(_) | None => {
                let (written, base) = (written.to_owned(), base.to_owned());
                read(move || source::take(&written, &base)).await?
            }
        };
        match taken {
            Ok(taken) => self.candidate(SkillPlace::Installed, taken).await,
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    /// Reads an installed skill, or one in a workspace, to be loaded in place.
    pub async fn as_it_lies(
        &self,
        name: &str,
        owner: Owner,
        workspace: &Path,
    ) -> Result<Result<Candidate, Refusal>, StoreError> {
        let (base, places) = (workspace.to_owned(), self.places.clone());
        let place = SkillPlace::Workspace(owner);
        let found = read(move || {
            let here = in_workspace(&base).into_iter().map(move |one| (place, one));
            let installed = places.installed().into_iter();
            here.chain(installed.map(|one| (SkillPlace::Installed, one)))
                .collect::<Vec<_>>()
        });
        let mut found = found.await?.into_iter();
        let Some((place, found)) = found.find(|(_, one)| one.name == name) else {
            return Ok(Err(Refusal::NoSource));
        };
        match found.content {
            Ok(content) => {
                let folder = found.root.file_name().unwrap_or_default();
                let folder = folder.to_string_lossy().into_owned();
                let taken = Taken {
                    folder,
                    content,
                    commit: None,
                };
                self.candidate(place, taken).await
            }
            Err(refusal) => Ok(Err(refusal)),
        }
    }

    async fn candidate(
        &self,
        place: SkillPlace,
        taken: Taken,
    ) -> Result<Result<Candidate, Refusal>, StoreError> {
        let pins = skill_pins::of(self.readers()?, place).await?;
        let (host, shelf) = (self.host(), self.shelf());
        read(move || reviewed(place, taken, pins, &shelf.skills, &host)).await?
    }

    fn readers(&self) -> Result<&Readers, StoreError> {
        let store = self.store.as_ref();
        let store = store.ok_or_else(|| StoreError::Broken("a library without a store".into()))?;
        Ok(store.reader())
    }

    fn host(&self) -> Arc<Host> {
        Arc::clone(&self.host)
    }

    fn shelf(&self) -> Arc<Shelf> {
        Arc::clone(&self.all.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns all skills with those of a workspace. A workspace in which nothing was approved is
    /// read only for who wants to know of everything.
    async fn with_workspace(
        &self,
        workspace: &Path,
        pins: Vec<SkillPin>,
        look: Look,
    ) -> Result<(Arc<Skills>, Vec<LeftOut>), StoreError> {
        let all = Arc::clone(&self.shelf().skills);
        if pins.is_empty() && look == Look::Approved {
            return Ok((all, Vec::new()));
        }
        let (workspace, host) = (workspace.to_owned(), self.host());
        read(move || {
            let found = in_workspace(&workspace);
            if found.is_empty() {
                return (all, Vec::new());
            }
            let (skills, left_out) = with(&all, found, &pins, SkillSource::Workspace, &host);
            (Arc::new(skills), left_out)
        })
        .await
    }
}

/// How much is looked for in a workspace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Look {
    /// What was approved.
    Approved,
    /// Also what was not.
    Everything,
}

/// Returns skills with those that are what was approved, and the rest of what was found.
fn with(
    skills: &Skills,
    found: Vec<Found>,
    pins: &[SkillPin],
    source: SkillSource,
    host: &Host,
) -> (Skills, Vec<LeftOut>) {
    let mut skills = skills.clone();
    let mut left_out = Vec::new();
    for one in found {
        match judge(&one, pins, source, host) {
            Ok(skill) => skills.add(skill),
            Err(why) => left_out.push(LeftOut {
                name: one.name,
                source,
                why,
            }),
        }
    }
    skills.read_again();
    (skills, left_out)
}

fn judge(found: &Found, pins: &[SkillPin], source: SkillSource, host: &Host) -> Result<Skill, Why> {
    let content = found.content.as_ref();
    let content = content.map_err(|refusal| Why::Refused(refusal.clone()))?;
    let pin = pins.iter().find(|pin| pin.name == found.name);
    match pin {
        None => Err(Why::New),
        Some(pin) if pin.hash != content.hash() => Err(Why::Changed),
        Some(_) => Skill::approved(&found.root, content, source, host)
            .map_err(|finding| Why::Refused(Refusal::Skill(finding))),
    }
}

/// Reviews what was taken beside what was approved before. It reads every byte several times, so it
/// must not run on an async worker thread.
fn reviewed(
    place: SkillPlace,
    taken: Taken,
    pins: Vec<SkillPin>,
    all: &Skills,
    host: &Host,
) -> Result<Result<Candidate, Refusal>, StoreError> {
    let name = match taken.name() {
        Ok(name) => name,
        Err(finding) => return Ok(Err(Refusal::Skill(finding))),
    };
    let approved = pins.into_iter().find(|pin| pin.name == name);
    let kept = approved.as_ref();
    let kept = kept.map(|pin| serde_json::from_str::<StoredFiles>(&pin.kept));
    let review = match Review::of(&taken, kept.transpose()?.as_ref(), host) {
        Ok(review) => review,
        Err(finding) => return Ok(Err(Refusal::Skill(finding))),
    };
    let pin = SkillPin {
        hash: taken.content.hash(),
        kept: serde_json::to_string(&taken.content.kept())?,
        name,
    };
    let same_name = all.skill(&review.name).map(|skill| skill.source);
    Ok(Ok(Candidate {
        is_approved: approved.is_some_and(|approved| approved.hash == pin.hash),
        same_name: same_name.filter(|source| *source != SkillSource::Installed),
        place,
        taken,
        review,
        pin,
    }))
}

fn without(skills: Arc<Skills>, off: &[SkillOff]) -> Arc<Skills> {
    if off.is_empty() {
        return skills;
    }
    let off: HashSet<String> = off.iter().map(|off| off.name.clone()).collect();
    Arc::new(skills.without(&off))
}

/// Reads files on a thread for blocking work.
async fn read<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StoreError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| StoreError::Broken(format!("skills cannot be read: {error}")))
}
