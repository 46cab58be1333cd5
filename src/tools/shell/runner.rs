//! Runs one command line in the workspace of a turn: confined, and with bounded output.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sayso_code::feedback::{self, CommandOutput};
use sayso_core::redact::Redactor;
use sayso_core::transcript::{READ_RESULT, Scope, ToolCall, ToolOutcome, result_id};
use sayso_policy::{Access, WorkspaceUse};
use sayso_sandbox::ShellEnvironment;
use sayso_sandbox::helper::{End, HelperPath};
use sayso_sandbox::{Sandbox, SandboxProfile};
use secrecy::SecretString;
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use super::not_run;
use super::outcome::{Confined, outcome, told_left};
use super::run::{Finished, Job, Output, Over, Sink};
use crate::spool::{Spool, SpoolPlace};
use crate::terminal_text::TextSpool;
use crate::workspace::Workspace;
use crate::{ToolContext, ToolLimits};

/// What stands between the two outputs of a command.
const STDERR_MARK: &str = "[stderr]\n";
/// From how many bytes on an output is summed up.
const SUMMED_UP_FROM: u64 = 6 * 1024;
/// What the note behind a summary begins with.
const SUMMED_UP: &str = "[summed up: ";
/// The longest summary, in characters.
const SUMMARY_CHARS: usize = 6000;
/// How much of an unused output is kept, in bytes.
const UNHEARD_BYTES: usize = 1024;

/// Runs command lines.
#[derive(Clone)]
pub struct Runner {
    pub(super) limits: ToolLimits,
    pub(super) helper: HelperPath,
    pub(super) environment: ShellEnvironment,
    pub(super) sandbox: Sandbox,
    /// Whether commands can be kept running; if so, messages mention how.
    pub(super) keeps_running: bool,
    /// How long outputs are shown.
    pub(super) feedback: Feedback,
}

/// How an output is shown that is long.
#[derive(Debug, Clone)]
pub(super) enum Feedback {
    /// Its beginning and its end.
    Whole,
    /// What compilers and tests say in it, then its beginning and its end.
    ///
    /// A summary shortens lines, which could leave half a secret that nothing knows any more, so this
    /// hides them first.
    Summary(Redactor),
}

/// One command line, and what it gets.
pub struct Run {
    /// The line, run by `sh -c`.
    pub line: String,
    /// What it finds in its environment besides the usual.
    pub variables: Vec<(String, SecretString)>,
    /// After this it is ended, when that is sooner than for all commands.
    pub timeout: Option<Duration>,
    /// How far it may reach: no further than its call was cleared for.
    pub access: Access,
    /// What it may do in the workspace: no more than its call was cleared for.
    pub workspace_use: WorkspaceUse,
}

/// One internal command line, in a directory that is no turn's workspace.
pub struct Apart {
    /// The line, run by `sh -c`.
    pub line: String,
    /// What it finds in its environment besides the usual.
    pub variables: Vec<(String, SecretString)>,
    /// After this it is ended.
    pub timeout: Duration,
    /// How far it may reach.
    pub access: Access,
    /// What it may do in its directory.
    pub workspace_use: WorkspaceUse,
    /// What it may read besides.
    pub readable: Vec<PathBuf>,
}

/// Why a command does not run that nothing would keep from writing in a project that is only read.
const UNHELD: &str = "this project is read-only, and outside the sandbox nothing would keep the \
                      command from changing it; run it without asking for more access, where the \
                      sandbox is on";

impl Runner {
    /// Runs an internal command and returns only how it ended: its output goes where its line says.
    pub async fn run_apart(&self, apart: Apart, directory: &Path) -> io::Result<Over> {
        let plan = self
            .sandbox
            .plan(apart.access, apart.workspace_use, directory);
        let plan = plan.map(|mut plan| {
            plan.read.extend(apart.readable);
            plan
        });
        let job = Job {
            helper: &self.helper,
            environment: &self.environment,
            variables: apart.variables,
            workspace: directory,
            command: &apart.line,
            plan,
            timeout: apart.timeout,
        };
        let spool = |name| Spool::new(SpoolPlace::apart(directory, name), UNHEARD_BYTES);
        let mut output = Output {
            stdout: spool("stdout"),
            stderr: spool("stderr"),
        };
        let finished = job.run(&mut output, &CancellationToken::new()).await?;
        Ok(finished.over)
    }

    /// Runs a command in a workspace to its end, wherever its output goes.
    pub(super) async fn run_in<S: Sink>(
        &self,
        scope: &Scope,
        run: &Run,
        output: &mut Output<S>,
        stop: &CancellationToken,
    ) -> io::Result<Finished> {
        let workspace = Workspace::open(&scope.workspace)?;
        let plan = self.plan_in(scope, run, workspace.root());
        if scope.is_read_only() && plan.is_none() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, UNHELD));
        }
        let job = Job {
            helper: &self.helper,
            environment: &self.environment,
            variables: run.variables.clone(),
            workspace: workspace.root(),
            command: &run.line,
            plan,
            timeout: run.timeout.unwrap_or(self.limits.shell_timeout),
        };
        job.run(output, stop).await
    }

    /// Runs a command and tells its end and its output, as text.
    pub async fn run(&self, run: &Run, call: &ToolCall, context: &ToolContext) -> ToolOutcome {
        let limit = self.limits.max_output_bytes;
        let [stdout, stderr] = self.spools(call, context).map(TextSpool::new);
        let mut output = Output { stdout, stderr };
        let Ended { finished, plan } = match self.start(run, context, &mut output).await {
            Ok(ended) => ended,
            Err(problem) => return problem,
        };
        let timeout = run.timeout.unwrap_or(self.limits.shell_timeout);
        let confined = Confined::by(plan.as_ref());
        let left = told_left(&finished.left, self.keeps_running);
        let room = limit.saturating_sub(left.len() + 1);
        let written = Output {
            stdout: output.stdout.end(),
            stderr: output.stderr.end(),
        };
        let shown = match &self.feedback {
            Feedback::Summary(redactor) if written.total() > SUMMED_UP_FROM => {
                let summed = Summed {
                    redactor: redactor.clone(),
                    line: run.line.clone(),
                    exit: exit_of(&finished.over),
                    id: result_id(context.scope.turn, &call.id),
                };
                // Of megabytes it takes long.
                let summed = spawn_blocking(move || summed.up(written, room)).await;
                summed.unwrap_or_else(|error| {
                    tracing::error!(%error, "output not summed up");
                    "[the output cannot be summed up; this is a fault of Sayso]".to_owned()
                })
            }
            Feedback::Summary(_) | Feedback::Whole => merged(written, room),
        };
        let shown = with_line(shown, &left);
        outcome(finished.over, confined, shown, timeout)
    }

    /// Runs a command in the workspace of `folder` to its end and returns what it wrote, without the
    /// secrets that are known, and how that is shown to the model.
    pub(super) async fn run_and_read(
        &self,
        run: &Run,
        folder: &Scope,
        call: &ToolCall,
        context: &ToolContext,
    ) -> Result<ReadRun, ToolOutcome> {
        let [stdout, stderr] = self.spools(call, context).map(TextSpool::new);
        let mut output = Output { stdout, stderr };
        let finished = self.run_in(folder, run, &mut output, &context.stop).await;
        let finished = finished.map_err(|error| not_run(&error.to_string()))?;
        let left = told_left(&finished.left, self.keeps_running);
        let room = (self.limits.max_output_bytes).saturating_sub(left.len() + 1);
        let mut written = Output {
            stdout: output.stdout.end(),
            stderr: output.stderr.end(),
        };
        let Feedback::Summary(redactor) = self.feedback.clone() else {
            return Err(not_run("checks run in projects alone"));
        };
        let summed = Summed {
            redactor: redactor.clone(),
            line: run.line.clone(),
            exit: exit_of(&finished.over),
            id: result_id(context.scope.turn, &call.id),
        };
        let read = spawn_blocking(move || {
            let mut bytes = written.stdout.whole().unwrap_or_default();
            bytes.extend(written.stderr.whole().unwrap_or_default());
            let text = String::from_utf8_lossy(&bytes);
            let output = redactor.redact(&text).as_bytes().to_vec();
            let shown = if written.total() > SUMMED_UP_FROM {
                summed.up(written, room)
            } else {
                merged(written, room)
            };
            ReadRun {
                over: finished.over,
                output,
                shown: with_line(shown, &left),
            }
        });
        read.await
            .map_err(|_panic| not_run("its output cannot be read"))
    }

    /// Runs a command and returns all that it gave, byte for byte, or why there is not all of it.
    pub async fn collect(
        &self,
        run: &Run,
        call: &ToolCall,
        context: &ToolContext,
    ) -> Result<String, ToolOutcome> {
        let limit = self.limits.max_output_bytes;
        let [stdout, stderr] = self.spools(call, context);
        let mut output = Output { stdout, stderr };
        let Ended { finished, plan } = self.start(run, context, &mut output).await?;
        if output.stdout.total() > limit as u64 {
            return Err(not_run("what must be known before is too long"));
        }
        let timeout = run.timeout.unwrap_or(self.limits.shell_timeout);
        let given = output.stdout.finish(limit);
        let errors = output.stderr.finish(limit);
        match outcome(finished.over, Confined::by(plan.as_ref()), errors, timeout) {
            ToolOutcome::Success { .. } => Ok(given),
            failed => Err(failed),
        }
    }

    /// Returns where what a call writes to its output and to its errors is held.
    fn spools(&self, call: &ToolCall, context: &ToolContext) -> [Spool; 2] {
        let (scope, limit) = (&context.scope, self.limits.max_output_bytes);
        let places = [
            SpoolPlace::of(scope, &call.id),
            SpoolPlace::of_errors(scope, &call.id),
        ];
        places.map(|place| Spool::new(place, limit))
    }

    /// Returns what the sandbox holds a command to; in a project that is only read, no command gets
    /// more than reading. `None` holds it to nothing.
    fn plan_in(&self, scope: &Scope, run: &Run, root: &Path) -> Option<SandboxProfile> {
        let workspace_use = if scope.is_read_only() {
            WorkspaceUse::Reading
        } else {
            run.workspace_use
        };
        self.sandbox.plan(run.access, workspace_use, root)
    }

    async fn start<S: Sink>(
        &self,
        run: &Run,
        context: &ToolContext,
        output: &mut Output<S>,
    ) -> Result<Ended, ToolOutcome> {
        let workspace = Workspace::open(&context.scope.workspace)
            .map_err(|error| not_run(&format!("cannot open the workspace: {error}")))?;
        let plan = self.plan_in(&context.scope, run, workspace.root());
        if context.scope.is_read_only() && plan.is_none() {
            return Err(not_run(UNHELD));
        }
        let job = Job {
            helper: &self.helper,
            environment: &self.environment,
            variables: run.variables.clone(),
            workspace: workspace.root(),
            command: &run.line,
            plan: plan.clone(),
            timeout: run.timeout.unwrap_or(self.limits.shell_timeout),
        };
        let finished = job.run(output, &context.stop).await;
        let finished =
            finished.map_err(|error| not_run(&format!("cannot start its helper: {error}")))?;
        Ok(Ended { finished, plan })
    }
}

/// A command that is over, with what it wrote.
pub(super) struct ReadRun {
    /// How it ended.
    pub(super) over: Over,
    /// What it wrote to both outputs, as far as that is kept.
    pub(super) output: Vec<u8>,
    /// What the model is shown of it.
    pub(super) shown: String,
}

/// A command that is over.
struct Ended {
    finished: Finished,
    plan: Option<SandboxProfile>,
}

/// Appends one of our own lines to an output.
fn with_line(mut output: String, line: &str) -> String {
    if !line.is_empty() && !output.is_empty() && !output.ends_with('\n') {
        output.push('\n');
    }
    output + line
}

/// What a summary of an output is made with.
struct Summed {
    redactor: Redactor,
    line: String,
    /// The exit code, where there is one.
    exit: Option<i32>,
    id: String,
}

fn exit_of(over: &Over) -> Option<i32> {
    match over {
        Over::Ended(End::Exited { code }) => Some(*code),
        Over::Ended(_) | Over::TimedOut | Over::Stopped | Over::HelperLost => None,
    }
}

impl Summed {
    /// Tells a long output by what compilers and tests say in it. All of it is kept, and the note says
    /// how it is read.
    fn up(&self, mut written: Output, room: usize) -> String {
        let total = written.total();
        let (Ok(mut output), Ok(errors)) = (written.stdout.whole(), written.stderr.whole()) else {
            return merged(written, room);
        };
        output.extend(errors);
        let text = String::from_utf8_lossy(&output);
        let summary = feedback::summarize(&CommandOutput {
            command: &self.line,
            exit: self.exit,
            output: self.redactor.redact(&text).as_bytes(),
            keywords: &[],
        });
        let (shown, id) = (summary.render(SUMMARY_CHARS), &self.id);
        format!("{shown}\n{SUMMED_UP}{total} bytes in all; `{READ_RESULT}` with `{id}` shows them]")
    }
}

/// Returns whether a result is a summary of an output that is kept.
pub fn is_summed_up(outcome: &ToolOutcome) -> bool {
    outcome
        .given()
        .is_some_and(|given| given.contains(SUMMED_UP))
}

/// Joins both outputs under one bound. The shorter one keeps up to half; the rest is the other's.
fn merged(output: Output, limit: usize) -> String {
    let Output { stdout, stderr } = output;
    if stderr.total() == 0 {
        return stdout.finish(limit);
    }
    let room = limit.saturating_sub(STDERR_MARK.len() + 1);
    let wanted = |spool: &Spool| usize::try_from(spool.total()).unwrap_or(usize::MAX);
    let for_errors = wanted(&stderr).min(room.saturating_sub(wanted(&stdout)).max(room / 2));
    let mut text = stdout.finish(room - for_errors);
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(STDERR_MARK);
    text.push_str(&stderr.finish(for_errors));
    text
}
