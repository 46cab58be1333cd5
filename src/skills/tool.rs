//! The `skill` tool: the model loads a skill that Phase 1 did not pick, or a file of one.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Skills;
use crate::policy::{Action, ClearedCall, ToolFacts};
use crate::tools::{Tool, ToolContext, parse_arguments, spec_of};
use crate::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};

/// Gives the text of a skill, or of one of its files.
#[derive(Debug)]
pub struct SkillTool {
    spec: ToolSpec,
    skills: Arc<Skills>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
    /// A file of the skill, as its text names it; without one the skill itself.
    file: Option<String>,
}

/// What a call asks for.
struct Loaded {
    what: String,
    text: String,
}

impl SkillTool {
    /// Returns the tool over these skills.
    pub fn new(skills: Arc<Skills>) -> Self {
        let description =
            "Loads the full text of a skill from the skill list, or a file that its text names.";
        Self {
            spec: spec_of::<Arguments>("skill", description),
            skills,
        }
    }

    fn load(&self, call: &ToolCall) -> Result<Loaded, ToolOutcome> {
        let Arguments { name, file } = parse_arguments(call, &self.spec)?;
        let Some(text) = self.skills.load(&name) else {
            return Err(self.unknown(&name));
        };
        let Some(file) = file.filter(|file| !file.is_empty()) else {
            let text = text.to_owned();
            return Ok(Loaded { what: name, text });
        };
        match self.skills.file(&name, &file) {
            Some(Ok(text)) => Ok(Loaded {
                what: format!("{name}: {file}"),
                text,
            }),
            Some(Err(error)) => Err(ToolOutcome::Error { message: error.why }),
            None => Err(self.unknown(&name)),
        }
    }

    fn unknown(&self, name: &str) -> ToolOutcome {
        let names: Vec<_> = self.skills.names().collect();
        ToolOutcome::Error {
            message: format!(
                "there is no skill `{name}`; there are: {}",
                names.join(", ")
            ),
        }
    }
}

#[async_trait]
impl Tool for SkillTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let Loaded { what, .. } = self.load(call)?;
        Ok(ToolFacts {
            summary: format!("skill {what}"),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        match self.load(call.call()) {
            Ok(Loaded { text, .. }) => ToolOutcome::Success { output: text },
            Err(outcome) => outcome,
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use serde_json::{Value, json};

    use super::SkillTool;
    use crate::skills::Skills;
    use crate::transcript::{CallId, ToolCall, ToolOutcome};

    fn load(arguments: Value) -> Result<String, ToolOutcome> {
        let tool = SkillTool::new(Arc::new(Skills::builtin().unwrap()));
        let call = ToolCall {
            id: CallId("1".into()),
            name: "skill".into(),
            arguments,
        };
        tool.load(&call).map(|loaded| loaded.text)
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
        insta::assert_snapshot!(refusal(json!({"name": "tea"})), @"[错误] there is no skill `tea`; there are: git-workflow, code-review, rust-dev, shell-safety");
        insta::assert_snapshot!(refusal(json!({"skill": "rust-dev"})), @r#"
        [错误] bad arguments for `skill`: `skill`: unknown field `skill`, expected `name` or `file`
        expected: {"name": string, "file"?: string}
        "#);
        insta::assert_snapshot!(refusal(json!("rust-dev")), @r#"
        [错误] bad arguments for `skill`: not a JSON object: rust-dev
        expected: {"name": string, "file"?: string}
        "#);
    }
}
