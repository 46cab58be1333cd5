//! `plan`: what the model means to do, written into the turn's journal and ticked off there.
//!
//! The tool keeps nothing: its result is typed and part of the journal, the live message shows it, and
//! the model is shown it again while the turn goes on.

use async_trait::async_trait;
use sayso_core::transcript::{
    PLAN_STEP_CHARS, PLAN_STEPS, PlannedStep, Scope, ToolCall, ToolOutcome, ToolSpec,
};
use sayso_core::visible::visible_line;
use sayso_policy::{Action, ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use super::arguments::{parse_arguments, refusal, spec_of};
use super::{SchemaVisibility, Tool, ToolContext};

/// Its name.
pub const PLAN_TOOL: &str = "plan";

/// Words that speak for it in a request.
const HINTS: [&str; 10] = [
    "plan",
    "step by step",
    "steps",
    "one after the other",
    "migrate",
    "refactor",
    "计划",
    "步骤",
    "一步一步",
    "逐个",
];

/// Writes down the plan of a turn.
#[derive(Debug)]
pub struct Plan {
    spec: ToolSpec,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// All steps, in their order; what is done stays in it.
    steps: Vec<Step>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Step {
    /// What is to be done, on one line.
    text: String,
    /// Whether it is done.
    #[serde(default)]
    done: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self::new()
    }
}

impl Plan {
    /// Makes the tool.
    pub fn new() -> Self {
        let description = "Writes down the steps of a longer task, where the person sees them, or ticks \
            off what is done: each call has the whole plan. For work of more than a few calls.";
        Self {
            spec: spec_of::<Arguments>(PLAN_TOOL, description),
        }
    }

    fn steps(&self, call: &ToolCall) -> Result<Vec<PlannedStep>, ToolOutcome> {
        let plan: Arguments = parse_arguments(call, &self.spec)?;
        let wrong = |problem: &str| Err(refusal(&self.spec, problem));
        let count = plan.steps.len();
        if count == 0 || count > PLAN_STEPS {
            return wrong(&format!(
                "`steps`: {count} are not allowed, 1 to {PLAN_STEPS} are"
            ));
        }
        let mut steps = Vec::with_capacity(count);
        for (position, step) in plan.steps.iter().enumerate() {
            let text = visible_line(step.text.trim());
            let chars = text.chars().count();
            if chars == 0 || chars > PLAN_STEP_CHARS {
                return wrong(&format!(
                    "`steps[{position}].text`: it has {chars} characters, 1 to {PLAN_STEP_CHARS} are allowed"
                ));
            }
            steps.push(PlannedStep {
                text,
                is_done: step.done,
                check: None,
            });
        }
        Ok(steps)
    }
}

#[async_trait]
impl Tool for Plan {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        self.steps(call)?;
        Ok(ToolFacts {
            summary: PLAN_TOOL.into(),
            detail: None,
            action: Action::Internal,
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, _context: &ToolContext) -> ToolOutcome {
        self.steps(call.call())
            .map_or_else(|refused| refused, |steps| ToolOutcome::Plans { steps })
    }

    fn is_idempotent(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{CallId, ToolCall};
    use serde_json::{Value, json};

    use super::Plan;

    fn refused(steps: &Value) -> String {
        let call = ToolCall {
            id: CallId("1".into()),
            name: "plan".into(),
            arguments: json!({ "steps": steps }),
        };
        let refused = Plan::new().steps(&call).unwrap_err().for_model();
        refused.lines().next().unwrap_or_default().to_owned()
    }

    #[test]
    fn what_is_no_plan_is_told_by_its_path() {
        insta::assert_snapshot!(refused(&json!([])), @"[error] E_INVALID_ARGS: bad arguments for `plan`: `steps`: 0 are not allowed, 1 to 12 are");
        let long = json!([{"text": "look"}, {"text": "长".repeat(121)}]);
        insta::assert_snapshot!(refused(&long), @"[error] E_INVALID_ARGS: bad arguments for `plan`: `steps[1].text`: it has 121 characters, 1 to 120 are allowed");
    }
}
