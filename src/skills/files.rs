//! The files of a skill beside its text (L3): built in or in its folder, read one at a time and
//! only when they are asked for.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::content::Content;
use super::folder::{Folder, SKILL_FILE};
use super::problem::Problem;

/// The most names in the note below a text.
const SHOWN: usize = 40;

/// The files of one skill.
#[derive(Debug, Clone)]
pub enum Files {
    /// Names and texts.
    Builtin(&'static [(&'static str, &'static str)]),
    /// A folder, and what was in it when it was loaded.
    Folder(Folder, Vec<String>),
    /// A folder, and the hashes of what an owner approved of it.
    Approved(Folder, BTreeMap<String, String>),
}

impl Files {
    /// Returns the files of a folder as they were approved.
    pub fn approved(folder: Folder, content: &Content) -> Self {
        let files = content.files().filter(|(path, _)| *path != SKILL_FILE);
        let hashes = files.map(|(path, bytes)| (path.to_owned(), hash_of(bytes)));
        Self::Approved(folder, hashes.collect())
    }

    /// Returns their names.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Builtin(files) => files.iter().map(|(name, _)| *name).collect(),
            Self::Folder(_, names) => names.iter().map(String::as_str).collect(),
            Self::Approved(_, hashes) => hashes.keys().map(String::as_str).collect(),
        }
    }

    /// Returns the text of a file.
    pub fn read(&self, name: &str) -> Result<String, Problem> {
        match self {
            Self::Builtin(files) => files
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| Problem::NoSuchFile(name.to_owned())),
            Self::Folder(folder, _) => folder.read(name),
            Self::Approved(folder, hashes) => {
                let text = folder.read(name)?;
                match hashes.get(name) {
                    Some(hash) if *hash == hash_of(text.as_bytes()) => Ok(text),
                    Some(_) | None => Err(Problem::NotApproved(name.to_owned())),
                }
            }
        }
    }

    /// Returns the note that names them below the skill's text; empty without files.
    pub fn note(&self) -> String {
        let names = self.names();
        if names.is_empty() {
            return String::new();
        }
        let shown = names.iter().take(SHOWN).copied().collect::<Vec<_>>();
        let more = names.len() - shown.len();
        let more = if more > 0 {
            format!(" and {more} more")
        } else {
            String::new()
        };
        format!(
            "\n\n[Files of this skill, for `skill` with `file`: {}{more}]",
            shown.join(", ")
        )
    }
}

fn hash_of(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
