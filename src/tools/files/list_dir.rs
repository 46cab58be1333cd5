//! `list_dir`: what is in a directory of the workspace.

use std::fs::DirEntry;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible_line;
use sayso_policy::{ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{blocking, read_facts, reading_root, told};
use crate::arguments::{parse_arguments, spec_of};
use crate::workspace::Workspace;
use crate::{OutsideText, Tool, ToolContext};

/// How many entries are listed.
const MAX_ENTRIES: usize = 500;

/// Lists directories of the workspace.
pub struct ListDir {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Relative to the workspace, which is the default.
    path: Option<String>,
}

impl Arguments {
    fn path(self) -> String {
        self.path.unwrap_or_else(|| ".".to_owned())
    }
}

impl Default for ListDir {
    fn default() -> Self {
        Self::new()
    }
}

impl ListDir {
    /// Makes the tool.
    pub fn new() -> Self {
        let description = "Lists a directory: directories with `/`, links with their target, \
                           files with their size in bytes.";
        Self {
            spec: spec_of::<Arguments>("list_dir", description),
        }
    }
}

#[async_trait]
impl Tool for ListDir {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let facts = read_facts(arguments.path(), scope).await?;
        Ok(ToolFacts {
            summary: format!("list {}", facts.summary).into(),
            ..facts
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let path = match parse_arguments::<Arguments>(call.call(), &self.spec) {
            Ok(arguments) => arguments.path(),
            Err(refusal) => return refusal,
        };
        let root = reading_root(&context.scope, &path);
        let listed = blocking(move || list(&root, &path).map_err(|error| told(&path, &error)));
        listed
            .await
            .map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    /// A name in an archive or a clone is anybody's text.
    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

fn list(root: &Path, path: &str) -> io::Result<String> {
    let directory = Workspace::open(root)?.open_directory(path)?;
    // The descriptor is the directory that was checked, whatever its path leads to by now.
    let entries = std::fs::read_dir(format!("/proc/self/fd/{}", directory.as_raw_fd()))?;
    let mut lines = entries
        .map(|entry| line(&entry?))
        .collect::<io::Result<Vec<_>>>()?;
    lines.sort_unstable();
    let surplus = lines.len().saturating_sub(MAX_ENTRIES);
    lines.truncate(MAX_ENTRIES);
    if surplus > 0 {
        lines.push(format!("[{surplus} more entries are not listed]"));
    }
    if lines.is_empty() {
        lines.push("(empty)".to_owned());
    }
    Ok(lines.join("\n"))
}

fn line(entry: &DirEntry) -> io::Result<String> {
    let name = visible_line(&entry.file_name().to_string_lossy());
    let kind = entry.file_type()?;
    Ok(if kind.is_dir() {
        format!("{name}/")
    } else if kind.is_symlink() {
        let target = std::fs::read_link(entry.path()).unwrap_or_default();
        format!("{name} -> {}", visible_line(&target.to_string_lossy()))
    } else if kind.is_file() {
        let size = entry.metadata().map_or(0, |metadata| metadata.len());
        format!("{name}  {size}")
    } else {
        format!("{name}  (special)")
    })
}
