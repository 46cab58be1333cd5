//! `send_file`: a file of the workspace, or a text as a file, for the chat.
//!
//! The tool sends nothing. It puts a copy aside, which nothing that runs in the workspace can change,
//! and its typed result names that; the journal has it delivered.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use async_trait::async_trait;
use sayso_core::redact::Redactor;
use sayso_core::transcript::{FileToSend, Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::{visible, visible_line};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{blocking, read_facts, reading_root, told};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::workspace::Workspace;
use crate::{SchemaVisibility, Tool, ToolContext};

/// The largest file that is put aside, in bytes: what Telegram takes of a bot, the most of all
/// platforms. The chat itself may take less.
const MAX_BYTES: u64 = 50_000_000;
/// How much all copies of one owner may have, in bytes.
const MAX_ASIDE_BYTES: u64 = 200_000_000;
/// How long a copy is kept: what could not be delivered for a day has failed.
const KEPT: Duration = Duration::from_hours(48);
/// The longest name and caption, in characters.
const NAME_CHARS: usize = 100;
const CAPTION_CHARS: usize = 800;
/// No secret is shorter, in bytes.
const LEAST_SECRET: usize = 6;

/// Words that speak for it in a request.
const HINTS: [&str; 10] = [
    "send",
    "attach",
    "attachment",
    "as a file",
    "document",
    "export",
    "发给我",
    "发送",
    "附件",
    "导出",
];

/// Has files sent to the chat.
pub struct SendFile {
    spec: ToolSpec,
    redactor: Redactor,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// A file of the workspace. Give this, or `text` with `name`.
    path: Option<String>,
    /// What the file is to hold, when it is not in the workspace.
    text: Option<String>,
    /// The name that the person sees; that of the path when left out.
    name: Option<String>,
    /// A line to go with it.
    caption: Option<String>,
}

/// What is to be sent.
enum Content {
    Path(String),
    Text(String),
}

struct Wanted {
    content: Content,
    name: String,
    caption: String,
}

impl SendFile {
    /// Makes the tool. No secret that `redactor` knows leaves in a text file.
    pub fn new(redactor: Redactor) -> Self {
        let description = "Sends a file of the workspace, or a text as a file, to this chat.";
        Self {
            spec: spec_of::<Arguments>("send_file", description),
            redactor,
        }
    }

    fn wanted(&self, call: &ToolCall) -> Result<Wanted, ToolOutcome> {
        let Arguments {
            path,
            text,
            name,
            caption,
        } = parse_arguments(call, &self.spec)?;
        let wrong = |problem: &str| refusal(&self.spec, problem);
        let caption = visible(caption.unwrap_or_default().trim());
        let chars = caption.chars().count();
        if chars > CAPTION_CHARS {
            return Err(wrong(&format!(
                "`caption`: it has {chars} characters, {CAPTION_CHARS} are allowed"
            )));
        }
        let content = match (path, text) {
            (Some(path), None) => Content::Path(path),
            (None, Some(text)) => Content::Text(text),
            (Some(_), Some(_)) | (None, None) => {
                return Err(wrong("give either `path`, or `text` with `name`"));
            }
        };
        let given = match (name, &content) {
            (Some(name), _) => name,
            (None, Content::Path(path)) => {
                let last = Path::new(path).file_name().unwrap_or_default();
                last.to_string_lossy().into_owned()
            }
            (None, Content::Text(_)) => return Err(wrong("`name`: a text needs one")),
        };
        let name = visible_line(given.trim());
        let chars = name.chars().count();
        if chars == 0 || chars > NAME_CHARS || name.contains('/') || name.starts_with('.') {
            return Err(wrong(&format!(
                "`name`: 1 to {NAME_CHARS} characters without `/` and no dot in front are allowed"
            )));
        }
        Ok(Wanted {
            content,
            name,
            caption,
        })
    }
}

#[async_trait]
impl Tool for SendFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let wanted = self.wanted(call)?;
        match wanted.content {
            Content::Path(path) => read_facts(path, scope).await,
            Content::Text(text) => Ok(ToolFacts {
                summary: wanted.name.into(),
                detail: Some(visible(&text)),
                action: Action::Internal,
                scripts: Vec::new(),
                secrets: Vec::new(),
            }),
        }
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let wanted = match self.wanted(call.call()) {
            Ok(wanted) => wanted,
            Err(refusal) => return refusal,
        };
        let root = match &wanted.content {
            Content::Path(path) => reading_root(&context.scope, path),
            Content::Text(_) => context.scope.workspace.clone(),
        };
        let aside = Aside {
            directory: context.scope.outgoing(),
            copy: format!("{}-{}", context.scope.turn, call.call().id),
        };
        let redactor = self.redactor.clone();
        let copied = blocking(move || {
            let (path, bytes) = aside
                .put(&root, &wanted.content, &redactor)
                .map_err(|error| match &wanted.content {
                    Content::Path(path) => told(path, &error),
                    Content::Text(_) => told(&wanted.name, &error),
                })?;
            Ok(FileToSend {
                name: wanted.name,
                path,
                bytes,
                caption: wanted.caption,
            })
        });
        copied
            .await
            .map_or_else(|outcome| outcome, |file| ToolOutcome::Sends { file })
    }

    /// A repetition makes the same copy; it is delivered with the result, which there is once.
    fn is_idempotent(&self) -> bool {
        true
    }
}

/// Where a copy is put.
struct Aside {
    directory: PathBuf,
    copy: String,
}

impl Aside {
    /// Puts a copy aside and returns where it is and how large.
    fn put(
        &self,
        root: &Path,
        content: &Content,
        redactor: &Redactor,
    ) -> io::Result<(PathBuf, u64)> {
        fs::create_dir_all(&self.directory)?;
        let mut room = MAX_ASIDE_BYTES.saturating_sub(clear_old(&self.directory)?);
        room = room.min(MAX_BYTES);
        let path = self.directory.join(&self.copy);
        let filled = fill(&path, root, content, redactor, room);
        if filled.is_err() {
            // The error of the copy is the one to tell.
            let _ = fs::remove_file(&path);
        }
        Ok((path, filled?))
    }
}

fn fill(
    path: &Path,
    root: &Path,
    content: &Content,
    redactor: &Redactor,
    room: u64,
) -> io::Result<u64> {
    let mut copy = File::create(path)?;
    let bytes = match content {
        Content::Text(text) => write_text(&mut copy, text, redactor, room)?,
        Content::Path(from) => {
            let mut file = Workspace::open(root)?.open_file(from)?;
            check_size(file.metadata()?.len(), room)?;
            copy_file(&mut file, &mut copy, redactor, room)?
        }
    };
    copy.sync_all()?;
    Ok(bytes)
}

/// Removes what was put aside long ago and returns how much is left.
fn clear_old(directory: &Path) -> io::Result<u64> {
    let mut left = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let metadata = entry.metadata()?;
        let age = SystemTime::now().duration_since(metadata.modified()?);
        if age.is_ok_and(|age| age > KEPT) {
            fs::remove_file(entry.path())?;
        } else {
            left += metadata.len();
        }
    }
    Ok(left)
}

fn copy_file(file: &mut File, copy: &mut File, redactor: &Redactor, room: u64) -> io::Result<u64> {
    // It may have grown since it was looked at.
    let mut bytes = Vec::new();
    file.take(room + 1).read_to_end(&mut bytes)?;
    match String::from_utf8(bytes) {
        Ok(text) => write_text(copy, &text, redactor, room),
        Err(error) => {
            let bytes = error.into_bytes();
            check_size(bytes.len() as u64, room)?;
            check_secrets(&bytes, redactor)?;
            copy.write_all(&bytes)?;
            Ok(bytes.len() as u64)
        }
    }
}

/// Refuses what is no text and has a secret in it: with a mark in its place, most such files could
/// not be opened any more.
fn check_secrets(bytes: &[u8], redactor: &Redactor) -> io::Result<()> {
    let runs = bytes.utf8_chunks().map(|chunk| chunk.valid());
    let texts: Vec<&str> = runs.filter(|run| run.len() >= LEAST_SECRET).collect();
    let texts = texts.join("\n");
    if redactor.redact(&texts) == texts {
        return Ok(());
    }
    let problem = "it is no plain text and has a secret in it, which must not leave";
    Err(io::Error::new(io::ErrorKind::InvalidData, problem))
}

fn write_text(copy: &mut File, text: &str, redactor: &Redactor, room: u64) -> io::Result<u64> {
    check_size(text.len() as u64, room)?;
    let text = redactor.redact(text);
    copy.write_all(text.as_bytes())?;
    Ok(text.len() as u64)
}

fn check_size(bytes: u64, room: u64) -> io::Result<()> {
    if bytes <= room {
        return Ok(());
    }
    let problem = format!("it has {bytes} bytes; at most {room} can be sent now");
    Err(io::Error::new(io::ErrorKind::FileTooLarge, problem))
}
