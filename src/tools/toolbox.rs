//! The tools there are, and the one path on which a tool runs.
//!
//! Whatever a tool does, its caller gets a result that is bounded, on time and checked for
//! injections: a panic, an endless output, a tool that ignores a stop and a text that gives orders
//! are this file's affair, not the tool's.

use std::io;
use std::panic::AssertUnwindSafe;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use sayso_core::redact::{Redactor, has_mark};
use sayso_core::transcript::{
    FileBefore, FileNow, Scope, ToolCall, ToolOutcome, ToolSpec, tool_named,
};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use serde_json::Value;
use tokio::sync::OwnedMutexGuard;
use tracing::field::Empty;
use tracing::{Instrument as _, Span};

use super::arguments::check_object;
use super::code::{self, FilesBefore, SeenFiles};
use super::dynamic_tools::DynamicTools;
use super::files;
use super::injection_check::screen;
use super::inventory::{Inventory, WorkspaceLock};
use super::search::ToolSearch;
use super::spool::{Spool, SpoolPlace};
use super::tool_run::ToolRun;
use super::{CallContext, Tool, ToolContext, ToolLimits};
use super::{OutsideText, SchemaVisibility};

/// How long a tool may go on after a stop before it is dropped.
const STOP_GRACE: Duration = Duration::from_millis(1700);
/// The longest reason of a failure, in bytes; what a tool gave is bounded apart.
const MAX_REASON_BYTES: usize = 4096;

/// The longest name that is kept of a tool that there is not; services take 64 characters.
const MAX_NAME_CHARS: usize = 60;

/// The tools there are.
pub struct Toolbox {
    tools: Vec<Arc<dyn Tool>>,
    dynamic_tools: DynamicTools,
    limits: ToolLimits,
    redactor: Redactor,
    lock: WorkspaceLock,
    seen: SeenFiles,
}

/// Shows that a [`ToolContext`] was made here.
#[derive(Debug)]
pub(crate) struct Seal(());

impl Toolbox {
    /// Takes the tools of a test, which none come and go beside.
    #[cfg(any(test, feature = "testing"))]
    pub fn new(tools: Vec<Box<dyn Tool>>, limits: ToolLimits, redactor: Redactor) -> Self {
        Self::hosting(DynamicTools::default(), tools, limits, redactor)
    }

    /// Takes the tools in the order in which they are passed to the model, and the tools that come
    /// and go. Of two tools with the same name the first counts: a later one can neither replace it
    /// nor confuse the model, and a tool that comes and goes cannot replace one that is always
    /// there.
    pub fn hosting(
        dynamic_tools: DynamicTools,
        tools: Vec<Box<dyn Tool>>,
        limits: ToolLimits,
        redactor: Redactor,
    ) -> Self {
        let mut toolbox = Self {
            tools: Vec::with_capacity(tools.len()),
            dynamic_tools,
            limits,
            redactor,
            lock: WorkspaceLock::default(),
            seen: SeenFiles::default(),
        };
        for tool in tools {
            let name = &tool.spec().name;
            if toolbox.get(name).is_some() {
                tracing::error!(tool = %name, "duplicate tool name; second tool skipped");
            } else {
                toolbox.tools.push(tool.into());
            }
        }
        if let Some(search) = ToolSearch::over(&toolbox.tools, &toolbox.dynamic_tools) {
            toolbox.tools.push(Arc::new(search));
        }
        toolbox
    }

    /// Has what is finished after a kill noted among the files that models saw.
    pub fn noting(mut self, seen: SeenFiles) -> Self {
        self.seen = seen;
        self
    }

    /// Returns the tools that there are at present, those that come and go behind the others.
    pub fn all(&self) -> Vec<Arc<dyn Tool>> {
        let mut all = self.tools.clone();
        all.extend(self.dynamic_tools.all());
        all
    }

    /// Returns a tool by its name.
    pub fn get(&self, name: &str) -> Option<Arc<dyn Tool>> {
        let own = self.tools.iter().find(|tool| tool.spec().name == name);
        own.cloned().or_else(|| self.dynamic_tools.get(name))
    }

    /// Returns the call that was meant, where the name of the tool or a value contains a slip of
    /// the model that can be read in only one way.
    pub fn mended(&self, call: ToolCall) -> ToolCall {
        let tools = self.all();
        let specs: Vec<&ToolSpec> = tools.iter().map(|tool| tool.spec()).collect();
        let Some(name) = tool_named(&call.name, &specs).map(|spec| spec.name.clone()) else {
            let mut name = sendable(&call.name);
            if self.get(&name).is_some() {
                name.push('_');
            }
            return ToolCall { name, ..call };
        };
        let arguments = match self.get(&name) {
            Some(tool) => tool.coerced(call.arguments),
            None => call.arguments,
        };
        ToolCall {
            id: call.id,
            name,
            arguments,
        }
    }

    /// Returns whether running a tool twice is the same as running it once.
    pub fn is_idempotent(&self, name: &str) -> bool {
        self.get(name).is_some_and(|tool| tool.is_idempotent())
    }

    /// Looks up what a call would do, changing nothing.
    ///
    /// # Errors
    /// The model's tool result: there is no such tool, or its arguments cannot be used.
    pub async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let tool = self
            .get(&call.name)
            .ok_or_else(|| self.unknown(&call.name, scope))?;
        check_object(call, tool.spec())?;
        let inspection = AssertUnwindSafe(tool.inspect(call, scope));
        let facts = match inspection.catch_unwind().await {
            Ok(inspected) => inspected?,
            Err(_panic) => return Err(broken(&call.name)),
        };
        let changes = matches!(
            facts.action,
            Action::Write { .. } | Action::Exec { .. } | Action::Mcp { .. }
        );
        if changes && holds_mark(&call.arguments) {
            return Err(hidden_from_model());
        }
        if scope.is_read_only() && matches!(facts.action, Action::Write { .. }) {
            return Err(read_only(scope));
        }
        Ok(facts)
    }

    /// Waits until no other followed call works in a workspace.
    pub async fn alone_in(&self, workspace: &Path) -> OwnedMutexGuard<()> {
        self.lock.enter(workspace).await
    }

    /// The same where no call works there now; `None` elsewhere.
    pub fn try_alone_in(&self, workspace: &Path) -> Option<OwnedMutexGuard<()>> {
        self.lock.try_enter(workspace)
    }

    /// Returns what the files of the workspace are that a cleared call is about to write.
    pub async fn before(&self, cleared: &ClearedCall, workspace: &Path) -> Vec<FileBefore> {
        let mut before = code::before(cleared, workspace).await;
        before.extend(files::before(cleared, workspace).await);
        before
    }

    /// Returns what tells later which files of a project a command changed; `None` for other calls.
    pub async fn files_before(&self, cleared: &ClearedCall, scope: &Scope) -> Option<FilesBefore> {
        FilesBefore::look(cleared, scope).await
    }

    /// Finishes, or takes back, a change of files whose call was begun before a kill; `None` for
    /// calls of other tools. `before` is what the journal kept of its files.
    pub async fn finish(
        &self,
        call: &ToolCall,
        scope: &Scope,
        before: Vec<FileBefore>,
    ) -> Option<ToolOutcome> {
        code::finish(call, scope, before, &self.seen).await
    }

    /// Returns what a file is that an undo is about to put back.
    pub async fn as_found(&self, workspace: &Path, path: &str) -> io::Result<FileBefore> {
        files::as_found(workspace, path).await
    }

    /// Returns how files are now, compared with before they were written.
    pub async fn compare(&self, workspace: &Path, files: &[FileBefore]) -> Vec<FileNow> {
        files::compare(workspace, files).await
    }

    /// Puts a file back to what it was: a person wants it so, no model does.
    pub async fn put_back(&self, workspace: &Path, file: &FileBefore) -> io::Result<()> {
        files::put_back(workspace, file).await
    }

    /// Returns what lies in a workspace as one text, where that can be told for certain.
    pub async fn inventory(&self, workspace: &Path) -> Option<String> {
        let inventory = Inventory::take(workspace).await?;
        Some(inventory.to_text())
    }

    /// Runs a cleared call, bounds its result and checks it for injections.
    pub async fn run(&self, cleared: ClearedCall, call_context: &CallContext) -> ToolRun {
        let call = cleared.call();
        let Some(tool) = self.get(&call.name) else {
            return ToolRun::ours(self.unknown(&call.name, &call_context.scope));
        };
        let context = ToolContext {
            scope: call_context.scope.clone(),
            stop: call_context.stop.clone(),
            taint: call_context.taint.clone(),
            in_view: call_context.in_view.clone(),
            _seal: Seal(()),
        };
        let within = self.limits.longest_call;
        let span = span_of(call);
        let outcome = run_to_end(tool.as_ref(), &cleared, &context, within)
            .instrument(span.clone())
            .await;
        // Before anything is cut: half a secret would not be found.
        let outcome = outcome.map_texts(|text| self.redactor.redact(&text).into_owned());
        count(tool.as_ref(), &outcome, &span);
        let limit = tool
            .max_output_bytes()
            .unwrap_or(self.limits.max_output_bytes);
        let place = SpoolPlace::of(&call_context.scope, &call.id);
        let outcome = bounded(outcome, limit, place);
        if outcome.given().is_none() {
            return ToolRun::ours(outcome);
        }
        match tool.outside_text(&outcome) {
            OutsideText::None => ToolRun::ours(outcome),
            OutsideText::Unchecked => screen(outcome, call, call_context),
            OutsideText::Checked => ToolRun {
                tainted: true,
                ..ToolRun::ours(outcome)
            },
        }
    }

    /// Names the tools that are there in its place: those of projects, or those in their stead.
    fn unknown(&self, name: &str, scope: &Scope) -> ToolOutcome {
        let tools = self.all();
        let here = tools.iter().filter(|tool| match tool.schema_visibility() {
            SchemaVisibility::InProjects => scope.project.is_some(),
            SchemaVisibility::OutsideProjects => scope.project.is_none(),
            SchemaVisibility::Always | SchemaVisibility::When(_) => true,
        });
        let names: Vec<_> = here.map(|tool| tool.spec().name.as_str()).collect();
        ToolOutcome::unknown_tool(format!(
            "there is no tool `{name}`; the tools are {}",
            names.join(", ")
        ))
    }
}

/// Returns a name in the letters that services take: with any other in an earlier call they refuse
/// the whole conversation.
fn sendable(name: &str) -> String {
    let as_sent = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '-' => letter,
        _ => '_',
    };
    let name: String = name.chars().take(MAX_NAME_CHARS).map(as_sent).collect();
    if name.is_empty() {
        return "unnamed".to_owned();
    }
    name
}

/// Returns the span that is exported to a collector for a call of one of our tools.
fn span_of(call: &ToolCall) -> Span {
    tracing::info_span!(
        target: "sayso::spans",
        "tool",
        otel.name = format!("execute_tool {}", call.name),
        otel.status_code = Empty,
        gen_ai.operation.name = "execute_tool",
        gen_ai.tool.name = call.name,
        gen_ai.tool.call.id = %call.id,
        sayso.outcome = Empty,
    )
}

fn count(tool: &dyn Tool, outcome: &ToolOutcome, span: &Span) {
    let status = outcome.name();
    span.record("sayso.outcome", status);
    if matches!(outcome, ToolOutcome::Error { .. }) {
        span.record("otel.status_code", "ERROR");
    }
    let tool = tool.spec().name.clone();
    metrics::counter!("sayso_tool_calls_total", "tool" => tool, "status" => status).increment(1);
}

async fn run_to_end(
    tool: &dyn Tool,
    cleared: &ClearedCall,
    context: &ToolContext,
    within: Duration,
) -> ToolOutcome {
    let run = AssertUnwindSafe(tool.run(cleared, context)).catch_unwind();
    let overdue = async {
        context.stop.cancelled().await;
        tokio::time::sleep(STOP_GRACE).await;
    };
    tokio::select! {
        biased;
        outcome = run => outcome.unwrap_or_else(|_panic| broken(&cleared.call().name)),
        () = overdue => ToolOutcome::Failed { error: "stopped".to_owned(), partial: None },
        () = tokio::time::sleep(within) => given_up(tool, within),
    }
}

/// Returns whether a text among the arguments has a mark in it, in the place of a secret.
fn holds_mark(arguments: &Value) -> bool {
    match arguments {
        Value::String(text) => has_mark(text),
        Value::Array(items) => items.iter().any(holds_mark),
        Value::Object(fields) => fields.values().any(holds_mark),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// A mark that is written or run would destroy the secret that it stands for.
fn hidden_from_model() -> ToolOutcome {
    ToolOutcome::invalid(
        "a mark `[redacted: ...]` is in it, which stands for a secret that you were not shown: \
         with it, the secret would be overwritten. Leave that place of the file unchanged, or ask \
         the person to do it.",
    )
}

/// In a project whose files are only read, a write is refused before anybody is asked.
fn read_only(scope: &Scope) -> ToolOutcome {
    let name = scope
        .project
        .as_ref()
        .map_or("", |project| project.name.as_str());
    ToolOutcome::not_run(format!(
        "the project `{name}` is read-only here: nothing in it can be changed. Say what you would \
         change instead; an owner can allow writing with `write = true` in `[projects.{name}]`"
    ))
}

/// Every tool that waits for something has a limit of its own; one that hangs in another way must
/// not hang its turn. What changes something may have done so.
fn given_up(tool: &dyn Tool, within: Duration) -> ToolOutcome {
    let (name, seconds) = (&tool.spec().name, within.as_secs());
    tracing::error!(tool = %name, "tool call timed out and was abandoned");
    if !tool.is_idempotent() {
        return ToolOutcome::given_up(within);
    }
    ToolOutcome::Failed {
        error: format!("`{name}` did not end within {seconds} s and was given up"),
        partial: None,
    }
}

fn broken(tool: &str) -> ToolOutcome {
    tracing::error!(tool, "tool panicked");
    ToolOutcome::not_run(format!(
        "`{tool}` broke down; this is a fault of Sayso, not of the call"
    ))
}

fn bounded(outcome: ToolOutcome, limit: usize, place: SpoolPlace) -> ToolOutcome {
    match outcome {
        ToolOutcome::Success { output } => ToolOutcome::Success {
            output: cut(output, limit, place),
        },
        ToolOutcome::Failed { error, partial } => ToolOutcome::Failed {
            error: cut_reason(error),
            partial: partial.map(|partial| cut(partial, limit, place)),
        },
        ToolOutcome::Error { code, message } => ToolOutcome::Error {
            code,
            message: cut_reason(message),
        },
        ToolOutcome::Checked { report, output } => ToolOutcome::Checked {
            report,
            output: cut(output, limit, place),
        },
        ToolOutcome::Denied { why, shown } => ToolOutcome::Denied {
            why: cut_reason(why),
            shown,
        },
        whole @ (ToolOutcome::Asks { .. }
        | ToolOutcome::Sends { .. }
        | ToolOutcome::Plans { .. }
        | ToolOutcome::Unknown { .. }) => whole,
    }
}

fn cut(output: String, limit: usize, place: SpoolPlace) -> String {
    if output.len() <= limit {
        return output;
    }
    let mut spool = Spool::new(place, limit);
    spool.push(output.as_bytes());
    spool.finish(limit)
}

fn cut_reason(mut reason: String) -> String {
    if reason.len() > MAX_REASON_BYTES {
        let missing = reason.len() - MAX_REASON_BYTES;
        reason.truncate(reason.floor_char_boundary(MAX_REASON_BYTES));
        let note = format!(" [{missing} bytes left out]");
        reason.push_str(&note);
    }
    reason
}

#[cfg(test)]
#[path = "toolbox_tests.rs"]
mod tests;
