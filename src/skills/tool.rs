//! The `skill` tool: the model loads a skill that Phase 1 did not pick, or a file of one.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use sayso_tools::{Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::{Library, Skills};

/// The name of the tool.
pub const SKILL_TOOL: &str = "skill";

/// Gives the text of a skill, or of one of its files.
#[derive(Debug)]
pub struct SkillTool {
    spec: ToolSpec,
    library: Arc<Library>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    /// A file that its text names; without one the skill itself.
    file: Option<String>,
}

impl SkillTool {
    /// Returns the tool over these skills.
    pub fn new(library: Arc<Library>) -> Self {
        let description =
            "Loads the full text of a skill of the list, or a file that its text names.";
        Self {
            spec: spec_of::<Arguments>(SKILL_TOOL, description),
            library,
        }
    }

    /// Returns the skills that are used where a call is made.
    async fn skills(&self, scope: &Scope) -> Result<Arc<Skills>, ToolOutcome> {
        let skills = self.library.of(scope.owner, &scope.home).await;
        skills.map_err(|error| ToolOutcome::not_run(format!("the skills cannot be read: {error}")))
    }

    /// Returns what a call asks for, of a skill that there is.
    fn wanted(&self, call: &ToolCall, skills: &Skills) -> Result<Arguments, ToolOutcome> {
        let mut wanted: Arguments = parse_arguments(call, &self.spec)?;
        wanted.file = wanted.file.filter(|file| !file.is_empty());
        match skills.load(&wanted.name) {
            Some(_) => Ok(wanted),
            None => Err(unknown(skills, &wanted.name)),
        }
    }
}

fn unknown(skills: &Skills, name: &str) -> ToolOutcome {
    let names: Vec<_> = skills.names().collect();
    ToolOutcome::invalid(format!(
        "there is no skill `{name}`; there are: {}",
        names.join(", ")
    ))
}

#[async_trait]
impl Tool for SkillTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let skills = self.skills(scope).await?;
        let Arguments { name, file } = self.wanted(call, &skills)?;
        Ok(ToolFacts {
            summary: match file {
                Some(file) => format!("skill {name}: {file}").into(),
                None => format!("skill {name}").into(),
            },
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let skills = match self.skills(&context.scope).await {
            Ok(skills) => skills,
            Err(outcome) => return outcome,
        };
        let wanted = match self.wanted(call.call(), &skills) {
            Ok(wanted) => wanted,
            Err(outcome) => return outcome,
        };
        let read = tokio::task::spawn_blocking(move || read(&skills, &wanted));
        read.await
            .unwrap_or_else(|_| ToolOutcome::not_run("the skill could not be read"))
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

/// Reads a skill that there is, or a file of it.
fn read(skills: &Skills, wanted: &Arguments) -> ToolOutcome {
    let name = &wanted.name;
    let text = match &wanted.file {
        Some(file) => skills.file(name, file),
        None => skills.load(name).map(|text| Ok(text.to_owned())),
    };
    match text {
        Some(Ok(output)) => ToolOutcome::Success { output },
        Some(Err(error)) => ToolOutcome::invalid(error.why),
        None => ToolOutcome::invalid(format!("there is no skill `{name}`")),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use sayso_core::transcript::{CallId, ToolCall, ToolOutcome};
    use serde_json::{Value, json};

    use super::SkillTool;
    use crate::skills::{Library, Skills};

    fn load(arguments: Value) -> Result<String, ToolOutcome> {
        let tool = SkillTool::new(Arc::new(Library::without_choices(
            Skills::builtin().unwrap(),
        )));
        let call = ToolCall {
            id: CallId("1".into()),
            name: "skill".into(),
            arguments,
        };
        let skills = Skills::builtin().unwrap();
        match super::read(&skills, &tool.wanted(&call, &skills)?) {
            ToolOutcome::Success { output } => Ok(output),
            refused => Err(refused),
        }
    }

    #[track_caller]
    fn refusal(arguments: Value) -> String {
        load(arguments).unwrap_err().for_model()
    }

    #[test]
    fn a_skill_is_loaded_by_name() {
        let text = load(json!({"name": "git-workflow"})).unwrap();
        assert!(text.starts_with("# Working with git"));
    }

    #[test]
    fn an_unknown_skill_is_answered_with_the_known_ones() {
        insta::assert_snapshot!(refusal(json!({"name": "tea"})), @"[error] E_INVALID_ARGS: there is no skill `tea`; there are: git-workflow, code-review, shell-safety, debugging, new-feature, refactoring, testing, performance, security-review, documentation, deployment, release-notes, incident-response, rust-dev, python-dev, web-dev, database, containers, system-admin, web-automation, web-research, data-analysis, spreadsheets, file-organising, scheduling, email-drafting, meeting-notes, project-planning, writing-editing, translation, learning");
        insta::assert_snapshot!(refusal(json!({"skill": "rust-dev"})), @r#"
        [error] E_INVALID_ARGS: bad arguments for `skill`: `skill`: unknown field `skill`, expected `name` or `file`
        expected: {"name": string, "file"?: string}
        "#);
        insta::assert_snapshot!(refusal(json!("rust-dev")), @r#"
        [error] E_INVALID_ARGS: bad arguments for `skill`: not a JSON object: rust-dev
        expected: {"name": string, "file"?: string}
        "#);
    }
}
