//! The tools that were offered with a question: only their names make a call.

use sayso_core::transcript::{CallId, ToolCall, ToolSpec, tool_named};
use serde_json::Value;

/// The tools of one question.
#[derive(Debug, Clone, Copy)]
pub(super) struct Offered<'a>(pub(super) &'a [ToolSpec]);

impl Offered<'_> {
    /// Returns a call of a tool, if it was offered.
    pub(super) fn call(self, name: &str, arguments: Value) -> Option<ToolCall> {
        let tool = self.named(name)?;
        Some(ToolCall {
            id: CallId(String::new()),
            name: tool.name.clone(),
            arguments,
        })
    }

    fn named(&self, name: &str) -> Option<&ToolSpec> {
        let tools: Vec<&ToolSpec> = self.0.iter().collect();
        tool_named(name, &tools)
    }

    /// Reads an argument that was written without quotes: as its schema says, else as a text.
    pub(super) fn argument(self, name: &str, key: &str, text: &str) -> Value {
        let tool = self.named(name);
        let schema = tool.and_then(|tool| tool.parameters.get("properties")?.get(key));
        let plain = || Value::String(text.to_owned());
        match schema {
            Some(schema) if !may_be_text(schema) => {
                serde_json::from_str(text.trim()).unwrap_or_else(|_| plain())
            }
            _ => plain(),
        }
    }
}

fn may_be_text(schema: &Value) -> bool {
    match schema.get("type") {
        Some(Value::String(kind)) => kind == "string",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "string"),
        _ => false,
    }
}
