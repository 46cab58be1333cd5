//! `file_write`: a whole file, in place of what was there, or not at all.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use nix::errno::Errno;
use nix::fcntl::{AtFlags, OFlag, openat, renameat};
use nix::sys::stat::{Mode, SFlag, fchmod, fstatat};
use nix::unistd::{UnlinkatFlags, unlinkat};
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible;
use sayso_policy::{ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{blocking, told, write_facts};
use crate::arguments::{parse_arguments, spec_of};
use crate::encoding::{DECODED_BYTES, decode};
use crate::workspace::{Missing, Workspace, file_kind};
use crate::{Tool, ToolContext};

const NAME: &str = "file_write";

/// Writes files of the workspace.
pub struct FileWrite {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Relative to the workspace; directories on the way are made.
    path: String,
    content: String,
}

impl Default for FileWrite {
    fn default() -> Self {
        Self::new()
    }
}

impl FileWrite {
    /// Makes the tool.
    pub fn new() -> Self {
        let description = "Writes a text file of the workspace, whole: what was there is replaced.";
        Self {
            spec: spec_of::<Arguments>(NAME, description),
        }
    }
}

#[async_trait]
impl Tool for FileWrite {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let facts = write_facts(arguments.path, scope).await?;
        Ok(ToolFacts {
            detail: Some(visible(&arguments.content)),
            ..facts
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments: Arguments = match parse_arguments(call.call(), &self.spec) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let root = context.scope.workspace.clone();
        let written = blocking(move || {
            let Arguments { path, content } = &arguments;
            let replaced = replaced(&root, path);
            let encoded = encoded_like(replaced.as_deref(), content);
            write(&root, path, &encoded.bytes, None).map_err(|error| told(path, &error))?;
            let length = encoded.bytes.len();
            Ok(format!("wrote {length} bytes to {path}{}", encoded.note))
        });
        written
            .await
            .map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
    }
}

/// A text in the form that is written.
pub(super) struct Encoded {
    /// Its bytes.
    pub(super) bytes: Vec<u8>,
    /// What is said of their encoding; empty for plain UTF-8 in the place of the same.
    note: String,
}

/// Encodes a text as the file was that it replaces: other programs go on reading that.
pub(super) fn encoded_like(replaced: Option<&[u8]>, content: &str) -> Encoded {
    let encoding = replaced.and_then(decode).map(|it| it.encoding);
    let plain = |note| Encoded {
        bytes: content.as_bytes().to_vec(),
        note,
    };
    match encoding {
        None => plain(String::new()),
        Some(encoding) if encoding.is_plain() => plain(String::new()),
        Some(encoding) => match encoding.encode(content) {
            Some(bytes) => Encoded {
                bytes,
                note: format!(", in {encoding}, as the file was"),
            },
            None => plain(format!(
                ", in UTF-8: the file was in {encoding}, which has no such letters"
            )),
        },
    }
}

/// Returns the content of the file that a write replaces, where it is one that is decoded.
fn replaced(root: &Path, path: &str) -> Option<Vec<u8>> {
    let file = Workspace::open(root).ok()?.open_file(path).ok()?;
    let mut bytes = Vec::new();
    file.take(DECODED_BYTES + 1).read_to_end(&mut bytes).ok()?;
    (bytes.len() as u64 <= DECODED_BYTES).then_some(bytes)
}

/// Returns what a call writes, and where; `None` when it is no call of this tool.
pub(super) fn written_by(cleared: &ClearedCall) -> Option<(String, String)> {
    let call = cleared.call();
    if call.name != NAME {
        return None;
    }
    let arguments: Arguments = serde_json::from_value(call.arguments.clone()).ok()?;
    Some((arguments.path, arguments.content))
}

/// Writes beside the target and renames, so that a reader, or a crash, meets either the old
/// content or the new one. Without a mode it has that of the file that it replaces.
pub(super) fn write(root: &Path, path: &str, content: &[u8], mode: Option<Mode>) -> io::Result<()> {
    let (directory, name) = Workspace::open(root)?.open_parent(path, Missing::IsMade)?;
    let mode = mode.or(replaceable_mode(&directory, &name)?);
    let (mut file, beside) = create_beside(&directory)?;
    let written = fill(&mut file, content, mode)
        .and_then(|()| Ok(renameat(&directory, &beside[..], &directory, &name)?));
    if written.is_err() {
        // The write's own error is the one to tell.
        let _ = unlinkat(&directory, &beside[..], UnlinkatFlags::NoRemoveDir);
    }
    written
}

/// Returns the mode of the file that is replaced; refuses to replace what is no regular file.
fn replaceable_mode(directory: &OwnedFd, name: &Path) -> io::Result<Option<Mode>> {
    let stat = match fstatat(directory, name, AtFlags::AT_SYMLINK_NOFOLLOW) {
        Ok(stat) => stat,
        Err(Errno::ENOENT) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    match file_kind(&stat) {
        // New content does not inherit the right to run as somebody else.
        SFlag::S_IFREG => Ok(Some(Mode::from_bits_truncate(stat.st_mode & 0o777))),
        SFlag::S_IFDIR => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "it is not a regular file",
        )),
    }
}

fn create_beside(directory: &OwnedFd) -> io::Result<(File, String)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!(".sayso-{}-{number}.tmp", std::process::id());
    let create = OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_CLOEXEC;
    let file = openat(
        directory,
        &name[..],
        create,
        Mode::from_bits_truncate(0o666),
    )?;
    Ok((file.into(), name))
}

fn fill(file: &mut File, content: &[u8], mode: Option<Mode>) -> io::Result<()> {
    file.write_all(content)?;
    if let Some(mode) = mode {
        fchmod(&*file, mode)?;
    }
    file.sync_all()
}
