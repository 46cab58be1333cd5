//! What a call would do to files, by what is on disk now.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use sayso_code::patch::{
    self, Applied, FileChange, FileText, Files, PatchPath, RenderLimits, render,
};
use sayso_core::transcript::{FileBefore, SessionId};
use sayso_core::visible::visible_line;
use sayso_policy::Reach;

use super::commit::NEW_FILE_MODE;
use super::file_edit::{FileEdit, FoundFile};
use super::seen_files::{Differing, SeenFiles};
use crate::workspace::Workspace;

/// How much is quoted of a change by somebody else.
const TOLD: RenderLimits = RenderLimits {
    context: 1,
    lines: 40,
    columns: 160,
};

/// Says that there is nothing to take back.
const NOTHING_TO_UNDO: &str = "there is no change of this conversation that could be taken back";

/// What a call asks for.
#[derive(Debug, Clone)]
pub(super) enum Wanted {
    /// A patch in either format.
    Patch(String),
    /// One file, whole.
    Whole {
        /// Where.
        path: String,
        /// Its text.
        content: String,
    },
    /// Files as they were before earlier calls, the oldest first: the last that is still in force.
    Earlier(Vec<Vec<FileBefore>>),
}

/// What comes of it.
#[derive(Debug)]
pub(super) enum Planned {
    /// These edits, of which none is without effect.
    Edits(Vec<FileEdit>),
    /// Nothing, since a path leads out of the workspace.
    Outside(PathBuf),
    /// Nothing, for a reason that quotes the files read; the strictest of them is named.
    Refused {
        /// Why, for the model.
        why: String,
        /// The file that was read.
        read: PathBuf,
    },
    /// Nothing, for a reason in the call itself.
    Invalid(String),
}

/// Where edits are planned.
pub(super) struct Place<'a> {
    /// The root of the workspace.
    pub(super) root: &'a Path,
    /// The conversation.
    pub(super) session: SessionId,
    /// What its models were shown.
    pub(super) seen: &'a SeenFiles,
}

/// Plans what a call asks for. It blocks.
pub(super) fn plan(wanted: &Wanted, place: &Place<'_>) -> io::Result<Planned> {
    let workspace = Workspace::open(place.root)?;
    let disk = Disk::new(&workspace, &[]);
    let planned = match wanted {
        Wanted::Patch(text) => patched(text, &disk),
        Wanted::Whole { path, content } => written_whole(path, content, &disk),
        Wanted::Earlier(steps) => match in_force(&made(steps, &disk)).last() {
            Some(files) => as_before(files, &disk),
            None => Planned::Invalid(NOTHING_TO_UNDO.to_owned()),
        },
    };
    Ok(match planned {
        Planned::Edits(edits) => match stale(&edits, place, workspace.root()) {
            Some(refused) => refused,
            None => Planned::Edits(edits),
        },
        planned => planned,
    })
}

/// Plans a call again from what files were before it began: what was begun is finished so.
pub(super) fn plan_from(wanted: &Wanted, workspace: &Workspace, before: &[FileBefore]) -> Planned {
    let disk = Disk::new(workspace, before);
    match wanted {
        Wanted::Patch(text) => patched(text, &disk),
        Wanted::Whole { path, content } => written_whole(path, content, &disk),
        Wanted::Earlier(_) => Planned::Invalid("it is taken back instead".to_owned()),
    }
}

/// The files of the workspace, each read once; or as they were before.
struct Disk<'a> {
    workspace: &'a Workspace,
    before: &'a [FileBefore],
    found: RefCell<BTreeMap<String, Looked>>,
}

/// What was found at a path as it was written.
#[derive(Debug, Clone)]
enum Looked {
    /// A file or none, by its resolved path.
    At(String, Option<FoundFile>),
    /// A place that may not be reached.
    Outside(PathBuf),
    /// Something that cannot be read, or changed.
    Unreadable(String),
}

impl<'a> Disk<'a> {
    fn new(workspace: &'a Workspace, before: &'a [FileBefore]) -> Self {
        Self {
            workspace,
            before,
            found: RefCell::default(),
        }
    }

    fn look(&self, path: &str) -> Looked {
        if let Some(looked) = self.found.borrow().get(path) {
            return looked.clone();
        }
        let looked = self
            .look_up(path)
            .unwrap_or_else(|error| Looked::Unreadable(why(&error)));
        let kept = looked.clone();
        self.found.borrow_mut().insert(path.to_owned(), kept);
        looked
    }

    fn look_up(&self, path: &str) -> io::Result<Looked> {
        let resolved = match self.workspace.reach(path)? {
            Reach::Inside(resolved) => resolved,
            Reach::Outside(resolved) => return Ok(Looked::Outside(resolved)),
        };
        let inside = self.workspace.relative(&resolved);
        if inside.components().any(|part| part.as_os_str() == ".git") {
            let why = "what git keeps in `.git` is not changed by patches";
            return Ok(Looked::Unreadable(why.to_owned()));
        }
        let Some(inside) = inside.to_str() else {
            let why = "its name is not UTF-8; change it by a command";
            return Ok(Looked::Unreadable(why.to_owned()));
        };
        if let Some(before) = self.before.iter().find(|before| before.path == inside) {
            let mode = before.mode.unwrap_or(NEW_FILE_MODE);
            let found = before.content.clone();
            let found = found.map(|bytes| FoundFile { bytes, mode });
            return Ok(Looked::At(inside.to_owned(), found));
        }
        let found = FoundFile::read(self.workspace, inside)?;
        Ok(Looked::At(inside.to_owned(), found))
    }

    /// Returns whether a file is what it was before a call.
    fn is_as_before(&self, file: &FileBefore) -> bool {
        match self.look(&file.path) {
            Looked::At(_, now) => now.as_ref().map(FoundFile::digest) == file.was,
            Looked::Outside(_) | Looked::Unreadable(_) => false,
        }
    }

    /// Returns what stopped the planning, if a path cannot be changed.
    fn problem(&self) -> Option<Planned> {
        let found = self.found.borrow();
        found.iter().find_map(|(path, looked)| match looked {
            Looked::At(..) => None,
            Looked::Outside(resolved) => Some(Planned::Outside(resolved.clone())),
            Looked::Unreadable(why) => {
                Some(Planned::Invalid(format!("`{}`: {why}", visible_line(path))))
            }
        })
    }

    /// Returns a file that was read, one that keeps secrets by its name first.
    fn strictest(&self) -> PathBuf {
        let found = self.found.borrow();
        let mut paths = found.values().filter_map(|looked| match looked {
            Looked::At(path, Some(_)) => Some(self.workspace.root().join(path)),
            Looked::At(_, None) | Looked::Outside(_) | Looked::Unreadable(_) => None,
        });
        let first = paths.next();
        let secret = first
            .iter()
            .cloned()
            .chain(paths)
            .find(|path| sayso_policy::is_secret_like(path));
        let root = || self.workspace.root().to_path_buf();
        secret.or(first).unwrap_or_else(root)
    }

    /// Returns the edit that gives a path a new text, or none.
    fn edit(&self, path: &str, text: Option<&str>) -> Result<FileEdit, Planned> {
        let Looked::At(resolved, was) = self.look(path) else {
            let refused = || Planned::Invalid(format!("`{}`", visible_line(path)));
            return Err(self.problem().unwrap_or_else(refused));
        };
        if text.is_none() && resolved != path {
            return Err(Planned::Invalid(format!(
                "`{}` is reached by a symbolic link; name the file itself",
                visible_line(path)
            )));
        }
        let becomes = match (text, &was) {
            (None, _) => None,
            (Some(text), Some(was)) => Some(was.with_text(text).ok_or_else(|| {
                Planned::Invalid(format!(
                    "`{}` is in an encoding that has no such letters",
                    visible_line(path)
                ))
            })?),
            (Some(text), None) => Some(FoundFile {
                bytes: text.as_bytes().to_vec(),
                mode: NEW_FILE_MODE,
            }),
        };
        Ok(FileEdit {
            path: resolved,
            was,
            becomes,
        })
    }
}

impl Files for Disk<'_> {
    fn text(&self, path: &PatchPath) -> FileText<'_> {
        match self.look(path.as_str()) {
            Looked::At(_, None) | Looked::Outside(_) | Looked::Unreadable(_) => FileText::Missing,
            Looked::At(_, Some(found)) => match found.text() {
                Some(text) => FileText::Text(text.into()),
                None => FileText::Binary,
            },
        }
    }
}

fn patched(text: &str, disk: &Disk<'_>) -> Planned {
    let patch = match patch::parse(text) {
        Ok(patch) => patch,
        Err(error) => return Planned::Invalid(error.to_string()),
    };
    let applied = patch::apply(&patch, disk);
    if let Some(problem) = disk.problem() {
        return problem;
    }
    match applied {
        Err(error) => Planned::Refused {
            why: error.to_string(),
            read: disk.strictest(),
        },
        Ok(Applied { changes, .. }) => match edits_of(&changes, disk) {
            Ok(edits) => distinct(edits),
            Err(refused) => refused,
        },
    }
}

/// Returns the edits of changes: a move is one that makes the new file, then one that removes the
/// old.
fn edits_of(changes: &[FileChange], disk: &Disk<'_>) -> Result<Vec<FileEdit>, Planned> {
    let mut edits = Vec::with_capacity(changes.len());
    for change in changes {
        let Some(from) = &change.moved_from else {
            edits.push(disk.edit(&change.path, change.after.as_deref())?);
            continue;
        };
        let gone = disk.edit(from, None)?;
        let mut made = disk.edit(&change.path, change.after.as_deref())?;
        let old = gone.was.as_ref();
        let moved = old.zip(change.after.as_deref());
        if let Some(becomes) = moved.and_then(|(old, text)| old.with_text(text)) {
            made.becomes = Some(becomes);
        }
        edits.extend([made, gone]);
    }
    Ok(edits)
}

/// Refuses edits of which two are of one file under two names.
fn distinct(edits: Vec<FileEdit>) -> Planned {
    let mut paths: Vec<&str> = edits.iter().map(|edit| edit.path.as_str()).collect();
    paths.sort_unstable();
    let twice = paths.windows(2).find(|pair| pair[0] == pair[1]);
    match twice {
        Some(pair) => {
            let path = visible_line(pair[0]);
            Planned::Invalid(format!("two paths of the patch are the file `{path}`"))
        }
        None => Planned::Edits(edits),
    }
}

fn written_whole(path: &str, content: &str, disk: &Disk<'_>) -> Planned {
    let path = match PatchPath::read(path) {
        Ok(path) => path,
        Err(refused) => return Planned::Invalid(refused.to_string()),
    };
    match disk.edit(path.as_str(), Some(content)) {
        Ok(edit) if edit.was.as_ref().map(|was| &was.bytes) == becomes(&edit) => {
            // It tells what the file holds.
            Planned::Refused {
                why: format!("`{path}` is that already"),
                read: disk.strictest(),
            }
        }
        Ok(edit) => Planned::Edits(vec![edit]),
        Err(refused) => refused,
    }
}

fn becomes(edit: &FileEdit) -> Option<&Vec<u8>> {
    edit.becomes.as_ref().map(|becomes| &becomes.bytes)
}

/// Returns the changes that were made, by what the files are now and by the changes behind each: a
/// call that was begun and then failed changed nothing.
fn made<'f>(steps: &'f [Vec<FileBefore>], disk: &Disk<'_>) -> Vec<&'f [FileBefore]> {
    let mut later: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    let mut made = Vec::new();
    for files in steps.iter().rev() {
        let is_as_before = |file: &FileBefore| match later.get(file.path.as_str()) {
            Some(was) => *was == file.was.as_deref(),
            None => disk.is_as_before(file),
        };
        if files.iter().all(is_as_before) {
            continue;
        }
        later.extend(
            files
                .iter()
                .map(|file| (file.path.as_str(), file.was.as_deref())),
        );
        made.push(files.as_slice());
    }
    made.reverse();
    made
}

/// Returns the changes that no later one took back, the oldest first.
fn in_force<'f>(steps: &[&'f [FileBefore]]) -> Vec<&'f [FileBefore]> {
    let mut in_force: Vec<&[FileBefore]> = Vec::new();
    for step in steps {
        if in_force.last().is_some_and(|last| takes_back(step, last)) {
            in_force.pop();
        } else {
            in_force.push(step);
        }
    }
    in_force
}

/// Returns whether a change is exactly the reverse of another.
fn takes_back(step: &[FileBefore], other: &[FileBefore]) -> bool {
    fn state(was: Option<&String>) -> &str {
        was.map_or(FileBefore::GONE, String::as_str)
    }
    let is_reverse = |file: &FileBefore| {
        other.iter().any(|other| {
            other.path == file.path
                && state(file.was.as_ref()) == other.becomes
                && state(other.was.as_ref()) == file.becomes
        })
    };
    step.len() == other.len() && step.iter().all(is_reverse)
}

/// Returns the edits that put files back, where they still are what the call left.
fn as_before(files: &[FileBefore], disk: &Disk<'_>) -> Planned {
    let mut edits = Vec::with_capacity(files.len());
    for file in files {
        let Looked::At(path, now) = disk.look(&file.path) else {
            let gone = || Planned::Invalid(format!("`{}`", visible_line(&file.path)));
            return disk.problem().unwrap_or_else(gone);
        };
        let digest = now.as_ref().map(FoundFile::digest);
        let is_as_left = digest.as_deref().unwrap_or(FileBefore::GONE) == file.becomes;
        if !is_as_left || !file.is_kept() {
            return Planned::Invalid(format!(
                "`{}` was changed since by something else; nothing was taken back. Read it and \
                 send a patch",
                visible_line(&file.path)
            ));
        }
        let mode = file.mode.unwrap_or(NEW_FILE_MODE);
        let content = file.content.clone().filter(|_| file.was.is_some());
        edits.push(FileEdit {
            path,
            was: now,
            becomes: content.map(|bytes| FoundFile { bytes, mode }),
        });
    }
    Planned::Edits(edits)
}

/// Refuses edits of a file that is not what a model of the conversation saw last.
fn stale(edits: &[FileEdit], place: &Place<'_>, root: &Path) -> Option<Planned> {
    edits.iter().find_map(|edit| {
        let now = edit.was.as_ref()?;
        let path = root.join(&edit.path);
        let seen = place.seen.differing(place.session, &path, &now.bytes)?;
        let shown = visible_line(&edit.path);
        let change = match seen {
            Differing::FromUnknown => " ".to_owned(),
            Differing::From(then) => {
                let then = String::from_utf8_lossy(&then).into_owned();
                let text = String::from_utf8_lossy(&now.bytes).into_owned();
                let change = FileChange::of(&edit.path, Some(&then), Some(&text));
                format!(" What changed:\n{}", render(&change, TOLD))
            }
        };
        Some(Planned::Refused {
            why: format!(
                "`{shown}` has changed since you read it.{change}Read it again, then send a \
                 patch for what it is now"
            ),
            read: path,
        })
    })
}

fn why(error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::PermissionDenied => "the permission is missing".to_owned(),
        io::ErrorKind::IsADirectory => "it is a directory".to_owned(),
        io::ErrorKind::NotADirectory => "a part of the path is no directory".to_owned(),
        _ => error.to_string(),
    }
}
