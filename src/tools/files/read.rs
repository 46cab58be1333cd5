//! `file_read`: a part of a text file, and how to read on.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{blocking, read_facts, reading_root, told};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::encoding::{DECODED_BYTES, Decoded, decode};
use crate::spool::{is_continuation, unfinished_character};
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// Room for the note behind the text.
const NOTE_BYTES: usize = 256;
/// How much of a binary file is shown, so that its kind can be told.
const MAGIC_BYTES: usize = 16;

/// Reads text files of the workspace.
pub struct FileRead {
    spec: ToolSpec,
    limits: ToolLimits,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Relative to the workspace.
    path: String,
    /// The byte to begin at.
    offset: Option<u64>,
    limit: Option<usize>,
}

impl FileRead {
    /// Makes the tool.
    pub fn new(limits: ToolLimits) -> Self {
        let description = format!(
            "Reads a text file of the workspace. Gives up to {} bytes, or `limit` (at most {}), \
             and says how to read on.",
            default_limit(limits),
            limits.max_file_read_bytes
        );
        Self {
            spec: spec_of::<Arguments>("file_read", &description),
            limits,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<Arguments, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let most = self.limits.max_file_read_bytes;
        match arguments.limit {
            Some(limit) if limit == 0 || limit > most => {
                let problem = format!("`limit`: {limit} is not allowed, 1 to {most} is");
                Err(refusal(&self.spec, &problem))
            }
            Some(_) | None => Ok(arguments),
        }
    }
}

fn default_limit(limits: ToolLimits) -> usize {
    limits.max_output_bytes.min(limits.max_file_read_bytes)
}

#[async_trait]
impl Tool for FileRead {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::OutsideProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let path = self.arguments(call)?.path;
        read_facts(path, scope).await
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments = match self.arguments(call.call()) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let limit = arguments.limit.unwrap_or(default_limit(self.limits));
        let root = reading_root(&context.scope, &arguments.path);
        let text = blocking(move || {
            read(&root, &arguments, limit).map_err(|error| told(&arguments.path, &error))
        });
        text.await
            .map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }

    fn max_output_bytes(&self) -> Option<usize> {
        Some(self.limits.max_file_read_bytes + NOTE_BYTES)
    }
}

fn read(root: &Path, arguments: &Arguments, limit: usize) -> io::Result<String> {
    let mut file = Workspace::open(root)?.open_file(&arguments.path)?;
    let size = file.metadata()?.len();
    let offset = arguments.offset.unwrap_or(0);
    if size <= DECODED_BYTES {
        let whole = read_at(&mut file, 0, DECODED_BYTES as usize)?;
        if let Some(decoded) = decode(&whole).filter(|it| !it.encoding.is_plain()) {
            return decoded_part(&decoded, offset, limit);
        }
    }
    check_offset(offset, size)?;
    let bytes = read_at(&mut file, offset, limit)?;
    if bytes.contains(&0) {
        return describe_binary(&mut file, size);
    }
    Ok(as_text(&bytes, offset, size, limit))
}

fn check_offset(offset: u64, end: u64) -> io::Result<()> {
    if offset > end {
        let problem = format!("offset {offset} is past the end, which is at {end}");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    Ok(())
}

/// Shows a part of a text that is not in plain UTF-8. It is counted as the text that it is here.
fn decoded_part(decoded: &Decoded<'_>, offset: u64, limit: usize) -> io::Result<String> {
    let bytes = decoded.text.as_bytes();
    let size = bytes.len() as u64;
    check_offset(offset, size)?;
    let rest = &bytes[usize::try_from(offset).unwrap_or(bytes.len())..];
    let mut text = as_text(&rest[..rest.len().min(limit)], offset, size, limit);
    let encoding = decoded.encoding;
    let _ = write!(
        text,
        "\n[the file is in {encoding}; offsets count its text as UTF-8]"
    );
    Ok(text)
}

fn read_at(file: &mut File, offset: u64, limit: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(limit as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Shows whole characters only: a cut one at the end is left for the next read.
fn as_text(bytes: &[u8], offset: u64, size: u64, limit: usize) -> String {
    let begin = if offset == 0 {
        0
    } else {
        bytes
            .iter()
            .take(3)
            .take_while(|byte| is_continuation(**byte))
            .count()
    };
    let cut = if offset + (bytes.len() as u64) < size {
        unfinished_character(&bytes[begin..])
    } else {
        0
    };
    let shown = &bytes[begin..bytes.len() - cut];
    let mut text = String::from_utf8_lossy(shown).into_owned();
    let is_text = std::str::from_utf8(shown).is_ok();
    text.truncate(text.floor_char_boundary(limit.max(shown.len())));
    let next = offset + (bytes.len() - cut) as u64;
    if !is_text {
        text.push_str("\n[not UTF-8: bytes that cannot be read are shown as \u{fffd}]");
    }
    if next < size {
        let from = offset + begin as u64;
        let _ = write!(
            text,
            "\n[bytes {from} to {next} of {size}; read on with offset {next}]"
        );
    }
    text
}

fn describe_binary(file: &mut File, size: u64) -> io::Result<String> {
    let magic = read_at(file, 0, MAGIC_BYTES)?;
    let shown: Vec<_> = magic.iter().map(|byte| format!("{byte:02x}")).collect();
    let is_document = magic.starts_with(b"%PDF-") || magic.starts_with(b"PK\x03\x04");
    let hint = if is_document {
        "; if it is a document, `read_document` gives its text"
    } else {
        ""
    };
    Ok(format!(
        "[a binary file of {size} bytes; it begins with {}{hint}]",
        shown.join(" ")
    ))
}
