//! `apply_patch`, `write_file` and `undo_patch`: changes of files of the project, all of them or
//! none.
//!
//! What a person approves is the rendered change and the digests of each file before and after; a
//! call runs only where what it would do now is exactly that. A call that does not fit the files
//! changes nothing and only tells what they hold, so it is judged as reading them.

use std::io;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{
    CallId, FileBefore, Scope, SessionId, ToolCall, ToolOutcome, ToolSpec, TurnId,
};
use sayso_policy::{Action, Binding, ClearedCall, Reach, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::commit::{CommitError, commit};
use super::file_edit::{self, FileEdit};
use super::plan_edits::{Place, Planned, Wanted, plan};
use super::seen_files::{SeenFile, SeenFiles};
use crate::arguments::{parse_arguments, spec_of};
use crate::files::{blocking, told};
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// The name of the tool that applies patches.
pub(super) const APPLY_PATCH: &str = "apply_patch";
/// The name of the tool that writes whole files of a project.
pub(super) const WRITE_FILE: &str = "write_file";
/// The name of the tool that takes a change back.
pub(super) const UNDO_PATCH: &str = "undo_patch";

/// Says what a patch is to a model.
const PATCH_DESCRIPTION: &str = "\
Changes files by a patch, all of it or nothing:
*** Begin Patch
*** Update File: src/a.py
@@ def name
 line that stays
-line that goes
+line that comes
*** Add File: b.py
+its lines
*** Delete File: c.py
*** End Patch
Lines that stay show the place and must occur there only. Unified diffs are read too.";

/// What calls changed in a project, as the journal keeps it.
#[async_trait]
pub trait PatchHistory: Send + Sync {
    /// Returns what the calls of a conversation changed in the project that a turn works in, the
    /// oldest first, without what a person took back.
    async fn steps(&self, scope: &Scope) -> io::Result<Vec<PatchStep>>;
}

/// What one call changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchStep {
    /// Its turn.
    pub turn: TurnId,
    /// The call.
    pub call: CallId,
    /// The files, as they were before it.
    pub files: Vec<FileBefore>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct PatchArguments {
    patch: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WholeArguments {
    path: String,
    content: String,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NoArguments {}

/// Changes files of a project.
pub struct EditTool {
    spec: ToolSpec,
    seen: SeenFiles,
    history: Option<Arc<dyn PatchHistory>>,
}

impl EditTool {
    /// Makes `apply_patch`.
    pub fn apply_patch(seen: SeenFiles) -> Self {
        Self {
            spec: spec_of::<PatchArguments>(APPLY_PATCH, PATCH_DESCRIPTION),
            seen,
            history: None,
        }
    }

    /// Makes `write_file`.
    pub fn write_file(seen: SeenFiles) -> Self {
        let description =
            "Writes a text file, whole; for a change of a few lines use `apply_patch`.";
        Self {
            spec: spec_of::<WholeArguments>(WRITE_FILE, description),
            seen,
            history: None,
        }
    }

    /// Makes `undo_patch`.
    pub fn undo_patch(seen: SeenFiles, history: Arc<dyn PatchHistory>) -> Self {
        let description = "Takes back what the last `apply_patch`, `write_file` or `run_cmd` of \
                           this conversation changed; called again, the one before.";
        Self {
            spec: spec_of::<NoArguments>(UNDO_PATCH, description),
            seen,
            history: Some(history),
        }
    }

    /// Returns what a call asks for.
    async fn wanted(&self, call: &ToolCall, scope: &Scope) -> Result<Wanted, ToolOutcome> {
        let Some(history) = &self.history else {
            return wanted_by(call, &self.spec);
        };
        let NoArguments {} = parse_arguments(call, &self.spec)?;
        let made = history.steps(scope).await.map_err(|error| {
            tracing::error!(%error, "changes of files cannot be read");
            ToolOutcome::not_run("what was changed cannot be looked up; this is a fault of Sayso")
        })?;
        let own = (scope.turn, &call.id);
        let others = made.into_iter();
        let steps = others.filter(|step| (step.turn, &step.call) != own);
        Ok(Wanted::Earlier(steps.map(|step| step.files).collect()))
    }

    async fn planned(&self, call: &ToolCall, scope: &Scope) -> Result<Planned, ToolOutcome> {
        let wanted = self.wanted(call, scope).await?;
        self.seen.load(scope.session).await;
        let (root, session, seen) = (scope.workspace.clone(), scope.session, self.seen.clone());
        blocking(move || {
            let place = Place {
                root: &root,
                session,
                seen: &seen,
            };
            plan(&wanted, &place).map_err(|error| told("the project", &error))
        })
        .await
    }
}

/// Returns what a call asks for whose arguments say all of it.
fn wanted_by(call: &ToolCall, spec: &ToolSpec) -> Result<Wanted, ToolOutcome> {
    if spec.name == APPLY_PATCH {
        let PatchArguments { patch } = parse_arguments(call, spec)?;
        return Ok(Wanted::Patch(patch));
    }
    let WholeArguments { path, content } = parse_arguments(call, spec)?;
    Ok(Wanted::Whole { path, content })
}

/// Returns what a call asked for that was begun; `None` for one whose arguments do not say it.
pub(super) fn wanted_again(call: &ToolCall) -> Option<Wanted> {
    let arguments = call.arguments.clone();
    match call.name.as_str() {
        APPLY_PATCH => {
            let PatchArguments { patch } = serde_json::from_value(arguments).ok()?;
            Some(Wanted::Patch(patch))
        }
        WRITE_FILE => {
            let WholeArguments { path, content } = serde_json::from_value(arguments).ok()?;
            Some(Wanted::Whole { path, content })
        }
        _ => None,
    }
}

#[async_trait]
impl Tool for EditTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::InProjects
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let root = scope.workspace.clone();
        match self.planned(call, scope).await? {
            Planned::Edits(edits) => {
                let root = blocking(move || {
                    root.canonicalize()
                        .map_err(|error| told("the project", &error))
                });
                file_edit::facts(&edits, &root.await?).ok_or_else(|| {
                    ToolOutcome::invalid(
                        "it changes too much to be shown to a person whole (4000 lines of at most \
                         500 columns); split it",
                    )
                })
            }
            Planned::Outside(path) => Ok(no_edit(
                &self.spec,
                Action::Write {
                    path: Reach::Outside(path),
                },
            )),
            Planned::Refused { read, .. } => Ok(no_edit(
                &self.spec,
                Action::Read {
                    path: Reach::Inside(read),
                },
            )),
            Planned::Invalid(why) => Err(ToolOutcome::invalid(why)),
        }
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let scope = &context.scope;
        let edits = match self.planned(call.call(), scope).await {
            Ok(Planned::Edits(edits)) => edits,
            Ok(Planned::Refused { why, .. }) => {
                return ToolOutcome::Failed {
                    error: "nothing was changed".to_owned(),
                    partial: Some(why),
                };
            }
            Ok(Planned::Outside(_)) => return ToolOutcome::not_run("it leads out of the project"),
            Ok(Planned::Invalid(why)) => return ToolOutcome::invalid(why),
            Err(outcome) => return outcome,
        };
        let bound_to = call.bound_to().to_vec();
        let mark = mark_of(scope.turn, &call.call().id);
        let (root, session, seen) = (scope.workspace.clone(), scope.session, self.seen.clone());
        let done = blocking(move || {
            let root = root
                .canonicalize()
                .map_err(|error| told("the project", &error))?;
            let now: Vec<Binding> = edits.iter().map(|edit| edit.binding(&root)).collect();
            if now != bound_to {
                return Err(changed_meanwhile());
            }
            commit(&root, &edits, &mark).map_err(|error| refused(&error))?;
            Ok((done(&edits), note(&seen, session, &root, &edits)))
        });
        match done.await {
            Ok((output, noted)) => {
                self.seen.save(scope, noted).await;
                ToolOutcome::Success { output }
            }
            Err(outcome) => outcome,
        }
    }

    /// What is quoted of a file in a refusal is anybody's text.
    fn outside_text(&self, outcome: &ToolOutcome) -> OutsideText {
        match outcome {
            ToolOutcome::Failed { .. } => OutsideText::Unchecked,
            _ => OutsideText::None,
        }
    }
}

/// Notes what a call made of files, as what its model saw last; returns what is to be kept of that.
pub(super) fn note(
    seen: &SeenFiles,
    session: SessionId,
    root: &Path,
    edits: &[FileEdit],
) -> Vec<SeenFile> {
    let noted = edits.iter().filter_map(|edit| {
        let path = root.join(&edit.path);
        match &edit.becomes {
            Some(becomes) => seen.note(session, &path, &becomes.bytes),
            None => seen.forget(session, &path),
        }
    });
    noted.collect()
}

/// Says what was done.
pub(super) fn done(edits: &[FileEdit]) -> String {
    format!("changed: {}", file_edit::listed(edits))
}

/// Returns what marks the files of a call that wait to be put in place.
pub(super) fn mark_of(turn: TurnId, call: &CallId) -> String {
    let is_safe = |letter: &char| letter.is_ascii_alphanumeric() || "-_".contains(*letter);
    let call: String = call.0.chars().filter(is_safe).take(64).collect();
    format!("{turn}-{call}")
}

fn no_edit(spec: &ToolSpec, action: Action) -> ToolFacts {
    ToolFacts {
        summary: spec.name.as_str().into(),
        detail: None,
        action,
        scripts: Vec::new(),
        secrets: Vec::new(),
    }
}

fn changed_meanwhile() -> ToolOutcome {
    ToolOutcome::not_run(
        "a file was changed meanwhile, so this is not what was judged: nothing was changed. Read \
         it again, then send the change for what it is now",
    )
}

fn refused(error: &CommitError) -> ToolOutcome {
    match error {
        CommitError::Changed(_) => ToolOutcome::not_run(format!(
            "{error}: nothing was changed. Read it again, then send the change for what it is now"
        )),
        CommitError::Unwritable { .. } => {
            ToolOutcome::not_run(format!("nothing was changed: {error}"))
        }
        CommitError::Torn { .. } => ToolOutcome::not_run(error.to_string()),
    }
}
