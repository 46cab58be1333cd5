//! Building the agent and the access rules from the configuration.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use chrono_tz::Tz;
use sayso_channel::{ChannelName, Health};
use sayso_checks::CheckLimits;
use sayso_core::redact::Redactor;
use sayso_fetch::{FetchLimits, Fetcher, PageReader};
use sayso_memory::knowledge::Knowledge;
use sayso_memory::{
    IndexRepair, Memory, MemoryForget, MemoryRecall, MemoryStore, MemoryUpdate, QuickNote,
    ReadResult, Retention, SaveToVault, StoredMemory, Vectors,
};
use sayso_policy::Confinement;
use sayso_providers::{
    Anthropic, AutoLlama, KeyRefused, Keys, Llama, Offline, OpenAi, Provider, Redacted,
    RedactedEmbedder, Reliable,
};
use sayso_sandbox::helper::HelperPath;
use sayso_sandbox::{Sandbox, ShellEnvironment};
use sayso_store::Store;
use sayso_tools::{
    AskUser, Background, CrawlUrl, DynamicTools, EditTool, FileRead, FileWrite, Git,
    GlobFileSearch, Grep, HttpRequest, InboxLimits, ListDir, Plan, ProjectChecks, ReadDocument,
    ReadFile, Remotes, RunChecks, SearchConfig, SearchKind, SearchSemantic, Secret, Secrets,
    SeenFiles, SendFile, Shell, Tool, ToolLimits, Toolbox, WebSearch,
};
use tokio::sync::mpsc;

use super::{Mode, settings};
use crate::agent::self_info::{Limits, SelfInfo, SelfInfoTool};
use crate::agent::{Agent, AgentChecks, AgentLimits, Planning, Routing};
use crate::budget::Reservations;
use crate::bus::Bus;
use crate::code_index::CodeIndexes;
use crate::commands::ListedPermissions;
use crate::config::{
    self, AccountPattern, Config, LlamaMode, ProviderConfig, WebSearchConfig, WebSearchKind,
};
use crate::delivery::OutboxWriter;
use crate::executor::Executor;
use crate::intake::{Access, AccountRule, Accounts};
use crate::persona::Persona;
use crate::routines::{
    RemindTool, ReportTool, RoutineContext, RoutineLimits, RoutineTool, WebhookKey,
};
use crate::sessions::{RetentionSweeper, StoredLedger, StoredPatchHistory, StoredSeenFiles};
use crate::skills::{Host, Library, Places, SkillTool, Skills};

/// The capacity of the queue of rejected API keys that await a notice.
const KEY_NEWS: usize = 16;

/// Returns the sender and the receiver of reports about rejected API keys.
pub fn key_news() -> (mpsc::Sender<KeyRefused>, mpsc::Receiver<KeyRefused>) {
    mpsc::channel(KEY_NEWS)
}

/// The channel of this terminal.
pub const TERMINAL: &str = "terminal";

/// What stands between the agent and what it must not reach.
pub struct Guards {
    /// Around its commands.
    pub sandbox: Sandbox,
    /// Around everything that it reads and says.
    pub redactor: Redactor,
    /// What comes in by them: the tools of MCP servers.
    pub dynamic_tools: DynamicTools,
    /// What keeps commands running when their call is over.
    pub background: Arc<dyn Background>,
    /// What routines and reminders are kept with.
    pub routines: RoutineContext,
    /// What is known of the code of projects.
    pub code: CodeIndexes,
}

/// Builds what every turn works with.
pub async fn agent(
    config: &Config,
    store: &Store,
    memory: Arc<dyn Memory>,
    knowledge: Knowledge,
    guards: Guards,
    news: mpsc::Sender<KeyRefused>,
) -> anyhow::Result<Agent> {
    let provider = provider(config, &guards.redactor, news)?;
    let (sandbox, confinement) = (guards.sandbox.clone(), config.policy.confinement);
    let library = Arc::new(library(config, store, sandbox, confinement).await?);
    let sources = ToolSources {
        memory: Arc::clone(&memory),
        knowledge: knowledge.clone(),
        library: Arc::clone(&library),
        store: store.clone(),
    };
    let code = Arc::new(guards.code.clone());
    let tools = toolbox(config, sources, guards);
    Ok(Agent {
        provider,
        executor: Executor {
            tools: Arc::new(tools),
            policy: config.policy.clone(),
        },
        memory,
        knowledge,
        library,
        persona: Arc::new(persona(config, store)),
        code: Some(code),
        limits: agent_limits(config),
        checks: AgentChecks {
            projects: project_checks(config),
            limits: CheckLimits {
                max_corrections: config.checks.max_corrections,
                budget: config.checks.budget,
            },
            after_change: config.checks.when == config::WhenChecked::AfterChange,
        },
    })
}

/// Returns the limits of a turn.
fn agent_limits(config: &Config) -> AgentLimits {
    AgentLimits {
        routing: match config.agent.routing {
            config::Routing::TwoPhase => Routing::TwoPhase,
            config::Routing::Parallel => Routing::Parallel,
            config::Routing::Auto => Routing::Auto,
            config::Routing::Off => Routing::Off,
        },
        parallel_prompt_tokens: config.agent.parallel_prompt_tokens,
        routing_messages: config.agent.routing_messages,
        planning: match (config.agent.planning, config.agent.plan_approval) {
            (config::Planning::Off, _) => Planning::Off,
            (config::Planning::Auto, config::AskAboutPlans::Never) => Planning::Followed,
            (config::Planning::Auto, config::AskAboutPlans::Ask) => Planning::Asked,
        },
        map_tokens: config.agent.map_tokens,
        max_steps: config.agent.max_steps,
        history_messages: config.agent.history_messages,
        inbox: InboxLimits {
            files: config.tools.max_inbox_files,
            bytes: config.tools.max_inbox_bytes,
        },
    }
}

/// Returns how each project is checked.
fn project_checks(config: &Config) -> Arc<ProjectChecks> {
    let projects = config.projects.iter();
    let configured = projects.map(|project| (project.name.clone(), project.checks.clone()));
    Arc::new(ProjectChecks::new(configured.collect()))
}

/// The variable that names the certificate authorities that git trusts for servers, in place of the
/// system's.
const CERTIFICATES: &str = "GIT_SSL_CAINFO";

/// Reads the skills, and logs which are left out. What fetches others is confined by this sandbox.
pub async fn library(
    config: &Config,
    store: &Store,
    sandbox: Sandbox,
    confinement: Confinement,
) -> anyhow::Result<Library> {
    let builtin = Skills::builtin().context("a built-in skill cannot be read")?;
    let host = Host::new(std::env::vars_os());
    let (skills, left_out) = builtin.with_operator(&config.data_dir.join("skills"), &host);
    for error in left_out {
        tracing::warn!(%error, "skill skipped");
    }
    let places = Places::new(config.data_dir.join("installed"));
    let library = Library::open(skills, places, host, store.clone()).await?;
    let certificates = std::env::var_os(CERTIFICATES).map(PathBuf::from);
    let hosts = config.policy.hosts.clone();
    let runner = shell(config, sandbox).runner();
    Ok(library.fetching(Remotes::new(runner, hosts, confinement, certificates)))
}

/// What is remembered, and what must be done beside it.
pub struct MemoryParts {
    pub memory: Arc<dyn Memory>,
    /// Somebody must keep it whole.
    pub index_repair: Arc<IndexRepair>,
    /// Somebody must keep them up.
    pub vectors: Option<Arc<Vectors>>,
    /// The embedder's name, and whether it answers.
    pub embedder: Option<(String, Health)>,
    /// What model calls and embedders spend, as this process knows it.
    pub reservations: Reservations,
}

/// Builds the memory.
pub async fn memory(
    config: &Config,
    store: &Store,
    redactor: &Redactor,
) -> anyhow::Result<MemoryParts> {
    let (mut vectors, mut health) = (None, None);
    let reservations = Reservations::default();
    if let Some(configured) = &config.embedder {
        let embedder = configured.source.open().await?;
        let name = configured.source.name();
        let embedder = Arc::new(RedactedEmbedder::new(embedder, redactor.clone()));
        let rules = Arc::new(config.budget.clone());
        let ledger = StoredLedger::new(store.clone(), rules, reservations.clone());
        let opened = Vectors::open(store.clone(), embedder, configured.min_similarity).await?;
        let opened = opened.booked_by(Arc::new(ledger));
        health = Some((name, opened.health()));
        vectors = Some(Arc::new(opened));
    }
    let memory = StoredMemory::new(store.clone()).with_vectors(vectors.clone());
    Ok(MemoryParts {
        index_repair: memory.index_repair(),
        memory: Arc::new(memory),
        vectors,
        embedder: health,
        reservations,
    })
}

/// Returns how long what is remembered is kept.
pub fn memory_retention(config: &Config) -> Retention {
    let kept = config.retention;
    Retention {
        episodes: kept.episodes,
        learned: kept.learned,
        told: kept.told,
        lines: kept.lines,
        fades: kept.fades,
        fades_below: kept.fades_below,
    }
}

/// Returns what removes old turns, with what was heard and said in them.
pub fn retention_sweeper(config: &Config) -> RetentionSweeper {
    RetentionSweeper {
        turns: config.retention.turns,
        messages: config.retention.messages,
        history_messages: config.agent.history_messages,
    }
}

/// Returns who speaks, and where it is read to whom.
fn persona(config: &Config, store: &Store) -> Persona {
    Persona::load(&config.data_dir.join("persona")).with_people(store.clone())
}

/// Returns the indexes of the configured projects; nothing is read yet.
pub fn code_indexes(config: &Config, redactor: &Redactor) -> CodeIndexes {
    let projects = config.projects.iter();
    let folders = projects.map(|project| (project.name.clone(), project.path.clone()));
    CodeIndexes::new(folders, &config.data_dir, redactor)
}

/// Returns the operator's texts, read once so that the log says at the start what is left out.
pub async fn knowledge(config: &Config) -> Knowledge {
    let knowledge = Knowledge::open(&config.data_dir.join("knowledge"));
    knowledge.inventory().await;
    knowledge
}

fn provider(
    config: &Config,
    redactor: &Redactor,
    news: mpsc::Sender<KeyRefused>,
) -> anyhow::Result<Arc<dyn Provider>> {
    let models = config.providers.iter().map(clients);
    let models = models.collect::<anyhow::Result<Vec<_>>>()?;
    let others = config.providers.iter().flat_map(ProviderConfig::offered);
    let offered = others
        .map(|provider| clients(&provider))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let reliable = Reliable::new(models).offering(offered).telling(news);
    let reliable = Arc::new(reliable);
    Ok(Arc::new(Redacted::new(reliable, redactor.clone())))
}

/// Builds the clients of a provider: one for each of its keys.
fn clients(provider: &ProviderConfig) -> anyhow::Result<Keys> {
    let openai = |config| Ok(Arc::new(OpenAi::new(config)?) as Arc<dyn Provider>);
    let anthropic = |config| Ok(Arc::new(Anthropic::new(config)?) as Arc<dyn Provider>);
    let llama = |config| Ok(Arc::new(Llama::new(config)?) as Arc<dyn Provider>);
    match provider {
        ProviderConfig::OpenAi(server) => server.to_openai().into_iter().map(openai).collect(),
        ProviderConfig::Anthropic {
            server,
            thinking_tokens,
        } => {
            let configs = server.to_anthropic(*thinking_tokens).into_iter();
            configs.map(anthropic).collect()
        }
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::Auto,
            template,
        } => {
            let configs = server.to_auto_llama(template).into_iter();
            configs
                .map(|(chat, prompts)| Ok(Arc::new(AutoLlama::new(chat, prompts)?) as _))
                .collect()
        }
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::OpenaiCompat,
            ..
        } => server
            .to_openai_of_llama()
            .into_iter()
            .map(openai)
            .collect(),
        ProviderConfig::Llama {
            server,
            mode: LlamaMode::Completion,
            template,
        } => server.to_llama(template).into_iter().map(llama).collect(),
        ProviderConfig::Offline { name } => Ok(vec![Arc::new(Offline::new(name.clone()))]),
    }
}

fn tool_limits(config: &Config) -> ToolLimits {
    let default = ToolLimits::default();
    let calls = config.mcp.iter().map(|server| server.call_timeout);
    // What the operator allows ends by itself, with words of its own.
    let allowed = calls
        .chain([config.tools.shell_timeout, config.checks.timeout])
        .max();
    let longest_call = allowed.map(|longest| longest + Duration::from_mins(1));
    ToolLimits {
        shell_timeout: config.tools.shell_timeout,
        max_file_read_bytes: config.tools.max_file_read_bytes as usize,
        max_output_bytes: config.tools.max_output_bytes,
        longest_call: longest_call.map_or(default.longest_call, |it| it.max(default.longest_call)),
    }
}

/// Builds what runs commands.
fn shell(config: &Config, sandbox: Sandbox) -> Shell {
    let helper = HelperPath::own();
    let environment = ShellEnvironment::pick(std::env::vars_os());
    Shell::new(tool_limits(config), helper, environment, sandbox)
}

/// What the tools work on that outlives a turn.
struct ToolSources {
    memory: Arc<dyn Memory>,
    knowledge: Knowledge,
    library: Arc<Library>,
    store: Store,
}

fn toolbox(config: &Config, sources: ToolSources, guards: Guards) -> Toolbox {
    let ToolSources {
        memory,
        knowledge,
        library,
        store,
    } = sources;
    let results = ReadResult::new(store.clone()).with_background(Arc::clone(&guards.background));
    let recall = MemoryRecall::new(Arc::clone(&memory)).with_knowledge(knowledge);
    let limits = tool_limits(config);
    let secrets = secrets(config);
    let documents = ReadDocument::new(limits, HelperPath::own(), guards.sandbox.clone());
    let pages = Arc::new(PageReader::new(HelperPath::own(), guards.sandbox.clone()));
    let mut shell = shell(config, guards.sandbox);
    if let Some(longest) = config.tools.background_timeout {
        shell = shell.keeping(guards.background, longest);
    }
    let git = Git::new(shell.runner(), config.policy.confinement);
    let shell = shell.handing_out(secrets.clone());
    let run_cmd = shell.in_projects(guards.redactor.clone());
    let (code, seen) = code_tools(config, run_cmd, &store, guards.code);
    let fetcher = Arc::new(fetcher(config));
    let mut tools: Vec<Box<dyn Tool>> = vec![
        Box::new(shell),
        Box::new(FileRead::new(limits)),
        Box::new(FileWrite::new()),
        Box::new(ListDir::new()),
        Box::new(HttpRequest::new(
            Arc::clone(&fetcher),
            Arc::clone(&pages),
            secrets,
        )),
        Box::new(MemoryStore::new(Arc::clone(&memory))),
        Box::new(MemoryUpdate::new(Arc::clone(&memory))),
        Box::new(recall),
        Box::new(MemoryForget::new(Arc::clone(&memory))),
        Box::new(SkillTool::new(Arc::clone(&library))),
        Box::new(AskUser::new()),
        Box::new(Plan::new()),
        Box::new(git),
        Box::new(QuickNote::new(Arc::clone(&memory))),
        Box::new(SaveToVault::new(Arc::clone(&memory))),
        Box::new(CrawlUrl::new(Arc::clone(&fetcher), pages)),
        Box::new(SendFile::new(guards.redactor.clone())),
        Box::new(settings::tool(config, &store)),
        Box::new(RemindTool::new(store.clone(), guards.routines.clone())),
        Box::new(ReportTool::new(store.clone(), guards.routines.clone())),
        Box::new(RoutineTool::new(store, guards.routines)),
        Box::new(results),
        Box::new(documents),
    ];
    tools.extend(code);
    if let Some(search) = &config.web_search {
        tools.push(Box::new(WebSearch::new(search_service(search), fetcher)));
    }
    let names = tools.iter().map(|tool| tool.spec().name.clone()).collect();
    let info = self_info(config, names);
    tools.push(Box::new(SelfInfoTool::new(info, library)));
    Toolbox::hosting(guards.dynamic_tools, tools, limits, guards.redactor).noting(seen)
}

/// Returns the tool that checks a project, unless there is to be none.
fn run_checks(config: &Config, run_cmd: &Shell, store: &Store) -> Option<Box<dyn Tool>> {
    let history = Arc::new(StoredPatchHistory::new(store.clone()));
    let timeout = config.checks.timeout;
    let tool = RunChecks::new(run_cmd, project_checks(config), history, timeout);
    (config.checks.when != config::WhenChecked::Never).then(|| Box::new(tool) as _)
}

/// Returns the tools that are offered in projects in place of others, and what they note of files that
/// models saw.
fn code_tools(
    config: &Config,
    run_cmd: Shell,
    store: &Store,
    indexes: CodeIndexes,
) -> (Vec<Box<dyn Tool>>, SeenFiles) {
    let limits = tool_limits(config);
    let checks = run_checks(config, &run_cmd, store);
    let seen = SeenFiles::kept_by(Arc::new(StoredSeenFiles::new(store.clone())));
    let history = Arc::new(StoredPatchHistory::new(store.clone()));
    let mut tools: Vec<Box<dyn Tool>> = vec![
        Box::new(run_cmd),
        Box::new(ReadFile::new(limits, seen.clone())),
        Box::new(GlobFileSearch::new()),
        Box::new(Grep::new(limits)),
        Box::new(SearchSemantic::new(limits, Arc::new(indexes))),
        Box::new(EditTool::apply_patch(seen.clone())),
        Box::new(EditTool::write_file(seen.clone())),
        Box::new(EditTool::undo_patch(seen.clone(), history)),
    ];
    tools.extend(checks);
    (tools, seen)
}

fn secrets(config: &Config) -> Secrets {
    let secrets = config.secrets.iter().map(|secret| Secret {
        name: secret.name.clone(),
        purpose: secret.purpose.clone(),
        value: secret.value.clone(),
    });
    Secrets::new(secrets.collect(), &config.policy.secrets)
}

fn search_service(config: &WebSearchConfig) -> SearchConfig {
    SearchConfig {
        kind: match config.kind {
            WebSearchKind::Searxng => SearchKind::Searxng,
            WebSearchKind::Brave => SearchKind::Brave,
        },
        base_url: config.base_url.clone(),
        api_key: config.api_key.clone(),
        results: config.results,
    }
}

fn fetcher(config: &Config) -> Fetcher {
    let limits = FetchLimits {
        timeout: config.tools.fetch_timeout,
        max_bytes: config.tools.max_fetch_bytes,
    };
    Fetcher::new(
        config.policy.hosts.clone(),
        config.policy.allow_network,
        limits,
    )
}

fn self_info(config: &Config, tools: Vec<String>) -> SelfInfo {
    let first = config.providers.first();
    let default_model = first.map_or_else(
        || "none".to_owned(),
        |provider| match provider.server() {
            Some(server) => format!("{}/{}", server.name, server.model),
            None => provider.name().to_owned(),
        },
    );
    let mut other_models = config.models();
    other_models.retain(|model| *model != default_model);
    SelfInfo {
        version: env!("CARGO_PKG_VERSION"),
        default_model,
        other_models,
        autonomy: config.policy.autonomy,
        tools,
        limits: Limits {
            max_steps: config.agent.max_steps,
            history_messages: config.agent.history_messages,
            shell_timeout: config.tools.shell_timeout,
            approval_expires: config.approval_expires,
            max_file_read_bytes: config.tools.max_file_read_bytes,
            max_output_bytes: config.tools.max_output_bytes as u64,
        },
    }
}

/// Returns who may come in. The user of this terminal started this process, and is therefore an
/// owner.
pub fn access(config: &Config, mode: Mode) -> Access {
    let mut owners: Vec<AccountRule> = config.access.owners.iter().map(rule).collect();
    let has_terminal = mode != Mode::Channels || config.channels.terminal.is_some();
    if has_terminal {
        owners.push(AccountRule {
            channel: ChannelName::from(TERMINAL),
            accounts: Accounts::Everybody,
        });
    }
    Access {
        owners,
        allow: config.access.allow.iter().map(rule).collect(),
        pairing: config.access.pairing,
    }
}

fn rule(pattern: &AccountPattern) -> AccountRule {
    let (channel, accounts) = match pattern {
        AccountPattern::One(channel, sender) => (channel, Accounts::One(sender.clone())),
        AccountPattern::Role(channel, role) => (channel, Accounts::Role(role.clone())),
        AccountPattern::Everybody(channel) => (channel, Accounts::Everybody),
    };
    AccountRule {
        channel: channel.clone(),
        accounts,
    }
}

/// Names this process in leases.
pub fn worker_name() -> String {
    format!("process-{}-{}", std::process::id(), sayso_store::new_id())
}

/// Returns what routines and reminders are kept and started with.
pub fn routines(config: &Config, mode: Mode, outbox: OutboxWriter, bus: Bus) -> RoutineContext {
    RoutineContext {
        outbox,
        permissions: Arc::new(ListedPermissions::new(access(config, mode))),
        bus,
        limits: Arc::new(routine_limits(config)),
        changed: Arc::default(),
        language: config.language,
        workspaces: config.data_dir.join("workspaces"),
        webhook_key: None,
    }
}

/// Returns what the keys of webhooks are derived from; `None` where no HTTP listener is configured, or
/// where it cannot be had: then no webhook is made or taken.
pub fn webhook_key(config: &Config) -> Option<Arc<WebhookKey>> {
    config.http_listen?;
    match WebhookKey::open(&config.data_dir) {
        Ok(key) => Some(Arc::new(key)),
        Err(error) => {
            tracing::error!(%error, "cannot read or make the key of webhooks; there are none");
            None
        }
    }
}

/// Returns the limits of routines.
pub fn routine_limits(config: &Config) -> RoutineLimits {
    let routines = &config.routines;
    RoutineLimits {
        enabled: routines.enabled,
        zone: routines.zone.unwrap_or_else(machine_zone),
        shortest_minutes: routines.shortest_minutes,
        most: routines.most,
        spread: routines.spread,
        late: routines.late,
        quiet_hours: routines.quiet_hours,
        keep_runs: routines.keep_runs,
        triggered_per_hour: routines.triggered_per_hour,
    }
}

/// Returns the zone of the machine; UTC where it has none that IANA names.
fn machine_zone() -> Tz {
    let name = iana_time_zone::get_timezone().ok();
    name.and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
}
