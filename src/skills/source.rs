//! Where a skill is taken from: a folder or an archive on this machine.

use std::path::Path;

use super::archive::{self, Format};
use super::content::Content;
use super::folder::{Folder, SKILL_FILE, skills_below};
use super::problem::Refusal;

/// What stands between a source and the name of one of its skills.
const ONE_OF: char = '#';

/// A skill as it was taken, with the name of its folder.
#[derive(Debug)]
pub struct Taken {
    /// The name of its folder.
    pub folder: String,
    /// Its files.
    pub content: Content,
}

/// Takes the skill that is written as `PATH` or `PATH#NAME`; a path that does not begin with `/` is one
/// below `base`.
pub fn take(written: &str, base: &Path) -> Result<Taken, Refusal> {
    let (path, one) = match written.rsplit_once(ONE_OF) {
        Some((path, one)) => (path, Some(one)),
        None => (written, None),
    };
    if path.contains("://") || path.starts_with("git@") {
        return Err(Refusal::NotHere);
    }
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
        content: Content::of_folder(path)?,
    })
}

fn from_archive(content: Content, archive: &str, one: Option<&str>) -> Result<Taken, Refusal> {
    let folders: Vec<String> = content.skills().into_iter().map(str::to_owned).collect();
    let last = |folder: &'_ str| folder.rsplit('/').next().unwrap_or_default().to_owned();
    let names: Vec<String> = folders.iter().map(|folder| last(folder)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let chosen = choose(&names, one)?;
    match folders.get(chosen).map(String::as_str) {
        None => Err(Refusal::NoSkill),
        // The archive itself is the folder.
        Some("") => Ok(Taken {
            folder: archive.split('.').next().unwrap_or_default().to_owned(),
            content: content.whole()?,
        }),
        Some(folder) => Ok(Taken {
            folder: last(folder),
            content: content.below(folder).whole()?,
        }),
    }
}

/// Returns the place of the one skill that is meant.
fn choose(names: &[&str], one: Option<&str>) -> Result<usize, Refusal> {
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
