//! Wiring and the order of shutdown: builds every room from its part of the configuration,
//! starts what runs, and ends it in the order in which a message meets it.
//!
//! It holds no behaviour, and only `main` and the command line refer to it.

mod channels;
mod console;
mod lease;
mod mcp;
mod messages;
mod parts;
mod sandbox;
mod service;
mod settings;
mod supervise;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use sayso_channel::{Health, Inbox};
use sayso_core::redact::Redactor;
use sayso_memory::{IndexRepair, Maintenance, Memory, Retention, Vectors, sweep};
use sayso_providers::KeyRefused;
use sayso_store::{Store, StoreError, chats, pollers};
use sayso_tools::{DynamicTools, McpServers};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agent::Agent;
use crate::audit::{AuditExporter, Auditor};
use crate::budget::Reservations;
use crate::bus::{Bus, Signal};
use crate::commands::{
    self, Background, CommandContext, Commands, ModelChoice, OwnerChats, PolicyView, SandboxWords,
    StatusView,
};
use crate::config::{self, Config};
use crate::delivery::{Dispatcher, OutboxWriter};
use crate::http;
use crate::intake::{self, Intake, IntakeContext, RateLimits, RatesPerMinute};
use crate::processes::{self, Processes, Supervisor};
use crate::sessions::{
    Compactor, KeyWatch, Learner, LearningLimits, Pool, RetentionSweeper, SessionContext,
    SessionLimits, Undoer, WhileBusy,
};
use channels::{Leases, Opened};
pub use console::Console;
pub use mcp::{accept_mcp_tools, mcp_login, try_mcp_server};
use parts::Guards;
pub use parts::library;
use sandbox::Testing;
pub use sandbox::{sandbox_state, tested};
pub use sayso_tools::{Asking as McpAsking, Login as McpLogin, McpTrouble, NoLogin};

/// How long turns may continue after a shutdown request. Interrupted turns resume at the next
/// start.
const DRAIN: Duration = Duration::from_secs(1);
/// How long what was said may take to go out after that.
const FLUSH: Duration = Duration::from_secs(5);

/// What to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Every configured channel.
    Channels,
    /// A chat on this terminal.
    Chat,
    /// The tour: a chat on this terminal whose lines are written already.
    Demo,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunEnd {
    /// As it was asked to, or with the person at the terminal.
    Asked,
    /// Every channel has ended, at least one of them because it cannot go on.
    NoChannelLeft,
}

/// Runs until `shutdown`, until the person at the only terminal has left, or until every channel
/// has ended for good: with no channel left, it shuts down in order, as if it had been asked to.
///
/// # Errors
/// Fails when the data directory is in use or the database cannot be opened, when the address of
/// `[http]` is taken, and when a channel cannot be built. A channel that ends later is logged; the
/// others go on.
pub async fn run(
    config: Config,
    mode: Mode,
    console: Console,
    shutdown: CancellationToken,
) -> anyhow::Result<RunEnd> {
    harden();
    let _directory = sayso_store::lock_directory(&config.data_dir)?;
    let sandbox = sandbox::begin(&config);
    let window = open_window(&config).await?;
    let store = open_store(&config).await?;
    let mut config = settings::cover(config, &store).await?;
    let worker = parts::worker_name();
    let mut opened = open_channels(&config, mode, console, &store, &worker)?;
    let redactor = config.redactor()?;
    let (dispatcher, outbox) =
        Dispatcher::new(store.clone(), Arc::new(opened.by_name()), redactor.clone());
    let (bus, signals) = Bus::new();
    let auditor = Auditor::new(redactor.clone());
    let memory_parts = parts::memory(&config, &store, &redactor).await?;
    let (key_alerts, refused_keys) = parts::key_news();
    let (servers, dynamic_tools) = mcp::open(&config, &redactor);
    let (processes, asked) = Processes::new(store.clone());
    let inside = (sandbox, redactor, dynamic_tools.clone(), processes);
    let (agent, sandbox) =
        agent(&mut config, &store, memory_parts.memory, inside, key_alerts).await?;
    let kept = parts::kept(&config, &store);
    let status = StatusView {
        changed: config.changed.clone(),
        health: opened.health(),
        embedder: memory_parts.embedder.clone(),
        waiting_logins: servers.waiting(),
        tools_left_out: mcp::tools_left_out(dynamic_tools, Arc::clone(&agent.provider)),
    };
    let speaks = (outbox, auditor.clone());
    let features = features(&config, mode, speaks, &agent, (sandbox, status));
    let ctx = session_context(&features, &store, agent, worker);
    let code = owner_code(&store, &features, &opened).await?;
    opened.with_owner_code(code);
    let watched = watched(&store, &opened, memory_parts.embedder);
    let exporter = AuditExporter::new(store.clone(), auditor, &config.data_dir);
    let index_repair = Arc::clone(&memory_parts.index_repair);
    let vectors = memory_parts.vectors.clone();
    let maintenance = Maintenance::new(store.clone(), vectors, index_repair);
    let memory = (memory_parts.index_repair, memory_parts.vectors, maintenance);
    let beside = Beside::start(exporter, window, watched, memory, kept, servers);
    let workers = Workers::new(ctx, signals, refused_keys, asked);
    let intake = Intake::new(store.clone(), bus, intake_context(&config, features));
    let end = serve(opened, dispatcher, workers, intake, shutdown).await;
    beside.end().await;
    store.close().await;
    Ok(end)
}

/// Returns what the health endpoints read.
fn watched(store: &Store, opened: &Opened, embedder: Option<(String, Health)>) -> http::Watched {
    http::Watched {
        store: store.clone(),
        channels: opened.health(),
        embedder: embedder.map(|(_, health)| health),
    }
}

fn open_channels(
    config: &Config,
    mode: Mode,
    console: Console,
    store: &Store,
    worker: &str,
) -> anyhow::Result<Opened> {
    let leases = Leases { store, worker };
    channels::open(config, mode, console, leases).context("cannot open the channels")
}

/// Closes this process to others of its user, and its memory to core files.
fn harden() {
    if let Err(error) = sayso_sandbox::helper::harden_process() {
        tracing::warn!(%error, "memory of this process is readable by other programs of this user");
    }
}

/// Builds the agent when it is known what the sandbox is worth, and says that too.
async fn agent(
    config: &mut Config,
    store: &Store,
    memory: Arc<dyn Memory>,
    (sandbox, redactor, dynamic_tools, background): (
        Testing,
        Redactor,
        DynamicTools,
        Arc<Processes>,
    ),
    key_alerts: mpsc::Sender<KeyRefused>,
) -> anyhow::Result<(Arc<Agent>, SandboxWords)> {
    let knowledge = parts::knowledge(config).await;
    let persona = parts::persona(config, store);
    let tested = sandbox.end().await?;
    config.policy.confinement = tested.confinement;
    let guards = Guards {
        sandbox: tested.sandbox,
        redactor,
        dynamic_tools,
        background,
    };
    let agent = parts::agent(
        config, store, memory, knowledge, persona, guards, key_alerts,
    )
    .await?;
    let agent = Arc::new(agent);
    Ok((agent, tested.words))
}

/// Returns what commands and answers to buttons work with.
fn features(
    config: &Config,
    mode: Mode,
    (outbox, auditor): (OutboxWriter, Auditor),
    agent: &Agent,
    (sandbox, status): (SandboxWords, StatusView),
) -> Arc<CommandContext> {
    Arc::new(CommandContext {
        access: parts::access(config, mode),
        outbox,
        auditor,
        limits: session_limits(config),
        budget: Arc::new(config.budget.clone()),
        library: Arc::clone(&agent.library),
        policy: PolicyView {
            rules: config.policy.clone(),
            sandbox,
        },
        models: ModelChoice {
            configured: agent.provider.model().to_owned(),
            offered: config.models(),
        },
        status,
        background: Background::new(config.data_dir.join("logs")),
    })
}

/// Returns what events are judged with; commands and buttons are registered here.
fn intake_context(config: &Config, features: Arc<CommandContext>) -> Arc<IntakeContext> {
    Arc::new(IntakeContext {
        access: features.access.clone(),
        outbox: features.outbox.clone(),
        limits: features.limits.clone(),
        rates: RateLimits::new(RatesPerMinute {
            messages: config.access.messages_per_minute,
            commands: config.access.commands_per_minute,
        }),
        missing_provider: config.providers.is_empty(),
        features: Arc::new(Commands::new(features)),
    })
}

/// Returns what sessions work with: the agent, and what commands work with too.
fn session_context(
    features: &CommandContext,
    store: &Store,
    agent: Arc<Agent>,
    worker: String,
) -> SessionContext {
    let owners = OwnerChats::new(features.access.clone(), features.outbox.clone());
    SessionContext {
        store: store.clone(),
        outbox: features.outbox.clone(),
        agent,
        auditor: features.auditor.clone(),
        limits: features.limits.clone(),
        budget: Arc::clone(&features.budget),
        reservations: Reservations::default(),
        owners: Arc::new(owners),
        worker: worker.into(),
    }
}

/// What runs beside everything else, and ends when nothing more is written.
struct Beside {
    tasks: Vec<JoinHandle<()>>,
    shutdown: CancellationToken,
}

impl Beside {
    fn start(
        exporter: AuditExporter,
        window: Option<http::Server>,
        watched: http::Watched,
        (index_repair, vectors, maintenance): (Arc<IndexRepair>, Option<Arc<Vectors>>, Maintenance),
        (store, retention, keeping): (Store, Retention, RetentionSweeper),
        servers: McpServers,
    ) -> Self {
        let shutdown = CancellationToken::new();
        let index_repair = tokio::spawn(index_repair.keep_whole(shutdown.clone()));
        let window = window.map(|window| tokio::spawn(window.run(watched, shutdown.clone())));
        let vectors = vectors.map(|vectors| tokio::spawn(vectors.keep_up(shutdown.clone())));
        let exporter = tokio::spawn(exporter.run(shutdown.clone()));
        let maintenance = tokio::spawn(maintenance.run(shutdown.clone()));
        let sweep = tokio::spawn(sweep(store.clone(), retention, shutdown.clone()));
        let keeping = tokio::spawn(keeping.run(store, shutdown.clone()));
        let servers = tokio::spawn(servers.run(shutdown.clone()));
        let always = [index_repair, exporter, maintenance, sweep, keeping, servers];
        Self {
            tasks: window.into_iter().chain(vectors).chain(always).collect(),
            shutdown,
        }
    }

    async fn end(self) {
        self.shutdown.cancel();
        for task in self.tasks {
            ended(task.await);
        }
    }
}

/// Logs a part that did not end in order.
fn ended(task: Result<(), JoinError>) {
    if let Err(error) = task {
        tracing::error!(%error, "a component panicked");
    }
}

/// Takes the address of `[http]`, so that a taken one ends the start before anything else has
/// begun.
async fn open_window(config: &Config) -> anyhow::Result<Option<http::Server>> {
    match config.http_listen {
        Some(address) => Ok(Some(http::Server::bind(address).await?)),
        None => Ok(None),
    }
}

/// Opens the database, which is ours alone: whatever a former process held is free.
async fn open_store(config: &Config) -> Result<Store, StoreError> {
    let store = Store::open(&config.store_path).await?;
    let freed = store.write(|tx| {
        Box::pin(async move {
            chats::end_all_leases(tx).await?;
            pollers::end_all(tx).await
        })
    });
    freed.await?;
    Ok(store)
}

fn session_limits(config: &Config) -> SessionLimits {
    let access = &config.access;
    let is_one_rate = access.messages_per_minute == access.commands_per_minute;
    SessionLimits {
        messages_per_minute: is_one_rate.then_some(access.messages_per_minute),
        concurrent_turns: config.agent.concurrent_turns,
        turn_timeout: config.agent.turn_timeout,
        while_busy: match config.agent.while_busy {
            config::WhileBusy::Steer => WhileBusy::Steer,
            config::WhileBusy::Queue => WhileBusy::Queue,
            config::WhileBusy::Interrupt => WhileBusy::Interrupt,
        },
        approval_expires_ms: config.approval_expires.as_millis() as i64,
        workspaces: config.data_dir.join("workspaces"),
        language: config.language,
        learning: config.learning.map(|learning| LearningLimits {
            idle_ms: learning.idle.as_millis() as i64,
            says_so: learning.says_so,
        }),
    }
}

/// Returns the code that makes the first owner, as long as there is none and one may pair.
async fn owner_code(
    store: &Store,
    features: &CommandContext,
    opened: &Opened,
) -> anyhow::Result<Option<String>> {
    if !opened.has_strangers() || !features.access.pairing {
        return Ok(None);
    }
    Ok(commands::owner_code(store, !features.access.owners.is_empty()).await?)
}

/// What works on sessions.
struct Workers {
    pool: Pool,
    learner: Option<Learner>,
    compactor: Compactor,
    undoer: Undoer,
    key_watch: KeyWatch,
    supervisor: Supervisor,
}

impl Workers {
    fn new(
        ctx: SessionContext,
        signals: mpsc::Receiver<Signal>,
        refused_keys: mpsc::Receiver<KeyRefused>,
        processes: mpsc::Receiver<processes::Ask>,
    ) -> Self {
        let (store, outbox) = (ctx.store.clone(), ctx.outbox.clone());
        Self {
            supervisor: Supervisor::new(store, outbox, ctx.limits.language, processes),
            learner: Learner::new(ctx.clone()),
            compactor: Compactor::new(ctx.clone()),
            undoer: Undoer::new(ctx.clone()),
            key_watch: KeyWatch::new(ctx.clone(), refused_keys),
            pool: Pool::new(ctx, signals),
        }
    }
}

/// Runs everything, then ends it: listening, intake, sessions, delivery.
async fn serve(
    opened: Opened,
    dispatcher: Dispatcher,
    workers: Workers,
    intake: Intake,
    shutdown: CancellationToken,
) -> RunEnd {
    let tasks = TaskTracker::new();
    let [stop_intake, stop_pool, stop_supervisor, stop_desk] =
        std::array::from_fn(|_| CancellationToken::new());
    let (inbox, deliveries) = Inbox::new(Health::new(), intake::WAITING_EVENTS);
    let inbox = inbox.with_past(intake.past());
    let Workers {
        pool,
        learner,
        compactor,
        undoer,
        key_watch,
        supervisor,
    } = workers;
    let activity = pool.activity();
    let signs_of_life = tasks.spawn(service::keep_alive(pool.looked(), shutdown.clone()));
    let dispatcher = tasks.spawn(dispatcher.run(stop_desk.clone(), FLUSH));
    let pool = tasks.spawn(pool.run(stop_pool.clone(), DRAIN));
    let learner = learner.map(|learner| tasks.spawn(learner.run(stop_pool.clone())));
    let compactor = tasks.spawn(compactor.run(stop_pool.clone()));
    let undoer = tasks.spawn(undoer.run(stop_pool.clone()));
    let key_watch = tasks.spawn(key_watch.run(stop_pool.clone()));
    let supervisor = tasks.spawn(supervisor.run(stop_supervisor.clone()));
    let intake = tasks.spawn(intake.run(deliveries, stop_intake.clone()));
    service::ready();
    let end = opened.listen_all(&inbox, activity, &shutdown).await;
    service::stopping();
    stop_intake.cancel();
    ended(intake.await);
    stop_pool.cancel();
    ended(pool.await);
    if let Some(learner) = learner {
        ended(learner.await);
    }
    ended(compactor.await);
    ended(undoer.await);
    ended(key_watch.await);
    stop_supervisor.cancel();
    ended(supervisor.await);
    stop_desk.cancel();
    ended(dispatcher.await);
    signs_of_life.abort();
    end
}
