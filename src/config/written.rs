//! The configuration before it is checked: [`ConfigFile`], all layers merged and defaults filled
//! in.
//!
//! No type here has `Debug`, because they contain secrets in plain text. The configuration is
//! converted into a [`super::Config`] at once and is not visible elsewhere.

use std::collections::BTreeMap;

use sayso_policy::{AutonomyLevel, MembersNetwork, MembersSystem, SandboxMode, SandboxedCommands};
use serde::Deserialize;

use super::checked::{
    CallsInText, LlamaMode, LogFormat, LogLevel, LongAnswers, Routing, WhileBusy,
};

/// The whole file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConfigFile {
    pub(super) data_dir: String,
    pub(super) language: WrittenLanguage,
    #[serde(default)]
    pub(super) channels: ChannelsTable,
    pub(super) access: AccessTable,
    #[serde(default)]
    pub(super) providers: Vec<ProviderTable>,
    pub(super) agent: AgentTable,
    pub(super) policy: PolicyTable,
    pub(super) budget: BudgetTable,
    #[serde(default)]
    pub(super) prices: Vec<PriceTable>,
    pub(super) tools: ToolsTable,
    /// By name; the plain section, which is refused, is `@`.
    #[serde(default)]
    pub(super) secrets: BTreeMap<String, SecretTable>,
    #[serde(default)]
    pub(super) mcp: Vec<McpTable>,
    pub(super) memory: MemoryTable,
    pub(super) retention: RetentionTable,
    pub(super) store: StoreTable,
    #[serde(default)]
    pub(super) http: HttpTable,
    pub(super) log: LogTable,
}

/// `language`.
#[derive(Deserialize)]
pub(super) enum WrittenLanguage {
    #[serde(rename = "auto")]
    Auto,
    #[serde(rename = "en")]
    English,
    #[serde(rename = "zh-CN")]
    Chinese,
}

/// `[channels]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ChannelsTable {
    /// By account; the plain one is `@`.
    #[serde(default)]
    pub(super) telegram: BTreeMap<String, TelegramTable>,
    /// By account; the plain one is `@`.
    #[serde(default)]
    pub(super) discord: BTreeMap<String, DiscordTable>,
    pub(super) terminal: Option<TerminalTable>,
}

/// `[channels.telegram]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TelegramTable {
    pub(super) token: Option<String>,
    pub(super) api_url: String,
    pub(super) mode: WrittenMode,
    pub(super) webhook_url: Option<String>,
    pub(super) listen: Option<String>,
    pub(super) secret: Option<String>,
}

/// `[channels.telegram] mode`.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenMode {
    Polling,
    Webhook,
}

/// `[channels.discord]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DiscordTable {
    pub(super) token: Option<String>,
    pub(super) api_url: String,
    pub(super) shards: String,
    pub(super) long_answers: LongAnswers,
}

/// `[channels.terminal]`, which has no keys.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TerminalTable {}

/// `[access]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AccessTable {
    pub(super) owners: Vec<String>,
    pub(super) allow: Vec<String>,
    pub(super) pairing: bool,
    pub(super) autonomy: Vec<String>,
}

/// One of `[[providers]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ProviderTable {
    pub(super) name: String,
    pub(super) kind: WrittenKind,
    pub(super) base_url: String,
    pub(super) api_key: Option<String>,
    pub(super) api_keys: Vec<String>,
    pub(super) model: Option<String>,
    pub(super) models: Vec<String>,
    pub(super) temperature: f64,
    pub(super) max_tokens: u32,
    pub(super) thinking_tokens: u32,
    pub(super) context_tokens: usize,
    pub(super) vision: WrittenVision,
    pub(super) quirks: String,
    pub(super) mode: LlamaMode,
    pub(super) template: String,
    pub(super) tool_calls_in_text: CallsInText,
    pub(super) timeout_secs: u64,
    pub(super) first_token_secs: u64,
}

/// `[[providers]] vision`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenVision {
    Auto,
    Yes,
    No,
}

/// `[[providers]] kind`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenKind {
    Openai,
    Anthropic,
    Llama,
    Offline,
}

/// `[agent]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AgentTable {
    pub(super) autonomy: AutonomyLevel,
    pub(super) routing: Routing,
    pub(super) routing_messages: usize,
    pub(super) max_steps: u32,
    pub(super) turn_timeout_secs: u64,
    pub(super) while_busy: WhileBusy,
    pub(super) history_messages: usize,
    pub(super) concurrent_turns: usize,
}

/// `[policy]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PolicyTable {
    pub(super) allow_commands: Vec<String>,
    pub(super) allow_hosts: Vec<String>,
    pub(super) ask_hosts: Vec<String>,
    pub(super) deny_hosts: Vec<String>,
    pub(super) allow_network: bool,
    pub(super) confirm_write: bool,
    pub(super) confirm_exec: bool,
    pub(super) sandbox: SandboxMode,
    pub(super) sandboxed_commands: SandboxedCommands,
    pub(super) members_system: MembersSystem,
    pub(super) members_network: MembersNetwork,
    pub(super) rules: Option<String>,
    pub(super) approval_expires_secs: u64,
}

/// `[budget]`: 0 is no limit.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BudgetTable {
    pub(super) turn_tokens: u64,
    pub(super) turn_money: f64,
    pub(super) user_day_tokens: u64,
    pub(super) user_day_money: f64,
    pub(super) instance_day_tokens: u64,
    pub(super) instance_day_money: f64,
    pub(super) instance_month_tokens: u64,
    pub(super) instance_month_money: f64,
    pub(super) currency: String,
}

/// One of `[[prices]]`, for a million tokens.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceTable {
    pub(super) model: Option<String>,
    pub(super) input: Option<f64>,
    pub(super) cached_input: Option<f64>,
    pub(super) output: Option<f64>,
}

/// `[tools]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ToolsTable {
    pub(super) shell_timeout_secs: u64,
    pub(super) background_timeout_secs: u64,
    pub(super) max_file_read_bytes: u64,
    pub(super) max_output_bytes: usize,
    pub(super) fetch_timeout_secs: u64,
    pub(super) max_fetch_bytes: usize,
    pub(super) max_inbox_files: usize,
    pub(super) max_inbox_bytes: u64,
    pub(super) allow_private_hosts: Vec<String>,
    pub(super) web_search: WebSearchTable,
}

/// `[tools.web_search]`; without the section there is no search.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct WebSearchTable {
    pub(super) kind: WrittenSearch,
    pub(super) base_url: Option<String>,
    pub(super) api_key: Option<String>,
    pub(super) results: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenSearch {
    Searxng,
    Brave,
}

/// `[secrets.NAME]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SecretTable {
    pub(super) value: Option<String>,
    pub(super) purpose: Option<String>,
    #[serde(default)]
    pub(super) hosts: Vec<String>,
    #[serde(default)]
    pub(super) commands: Vec<String>,
}

/// One of `[[mcp]]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct McpTable {
    pub(super) name: Option<String>,
    pub(super) enabled: bool,
    pub(super) command: Option<String>,
    pub(super) args: Vec<String>,
    pub(super) env: Vec<String>,
    pub(super) url: Option<String>,
    pub(super) token: Option<String>,
    pub(super) client_id: Option<String>,
    pub(super) client_secret: Option<String>,
    pub(super) redirect_port: Option<u16>,
    pub(super) allow: Vec<String>,
    pub(super) ask: Vec<String>,
    pub(super) deny: Vec<String>,
    pub(super) trust_read_only: bool,
    pub(super) start_timeout_secs: u64,
    pub(super) call_timeout_secs: u64,
}

/// `[memory]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MemoryTable {
    pub(super) keep_episodes_days: u64,
    pub(super) keep_learned_days: u64,
    pub(super) keep_told_days: u64,
    pub(super) keep_lines_days: u64,
    pub(super) fade_after_days: u64,
    pub(super) fade_below_confidence: u8,
    pub(super) embedder: EmbedderTable,
    pub(super) learning: LearningTable,
}

/// `[memory.learning]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LearningTable {
    pub(super) enabled: bool,
    pub(super) idle_secs: u64,
    pub(super) note: WrittenNote,
}

/// `[memory.learning] note`.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WrittenNote {
    Quiet,
    Off,
}

/// `[memory.embedder]`; without a model or a directory there is none.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EmbedderTable {
    pub(super) base_url: String,
    pub(super) api_key: Option<String>,
    pub(super) model: Option<String>,
    pub(super) directory: Option<String>,
    pub(super) dimensions: Option<usize>,
    pub(super) min_similarity: f32,
    pub(super) timeout_secs: u64,
}

/// `[retention]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RetentionTable {
    pub(super) turns_days: u64,
    pub(super) messages_days: u64,
}

/// `[store]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StoreTable {
    pub(super) url: String,
}

/// `[log]`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct LogTable {
    pub(super) level: LogLevel,
    pub(super) format: LogFormat,
    pub(super) traces: Option<String>,
}

/// `[http]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HttpTable {
    pub(super) listen: Option<String>,
}
