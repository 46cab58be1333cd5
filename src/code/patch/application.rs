//! Applies a patch to texts that the caller has: all of it or nothing.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::change::FileChange;
use super::error::{FileProblem, PatchError};
use super::limits::FILE_BYTES;
use super::line_text::LineText;
use super::path::PatchPath;
use super::seek::Allowance;
use super::splice::spliced;
use super::syntax::{Action, Hunk, Patch, Repair, Section};

/// Where the texts of files come from.
pub trait Files {
    /// Returns what is at a path below the project's folder. It is asked once per path and patch.
    fn text(&self, path: &PatchPath) -> FileText<'_>;
}

/// What is at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileText<'a> {
    /// No file.
    Missing,
    /// A file that is no text.
    Binary,
    /// A file with this text.
    Text(Cow<'a, str>),
}

impl Files for BTreeMap<String, String> {
    fn text(&self, path: &PatchPath) -> FileText<'_> {
        match self.get(path.as_str()) {
            Some(text) => FileText::Text(Cow::Borrowed(text)),
            None => FileText::Missing,
        }
    }
}

/// What a patch does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Applied {
    /// What happens to each file, in the order of the paths.
    pub changes: Vec<FileChange>,
    /// What was read or found although it was not written exactly.
    pub repairs: Vec<Repair>,
}

impl Applied {
    /// Returns the changes that take these back, in reverse order.
    pub fn inverse(&self) -> Vec<FileChange> {
        self.changes.iter().rev().map(FileChange::inverse).collect()
    }
}

/// Applies a patch. Sections are applied in order, each to what the ones before it left. On an error
/// nothing is changed.
pub fn apply(patch: &Patch, files: &dyn Files) -> Result<Applied, PatchError> {
    let mut overlay = Overlay {
        files,
        entries: BTreeMap::new(),
        allowance: Allowance::default(),
        repairs: patch.repairs.iter().copied().collect(),
    };
    for section in &patch.sections {
        overlay.take(section)?;
    }
    let repairs = overlay.repairs.iter().copied().collect();
    let changes = overlay.changes();
    if changes.is_empty() {
        let first = patch.sections.first();
        let path = first.map(|section| section.path.to_string());
        return Err(PatchError::File {
            path: path.unwrap_or_default(),
            problem: FileProblem::NoChange,
        });
    }
    Ok(Applied { changes, repairs })
}

/// The files as the sections so far leave them.
struct Overlay<'a> {
    files: &'a dyn Files,
    entries: BTreeMap<PatchPath, Entry>,
    allowance: Allowance,
    repairs: BTreeSet<Repair>,
}

/// A file that the patch names.
struct Entry {
    before: Option<String>,
    now: Option<String>,
    /// The file whose text was moved here.
    moved_from: Option<PatchPath>,
}

impl Overlay<'_> {
    fn take(&mut self, section: &Section) -> Result<(), PatchError> {
        let path = &section.path;
        match &section.action {
            Action::Add { text } => self.add(path, text),
            Action::Delete { lines } => self.delete(path, lines.as_deref()),
            Action::Update { move_to, hunks } => {
                let target = move_to.as_ref().filter(|target| *target != path);
                self.update(path, target, hunks)
            }
        }
    }

    fn add(&mut self, path: &PatchPath, text: &str) -> Result<(), PatchError> {
        let entry = self.entry(path)?;
        if entry.now.is_some() {
            return Err(refused(path, FileProblem::Exists));
        }
        entry.now = Some(text.to_owned());
        Ok(())
    }

    fn delete(&mut self, path: &PatchPath, lines: Option<&[String]>) -> Result<(), PatchError> {
        let entry = self.entry(path)?;
        let text = entry.now.take();
        let text = text.ok_or_else(|| refused(path, FileProblem::Missing))?;
        entry.moved_from = None;
        let Some(lines) = lines else {
            return Ok(());
        };
        let there = LineText::new(&text).lines;
        let there = there.iter().map(|line| line.text.trim_end());
        if there.eq(lines.iter().map(|line| line.trim_end())) {
            return Ok(());
        }
        Err(refused(path, FileProblem::OtherLines))
    }

    fn update(
        &mut self,
        path: &PatchPath,
        target: Option<&PatchPath>,
        hunks: &[Hunk],
    ) -> Result<(), PatchError> {
        let entry = self.entry(path)?;
        let old = entry.now.clone();
        let old = old.ok_or_else(|| refused(path, FileProblem::Missing))?;
        let name = path.as_str();
        let new = spliced(name, &old, hunks, &mut self.allowance, &mut self.repairs)?;
        let Some(target) = target else {
            if new == old {
                return Err(refused(path, FileProblem::NoChange));
            }
            self.entry(path)?.now = Some(new);
            return Ok(());
        };
        let source = self.entry(path)?;
        source.now = None;
        let origin = source.moved_from.take().unwrap_or_else(|| path.clone());
        let entry = self.entry(target)?;
        if entry.now.is_some() {
            return Err(refused(target, FileProblem::Occupied));
        }
        entry.now = Some(new);
        entry.moved_from = Some(origin).filter(|origin| origin != target);
        Ok(())
    }

    /// Returns what the patch has made of a file, which is read where it is named first.
    fn entry(&mut self, path: &PatchPath) -> Result<&mut Entry, PatchError> {
        if !self.entries.contains_key(path) {
            let before = match self.files.text(path) {
                FileText::Missing => None,
                FileText::Text(text) if text.len() > FILE_BYTES => {
                    return Err(PatchError::TooLarge {
                        what: "the bytes of a file",
                        limit: FILE_BYTES,
                    });
                }
                FileText::Text(text) if !text.contains('\0') => Some(text.into_owned()),
                FileText::Text(_) | FileText::Binary => {
                    return Err(refused(path, FileProblem::Binary));
                }
            };
            let entry = Entry {
                now: before.clone(),
                before,
                moved_from: None,
            };
            self.entries.insert(path.clone(), entry);
        }
        let entry = self.entries.get_mut(path);
        entry.ok_or_else(|| refused(path, FileProblem::Missing))
    }

    /// Returns what is different now. A moved file is one change, if its old name is free now.
    fn changes(&self) -> Vec<FileChange> {
        let is_free = |path: &PatchPath| self.entries.get(path).is_some_and(|it| it.now.is_none());
        let moves = self.entries.iter().filter_map(|(path, entry)| {
            let from = entry.moved_from.as_ref()?;
            let is_move = entry.now.is_some() && entry.before.is_none() && is_free(from);
            is_move.then_some((path, from))
        });
        let moves: BTreeMap<&PatchPath, &PatchPath> = moves.collect();
        let moved: BTreeSet<&PatchPath> = moves.values().copied().collect();
        let others = self
            .entries
            .iter()
            .filter(|(path, _)| !moved.contains(path));
        let changes = others.map(|(path, entry)| {
            let from = moves.get(path).copied();
            let source = from.and_then(|from| self.entries.get(from));
            FileChange {
                path: path.to_string(),
                moved_from: from.map(PatchPath::to_string),
                before: source.unwrap_or(entry).before.clone(),
                after: entry.now.clone(),
            }
        });
        let is_change =
            |change: &FileChange| change.moved_from.is_some() || change.before != change.after;
        changes.filter(is_change).collect()
    }
}

fn refused(path: &PatchPath, problem: FileProblem) -> PatchError {
    PatchError::File {
        path: path.to_string(),
        problem,
    }
}
