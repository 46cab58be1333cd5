//! Wiring and the order of shutdown: builds every room from its part of the configuration,
//! starts what runs, and ends it in the order in which a message meets it.
//!
//! It holds no behaviour, and only `main` and the command line refer to it.
//!
//! # Files
//!
//! `app` builds every room from its part of the configuration, starts it, and ends it in the order
//! listening, intake, sessions, delivery, store.
//!
//! `app/service.rs` tells the service manager that Sayso is ready, alive or ending;
//! `app/supervise.rs` keeps each channel going: it starts again what fell over, and `app/lease.rs`
//! holds the right to listen with a token, which one process has at a time.
//!
//! `app/console.rs` says in plain lines which bot is online, what makes its first owner, and which
//! channel cannot go on; a run in which no channel is left ends with exit code 1.
//!
//! # Invariants
//!
//! - `app` holds no behaviour: no decision about a message is made there.

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
mod tool_list;

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use sayso_channel::{Health, Inbox};
use sayso_memory::{Maintenance, Retention, sweep};
use sayso_providers::KeyRefused;
use sayso_store::{Store, StoreError, chats, pollers};
use tokio::sync::mpsc;
use tokio::task::{JoinError, JoinHandle};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::agent::Agent;
use crate::audit::{AuditExporter, Auditor};
use crate::budget::Reservations;
use crate::bus::{Bus, Signal};
use crate::commands::{
    self, Background, CommandContext, Commands, InstructionFiles, ModelChoice, OwnerChats,
    PolicyView, StatusView,
};
use crate::config::{self, AccountPattern, Config, ProjectConfig};
use crate::delivery::Dispatcher;
use crate::http;
use crate::intake::{self, Intake, IntakeContext, RateLimits, RatesPerMinute};
use crate::processes::{self, Processes, Supervisor};
use crate::routines::{FileWatcher, RoutineContext, Scheduler, Webhooks};
use crate::sessions::{
    Compactor, HistoryCache, KeyWatch, Learner, LearningLimits, Pool, Project, ProjectAccount,
    SessionContext, SessionLimits, Undoer, WhileBusy,
};
use channels::{Leases, Opened};
pub use console::Console;
pub use mcp::{accept_mcp_tools, mcp_login, try_mcp_server};
use parts::{Guards, MemoryParts};
pub use parts::{library, routine_limits};
pub use sandbox::{sandbox_state, tested};
pub use sayso_tools::{Asking as McpAsking, Login as McpLogin, McpTrouble, NoLogin};
pub use tool_list::{ToolEntry, tool_list};

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
// long: what is built from what, and the order in which it begins and ends, is one list.
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
    let leases = Leases {
        store: &store,
        worker: &worker,
    };
    let opened = channels::open(&config, mode, console, leases);
    let mut opened = opened.context("cannot open the channels")?;
    let redactor = config.redactor()?;
    let (dispatcher, outbox) =
        Dispatcher::new(store.clone(), Arc::new(opened.by_name()), redactor.clone());
    let (bus, signals) = Bus::new();
    let auditor = Auditor::new(redactor.clone());
    let memory_parts = parts::memory(&config, &store, &redactor).await?;
    let (key_alerts, refused_keys) = parts::key_news();
    let (servers, dynamic_tools) = mcp::open(&config, &redactor);
    let (processes, asked) = Processes::new(store.clone());
    let knowledge = parts::knowledge(&config).await;
    let routines = RoutineContext {
        webhook_key: parts::webhook_key(&config),
        ..parts::routines(&config, mode, outbox, bus.clone())
    };
    let tested = sandbox.end().await?;
    config.policy.confinement = tested.confinement;
    let code_indexes = parts::code_indexes(&config, &redactor);
    let guards = Guards {
        sandbox: tested.sandbox,
        redactor,
        dynamic_tools: dynamic_tools.clone(),
        background: processes,
        routines: routines.clone(),
        code: code_indexes.clone(),
    };
    let memory = Arc::clone(&memory_parts.memory);
    let agent = parts::agent(&config, &store, memory, knowledge, guards, key_alerts).await?;
    let status = StatusView {
        changed: config.changed.clone(),
        health: opened.health(),
        embedder: memory_parts.embedder.clone(),
        waiting_logins: servers.waiting(),
        tools_left_out: mcp::tools_left_out(dynamic_tools, Arc::clone(&agent.provider)),
        code: code_indexes.clone(),
    };
    let policy = PolicyView {
        rules: config.policy.clone(),
        sandbox: tested.words,
    };
    let features = features(
        &config,
        mode,
        &agent,
        auditor.clone(),
        policy,
        status,
        routines.clone(),
    );
    let ctx = SessionContext {
        reservations: memory_parts.reservations.clone(),
        ..session_context(&features, &store, Arc::new(agent), worker)
    };
    let code = owner_code(&store, &features, &opened).await?;
    opened.with_owner_code(code);
    let exporter = AuditExporter::new(store.clone(), auditor, &config.data_dir);
    let mut beside = Beside::default();
    beside.start(|shutdown| exporter.run(shutdown));
    beside.start(|shutdown| servers.run(shutdown));
    if let Some(window) = window {
        let webhooks = Webhooks::new(store.clone(), routines.clone());
        let watched = watched(&store, &opened, &memory_parts, webhooks);
        beside.start(|shutdown| window.run(watched, shutdown));
    }
    beside.start(|shutdown| code_indexes.keep_up(shutdown));
    beside.keep_memory(memory_parts, &store, parts::memory_retention(&config));
    let sweeper = parts::retention_sweeper(&config);
    beside.start(|shutdown| sweeper.run(store.clone(), shutdown));
    let watcher = FileWatcher::new(store.clone(), routines.clone());
    beside.start(|shutdown| watcher.run(shutdown));
    let scheduler = Scheduler::new(store.clone(), routines);
    let workers = Workers::new(ctx, scheduler, signals, refused_keys, asked);
    let intake = Intake::new(store.clone(), bus, intake_context(&config, features));
    let end = serve(opened, dispatcher, workers, intake, shutdown).await;
    beside.end().await;
    store.close().await;
    Ok(end)
}

/// Returns what the health endpoints read.
fn watched(
    store: &Store,
    opened: &Opened,
    memory: &MemoryParts,
    webhooks: Option<Webhooks>,
) -> http::Watched {
    let embedder = memory.embedder.as_ref();
    http::Watched {
        store: store.clone(),
        channels: opened.health(),
        embedder: embedder.map(|(_, health)| health.clone()),
        webhooks,
    }
}

/// Closes this process to others of its user, and its memory to core files.
fn harden() {
    if let Err(error) = sayso_sandbox::helper::harden_process() {
        tracing::warn!(%error, "memory of this process is readable by other programs of this user");
    }
}

/// Returns what commands and answers to buttons work with.
fn features(
    config: &Config,
    mode: Mode,
    agent: &Agent,
    auditor: Auditor,
    policy: PolicyView,
    status: StatusView,
    routines: RoutineContext,
) -> Arc<CommandContext> {
    Arc::new(CommandContext {
        access: parts::access(config, mode),
        outbox: routines.outbox.clone(),
        auditor,
        limits: session_limits(config),
        budget: Arc::new(config.budget.clone()),
        library: Arc::clone(&agent.library),
        policy,
        models: ModelChoice {
            configured: agent.provider.model().to_owned(),
            offered: config.models(),
        },
        status,
        background: Background::new(config.data_dir.join("logs")),
        instructions: InstructionFiles::default(),
        routines,
    })
}

/// Returns what events are judged with; commands and buttons are registered here.
fn intake_context(config: &Config, features: Arc<CommandContext>) -> Arc<IntakeContext> {
    let (access, outbox) = (features.access.clone(), features.outbox.clone());
    let limits = features.limits.clone();
    let commands = Arc::new(Commands::new(features));
    Arc::new(IntakeContext {
        access,
        outbox,
        limits,
        rates: RateLimits::new(RatesPerMinute {
            messages: config.access.messages_per_minute,
            commands: config.access.commands_per_minute,
        }),
        missing_provider: config.providers.is_empty(),
        listener: commands.clone(),
        material: commands.clone(),
        features: commands,
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
        history: HistoryCache::default(),
        owners: Arc::new(owners),
        routines: features.routines.clone(),
        worker: worker.into(),
    }
}

/// What runs beside everything else, and ends when nothing more is written.
#[derive(Default)]
struct Beside {
    tasks: Vec<JoinHandle<()>>,
    shutdown: CancellationToken,
}

impl Beside {
    fn start<F>(&mut self, work: impl FnOnce(CancellationToken) -> F)
    where
        F: Future<Output = ()> + Send + 'static,
    {
        self.tasks.push(tokio::spawn(work(self.shutdown.clone())));
    }

    /// Keeps what is remembered findable, in order, and no longer than it is to be kept.
    fn keep_memory(&mut self, memory: MemoryParts, store: &Store, retention: Retention) {
        let (index_repair, vectors) = (memory.index_repair, memory.vectors);
        let maintenance =
            Maintenance::new(store.clone(), vectors.clone(), Arc::clone(&index_repair));
        self.start(|shutdown| maintenance.run(shutdown));
        self.start(|shutdown| index_repair.keep_whole(shutdown));
        if let Some(vectors) = vectors {
            self.start(|shutdown| vectors.keep_up(shutdown));
        }
        self.start(|shutdown| sweep(store.clone(), retention, shutdown));
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
        concurrent_background: config.routines.concurrent,
        turn_timeout: config.agent.turn_timeout,
        while_busy: match config.agent.while_busy {
            config::WhileBusy::Steer => WhileBusy::Steer,
            config::WhileBusy::Queue => WhileBusy::Queue,
            config::WhileBusy::Interrupt => WhileBusy::Interrupt,
        },
        approval_expires_ms: config.approval_expires.as_millis() as i64,
        workspaces: config.data_dir.join("workspaces"),
        projects: config.projects.iter().map(project).collect(),
        language: config.language,
        learning: config.learning.map(|learning| LearningLimits {
            idle_ms: learning.idle.as_millis() as i64,
            says_so: learning.says_so,
        }),
    }
}

fn project(config: &ProjectConfig) -> Project {
    let account = |pattern: &AccountPattern| match pattern {
        AccountPattern::One(channel, sender) => Some(ProjectAccount {
            channel: channel.clone(),
            sender: sender.clone(),
        }),
        // The configuration takes single accounts alone.
        AccountPattern::Role(..) | AccountPattern::Everybody(_) => None,
    };
    Project {
        name: config.name.clone(),
        path: config.path.clone(),
        people: config.people.iter().filter_map(account).collect(),
        may_write: config.write,
        description: config.description.clone(),
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
    scheduler: Scheduler,
}

impl Workers {
    fn new(
        ctx: SessionContext,
        scheduler: Scheduler,
        signals: mpsc::Receiver<Signal>,
        refused_keys: mpsc::Receiver<KeyRefused>,
        processes: mpsc::Receiver<processes::Ask>,
    ) -> Self {
        let (store, outbox) = (ctx.store.clone(), ctx.outbox.clone());
        Self {
            scheduler,
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
        scheduler,
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
    let scheduler = tasks.spawn(scheduler.run(stop_pool.clone()));
    let intake = tasks.spawn(intake.run(deliveries, stop_intake.clone()));
    service::ready();
    let end = opened.listen_all(&inbox, activity, &shutdown).await;
    service::stopping();
    stop_intake.cancel();
    ended(intake.await);
    stop_pool.cancel();
    ended(scheduler.await);
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
