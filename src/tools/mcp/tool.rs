//! Wraps a tool of an MCP server as a [`Tool`].

use async_trait::async_trait;
use jsonschema::Validator;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible;
use sayso_policy::{Action, ClearedCall, ToolFacts};
use serde_json::{Map, Value};

use super::handle::Handle;
use crate::arguments::refusal;
use crate::coercion::coerced;
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// How many faults of arguments are reported at once.
const MAX_FAULTS: usize = 4;
/// The longest fault that is reported, in characters.
const MAX_FAULT_CHARS: usize = 300;

/// A tool of a server.
pub(super) struct McpTool {
    spec: ToolSpec,
    server: Handle,
    /// The server's own name for it.
    name: String,
    /// The same in lower case, as requests are looked through.
    hint: String,
    says_it_reads: bool,
    validator: Validator,
    told: Telling,
}

/// When the schema of a server's tool is passed to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Telling {
    /// With each request: its server has only a few.
    Always,
    /// When the request names it or its server, or a search finds it.
    WhenNamed,
}

impl McpTool {
    /// Makes the tool of what was checked of it.
    pub(super) fn new(
        spec: ToolSpec,
        server: Handle,
        name: String,
        says_it_reads: bool,
        validator: Validator,
    ) -> Self {
        Self {
            spec,
            server,
            hint: name.to_lowercase(),
            name,
            says_it_reads,
            validator,
            told: Telling::WhenNamed,
        }
    }

    /// Sets when its schema is passed to the model.
    pub(super) fn telling(mut self, told: Telling) -> Self {
        self.told = told;
        self
    }

    /// Returns whether its server has this name for it.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name == name
    }

    /// Refuses arguments that do not fit the server's own schema.
    fn check(&self, arguments: &Value) -> Result<(), ToolOutcome> {
        let faults: Vec<String> = self
            .validator
            .iter_errors(arguments)
            .take(MAX_FAULTS)
            .map(|fault| {
                let told: String = fault.to_string().chars().take(MAX_FAULT_CHARS).collect();
                match fault.instance_path.to_string().as_str() {
                    "" => told,
                    path => format!("`{path}`: {told}"),
                }
            })
            .collect();
        if faults.is_empty() {
            Ok(())
        } else {
            Err(refusal(&self.spec, &faults.join("; ")))
        }
    }
}

/// Returns arguments as a person reads them before they decide; `None` when there are none.
pub(super) fn shown(arguments: &Value) -> Option<String> {
    let is_empty = arguments.as_object().is_none_or(Map::is_empty);
    (!is_empty).then(|| visible(&format!("{arguments:#}")))
}

#[async_trait]
impl Tool for McpTool {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        match self.told {
            Telling::Always => SchemaVisibility::Always,
            Telling::WhenNamed => SchemaVisibility::When(vec![&self.server.name, &self.hint]),
        }
    }

    /// What the server takes is left as the model wrote it.
    fn coerced(&self, arguments: Value) -> Value {
        if self.validator.is_valid(&arguments) {
            return arguments;
        }
        coerced(arguments, &self.spec.parameters)
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        self.check(&call.arguments)?;
        Ok(ToolFacts {
            summary: format!("{}: {}", self.server.name, self.name).into(),
            detail: shown(&call.arguments),
            action: Action::Mcp {
                server: self.server.name.to_string(),
                tool: self.name.clone(),
                says_it_reads: self.says_it_reads,
            },
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let arguments = call.call().arguments.as_object().cloned();
        let arguments = arguments.unwrap_or_default();
        let name = self.name.clone();
        let asked = self.server.ask(&context.stop, |line| async move {
            line.call(name, arguments).await
        });
        asked.await
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}
