//! The `skill` tool: the model loads a skill that Phase 1 did not pick.

use std::sync::Arc;

use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;

use super::Skills;
use crate::policy::{Action, ClearedCall, ToolFacts};
use crate::tools::{Tool, ToolContext, parse_arguments, spec_of};
use crate::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};

/// Gives the text of a skill.
#[derive(Debug)]
pub struct SkillTool {
    spec: ToolSpec,
    skills: Arc<Skills>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
}

impl SkillTool {
    /// Returns the tool over these skills.
    pub fn new(skills: Arc<Skills>) -> Self {
        let description = "Loads the full text of a skill from the skill list.";
        Self {
            spec: spec_of::<Arguments>("skill", description),
            skills,
        }
    }

    fn load(&self, call: &ToolCall) -> Result<(String, &str), ToolOutcome> {
        let Arguments { name } = parse_arguments(call, &self.spec)?;
        match self.skills.load(&name) {
            Some(text) => Ok((name, text)),
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
        let (name, _) = self.load(call)?;
        Ok(ToolFacts {
            summary: format!("skill {name}"),
            detail: None,
            action: Action::Internal,
            scripts: vec![],
            secrets: vec![],
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        match self.load(call.call()) {
            Ok((_, text)) => ToolOutcome::Success {
                output: text.to_owned(),
            },
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
        tool.load(&call).map(|(_, text)| text.to_owned())
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
        [错误] bad arguments for `skill`: `skill`: unknown field `skill`, expected `name`
        expected: {"name": string}
        "#);
        insta::assert_snapshot!(refusal(json!("rust-dev")), @r#"
        [错误] bad arguments for `skill`: not a JSON object: rust-dev
        expected: {"name": string}
        "#);
    }
}
