//! The tools that a configuration brings, for the reference page of the book.

use std::path::Path;
use std::sync::Arc;

use sayso_store::Store;
use sayso_tools::{DynamicTools, SchemaVisibility, Tool};
use serde_json::Value;

use super::Mode;
use super::parts::{self, Guards};
use super::sandbox;
use crate::bus::Bus;
use crate::config::Config;
use crate::delivery::{Channels, Dispatcher};
use crate::processes::Processes;

/// A tool as a model is offered it.
pub struct ToolEntry {
    /// Its name.
    pub name: String,
    /// What it does and when to use it, as the model reads it.
    pub description: String,
    /// The JSON schema of its arguments: an object schema.
    pub parameters: Value,
    /// The words in a request that have its schema sent; empty where it is always sent.
    pub hints: Vec<String>,
    /// When its schema is sent.
    pub sent: &'static str,
    /// Whether a call that a crash interrupted may run again without a question.
    pub is_idempotent: bool,
}

/// Returns the tools, sorted by name, without those of MCP servers. It creates a database in
/// `directory`, which must belong to the caller alone.
///
/// # Errors
/// Fails when the database cannot be created, or a part of the agent cannot be built.
pub async fn tool_list(config: &Config, directory: &Path) -> anyhow::Result<Vec<ToolEntry>> {
    let store = Store::open(&directory.join("sayso.db")).await?;
    let redactor = config.redactor()?;
    let memory = parts::memory(config, &store, &redactor).await?.memory;
    let knowledge = parts::knowledge(config).await;
    let (background, _asked) = Processes::new(store.clone());
    let (news, _refused) = parts::key_news();
    let channels = Arc::new(Channels::new());
    let (_dispatcher, outbox) = Dispatcher::new(store.clone(), channels, redactor.clone());
    let (bus, _signals) = Bus::new();
    let guards = Guards {
        sandbox: sandbox::build(config),
        redactor: redactor.clone(),
        dynamic_tools: DynamicTools::default(),
        background,
        routines: parts::routines(config, Mode::Channels, outbox, bus),
        code: parts::code_indexes(config, &redactor),
    };
    let agent = parts::agent(config, &store, memory, knowledge, guards, news).await?;
    let tools = agent.executor.tools.all();
    let mut entries: Vec<ToolEntry> = tools.iter().map(|tool| entry(tool.as_ref())).collect();
    entries.sort_by(|one, other| one.name.cmp(&other.name));
    drop(agent);
    store.close().await;
    Ok(entries)
}

fn entry(tool: &dyn Tool) -> ToolEntry {
    let (sent, hints) = match tool.schema_visibility() {
        SchemaVisibility::Always => ("with every request", Vec::new()),
        SchemaVisibility::InProjects => ("in projects", Vec::new()),
        SchemaVisibility::OutsideProjects => ("outside of projects", Vec::new()),
        SchemaVisibility::When(words) => {
            let words = words.into_iter().map(str::to_owned);
            ("when needed", words.collect())
        }
    };
    let spec = tool.spec();
    ToolEntry {
        name: spec.name.clone(),
        description: spec.description.clone(),
        parameters: (*spec.parameters).clone(),
        hints,
        sent,
        is_idempotent: tool.is_idempotent(),
    }
}
