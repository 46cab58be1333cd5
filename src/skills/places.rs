//! The directories of third-party skills: installed ones, staged ones that wait for an owner's
//! approval, and those of a workspace.
//!
//! What is installed is whole at any moment: files are written beside, and moved by one rename.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::content::Content;
use super::folder::SKILL_FILE;
use super::problem::{Finding, Problem, Refusal};
use super::source::name_in;

/// Where what waits for an owner lies.
const STAGED: &str = ".staged";
/// Where a repository is fetched to.
const FETCHED: &str = ".fetched";
/// Where a workspace may have skills; a skill of the first goes before one of the second.
const IN_WORKSPACE: [&str; 2] = [".agents/skills", "skills"];
/// The most skills of a workspace that are looked at.
const WORKSPACE_SKILLS: usize = 20;
/// The most installed skills.
const INSTALLED_SKILLS: usize = 200;

/// A third-party skill, as it lies there.
#[derive(Debug)]
pub struct Found {
    /// Its folder.
    pub root: PathBuf,
    /// Its name; that of the folder where it cannot be read.
    pub name: String,
    /// Its files, or why they cannot be read.
    pub content: Result<Content, Refusal>,
}

impl Found {
    fn at(root: PathBuf) -> Self {
        let folder = root.file_name().unwrap_or_default();
        let folder = folder.to_string_lossy().into_owned();
        let content = Content::in_place(&root);
        let written = content.as_ref().map(|content| name_in(&folder, content));
        match written {
            Ok(Ok(name)) => Self {
                root,
                name,
                content,
            },
            Ok(Err(finding)) => Self {
                name: folder,
                root,
                content: Err(Refusal::Skill(finding)),
            },
            Err(_) => Self {
                name: folder,
                root,
                content,
            },
        }
    }
}

impl Found {
    /// Returns it refused, under the name of its folder, where one of the others has its name.
    fn beside(self, others: &[Self]) -> Self {
        let named_so = |other: &&Self| other.name == self.name && other.content.is_ok();
        let (Some(other), Ok(_)) = (others.iter().find(named_so), &self.content) else {
            return self;
        };
        let folder = |root: &Path| {
            let folder = root.file_name().unwrap_or_default();
            folder.to_string_lossy().into_owned()
        };
        let problem = Problem::NameTaken {
            name: self.name,
            folder: folder(&other.root),
        };
        Self {
            name: folder(&self.root),
            root: self.root,
            content: Err(Refusal::Skill(Finding { line: 1, problem })),
        }
    }
}

/// The skills that are installed, and those that wait beside them.
#[derive(Debug, Clone)]
pub struct Places {
    installed: PathBuf,
}

impl Places {
    /// Installed skills lie in this directory, which need not exist.
    pub fn new(installed: PathBuf) -> Self {
        Self { installed }
    }

    /// Returns what is installed.
    pub fn installed(&self) -> Vec<Found> {
        let folders = folders(&self.installed);
        let folders = folders.into_iter().take(INSTALLED_SKILLS);
        let mut found = Vec::new();
        for root in folders {
            let one = Found::at(root).beside(&found);
            found.push(one);
        }
        found
    }

    /// Returns where a repository is fetched to, which is nowhere else's.
    pub fn fetched(&self) -> PathBuf {
        self.installed.join(FETCHED)
    }

    /// Keeps the files of a wish until it is decided.
    pub fn stage(&self, id: i64, content: &Content) -> io::Result<()> {
        let staged = self.staged(id);
        // What a kill left of it is written again.
        remove(&staged)?;
        content.write(&staged)
    }

    /// Puts the files of a wish in place, in place of those that were there, whatever a kill left
    /// done.
    pub fn put(&self, id: i64, name: &str, hash: &str) -> Result<(), Refusal> {
        let unreadable = |error: io::Error| Refusal::unreadable(&error);
        let (staged, target) = (self.staged(id), self.installed.join(name));
        let is_moved = !staged.is_dir();
        let whole = Content::in_place(if is_moved { &target } else { &staged })?;
        if whole.hash() != hash {
            return Err(Refusal::Changed);
        }
        if !is_moved {
            let old = self.installed.join(STAGED).join(format!("{id}.old"));
            if target.exists() {
                remove(&old).map_err(unreadable)?;
                fs::rename(&target, &old).map_err(unreadable)?;
            }
            fs::rename(&staged, &target).map_err(unreadable)?;
        }
        let directory = fs::File::open(&self.installed).map_err(unreadable)?;
        directory.sync_all().map_err(unreadable)
    }

    /// Takes an installed skill away, whatever a kill left done.
    pub fn take_away(&self, id: i64, name: &str) -> io::Result<()> {
        let old = self.installed.join(STAGED).join(format!("{id}.old"));
        let target = self.installed.join(name);
        if target.is_dir() {
            fs::create_dir_all(self.installed.join(STAGED))?;
            remove(&old)?;
            fs::rename(target, &old)?;
        }
        remove(&old)
    }

    /// Removes staged skills whose review is no longer open.
    pub fn tidy(&self, living: &[i64]) -> io::Result<()> {
        let Ok(entries) = fs::read_dir(self.installed.join(STAGED)) else {
            return Ok(());
        };
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let id = name.to_str().and_then(|name| name.parse().ok());
            if !id.is_some_and(|id| living.contains(&id)) {
                remove(&entry.path())?;
            }
        }
        Ok(())
    }

    fn staged(&self, id: i64) -> PathBuf {
        self.installed.join(STAGED).join(id.to_string())
    }
}

/// Returns the skills that lie in a workspace, whether anybody approved them or not.
pub fn in_workspace(workspace: &Path) -> Vec<Found> {
    let mut found: Vec<Found> = Vec::new();
    for place in IN_WORKSPACE {
        let Some(place) = directory_below(workspace, place) else {
            continue;
        };
        for root in folders(&place) {
            if found.len() == WORKSPACE_SKILLS {
                return found;
            }
            // What is in the place that goes before is meant to; in one place a name is one
            // skill's.
            let same_place = |other: &Found| other.root.parent() == root.parent();
            let first = found.partition_point(|other| !same_place(other));
            let one = Found::at(root).beside(&found[first..]);
            if !found.iter().any(|other| other.name == one.name) {
                found.push(one);
            }
        }
    }
    found
}

/// Returns a directory below another, if no part of the way is a link.
fn directory_below(base: &Path, below: &str) -> Option<PathBuf> {
    let mut path = base.to_owned();
    for part in below.split('/') {
        path.push(part);
        let is_directory = path.symlink_metadata().is_ok_and(|kind| kind.is_dir());
        if !is_directory {
            return None;
        }
    }
    Some(path)
}

/// Returns the folders in a directory that hold a skill, in the order of their names.
pub fn folders(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut folders: Vec<_> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .filter(|folder| folder.join(SKILL_FILE).symlink_metadata().is_ok())
        .collect();
    folders.sort();
    folders
}

fn remove(directory: &Path) -> io::Result<()> {
    match fs::remove_dir_all(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use sayso_channel::Language;

    use super::{Content, Places, Refusal, in_workspace};
    use crate::skills::messages;

    const TEA: &str = "---\nname: tea\ndescription: d\n---\n";

    fn tea(text: &str) -> Content {
        let mut content = Content::default();
        let whole = format!("{TEA}{text}").into_bytes();
        content.add("SKILL.md".to_owned(), whole).unwrap();
        content
    }

    fn installed(places: &Places) -> Vec<(String, String)> {
        let found = places.installed().into_iter();
        let text = |content: Content| content.text("SKILL.md").unwrap().replace(TEA, "");
        found
            .map(|one| (one.name, one.content.map(text).unwrap()))
            .collect()
    }

    #[test]
    fn skills_slug_of_two_with_one_name_the_first_stays_and_the_second_is_refused() {
        let home = tempfile::tempdir().unwrap();
        for (folder, name) in [("a", "Tea Time"), ("b", "tea_time"), ("c", "cake")] {
            let path = home.path().join("skills").join(folder);
            std::fs::create_dir_all(&path).unwrap();
            let skill = format!("---\nname: {name}\ndescription: d\n---\n");
            std::fs::write(path.join("SKILL.md"), skill).unwrap();
        }
        let places = Places::new(home.path().join("skills"));
        for found in [in_workspace(home.path()), places.installed()] {
            let names: Vec<_> = found.iter().map(|one| one.name.as_str()).collect();
            assert_eq!(names, ["tea-time", "b", "cake"]);
            assert!(found[0].content.is_ok() && found[2].content.is_ok());
            let refusal = found[1].content.as_ref().unwrap_err();
            let said = messages::refusal(refusal, Language::English);
            assert!(
                said.contains("`a` comes before it and is called `tea-time`"),
                "{said}"
            );
        }
    }

    #[test]
    fn what_is_put_in_place_is_whole_whatever_was_done_before_a_kill() {
        let home = tempfile::tempdir().unwrap();
        let places = Places::new(home.path().join("installed"));
        let (first, second) = (tea("boil"), tea("wait"));
        places.stage(1, &first).unwrap();
        assert_eq!(installed(&places), []);
        places.put(1, "tea", &first.hash()).unwrap();
        // Killed after the move.
        places.put(1, "tea", &first.hash()).unwrap();
        assert_eq!(installed(&places), [("tea".to_owned(), "boil".to_owned())]);
        // Killed between the two moves of a replacement.
        places.stage(2, &second).unwrap();
        let target = home.path().join("installed/tea");
        std::fs::rename(&target, home.path().join("installed/.staged/2.old")).unwrap();
        places.put(2, "tea", &second.hash()).unwrap();
        assert_eq!(installed(&places), [("tea".to_owned(), "wait".to_owned())]);
        places.tidy(&[]).unwrap();
        let left = std::fs::read_dir(home.path().join("installed/.staged")).unwrap();
        assert_eq!(left.count(), 0);
        places.take_away(3, "tea").unwrap();
        places.take_away(3, "tea").unwrap();
        assert_eq!(installed(&places), []);
    }

    #[test]
    fn what_changed_since_it_was_shown_is_not_put_in_place() {
        let home = tempfile::tempdir().unwrap();
        let places = Places::new(home.path().to_owned());
        let shown = tea("boil").hash();
        places.stage(1, &tea("burn")).unwrap();
        assert_eq!(places.put(1, "tea", &shown), Err(Refusal::Changed));
        assert_eq!(installed(&places), []);
    }

    #[test]
    fn a_workspace_is_looked_through_without_following_links() {
        let home = tempfile::tempdir().unwrap();
        let outside = home.path().join("outside/ink");
        std::fs::create_dir_all(&outside).unwrap();
        std::fs::write(outside.join("SKILL.md"), TEA).unwrap();
        let workspace = home.path().join("workspace");
        std::fs::create_dir_all(workspace.join("skills")).unwrap();
        std::os::unix::fs::symlink(&outside, workspace.join("skills/ink")).unwrap();
        std::os::unix::fs::symlink(home.path(), workspace.join(".agents")).unwrap();
        tea("boil").write(&workspace.join("skills/tea")).unwrap();
        let names: Vec<_> = in_workspace(&workspace)
            .into_iter()
            .map(|one| one.name)
            .collect();
        assert_eq!(names, ["tea"]);
    }
}
