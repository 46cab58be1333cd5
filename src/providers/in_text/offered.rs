//! The tools that were offered with a question: only their names make a call.

use serde_json::Value;

use crate::transcript::{CallId, ToolCall, ToolSpec};

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

    /// Returns the tool of a name, as some templates write it: `functions.NAME`, with the number of the
    /// call behind it (`NAME:0`).
    fn named(&self, name: &str) -> Option<&ToolSpec> {
        let name = name.trim();
        let find = |name: &str| self.0.iter().find(|tool| tool.name == name);
        let bare = name.strip_prefix("functions.").unwrap_or(name);
        let unnumbered = bare.rsplit_once(':').filter(|(_, number)| {
            !number.is_empty() && number.chars().all(|it| it.is_ascii_digit())
        });
        find(name)
            .or_else(|| find(bare))
            .or_else(|| find(unnumbered?.0))
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
