//! `memory_update`: one fact takes the place of another one, which is kept with the time until when
//! it held.

use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{
    MemoryId, Owner, Scope, Taint, ToolCall, ToolOutcome, ToolSpec, TurnId,
};
use sayso_policy::{ClearedCall, Summary, ToolFacts};
use sayso_tools::{SchemaVisibility, Tool, ToolContext, parse_arguments, spec_of};
use schemars::JsonSchema;
use serde::Deserialize;

use super::summary::beginning;
use super::tool::{
    CHANGES, SUMMARY_CHARS, bounded, end_of_day, failed, memory_id, outcome, to_write, told, wrong,
};
use super::{Learned, Memory, NewFact, TEXT_CHARS};

/// Changes one fact.
pub struct MemoryUpdate {
    spec: ToolSpec,
    memory: Arc<dyn Memory>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct UpdateArguments {
    id: String,
    /// The whole new text.
    text: String,
    /// Last day, YYYY-MM-DD.
    valid_until: Option<String>,
}

impl MemoryUpdate {
    /// Returns the tool over this memory.
    pub fn new(memory: Arc<dyn Memory>) -> Self {
        let description = "Changes a remembered fact that is different now, or ends it.";
        Self {
            spec: spec_of::<UpdateArguments>("memory_update", description),
            memory,
        }
    }

    fn wanted(&self, call: &ToolCall) -> Result<(MemoryId, NewFact), ToolOutcome> {
        let UpdateArguments {
            id,
            text,
            valid_until,
        } = parse_arguments(call, &self.spec)?;
        let id = memory_id(&id)?;
        let text = bounded("text", &text, TEXT_CHARS)?;
        let new = NewFact {
            replaces: Some(id),
            valid_until_ms: valid_until.as_deref().map(end_of_day).transpose()?,
            ..told(text, TurnId(0), &Taint::default())
        };
        Ok((id, new))
    }

    pub(super) async fn update(
        &self,
        owner: Owner,
        turn: TurnId,
        taint: &Taint,
        call: &ToolCall,
    ) -> Result<String, ToolOutcome> {
        let new = NewFact {
            turn,
            taint: taint.clone(),
            ..self.wanted(call)?.1
        };
        match self.memory.learn(owner, new).await.map_err(failed)? {
            Learned::New(id) | Learned::Same(id) | Learned::Replaced { new: id, .. } => {
                Ok(format!("changed (id {id})"))
            }
            Learned::Missing(id) => Err(wrong(format!(
                "there is no memory {id} that holds now; take an `id` from `memory_recall`"
            ))),
            Learned::Suppressed => Err(wrong("nothing was changed".to_owned())),
        }
    }
}

#[async_trait]
impl Tool for MemoryUpdate {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(CHANGES.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (id, NewFact { text, .. }) = self.wanted(call)?;
        let summary = Summary::ChangeMemory {
            id,
            text: beginning(&text, SUMMARY_CHARS),
        };
        to_write(summary, text)
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let scope = &context.scope;
        let updated = self.update(scope.owner, scope.turn, &context.taint, call.call());
        outcome(updated.await)
    }
}
