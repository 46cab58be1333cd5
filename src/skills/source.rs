//! Where a skill is taken from on this machine: a folder or an archive.

use std::path::Path;

use super::archive::{self, Format};
use super::content::Content;
use super::folder::{Folder, SKILL_FILE, skills_below};
use super::front_matter;
use super::problem::{Finding, Problem, Refusal};

/// What stands between a source and the name of one of its skills.
const ONE_OF: char = '#';

/// A skill as it was taken, with the name of its folder.
#[derive(Debug)]
pub struct Taken {
    /// The name of its folder.
    pub folder: String,
    /// Its files.
    pub content: Content,
    /// The commit that they are of, where they come from a repository.
    pub commit: Option<String>,
}

impl Taken {
    /// Returns the name that it says.
    pub fn name(&self) -> Result<String, Finding> {
        name_in(&self.folder, &self.content)
    }
}

/// Returns the name that a skill says.
pub fn name_in(folder: &str, content: &Content) -> Result<String, Finding> {
    let Some(written) = content.text(SKILL_FILE) else {
        let problem = Problem::NotText;
        return Err(Finding { line: 1, problem });
    };
    Ok(front_matter::read(folder, written)?.front_matter.name)
}

/// Takes the skill that is written as `PATH` or `PATH#NAME`; a path that does not begin with `/` is
/// one below `base`.
pub fn take(written: &str, base: &Path) -> Result<Taken, Refusal> {
    let (path, one) = match written.rsplit_once(ONE_OF) {
        Some((path, one)) => (path, Some(one)),
        None => (written, None),
    };
    let path = base.join(path);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    if path.is_dir() {
        return from_folder(&path, one);
    }
    if !path.exists() {
        return Err(Refusal::NoSource);
    }
    let format = Format::of(&name).ok_or(Refusal::NoFormat)?;
    from_archive(archive::unpack(&path, format)?, &name, one)
}

fn from_folder(path: &Path, one: Option<&str>) -> Result<Taken, Refusal> {
    if one.is_none() && path.join(SKILL_FILE).is_file() {
        return take_folder(path);
    }
    let files = skills_below(path).map_err(|error| Refusal::unreadable(&error))?;
    let folders: Vec<_> = files.iter().filter_map(|file| file.parent()).collect();
    let named: Vec<(String, &Path)> = folders
        .into_iter()
        .map(|folder| (Folder::new(folder).name(), folder))
        .collect();
    let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
    let chosen = choose(&names, one)?;
    let folder = named.get(chosen).ok_or(Refusal::NoSkill)?;
    take_folder(folder.1)
}

fn take_folder(path: &Path) -> Result<Taken, Refusal> {
    Ok(Taken {
        folder: Folder::new(path).name(),
        content: Content::at_source(path)?,
        commit: None,
    })
}

fn from_archive(content: Content, archive: &str, one: Option<&str>) -> Result<Taken, Refusal> {
    let folders: Vec<String> = content.skills().into_iter().map(str::to_owned).collect();
    let names: Vec<&str> = folders.iter().map(|folder| last_part(folder)).collect();
    let chosen = choose(&names, one)?;
    match folders.get(chosen).map(String::as_str) {
        None => Err(Refusal::NoSkill),
        // The archive itself is the folder.
        Some("") => Ok(Taken {
            folder: archive.split('.').next().unwrap_or_default().to_owned(),
            content: content.copied()?,
            commit: None,
        }),
        Some(folder) => Ok(Taken {
            folder: last_part(folder).to_owned(),
            content: content.below(folder).copied()?,
            commit: None,
        }),
    }
}

/// Returns the last part of a path.
pub fn last_part(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns the place of the one skill that is meant.
pub fn choose(names: &[&str], one: Option<&str>) -> Result<usize, Refusal> {
    match (names, one) {
        ([], _) => Err(Refusal::NoSkill),
        ([_], None) => Ok(0),
        (names, Some(one)) => {
            let place = names.iter().position(|name| *name == one);
            place.ok_or_else(|| Refusal::Several(owned(names)))
        }
        (names, None) => Err(Refusal::Several(owned(names))),
    }
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
