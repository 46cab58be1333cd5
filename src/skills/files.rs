//! The files of a skill beside its text (L3): built in or in its folder, read one at a time and
//! only when they are asked for.

use super::folder::Folder;
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
}

impl Files {
    /// Returns their names.
    pub fn names(&self) -> Vec<&str> {
        match self {
            Self::Builtin(files) => files.iter().map(|(name, _)| *name).collect(),
            Self::Folder(_, names) => names.iter().map(String::as_str).collect(),
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
