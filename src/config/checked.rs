//! The configuration after every check: [`Config`], one small struct per room, secrets wrapped.
//!
//! A room gets its own struct and never sees the whole. `Debug` prints no secret.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use reqwest::Url;
use sayso_channel::{ChannelName, Language};
use sayso_checks::ConfiguredChecks;
use sayso_core::redact::{KnownSecret, LateSecrets};
use sayso_policy::SecurityPolicy;
use sayso_providers::{EmbedderSource, VisionSupport};
use secrecy::SecretString;

use super::access::AccessConfig;
use super::account::AccountPattern;
use super::choices::{
    AskAboutPlans, CallsInText, LlamaMode, LogFormat, LogLevel, LongAnswers, Planning, Routing,
    WhenChecked, WhileBusy,
};
use super::{Change, Written};
use crate::budget::BudgetRules;
use crate::routines::{Late, QuietHours};

/// The configuration of one instance.
#[derive(Debug, Clone)]
pub struct Config {
    /// The file that was read; `None` when there is none.
    pub file: Option<PathBuf>,
    /// Where everything is kept; absolute.
    pub data_dir: PathBuf,
    /// The database file.
    pub store_path: PathBuf,
    /// The language for people of whom none is known.
    pub language: Option<Language>,
    /// The configured channels.
    pub channels: ChannelConfigs,
    /// Who is let in.
    pub access: AccessConfig,
    /// The models, in the order in which they are asked; names are unique.
    pub providers: Vec<ProviderConfig>,
    /// How turns go.
    pub agent: AgentConfig,
    /// What may be done without asking, and what never.
    pub policy: SecurityPolicy,
    /// How long an approval waits for its answer.
    pub approval_expires: Duration,
    /// What may be spent on model calls.
    pub budget: BudgetRules,
    /// The limits of tools.
    pub tools: ToolConfig,
    /// What searches the web, if anything does.
    pub web_search: Option<WebSearchConfig>,
    /// What calls may use without anybody seeing it; where it may go is the policy's.
    pub secrets: Vec<SecretConfig>,
    /// The folders that people may have worked in; names are unique.
    pub projects: Vec<ProjectConfig>,
    /// When and how far they are verified.
    pub checks: ChecksConfig,
    /// The MCP servers that are enabled; names are unique. What may be done there is the policy's.
    pub mcp: Vec<McpConfig>,
    /// What finds memories by their meaning; `None` finds them by words alone.
    pub embedder: Option<EmbedderConfig>,
    /// How long everything is kept.
    pub retention: RetentionConfig,
    /// When facts are learned from what was said; `None` learns nothing unasked.
    pub learning: Option<LearningConfig>,
    /// What is done at set times.
    pub routines: RoutineConfig,
    /// Where `/health` and `/metrics` are answered; `None` answers nowhere.
    pub http_listen: Option<SocketAddr>,
    /// The files that secrets were read from, as they are written.
    pub secret_files: Vec<PathBuf>,
    /// What is written to the log file.
    pub log_level: LogLevel,
    /// How the log is written.
    pub log_format: LogFormat,
    /// The collector that is sent traces of turns, by OTLP over HTTP; `None` sends none.
    pub traces: Option<Url>,
    /// Every secret in it, for the redactor.
    pub known_secrets: Vec<KnownSecret>,
    /// Secrets that are added while Sayso runs; a reload of this configuration must keep them.
    pub late_secrets: LateSecrets,
    /// What owners changed of it in chat.
    pub changed: Vec<Change>,
    /// What it was made of, to check changes against.
    pub written: Arc<Written>,
}

/// The configured channels.
#[derive(Debug, Clone, Default)]
pub struct ChannelConfigs {
    /// `[channels.telegram]` or `TELEGRAM_BOT_TOKEN`, then the named ones. No two have one token.
    pub telegram: Vec<TelegramAccount>,
    /// `[channels.discord]` or `DISCORD_BOT_TOKEN`, then the named ones. No two have one token.
    pub discord: Vec<DiscordAccount>,
    /// `[channels.terminal]`.
    pub terminal: Option<TerminalAccount>,
}

impl ChannelConfigs {
    /// Returns whether nothing is configured.
    pub fn is_empty(&self) -> bool {
        self.telegram.is_empty() && self.discord.is_empty() && self.terminal.is_none()
    }
}

/// One Telegram bot account.
#[derive(Debug, Clone)]
pub struct TelegramAccount {
    /// The channel: `telegram`, or `telegram.work` for `[channels.telegram.work]`.
    pub name: ChannelName,
    /// The token that BotFather gave.
    pub token: SecretString,
    /// The Bot API server.
    pub api_url: Url,
    /// How updates arrive.
    pub mode: TelegramMode,
}

/// How updates of Telegram arrive.
#[derive(Debug, Clone)]
pub enum TelegramMode {
    /// We ask.
    Polling,
    /// Telegram calls us.
    Webhook {
        /// The public address; `https`.
        url: Url,
        /// Where we listen.
        listen: SocketAddr,
        /// What each call must carry: 1-256 of `A-Z a-z 0-9 _ -`.
        secret: SecretString,
    },
}

/// One Discord bot account.
#[derive(Debug, Clone)]
pub struct DiscordAccount {
    /// The channel: `discord`, or `discord.work` for `[channels.discord.work]`.
    pub name: ChannelName,
    /// The token that the Developer Portal gave.
    pub token: SecretString,
    /// The REST API with its version.
    pub api_url: Url,
    /// How many gateway connections share the servers; `None` takes as many as Discord recommends.
    pub shards: Option<u16>,
    /// How an answer of many messages is said in a server.
    pub long_answers: LongAnswers,
}

/// The terminal as a channel; it has no settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TerminalAccount;

impl Config {
    /// Returns the models that a session may choose, as `server/model`.
    pub fn models(&self) -> Vec<String> {
        let servers = self.providers.iter().filter_map(ProviderConfig::server);
        let names = servers.flat_map(|server| {
            let models = std::iter::once(&server.model).chain(&server.models);
            models.map(|model| format!("{}/{model}", server.name))
        });
        names.collect()
    }
}

/// One model service.
#[derive(Debug, Clone)]
pub enum ProviderConfig {
    /// A server that speaks OpenAI's chat completions.
    OpenAi(ModelServer),
    /// A server that speaks Anthropic's messages.
    Anthropic {
        /// The server.
        server: ModelServer,
        /// How many tokens it may think, if any.
        thinking_tokens: Option<u32>,
    },
    /// A llama.cpp server.
    Llama {
        /// The server; its address is without a version.
        server: ModelServer,
        /// Which of its endpoints is asked.
        mode: LlamaMode,
        /// The template of prompts, for `/completion`.
        template: String,
    },
    /// The built-in model that needs no network.
    Offline {
        /// Its name.
        name: String,
    },
}

impl ProviderConfig {
    /// Returns the name in the configuration.
    pub fn name(&self) -> &str {
        match self {
            Self::OpenAi(server) | Self::Anthropic { server, .. } | Self::Llama { server, .. } => {
                &server.name
            }
            Self::Offline { name } => name,
        }
    }

    /// Returns this provider with each of the further models in place of its own.
    pub fn offered(&self) -> Vec<Self> {
        let models = self.server().map(|server| server.models.clone());
        let models = models.unwrap_or_default().into_iter();
        models
            .map(|model| {
                let mut offered = self.clone();
                if let Self::OpenAi(server)
                | Self::Anthropic { server, .. }
                | Self::Llama { server, .. } = &mut offered
                {
                    server.model = model;
                }
                offered
            })
            .collect()
    }

    /// Returns the server that is asked, if one is.
    pub fn server(&self) -> Option<&ModelServer> {
        match self {
            Self::OpenAi(server) | Self::Anthropic { server, .. } | Self::Llama { server, .. } => {
                Some(server)
            }
            Self::Offline { .. } => None,
        }
    }
}

/// A server that has models.
#[derive(Debug, Clone)]
pub struct ModelServer {
    /// Its name.
    pub name: String,
    /// What stands before the endpoints of its protocol.
    pub base_url: Url,
    /// The keys, which take turns; servers at home often need none.
    pub api_keys: Vec<SecretString>,
    /// The model's name there.
    pub model: String,
    /// Further models there, which a session may choose.
    pub models: Vec<String>,
    /// How freely it words, 0-2.
    pub temperature: f64,
    /// The longest answer, in tokens.
    pub max_tokens: u32,
    /// How much the model can read at once, in tokens; `None` goes by its name.
    pub context_tokens: Option<usize>,
    /// Whether its models see pictures; `None` goes by their names.
    pub sight: Option<VisionSupport>,
    /// What the server does otherwise than others: a name, or `auto`.
    pub quirks: String,
    /// Whether calls are looked for in the text of an answer.
    pub calls_in_text: CallsInText,
    /// How long one request may take.
    pub timeout: Duration,
    /// How long to wait for the first piece of an answer, where that is another time.
    pub first_token: Option<Duration>,
}

/// How turns go. Autonomy is the policy's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AgentConfig {
    /// Whether there is a Phase 1.
    pub routing: Routing,
    /// How long the prompt of Phase 2 may be, in tokens, to be sent beside Phase 1.
    pub parallel_prompt_tokens: u64,
    /// How many messages of history Phase 1 sees.
    pub routing_messages: usize,
    /// Whether a plan is made before work on code.
    pub planning: Planning,
    /// Whether it waits for its person.
    pub plan_approval: AskAboutPlans,
    /// How long the map of a project is in a prompt, in tokens.
    pub map_tokens: usize,
    /// How many model calls a turn may take.
    pub max_steps: u32,
    /// For how long a turn may work; what it waits for people does not count.
    pub turn_timeout: Duration,
    /// What a message does that is said while its person's turn runs.
    pub while_busy: WhileBusy,
    /// How many messages of history Phase 2 sees.
    pub history_messages: usize,
    /// How many turns run at once.
    pub concurrent_turns: usize,
}

/// `[routines]`, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutineConfig {
    /// Whether anything is started.
    pub enabled: bool,
    /// By whose clock people live who named no zone; `None`: the machine's.
    pub zone: Option<Tz>,
    /// The shortest time between two runs of a routine, in minutes.
    pub shortest_minutes: i64,
    /// How many routines a person has at most.
    pub most: usize,
    /// How many turns of routines run at once.
    pub concurrent: usize,
    /// Over how long runs of a model are spread.
    pub spread: Duration,
    /// What becomes of a missed run.
    pub late: Late,
    /// When unasked messages wait.
    pub quiet_hours: QuietHours,
    /// How many runs of one routine events start in an hour.
    pub triggered_per_hour: usize,
    /// How long it is known what became of a run; `None`: for ever.
    pub keep_runs: Option<Duration>,
}

/// How long everything is kept, and what is remembered after it was last said; `None` is for ever.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RetentionConfig {
    /// Summaries of turns.
    pub episodes: Option<Duration>,
    /// Facts that were learned.
    pub learned: Option<Duration>,
    /// Memories that a person asked to keep, and notes.
    pub told: Option<Duration>,
    /// Lines of the transcript, as far as they are found again.
    pub lines: Option<Duration>,
    /// Learned facts that were never recalled and are not sure.
    pub fades: Option<Duration>,
    /// Below this many percent a fact is not sure.
    pub fades_below: u8,
    /// Turns with their journals, after they ended.
    pub turns: Option<Duration>,
    /// What was heard and said beside them.
    pub messages: Duration,
}

/// When facts are learned from what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LearningConfig {
    /// How long a session must be idle before.
    pub idle: Duration,
    /// Whether a quiet note says what was learned.
    pub says_so: bool,
}

/// A model that says what texts mean.
#[derive(Debug, Clone)]
pub struct EmbedderConfig {
    /// Where it is.
    pub source: EmbedderSource,
    /// How near a memory must be to be found, as a cosine.
    pub min_similarity: f32,
}

/// One MCP server.
#[derive(Debug, Clone)]
pub struct McpConfig {
    /// Its name.
    pub name: String,
    /// How it is reached.
    pub way: McpWayConfig,
    /// How long it may take until it has said what it has.
    pub start_timeout: Duration,
    /// How long one call may take.
    pub call_timeout: Duration,
}

/// How an MCP server is reached.
#[derive(Debug, Clone)]
pub enum McpWayConfig {
    /// It is a program that is started here.
    Program {
        /// The program, by its path or its name.
        program: String,
        /// Its arguments.
        arguments: Vec<String>,
        /// What is set in its environment.
        variables: Vec<McpVariable>,
    },
    /// It is a service somewhere.
    Url {
        /// Its address.
        url: Url,
        /// What it is shown with each request.
        shown: McpShownConfig,
    },
}

/// What a service is shown with each request.
#[derive(Debug, Clone)]
pub enum McpShownConfig {
    /// This.
    Token(SecretString),
    /// What `sayso mcp login` gave us, if it asks for a login.
    Login(McpClientConfig),
}

/// Who we are at the authorization server of an MCP server.
#[derive(Debug, Clone, Default)]
pub struct McpClientConfig {
    /// The name that was agreed upon; without one we register.
    pub id: Option<String>,
    /// The secret that belongs to it.
    pub secret: Option<SecretString>,
    /// The port of the address that the browser comes back to.
    pub redirect_port: Option<u16>,
}

/// A variable in the environment of an MCP server.
#[derive(Debug, Clone)]
pub struct McpVariable {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: SecretString,
    /// Whether the value is kept elsewhere, as secrets are.
    pub is_secret: bool,
}

/// A secret that calls may use.
#[derive(Debug, Clone)]
pub struct SecretConfig {
    /// Its name; no two have the same.
    pub name: String,
    /// What it is for, in a line.
    pub purpose: Option<String>,
    /// The secret.
    pub value: SecretString,
}

/// A folder that people may have worked in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProjectConfig {
    /// Its name; no two have the same.
    pub name: String,
    /// The folder; absolute, symlinks resolved.
    pub path: PathBuf,
    /// Who may choose it beside the owners; each names one account.
    pub people: Vec<AccountPattern>,
    /// Whether anything may be changed there.
    pub write: bool,
    /// What it is, in a line.
    pub description: Option<String>,
    /// How it is verified, where its files do not say it.
    pub checks: ConfiguredChecks,
}

/// What is verified in projects, and when.
#[derive(Debug, Clone, Copy)]
pub struct ChecksConfig {
    /// When.
    pub when: WhenChecked,
    /// How often the model may correct what a check finds, in one turn.
    pub max_corrections: u32,
    /// How long one check may run.
    pub timeout: Duration,
    /// How long the checks of one turn may run together.
    pub budget: Duration,
}

/// The service that searches the web.
#[derive(Debug, Clone)]
pub struct WebSearchConfig {
    /// What it speaks.
    pub kind: WebSearchKind,
    /// Where it is.
    pub base_url: Url,
    /// The key, where it wants one.
    pub api_key: Option<SecretString>,
    /// The default number of results of a search.
    pub results: usize,
}

/// What a search service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebSearchKind {
    /// SearXNG's.
    Searxng,
    /// Brave's.
    Brave,
}

/// The limits of tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ToolConfig {
    /// How long a command may run.
    pub shell_timeout: Duration,
    /// How long one may be kept running in the background; `None`: none is.
    pub background_timeout: Option<Duration>,
    /// How much of a file one call reads, in bytes.
    pub max_file_read_bytes: u64,
    /// How much output of a command the model sees, in bytes.
    pub max_output_bytes: usize,
    /// How long one fetch may take, with all its redirects.
    pub fetch_timeout: Duration,
    /// How much one fetch takes in, in bytes.
    pub max_fetch_bytes: usize,
    /// How many files that people sent one workspace keeps.
    pub max_inbox_files: usize,
    /// How long these may be together, in bytes.
    pub max_inbox_bytes: u64,
}
