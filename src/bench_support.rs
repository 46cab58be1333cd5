//! What the benchmarks in `benches/`, the fuzzers and the escape tests in `tests/it/` reach of the
//! private rooms. It is no interface: nothing else may use it, and it may change with any commit.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
pub use sayso_channel::Language;
use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, ToolCall, ToolOutcome, ToolSpec,
};
pub use sayso_core::transcript::{Owner, Taint, TurnId, UserId};
use sayso_policy::SandboxMode;
use sayso_providers::{
    Attempts, ChatRequest, EmbeddingsConfig, Llama, LlamaConfig, OpenAi, OpenAiConfig,
    OpenAiEmbeddings, Provider, Quirks, ServedModel, Timeouts, VisionSupport,
};
use sayso_sandbox::helper::helper_arguments;
use sayso_sandbox::{Sandbox, SandboxPlaces, ShellEnvironment};
use sayso_tools::Wanted;
use serde_json::json;

use crate::agent::route::{RouteRequest, question, route};
pub use crate::agent::route::{by_rules, skip};
pub use crate::skills::messages::problem as skill_problem;
pub use crate::skills::{
    Checked, Host, MessageFeatures, SkillMeta, SkillRecommender, Skills, Weight,
    check as check_skills,
};
pub use sayso_core::redact::{Redactor, has_mark};
pub use sayso_fetch::{PageExtent, page_text};
pub use sayso_injection::{Finding, Screening, Treatment, check_tool_result};
pub use sayso_memory::rank::{Entry, Query, Said, Statistics, rank};
pub use sayso_memory::{
    Memory, MemoryKind, MemorySearch, NewMemory, StoredMemory, Vectors, asked_at,
};
pub use sayso_policy::commands::{
    CommandDecision, Places, Trait, judge as judge_command, started_programs,
};
pub use sayso_policy::{Access, WorkspaceUse};
pub use sayso_providers::{Embedder, Embedding, ProviderError, anthropic_shown, replay_shown};
pub use sayso_store::Store;

/// Returns the sandbox plan of a command, as the helper receives it; null means no confinement.
pub fn sandbox_plan(
    data_dir: &Path,
    private: Vec<PathBuf>,
    workspace: &Path,
    access: Access,
    workspace_use: WorkspaceUse,
) -> serde_json::Result<serde_json::Value> {
    let places = SandboxPlaces {
        data_dir: data_dir.to_owned(),
        private,
    };
    let sandbox = Sandbox::new(SandboxMode::Require, places, std::env::vars_os());
    serde_json::to_value(sandbox.plan(access, workspace_use, workspace))
}

/// Returns the arguments with which the helper is started for a plan: what it must know before it
/// reads the plan itself.
pub fn arguments_of_helper(plan: &serde_json::Value) -> serde_json::Result<Vec<String>> {
    let plan = serde_json::from_value(plan.clone())?;
    helper_arguments(Option::as_ref(&plan))
}

/// Returns the whole text of a document.
pub fn document_text(bytes: &[u8]) -> anyhow::Result<String> {
    let wanted = Wanted {
        pages: None,
        sheet: None,
        offset: 0,
        limit: usize::MAX,
    };
    Ok(sayso_tools::read_document(bytes, &wanted)?)
}

/// Returns the environment of a command that works in this directory.
pub fn shell_environment(workspace: &Path) -> Vec<(&'static str, OsString)> {
    ShellEnvironment::pick(std::env::vars_os()).in_workspace(workspace)
}

/// How long a real model may take on a busy machine.
const LOCAL_PATIENCE: Duration = Duration::from_mins(10);

/// Which endpoint of a llama.cpp server is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LlamaEndpoint {
    /// `/v1/chat/completions`.
    Chat,
    /// `/completion`.
    Completion,
}

/// A real model behind the client of the product.
pub struct LocalModel(Box<dyn Provider>);

/// What a real model made of Phase 1.
#[derive(Debug)]
pub struct LocalRoute {
    /// Whether its answer is a route.
    pub is_valid: bool,
    /// How many tokens it has.
    pub tokens: u64,
}

impl LocalModel {
    /// Returns a model at a llama.cpp server.
    pub fn at(url: &str, endpoint: LlamaEndpoint) -> anyhow::Result<Self> {
        let mut served = ServedModel {
            name: "local".to_owned(),
            base_url: url.parse().context("no address of a server")?,
            api_key: None,
            model: "default".to_owned(),
            temperature: 0.1,
            max_tokens: 200,
            context_tokens: None,
            sight: VisionSupport::None,
            timeouts: Timeouts::for_silence(LOCAL_PATIENCE),
        };
        Ok(Self(match endpoint {
            LlamaEndpoint::Completion => Box::new(Llama::new(LlamaConfig {
                served,
                template: "auto".to_owned(),
            })?),
            LlamaEndpoint::Chat => {
                served.base_url.set_path("/v1");
                let quirks = Quirks::named("llama", &served.base_url);
                Box::new(OpenAi::new(OpenAiConfig {
                    served,
                    quirks,
                    calls_in_text: true,
                    is_llama: true,
                })?)
            }
        }))
    }

    /// Asks what a message needs, of all built-in skills.
    pub async fn route(&self, text: &str) -> anyhow::Result<LocalRoute> {
        let skills = Skills::builtin()?.catalogue(Language::English);
        let request = RouteRequest {
            skills: &skills,
            history: &[],
            history_limit: 0,
            text,
            answering: None,
            language: Language::English,
        };
        let question = question(&request);
        let attempts = Attempts::default();
        let asked = question.request(&attempts, None);
        let (found, answer) = route(self.0.as_ref(), &question, asked).await;
        Ok(LocalRoute {
            is_valid: found.is_some(),
            tokens: answer?.usage.completion_tokens,
        })
    }

    /// Shows how some folders were listed by a tool, asks for another one, and returns what is
    /// called.
    pub async fn lists_a_folder(&self) -> anyhow::Result<Option<String>> {
        let mut messages = Vec::new();
        for (folder, file) in [("src", "main.rs"), ("docs", "guide.md"), ("tests", "it.rs")] {
            messages.extend(listed(folder, file));
        }
        messages.push(ConversationMessage::user("list the files in benches"));
        let path = json!({"path": {"type": "string"}});
        let tools = [ToolSpec {
            name: "list_dir".to_owned(),
            description: "Lists the files of a directory.".to_owned(),
            parameters: json!({"type": "object", "properties": path, "required": ["path"]}).into(),
        }];
        let request = ChatRequest {
            system: "You work with tools.",
            messages: &messages,
            tools: &tools,
            stream: true,
            ..ChatRequest::default()
        };
        let reply = self.0.chat_with_tools(request, &|_| {}).await?;
        let call = reply.message.calls.first();
        Ok(call.map(|call| format!("{} {}", call.name, call.arguments)))
    }
}

/// Returns how a folder was listed.
fn listed(folder: &str, file: &str) -> [ConversationMessage; 4] {
    let id = CallId(folder.to_owned());
    let call = ToolCall {
        id: id.clone(),
        name: "list_dir".to_owned(),
        arguments: json!({"path": folder}),
    };
    let said = |text: &str, calls: Vec<ToolCall>| {
        ConversationMessage::Assistant(AssistantMessage {
            text: text.to_owned(),
            calls,
            ..AssistantMessage::default()
        })
    };
    [
        ConversationMessage::user(format!("list the files in {folder}")),
        said("", vec![call]),
        ConversationMessage::ToolResult {
            call: id,
            name: "list_dir".to_owned(),
            outcome: ToolOutcome::Success {
                output: file.to_owned(),
            },
            outside: None,
        },
        said(&format!("There is {file}."), Vec::new()),
    ]
}

/// Returns an embedder at an address.
pub fn embedder_at(url: &str) -> anyhow::Result<Arc<dyn Embedder>> {
    let embedder = OpenAiEmbeddings::new(EmbeddingsConfig {
        base_url: url.parse().context("no address of an embedder")?,
        api_key: None,
        model: "local".to_owned(),
        dimensions: None,
        timeout: LOCAL_PATIENCE,
    })?;
    Ok(Arc::new(embedder))
}
