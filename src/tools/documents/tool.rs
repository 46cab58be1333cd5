//! `read_document`: the text of a document of the workspace.

use std::io::{self, Read as _};
use std::path::Path;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::{visible_line, without_hidden};
use sayso_policy::{ClearedCall, ToolFacts};
use sayso_sandbox::Sandbox;
use sayso_sandbox::helper::{HelperPath, SealedError, SealedHelper};
use schemars::JsonSchema;
use serde::Deserialize;

use super::helper_request::{task, text_of};
use super::{Problem, Wanted};
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::files::{blocking, read_facts, reading_root, told};
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// The largest document, in bytes.
const MAX_BYTES: u64 = 50 * 1024 * 1024;
/// Room for the notes around the text.
const NOTE_BYTES: usize = 4096;

/// Words that speak for it in a request.
const HINTS: [&str; 19] = [
    "pdf",
    "docx",
    "xlsx",
    "pptx",
    ".ods",
    ".odt",
    ".odp",
    "inbox/",
    "document",
    "spreadsheet",
    "excel",
    "slides",
    "presentation",
    "word file",
    "文档",
    "表格",
    "幻灯片",
    "演示文稿",
    "文件",
];

/// Reads documents of the workspace.
pub struct ReadDocument {
    spec: ToolSpec,
    limits: ToolLimits,
    helper: SealedHelper,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The file, relative to the workspace.
    path: String,
    /// Pages or slides, as `3`, `3-5` or `1,4-6`; all when left out.
    pages: Option<String>,
    /// The sheet, by name or number; all when left out.
    sheet: Option<String>,
    /// Where in the text to begin; 0 when left out.
    offset: Option<usize>,
}

impl ReadDocument {
    /// Makes the tool, which reads in this helper, held as the commands of this sandbox are.
    pub fn new(limits: ToolLimits, helper: HelperPath, sandbox: Sandbox) -> Self {
        let description = "Gives the text of a document of the workspace: PDF, DOCX, XLSX, PPTX, \
            ODT, ODS, ODP, HTML. Says how to read on.";
        Self {
            spec: spec_of::<Arguments>("read_document", description),
            limits,
            helper: SealedHelper::new(helper, sandbox),
        }
    }

    async fn read(&self, root: &Path, arguments: Arguments) -> Result<String, ToolOutcome> {
        let (workspace, path) = (root.to_path_buf(), arguments.path.clone());
        let bytes = blocking(move || load(&workspace, &path).map_err(|error| told(&path, &error)));
        let bytes = bytes.await?;
        let wanted = Wanted {
            pages: arguments.pages,
            sheet: arguments.sheet,
            offset: arguments.offset.unwrap_or(0),
            limit: self.limits.max_output_bytes,
        };
        let asked = self.ask(root, &wanted, &bytes).await;
        let name = visible_line(&arguments.path);
        let failed = |why: String| ToolOutcome::Failed {
            error: format!("{name}: {why}"),
            partial: None,
        };
        match asked {
            Ok(Ok(text)) => Ok(without_hidden(&text)),
            Ok(Err(problem)) => Err(failed(problem.to_string())),
            Err(SealedError::Ended) => Err(failed(Problem::TooLarge.to_string())),
            Err(SealedError::Unavailable(error)) => {
                tracing::warn!(%error, "document helper unavailable");
                Err(failed("its reader could not be started".to_owned()))
            }
            Err(error) => Err(failed(error.to_string())),
        }
    }

    /// Has a helper read it.
    async fn ask(
        &self,
        root: &Path,
        wanted: &Wanted,
        bytes: &[u8],
    ) -> Result<Result<String, Problem>, SealedError> {
        let task = task(wanted).map_err(io::Error::from)?;
        text_of(self.helper.ask(root, task, bytes).await)
    }
}

#[async_trait]
impl Tool for ReadDocument {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        if arguments.pages.is_some() && arguments.sheet.is_some() {
            return Err(refusal(&self.spec, "give `pages` or `sheet`, not both"));
        }
        read_facts(arguments.path, scope).await
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments: Arguments = match parse_arguments(call.call(), &self.spec) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let root = reading_root(&context.scope, &arguments.path);
        let read = tokio::select! {
            read = self.read(&root, arguments) => read,
            () = context.stop.cancelled() => return ToolOutcome::Failed {
                error: "stopped".to_owned(),
                partial: None,
            },
        };
        read.map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
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

fn load(root: &Path, path: &str) -> io::Result<Vec<u8>> {
    let file = Workspace::open(root)?.open_file(path)?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        let problem = format!("it is larger than {MAX_BYTES} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, problem));
    }
    Ok(bytes)
}
