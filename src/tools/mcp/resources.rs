//! `mcp_resource` and `mcp_prompt`: what servers have beside tools. One pair for all servers, which
//! lists what there is when it is not told what to give.

use std::collections::BTreeMap;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_policy::{Action, ClearedCall, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use super::content::{Given, Listed};
use super::handle::Handle;
use super::tool::shown;
use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// What the operator's rules know the reading of resources by: the protocol's own name for it.
const READ: &str = "resources/read";
/// What the operator's rules know the getting of prompts by.
const GET: &str = "prompts/get";

/// Lists and reads resources of servers.
pub(super) struct McpResource {
    spec: ToolSpec,
    servers: Vec<Handle>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WantedResource {
    /// The name of the server.
    server: String,
    /// The address of the resource. Left out, all are listed.
    uri: Option<String>,
}

impl McpResource {
    /// Makes the tool for these servers.
    pub(super) fn new(servers: Vec<Handle>) -> Self {
        let description = format!(
            "Reads a resource (a file, a record, a document) of an MCP server, or lists what \
             resources it has. Servers: {}.",
            names(&servers)
        );
        Self {
            spec: spec_of::<WantedResource>("mcp_resource", &description),
            servers,
        }
    }
}

#[async_trait]
impl Tool for McpResource {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        told(&["resource", "resources", "mcp", "资源"], &self.servers)
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let wanted: WantedResource = parse_arguments(call, &self.spec)?;
        let server = one_of(&self.servers, &wanted.server, &self.spec)?;
        Ok(facts(server, READ, call))
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let wanted = parse_arguments::<WantedResource>(call.call(), &self.spec);
        let found = wanted.and_then(|wanted| {
            let server = one_of(&self.servers, &wanted.server, &self.spec)?;
            Ok((server, wanted.uri))
        });
        match found {
            Ok((server, Some(uri))) => {
                let read = server.ask(&context.stop, |line| async move { line.read(uri).await });
                read.await
            }
            Ok((server, None)) => {
                let list = server.ask(&context.stop, |line| async move {
                    line.resources().await.map(listed)
                });
                list.await
            }
            Err(refusal) => refusal,
        }
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Lists and gets prompts of servers.
pub(super) struct McpPrompt {
    spec: ToolSpec,
    servers: Vec<Handle>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct WantedPrompt {
    /// The name of the server.
    server: String,
    /// The name of the prompt. Left out, all are listed.
    name: Option<String>,
    /// Its arguments, by their names.
    arguments: Option<BTreeMap<String, String>>,
}

impl McpPrompt {
    /// Makes the tool for these servers.
    pub(super) fn new(servers: Vec<Handle>) -> Self {
        let description = format!(
            "Gets a prompt (a prepared text for a task) of an MCP server, or lists what prompts \
             it has. Use one when the user asks for it by its name. Servers: {}.",
            names(&servers)
        );
        Self {
            spec: spec_of::<WantedPrompt>("mcp_prompt", &description),
            servers,
        }
    }

    async fn get(server: &Handle, wanted: WantedPrompt, stop: &CancellationToken) -> ToolOutcome {
        let Some(name) = wanted.name else {
            let list = server.ask(stop, |line| async move { line.prompts().await.map(listed) });
            return list.await;
        };
        let arguments: Map<String, Value> = wanted
            .arguments
            .into_iter()
            .flatten()
            .map(|(name, value)| (name, Value::String(value)))
            .collect();
        let get = server.ask(
            stop,
            |line| async move { line.prompt(name, arguments).await },
        );
        get.await
    }
}

#[async_trait]
impl Tool for McpPrompt {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        told(&["prompt", "prompts", "mcp", "提示词"], &self.servers)
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let wanted: WantedPrompt = parse_arguments(call, &self.spec)?;
        let server = one_of(&self.servers, &wanted.server, &self.spec)?;
        Ok(facts(server, GET, call))
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let wanted = match parse_arguments::<WantedPrompt>(call.call(), &self.spec) {
            Ok(wanted) => wanted,
            Err(refusal) => return refusal,
        };
        match one_of(&self.servers, &wanted.server, &self.spec) {
            Ok(server) => Self::get(server, wanted, &context.stop).await,
            Err(refusal) => refusal,
        }
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Both are offered when a request speaks of such things, or names a server.
fn told<'t>(words: &[&'t str], servers: &'t [Handle]) -> SchemaVisibility<'t> {
    let names = servers.iter().map(|server| &*server.name);
    SchemaVisibility::When(words.iter().copied().chain(names).collect())
}

fn names(servers: &[Handle]) -> String {
    let names: Vec<String> = servers.iter().map(|it| format!("`{}`", it.name)).collect();
    names.join(", ")
}

fn one_of<'s>(
    servers: &'s [Handle],
    name: &str,
    spec: &ToolSpec,
) -> Result<&'s Handle, ToolOutcome> {
    let found = servers.iter().find(|server| *server.name == *name);
    found.ok_or_else(|| {
        let problem = format!("`server`: must be one of {}", names(servers));
        refusal(spec, &problem)
    })
}

/// A resource or prompt is there to be read, so the protocol itself says that nothing changes.
fn facts(server: &Handle, tool: &str, call: &ToolCall) -> ToolFacts {
    ToolFacts {
        summary: format!("{}: {tool}", server.name).into(),
        detail: shown(&call.arguments),
        action: Action::Mcp {
            server: server.name.to_string(),
            tool: tool.to_owned(),
            says_it_reads: true,
        },
        scripts: Vec::new(),
        secrets: Vec::new(),
    }
}

fn listed(entries: Vec<Listed>) -> Given {
    let lines: Vec<String> = entries
        .into_iter()
        .map(|entry| match entry.description.as_str() {
            "" => entry.name,
            description => format!("{}: {description}", entry.name),
        })
        .collect();
    Given {
        text: if lines.is_empty() {
            "(it has none)".to_owned()
        } else {
            lines.join("\n")
        },
        is_error: false,
    }
}
