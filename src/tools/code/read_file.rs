//! `read_file`: lines of a text file, with their numbers.

use std::fmt::Write as _;
use std::io::{self, Read as _};
use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{ClearedCall, Reach, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::file_edit::MAX_EDITED_BYTES;
use super::seen_files::SeenFiles;
use super::{MAX_FILE_BYTES, NOTE_BYTES};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::encoding::decode;
use crate::files::{blocking, read_facts, reading_root, told};
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// How many lines are shown where the call does not say.
const USUAL_LINES: usize = 400;
/// The most that is shown of one line, in characters: generated code stands on a single one.
const LINE_CHARS: usize = 1000;

/// Reads files of the project by lines.
pub struct ReadFile {
    spec: ToolSpec,
    limits: ToolLimits,
    seen: SeenFiles,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    path: String,
    /// The first line; they count from 1.
    start_line: Option<usize>,
    /// The last line.
    end_line: Option<usize>,
}

impl Arguments {
    fn first(&self) -> usize {
        self.start_line.unwrap_or(1)
    }

    fn last(&self) -> usize {
        let usual = self.first().saturating_add(USUAL_LINES - 1);
        self.end_line.unwrap_or(usual)
    }
}

impl ReadFile {
    /// Makes the tool.
    pub fn new(limits: ToolLimits, seen: SeenFiles) -> Self {
        let description = format!(
            "Shows lines of a text file with their numbers: up to {USUAL_LINES}, or a range. The \
             numbers are not part of the file."
        );
        Self {
            spec: spec_of::<Arguments>("read_file", &description),
            limits,
            seen,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<Arguments, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        if arguments.first() == 0 || arguments.last() < arguments.first() {
            let problem = "`start_line` counts from 1, and `end_line` is not before it";
            return Err(refusal(&self.spec, problem));
        }
        Ok(arguments)
    }
}

#[async_trait]
impl Tool for ReadFile {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        read_facts(self.arguments(call)?.path, scope).await
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments = match self.arguments(call.call()) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let scope = context.scope.clone();
        let most = self.limits.max_output_bytes;
        let seen = self.seen.clone();
        seen.load(scope.session).await;
        let read = blocking(move || {
            let root = reading_root(&scope, &arguments.path);
            let mut noted = None;
            let note = |path: &Path, bytes: &[u8]| noted = seen.note(scope.session, path, bytes);
            let output = read(&root, &arguments, most, note);
            let output = output.map_err(|error| told(&arguments.path, &error))?;
            Ok((output, noted))
        });
        match read.await {
            Ok((output, noted)) => {
                let noted = noted.into_iter().collect();
                self.seen.save(&context.scope, noted).await;
                ToolOutcome::Success { output }
            }
            Err(outcome) => outcome,
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }

    fn max_output_bytes(&self) -> Option<usize> {
        Some(self.limits.max_output_bytes + NOTE_BYTES)
    }
}

fn read(
    root: &Path,
    arguments: &Arguments,
    most: usize,
    note: impl FnOnce(&Path, &[u8]),
) -> io::Result<String> {
    let workspace = Workspace::open(root)?;
    let file = workspace.open_file(&arguments.path)?;
    let mut bytes = Vec::new();
    file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_FILE_BYTES {
        let problem = format!("it is larger than {} MiB", MAX_FILE_BYTES / 1024 / 1024);
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    if bytes.len() as u64 <= MAX_EDITED_BYTES
        && let Reach::Inside(path) = workspace.reach(&arguments.path)?
    {
        note(&path, &bytes);
    }
    let decoded = decode(&bytes);
    let text = match &decoded {
        Some(decoded) if !decoded.encoding.is_plain() => decoded.text.clone(),
        _ if bytes.contains(&0) => {
            let size = bytes.len();
            return Ok(format!("[a binary file of {size} bytes]"));
        }
        Some(decoded) => decoded.text.clone(),
        None => String::from_utf8_lossy(&bytes),
    };
    let mut shown = numbered(&text, arguments, most)?;
    match decoded.map(|decoded| decoded.encoding) {
        Some(encoding) if !encoding.is_plain() => {
            let _ = write!(shown, "\n[the file is in {encoding}]");
        }
        Some(_) => {}
        None => shown.push_str("\n[not UTF-8: bytes that cannot be read are shown as \u{fffd}]"),
    }
    Ok(shown)
}

/// Returns the wanted lines with their numbers, whole lines up to a limit in bytes.
fn numbered(text: &str, arguments: &Arguments, most: usize) -> io::Result<String> {
    let total = text.lines().count();
    let (first, last) = (arguments.first(), arguments.last().min(total));
    if total == 0 {
        return Ok("[the file is empty]".to_owned());
    }
    if first > total {
        let problem = format!("line {first} is past the end; it has {total} lines");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, problem));
    }
    let mut shown = String::new();
    let mut next = first;
    for line in text.lines().skip(first - 1).take(last + 1 - first) {
        let line = one_line(next, line);
        if !shown.is_empty() && shown.len() + line.len() > most {
            break;
        }
        shown.push_str(&line);
        next += 1;
    }
    shown.truncate(shown.trim_end_matches('\n').len());
    if first > 1 || next <= total {
        let _ = write!(shown, "\n[lines {first} to {} of {total}", next - 1);
        if next <= total {
            let _ = write!(shown, "; read on with start_line {next}");
        }
        shown.push(']');
    }
    Ok(shown)
}

fn one_line(number: usize, line: &str) -> String {
    match line.char_indices().nth(LINE_CHARS) {
        None => format!("{number:>5}\t{line}\n"),
        Some((end, _)) => {
            let more = line[end..].chars().count();
            format!("{number:>5}\t{} [{more} more characters]\n", &line[..end])
        }
    }
}
