//! `run_checks`: one check of a project, by the command that the project's files define for it.
//!
//! A model names what is verified, never the command. So an approval of a check is bound to its exact
//! command and to the files that define it (`sayso_policy::Binding::Recipe`), and holds while the
//! code that it runs changes; only where the sandbox is off it is bound to the whole workspace.

use std::collections::BTreeMap;
use std::io::{self, Read as _};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use sayso_checks::{
    ConfiguredChecks, Ending, MANIFESTS, MAX_NAMES, ProjectFiles, Ran, Recipe, Request,
};
use sayso_core::transcript::{CheckStrategy, Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible;
use sayso_policy::{Access, Action, ClearedCall, Lasting, ToolFacts, WorkspaceUse};
use sayso_sandbox::helper::End;
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::task::spawn_blocking;

use super::bindings::{bindings, recipe_bindings};
use super::places::named_places;
use super::runner::{ReadRun, Run, Runner};
use super::snapshot::{SKIPPED, Snapshot};
use super::{Over, Shell, not_run, program_of};
use crate::arguments::{parse_arguments, spec_of};
use crate::code::PatchHistory;
use crate::workspace::Workspace;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// The name of the tool.
pub const RUN_CHECKS: &str = "run_checks";
/// How much is read of a file that may define a recipe, in bytes.
const MAX_MANIFEST_BYTES: u64 = 256 * 1024;

/// How the projects of this instance are checked.
#[derive(Debug, Default)]
pub struct ProjectChecks {
    /// What the operator set, by the name of the project.
    configured: BTreeMap<String, ConfiguredChecks>,
}

impl ProjectChecks {
    /// Takes what the operator set, by the name of the project.
    pub fn new(configured: BTreeMap<String, ConfiguredChecks>) -> Self {
        Self { configured }
    }

    /// Returns how the project of a turn is checked, the cheapest first; nothing outside of projects.
    pub async fn recipes(&self, scope: &Scope) -> Vec<Recipe> {
        let Some(project) = &scope.project else {
            return Vec::new();
        };
        let configured = self.configured.get(&project.name);
        let configured = configured.cloned().unwrap_or_default();
        let root = scope.workspace.clone();
        let found =
            spawn_blocking(move || sayso_checks::recipes(&files_of(&root), &configured)).await;
        found.unwrap_or_default()
    }

    /// Returns what is verified after a change of these files, the cheapest first; without any files,
    /// everything.
    pub async fn planned(&self, scope: &Scope, changed: &[String]) -> Vec<CheckStrategy> {
        let recipes = self.recipes(scope).await;
        let request = if changed.is_empty() {
            Request::All
        } else {
            Request::AfterChange(changed)
        };
        let planned = sayso_checks::plan(&recipes, request);
        planned.iter().map(|recipe| recipe.strategy).collect()
    }
}

/// Returns what is known of the files of a project. What cannot be read is not there.
fn files_of(root: &Path) -> ProjectFiles {
    let Ok(workspace) = Workspace::open(root) else {
        return ProjectFiles::default();
    };
    let names = names_in(workspace.root());
    let mut texts = BTreeMap::new();
    for name in MANIFESTS {
        let is_there = names.iter().any(|known| known == name);
        if is_there && let Some(text) = text_of(&workspace, name) {
            texts.insert(name.to_owned(), text);
        }
    }
    ProjectFiles::new(names, texts)
}

/// Returns the names of the files of a folder and of the folders in it, without those that are hidden
/// or made by tools. No symlink is followed.
fn names_in(root: &Path) -> Vec<String> {
    let mut names = Vec::new();
    let mut folders = Vec::new();
    for (name, is_folder) in entries_of(root) {
        if is_folder && !name.starts_with('.') && !SKIPPED.contains(&name.as_str()) {
            folders.push(name);
        } else if !is_folder {
            names.push(name);
        }
    }
    folders.sort_unstable();
    for folder in folders {
        let inside = entries_of(&root.join(&folder)).filter(|(_, is_folder)| !is_folder);
        names.extend(inside.map(|(name, _)| format!("{folder}/{name}")));
        if names.len() >= MAX_NAMES {
            break;
        }
    }
    names
}

fn entries_of(folder: &Path) -> impl Iterator<Item = (String, bool)> + use<> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    entries.take(MAX_NAMES).filter_map(|entry| {
        let kind = entry.file_type().ok()?;
        let name = entry.file_name().into_string().ok()?;
        (kind.is_dir() || kind.is_file()).then_some((name, kind.is_dir()))
    })
}

fn text_of(workspace: &Workspace, name: &str) -> Option<String> {
    let file = workspace.open_file(name).ok()?;
    let mut bytes = Vec::new();
    file.take(MAX_MANIFEST_BYTES).read_to_end(&mut bytes).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Runs a check of a project.
pub struct RunChecks {
    spec: ToolSpec,
    runner: Runner,
    projects: Arc<ProjectChecks>,
    history: Arc<dyn PatchHistory>,
    /// After this a check is ended.
    timeout: Duration,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to verify.
    check: Check,
    /// On a copy of the files as they were before this turn.
    #[serde(default)]
    before: bool,
}

/// The strategies, as a model names them.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(inline)]
enum Check {
    Lint,
    Types,
    Build,
    Tests,
    Custom,
    Runtime,
}

impl Check {
    fn strategy(self) -> CheckStrategy {
        match self {
            Self::Lint => CheckStrategy::Lint,
            Self::Types => CheckStrategy::Types,
            Self::Build => CheckStrategy::Build,
            Self::Tests => CheckStrategy::Tests,
            Self::Custom => CheckStrategy::Custom,
            Self::Runtime => CheckStrategy::Runtime,
        }
    }
}

impl RunChecks {
    /// Makes the tool, which runs its commands as `run_cmd` does. A check is ended after `timeout`.
    pub fn new(
        run_cmd: &Shell,
        projects: Arc<ProjectChecks>,
        history: Arc<dyn PatchHistory>,
        timeout: Duration,
    ) -> Self {
        let description = "Runs a check of the project with the command that its files define. \
                           After your changes, checks run by themselves.";
        Self {
            spec: spec_of::<Arguments>(RUN_CHECKS, description),
            runner: Runner {
                keeps_running: false,
                ..run_cmd.runner.clone()
            },
            projects,
            history,
            timeout,
        }
    }

    async fn recipe(&self, call: &ToolCall, scope: &Scope) -> Result<Recipe, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let strategy = arguments.check.strategy();
        if scope.project.is_none() {
            return Err(not_run("this turn works in no project"));
        }
        let recipes = self.projects.recipes(scope).await;
        let known: Vec<&str> = recipes.iter().map(|it| it.strategy.as_str()).collect();
        let known = match known.len() {
            0 => "none is known for this project".to_owned(),
            1.. => format!("known are: {}", known.join(", ")),
        };
        let mut recipes = recipes.into_iter();
        let found = recipes.find(|recipe| recipe.strategy == strategy);
        found.ok_or_else(|| {
            let check = strategy.as_str();
            ToolOutcome::not_run(format!(
                "no command is known for the check `{check}`; {known}"
            ))
        })
    }

    /// Returns the copy in which a call wants its check to run; `None` where that is the project.
    async fn snapshot(
        &self,
        call: &ToolCall,
        scope: &Scope,
    ) -> Result<Option<Snapshot>, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        if !arguments.before {
            return Ok(None);
        }
        let told = |error: io::Error| not_run(&format!("there is no copy from before: {error}"));
        let steps = self.history.steps(scope).await.map_err(told)?;
        let scope = scope.clone();
        let copied = spawn_blocking(move || Snapshot::before(&scope, &steps)).await;
        let copied = copied.map_err(|panic| told(io::Error::other(panic)))?;
        copied.map(Some).map_err(told)
    }

    async fn facts(&self, recipe: &Recipe, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let access = Access::Workspace;
        let is_confined = {
            let root = scope.workspace.as_path();
            let plan = self
                .runner
                .sandbox
                .plan(access, WorkspaceUse::Changing, root);
            plan.is_some()
        };
        let (workspace, looked_at) = (scope.workspace.clone(), recipe.clone());
        let looked = spawn_blocking(move || {
            let places = named_places(&looked_at.command, &workspace);
            let bound = if is_confined {
                let check = looked_at.strategy.as_str();
                recipe_bindings(check, &looked_at.defined_by, &workspace)
            } else {
                bindings(&looked_at.command, &workspace, &places)
            };
            (bound, places)
        });
        let (scripts, places) = looked
            .await
            .map_err(|_panic| not_run("its files cannot be read"))?;
        Ok(ToolFacts {
            summary: visible(&recipe.command).into(),
            detail: None,
            action: Action::Exec {
                program: program_of(&recipe.command),
                command: recipe.command.clone(),
                access,
                places,
                lasting: Lasting::WhileCalled,
            },
            scripts,
            secrets: Vec::new(),
        })
    }
}

#[async_trait]
impl Tool for RunChecks {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let recipe = self.recipe(call, scope).await?;
        self.facts(&recipe, scope).await
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let recipe = match self.recipe(call.call(), &context.scope).await {
            Ok(recipe) => recipe,
            Err(refusal) => return refusal,
        };
        // The command is read from files, which may have changed since the call was judged.
        match self.facts(&recipe, &context.scope).await {
            Ok(facts) if facts.scripts == call.bound_to() => {}
            Ok(_) => return not_run("the files that define this check have just changed"),
            Err(refusal) => return refusal,
        }
        let run = Run {
            line: recipe.command.clone(),
            variables: Vec::new(),
            timeout: Some(self.timeout),
            access: call.access(),
            workspace_use: call.workspace_use(),
        };
        let mut folder = context.scope.clone();
        let snapshot = match self.snapshot(call.call(), &context.scope).await {
            Ok(snapshot) => snapshot,
            Err(refusal) => return refusal,
        };
        if let Some(snapshot) = &snapshot {
            folder.workspace = snapshot.folder().to_owned();
        }
        let begun = Instant::now();
        let read = self
            .runner
            .run_and_read(&run, &folder, call.call(), context)
            .await;
        let outcome = match read {
            Ok(read) => checked(&recipe, read, begun.elapsed()),
            Err(refusal) => refusal,
        };
        if let Some(snapshot) = snapshot {
            // Removing many files blocks.
            let _ = spawn_blocking(move || drop(snapshot)).await;
        }
        outcome
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Returns what a check found that is over.
fn checked(recipe: &Recipe, read: ReadRun, took: Duration) -> ToolOutcome {
    let ending = match read.over {
        Over::Ended(End::Exited { code }) => Ending::Exited(code),
        Over::Ended(End::Killed { .. } | End::Overdrawn(_)) => Ending::Killed,
        Over::TimedOut => Ending::TimedOut,
        Over::Stopped => return not_run("it was stopped"),
        Over::HelperLost => return ToolOutcome::INTERRUPTED,
    };
    let report = sayso_checks::report(&Ran {
        recipe,
        ending,
        output: &read.output,
        millis: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
    });
    ToolOutcome::Checked {
        report: Box::new(report),
        output: read.shown,
    }
}
