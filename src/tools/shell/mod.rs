//! `shell`: one command line in the workspace.
//!
//! What it may do is the policy's affair, ending it the helper's; this file makes facts out of a
//! command and a result out of its output.

mod background;
mod bindings;
mod checks;
mod git_settings;
mod outcome;
mod places;
mod run;
mod runner;
mod snapshot;

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use sayso_core::redact::Redactor;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec, result_id};
use sayso_core::visible::visible;
use sayso_policy::{Access, Action, ClearedCall, Lasting, ToolFacts, variable_of};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, ShellEnvironment};
use schemars::JsonSchema;
use serde::Deserialize;

use self::background::BackgroundJob;
pub use self::background::{
    Background, NewProcess, NotStarted, ProcessEnd, ProcessView, Running, SharedOutput,
};
use self::bindings::bindings;
pub use self::checks::{ProjectChecks, RUN_CHECKS, RunChecks};
use self::places::named_places;
pub(super) use self::run::Over;
use self::runner::Feedback;
pub(crate) use self::runner::Runner;
pub use self::runner::is_summed_up;
pub(super) use self::runner::{Apart, Run};

use super::arguments::{WrongArgument, parse_arguments, refusal, spec_of};
use super::secrets::{Secrets, handles_in};
use super::{OutsideText, SchemaVisibility, Tool, ToolContext, ToolLimits};

/// The longest command: what a person can still be shown, and far below what `exec` takes.
const MAX_COMMAND_BYTES: usize = 16 * 1024;
/// The argument with the names of secrets.
const SECRETS: &str = "secrets";
/// The argument that keeps a command running.
pub(super) const BACKGROUND: &str = "background";
/// How long it is looked at what a background process does first: many that fail do so at once.
const LOOK_AT_START: Duration = Duration::from_millis(1500);
/// How much is shown of what it writes first, in bytes.
const FIRST_OUTPUT_BYTES: usize = 4 * 1024;

/// The name of the tool outside of projects.
const SHELL: &str = "shell";
/// Its name in a project.
pub(super) const RUN_CMD: &str = "run_cmd";

/// Runs commands in the workspace: `shell`, or `run_cmd` in a project.
#[derive(Clone)]
pub struct Shell {
    spec: ToolSpec,
    runner: Runner,
    secrets: Secrets,
    keeping: Option<Keeping>,
}

/// What keeps commands running.
#[derive(Clone)]
struct Keeping {
    background: Arc<dyn Background>,
    /// How long at most.
    lifetime: Duration,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// Run by `sh -c`.
    command: String,
    timeout_secs: Option<u64>,
    /// Keeps it running behind the call, without `&` and `nohup`.
    #[serde(default)]
    background: bool,
    /// Ask for more only when it cannot work without.
    #[serde(default)]
    access: Access,
    /// The names of the secrets that it needs.
    secrets: Option<BTreeSet<String>>,
}

/// The arguments, checked.
struct Asked {
    command: String,
    timeout: Duration,
    lasting: Lasting,
    access: Access,
    /// The names of the secrets that it gets, sorted.
    secrets: Vec<String>,
}

impl Shell {
    /// Makes the tool.
    pub fn new(
        limits: ToolLimits,
        helper: HelperPath,
        environment: ShellEnvironment,
        sandbox: Sandbox,
    ) -> Self {
        let mut shell = Self {
            spec: spec_of::<Arguments>(SHELL, ""),
            runner: Runner {
                limits,
                helper,
                environment,
                sandbox,
                keeps_running: false,
                feedback: Feedback::Whole,
            },
            secrets: Secrets::default(),
            keeping: None,
        };
        shell.spec = shell.describe();
        shell
    }

    /// Says what it does, and nothing of what there is not.
    fn describe(&self) -> ToolSpec {
        let seconds = self.runner.limits.shell_timeout.as_secs();
        let mut description = format!(
            "Runs a command line in the workspace and gives its output: no terminal, no input, \
             ended after {seconds} s. What it leaves running (`&`, `nohup`, `setsid`) is ended \
             with it. No network, and no changes outside the workspace, unless `access` asks for \
             more; a person is asked then."
        );
        let mut missing = Vec::new();
        match &self.keeping {
            Some(keeping) => {
                let more = format!(
                    " `{BACKGROUND}` keeps a server running for up to {} s; a person is asked.",
                    keeping.lifetime.as_secs()
                );
                description.push_str(&more);
            }
            None => missing.push(BACKGROUND),
        }
        match self.secrets.for_commands() {
            Some(told) => {
                let more = format!(
                    " A command that names them in `{SECRETS}` finds secrets in its environment: \
                     {told}. They cannot stand among its words; hand them on with \
                     `GH_TOKEN=\"$SAYSO_SECRET_...\" gh ...`."
                );
                description.push_str(&more);
            }
            None => missing.push(SECRETS),
        }
        let name = match self.runner.feedback {
            Feedback::Whole => SHELL,
            Feedback::Summary(_) => RUN_CMD,
        };
        let mut spec = spec_of::<Arguments>(name, &description);
        let mut parameters = (*spec.parameters).clone();
        if let Some(fields) = parameters["properties"].as_object_mut() {
            fields.retain(|name, _| !missing.contains(&name.as_str()));
        }
        spec.parameters = parameters.into();
        spec
    }

    /// Lets commands be kept running for so long at most.
    pub fn keeping(mut self, background: Arc<dyn Background>, lifetime: Duration) -> Self {
        self.keeping = Some(Keeping {
            background,
            lifetime,
        });
        self.runner.keeps_running = true;
        self.spec = self.describe();
        self
    }

    /// Returns the same tool for projects: `run_cmd`, which sums up what compilers and tests write, without
    /// the secrets that `redactor` knows.
    pub fn in_projects(&self, redactor: Redactor) -> Self {
        let mut shell = self.clone();
        shell.runner.feedback = Feedback::Summary(redactor);
        shell.spec = shell.describe();
        shell
    }

    /// Returns what runs its commands, for other tools that are programs. Those keep none running.
    pub fn runner(&self) -> Runner {
        Runner {
            keeps_running: false,
            feedback: Feedback::Whole,
            ..self.runner.clone()
        }
    }

    /// Gives it secrets that commands may be handed, where there are any.
    pub fn handing_out(mut self, secrets: Secrets) -> Self {
        self.secrets = secrets;
        self.spec = self.describe();
        self
    }

    fn arguments(&self, call: &ToolCall) -> Result<Asked, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let lasting = if arguments.background {
            Lasting::Background
        } else {
            Lasting::WhileCalled
        };
        check_command(&arguments.command)
            .and_then(|()| self.timeout(arguments.timeout_secs, lasting))
            .map(|timeout| Asked {
                command: arguments.command,
                timeout,
                lasting,
                access: arguments.access,
                secrets: arguments.secrets.into_iter().flatten().collect(),
            })
            .map_err(|wrong| refusal(&self.spec, &wrong.to_string()))
    }

    fn timeout(&self, seconds: Option<u64>, lasting: Lasting) -> Result<Duration, WrongArgument> {
        let most = match (lasting, &self.keeping) {
            (Lasting::WhileCalled, _) => self.runner.limits.shell_timeout,
            (Lasting::Background, Some(keeping)) => keeping.lifetime,
            (Lasting::Background, None) => {
                return Err(WrongArgument::new(
                    BACKGROUND,
                    "no command is kept running here",
                ));
            }
        };
        let longest = most;
        let most = most.as_secs();
        match seconds {
            None => Ok(longest),
            Some(seconds) if (1..=most).contains(&seconds) => Ok(Duration::from_secs(seconds)),
            Some(seconds) => Err(WrongArgument::new(
                "timeout_secs",
                format!("{seconds} is not allowed, 1 to {most} is"),
            )),
        }
    }
}

impl Shell {
    /// Starts a command that keeps running, and tells what it does at first.
    async fn keep(
        &self,
        keeping: &Keeping,
        run: Run,
        call: &ToolCall,
        context: &ToolContext,
    ) -> ToolOutcome {
        let lifetime = run.timeout.unwrap_or(keeping.lifetime);
        let process = NewProcess {
            scope: context.scope.clone(),
            call: call.id.clone(),
            command: visible(&run.line),
            lifetime,
            job: BackgroundJob {
                runner: self.runner.clone(),
                run,
            },
        };
        let mut running = match keeping.background.start(process).await {
            Ok(running) => running,
            Err(why) => return not_run(&why.to_string()),
        };
        let is_stopped = tokio::select! {
            () = context.stop.cancelled() => true,
            () = tokio::time::sleep(LOOK_AT_START) => false,
            // An error is one that ended without a word, which is seen below.
            _ = running.ended.wait_for(Option::is_some) => false,
        };
        if is_stopped {
            // The turn is being stopped before its user has seen that the process runs.
            running.stop.cancel();
            let _ = running.ended.wait_for(Option::is_some).await;
        }
        let id = result_id(context.scope.turn, &call.id);
        let ended = running.ended.borrow().clone();
        let output = running.output.so_far(FIRST_OUTPUT_BYTES);
        begun(&id, ended.as_ref(), &output, lifetime)
    }
}

/// Tells what a background process did at first.
fn begun(id: &str, ended: Option<&ProcessEnd>, output: &str, lifetime: Duration) -> ToolOutcome {
    let partial = (!output.is_empty()).then(|| output.to_owned());
    let Some(end) = ended else {
        let shown = partial.map_or_else(String::new, |output| format!("\nso far:\n{output}"));
        return ToolOutcome::Success {
            output: format!(
                "it runs in the background as `{id}`, for {} s at most: `read_result` with that id \
                 shows whether it still runs and what it wrote. A person ends it with /stop.{shown}",
                lifetime.as_secs()
            ),
        };
    };
    if end.is_failure() {
        let error = format!("it does not run: {}", end.for_model());
        return ToolOutcome::Failed { error, partial };
    }
    let shown = partial.map_or_else(String::new, |output| format!("\n{output}"));
    ToolOutcome::Success {
        output: format!("it does not run any more: {}{shown}", end.for_model()),
    }
}

fn check_command(command: &str) -> Result<(), WrongArgument> {
    let wrong = |problem: String| Err(WrongArgument::new("command", problem));
    if command.trim().is_empty() {
        return wrong("it is empty".to_owned());
    }
    if command.contains('\0') {
        return wrong("it has a NUL in it".to_owned());
    }
    let is_free_of_handles = handles_in(command).is_ok_and(|names| names.is_empty());
    if !is_free_of_handles {
        return wrong(format!(
            "handles of secrets are not filled in here; name them in `{SECRETS}`, and it finds \
             them in its environment"
        ));
    }
    if command.len() > MAX_COMMAND_BYTES {
        return wrong(format!(
            "{} bytes are too many, {MAX_COMMAND_BYTES} are allowed; write a script with \
             file_write and run that",
            command.len()
        ));
    }
    Ok(())
}

#[async_trait]
impl Tool for Shell {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        match self.runner.feedback {
            Feedback::Whole => SchemaVisibility::OutsideProjects,
            Feedback::Summary(_) => SchemaVisibility::InProjects,
        }
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let Asked {
            command,
            access,
            secrets,
            lasting,
            ..
        } = self.arguments(call)?;
        let (workspace, looked_at) = (scope.workspace.clone(), command.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let places = named_places(&looked_at, &workspace);
            (bindings(&looked_at, &workspace, &places), places)
        });
        let (scripts, places) = looked
            .await
            .map_err(|_panic| not_run("its files cannot be read"))?;
        Ok(ToolFacts {
            summary: visible(&command).into(),
            detail: handed_out(&secrets),
            action: Action::Exec {
                program: program_of(&command),
                command,
                access,
                places,
                lasting,
            },
            scripts,
            secrets,
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let Asked {
            command,
            timeout,
            secrets,
            lasting,
            ..
        } = match self.arguments(call.call()) {
            Ok(arguments) => arguments,
            Err(refusal) => return refusal,
        };
        let secrets: Result<Vec<_>, _> =
            secrets.iter().map(|it| self.secrets.variable(it)).collect();
        let run = match secrets {
            Ok(variables) => Run {
                line: command,
                variables,
                timeout: Some(timeout),
                access: call.access(),
                workspace_use: call.workspace_use(),
            },
            Err(error) => return not_run(&error.to_string()),
        };
        match (lasting, &self.keeping) {
            (Lasting::Background, Some(keeping)) => {
                self.keep(keeping, run, call.call(), context).await
            }
            (Lasting::Background | Lasting::WhileCalled, _) => {
                self.runner.run(&run, call.call(), context).await
            }
        }
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Returns what a person is shown of the secrets that a command gets.
fn handed_out(secrets: &[String]) -> Option<String> {
    let named = secrets
        .iter()
        .map(|it| format!("{it} (${})", variable_of(it)));
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("{SECRETS}: {}", named.join(", ")))
}

/// Returns the first word without its directory, where it is plain: no quoting, no expansion, no
/// assignment.
fn program_of(command: &str) -> Option<String> {
    let word = command.split_whitespace().next()?;
    let is_plain = word
        .chars()
        .all(|letter| letter.is_ascii_alphanumeric() || "._+-/".contains(letter));
    let name = Path::new(word).file_name()?.to_str()?;
    is_plain.then(|| name.to_owned())
}

fn not_run(why: &str) -> ToolOutcome {
    ToolOutcome::not_run(format!("the command was not run: {why}"))
}

#[cfg(test)]
mod tests;
