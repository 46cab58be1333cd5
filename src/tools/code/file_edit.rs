//! A file as a call found it and as the call leaves it: what people see of that, and what an
//! approval is bound to.

use std::io::{self, Read as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use sayso_code::patch::{FileChange, RenderLimits, render};
use sayso_core::transcript::FileBefore;
use sayso_core::visible::visible_line;
use sayso_policy::{Action, Binding, ClearedCall, Reach, ToolFacts, is_secret_like};
use sha2::{Digest as _, Sha256};

use crate::encoding::decode;
use crate::workspace::Workspace;

/// The largest file that is changed by a patch, in bytes: of larger ones nothing is kept that could
/// be put back.
pub(crate) const MAX_EDITED_BYTES: u64 = 1024 * 1024;
/// How a change is shown: nothing of it is left out, or it is refused.
const SHOWN: RenderLimits = RenderLimits {
    context: 3,
    lines: 4000,
    columns: 500,
};

/// A file on disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FoundFile {
    /// What it holds.
    pub(crate) bytes: Vec<u8>,
    /// Its permissions.
    pub(crate) mode: u32,
}

/// A file that a call changes, makes or removes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FileEdit {
    /// Where it is, from the root of the workspace, symlinks resolved.
    pub(crate) path: String,
    /// What it is now; `None` where it does not exist.
    pub(crate) was: Option<FoundFile>,
    /// What it will be; `None` where it is removed.
    pub(crate) becomes: Option<FoundFile>,
}

impl FoundFile {
    /// Reads a file; `None` where there is none.
    ///
    /// # Errors
    /// Where it cannot be read, is no regular file, or is larger than what is changed.
    pub(crate) fn read(workspace: &Workspace, path: &str) -> io::Result<Option<Self>> {
        let file = match workspace.open_file(path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mode = file.metadata()?.mode() & 0o777;
        let mut bytes = Vec::new();
        file.take(MAX_EDITED_BYTES + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > MAX_EDITED_BYTES {
            let problem = "it is larger than 1 MiB; change it by a command";
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
        }
        Ok(Some(Self { bytes, mode }))
    }

    /// Returns its text; `None` where it is not text that could be written back as it was.
    pub(crate) fn text(&self) -> Option<String> {
        if let Ok(text) = std::str::from_utf8(&self.bytes) {
            return Some(text.to_owned());
        }
        let decoded = decode(&self.bytes)?;
        let text = decoded.text.into_owned();
        let written = decoded.encoding.encode(&text)?;
        (written == self.bytes).then_some(text)
    }

    /// Returns the same file with another text, in the encoding that it has; `None` where that has
    /// no such letters.
    pub(crate) fn with_text(&self, text: &str) -> Option<Self> {
        let is_plain = std::str::from_utf8(&self.bytes).is_ok();
        let bytes = match decode(&self.bytes) {
            Some(decoded) if !is_plain => decoded.encoding.encode(text)?,
            _ => text.as_bytes().to_vec(),
        };
        Some(Self {
            bytes,
            mode: self.mode,
        })
    }

    /// Returns the digest of what it holds.
    pub(crate) fn digest(&self) -> String {
        digest(&self.bytes)
    }
}

impl FileEdit {
    /// Returns what an approval of it is bound to.
    pub(crate) fn binding(&self, root: &Path) -> Binding {
        Binding::Edit {
            path: root.join(&self.path),
            was: self.was.as_ref().map(FoundFile::digest),
            becomes: self.becomes.as_ref().map(FoundFile::digest),
        }
    }

    /// Returns the change of its text; what is no text is shown as nothing.
    fn change(&self) -> FileChange {
        let before = self.was.as_ref().and_then(FoundFile::text);
        let after = self.becomes.as_ref().and_then(FoundFile::text);
        FileChange::of(&self.path, before.as_deref(), after.as_deref())
    }

    /// Returns the line of it in a list, as `src/a.rs +3 -1`.
    fn line(&self) -> String {
        let counts = self.change().line_counts();
        let path = visible_line(&self.path);
        format!("{path} +{} -{}", counts.added, counts.removed)
    }

    /// Returns all of its change for people; `None` where a part could not be shown.
    fn diff(&self) -> Option<String> {
        let change = self.change();
        let path = visible_line(&self.path);
        let name = |is_there: bool| if is_there { path.as_str() } else { "/dev/null" };
        let (old, new) = (name(self.was.is_some()), name(self.becomes.is_some()));
        let rendered = render(&change, SHOWN);
        if rendered.left_out > 0 || rendered.has_cut_lines {
            return None;
        }
        let ends = if rendered.changes_line_ends {
            "@@ LF ⇄ CRLF\n"
        } else {
            ""
        };
        Some(format!("--- {old}\n+++ {new}\n{ends}{rendered}"))
    }
}

/// Returns the lines of edits in a list, as people and models read them.
pub(crate) fn listed(edits: &[FileEdit]) -> String {
    let lines: Vec<String> = edits.iter().map(FileEdit::line).collect();
    lines.join(", ")
}

/// Returns what a person is shown of edits and what their approval is bound to; `None` where they
/// are too large to be shown whole.
pub(crate) fn facts(edits: &[FileEdit], root: &Path) -> Option<ToolFacts> {
    let diffs: Option<Vec<String>> = edits.iter().map(FileEdit::diff).collect();
    Some(ToolFacts {
        summary: listed(edits).into(),
        detail: Some(diffs?.join("\n").trim_end().to_owned()),
        action: Action::Write {
            path: strictest(edits, root),
        },
        scripts: edits.iter().map(|edit| edit.binding(root)).collect(),
        secrets: Vec::new(),
    })
}

/// Returns the path that the policy judges most strictly: one that keeps secrets, if there is any.
fn strictest(edits: &[FileEdit], root: &Path) -> Reach {
    let mut paths = edits.iter().map(|edit| root.join(&edit.path));
    let secret = paths.clone().find(|path| is_secret_like(path));
    let path = secret.or_else(|| paths.next());
    Reach::Inside(path.unwrap_or_else(|| root.to_path_buf()))
}

/// Returns what the files are that a cleared call is about to change. One that is not as the call
/// was judged by any more is kept with what it holds now.
pub(crate) async fn before(call: &ClearedCall, workspace: &Path) -> Vec<FileBefore> {
    let bindings = call.bound_to().to_vec();
    let root = workspace.to_path_buf();
    let looked = tokio::task::spawn_blocking(move || look_at(&root, &bindings)).await;
    match looked {
        Ok(Ok(before)) => before,
        // The call will not run either.
        Ok(Err(_)) | Err(_) => Vec::new(),
    }
}

fn look_at(root: &Path, bindings: &[Binding]) -> io::Result<Vec<FileBefore>> {
    if !bindings.iter().any(|it| matches!(it, Binding::Edit { .. })) {
        return Ok(Vec::new());
    }
    let workspace = Workspace::open(root)?;
    let mut kept = Vec::new();
    for binding in bindings {
        let Binding::Edit { path, becomes, .. } = binding else {
            continue;
        };
        let path = workspace.relative(path).to_string_lossy().into_owned();
        let found = FoundFile::read(&workspace, &path)?;
        kept.push(FileBefore {
            path,
            was: found.as_ref().map(FoundFile::digest),
            mode: found.as_ref().map(|found| found.mode),
            content: found.map(|found| found.bytes),
            becomes: becomes
                .clone()
                .unwrap_or_else(|| FileBefore::GONE.to_owned()),
            own: false,
        });
    }
    Ok(kept)
}

/// Returns the SHA-256 of bytes, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    format!("{:x}", Sha256::digest(bytes))
}
