//! The window for machines: `GET /health`, `GET /metrics` and `POST /hooks/NAME`, and 404 for everything
//! else.
//!
//! Two endpoints are read-only: the state that channels report, counts from the database, and
//! counters kept where events occur. No response contains text of a person, a name or a token.
//! Anyone who can reach the address can read both endpoints, so it is a loopback address unless the
//! operator chose another. The third takes signed calls for routines (`hooks.rs`).
//!
//! # Files
//!
//! Events are counted where they happen, by the macros of `metrics`, under names that begin with
//! `sayso_`; current values (channels, queued rows, memory) are read on request.
//!
//! Spans have the target `sayso::spans`: a turn while it is driven (`sessions/work.rs`), one
//! attempt at a model (`providers/reliable`), a tool that runs (`tools/toolbox.rs`), one try to
//! send a message (`delivery/send.rs`).
//!
//! Without `log.traces` they are not collected and cost nothing; with it `cli/traces.rs` sends
//! them. They hold names, numbers and outcomes only, so nothing in them needs to be hidden.
//!
//! # Invariants
//!
//! - `http` writes nothing itself and names no room but `store` and `routines`, whose `Webhooks` checks
//!   each signature before anything is read from the database.
//! - No label and no answer holds what a person wrote, or a token.
//! - A connection lives for ten seconds at most, whatever happens on it, and for five without a whole
//!   request.

mod connection;
mod figures;
mod hooks;
mod metric_list;
mod report;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::{Method, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use sayso_channel::Health;
use sayso_store::{Store, counts};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use self::connection::{Caller, Door};
use self::figures::Figures;
pub use self::metric_list::METRICS;
pub use self::report::{ChannelReport, HealthReport};
use crate::routines::Webhooks;

/// How long the database may take to answer before it counts as not answering.
const DATABASE_WITHIN: Duration = Duration::from_secs(2);
/// How often measurements are aggregated when they are not being read.
const FOLD_EVERY: Duration = Duration::from_secs(5);

/// A bound address that does not serve requests yet.
pub struct Server {
    door: Door,
    figures: Figures,
}

/// What is looked at.
pub struct Watched {
    /// The database.
    pub store: Store,
    /// How each channel is, by name.
    pub channels: Vec<(String, Health)>,
    /// How the embedder is, if there is one.
    pub embedder: Option<Health>,
    /// What takes signed calls; `None`: none are taken.
    pub webhooks: Option<Webhooks>,
}

struct Window {
    watched: Watched,
    figures: Figures,
    since: Instant,
}

impl Server {
    /// Takes the address, and begins to count what happens.
    ///
    /// # Errors
    /// Fails when the address is taken or not ours.
    pub async fn bind(address: SocketAddr) -> anyhow::Result<Self> {
        let listener = TcpListener::bind(address).await.map_err(|error| {
            anyhow::anyhow!("cannot listen on {address} (`http.listen`): {error}")
        })?;
        let bound = listener.local_addr()?;
        tracing::info!(address = %bound, "serving health and metrics");
        Ok(Self {
            door: Door::new(listener),
            figures: Figures::install()?,
        })
    }

    /// Answers until `shutdown`.
    pub async fn run(self, watched: Watched, shutdown: CancellationToken) {
        let window = Arc::new(Window {
            watched,
            figures: self.figures,
            since: Instant::now(),
        });
        let router = Router::new()
            .fallback(answer)
            .with_state(Arc::clone(&window))
            .into_make_service_with_connect_info::<Caller>();
        let folding = async {
            let mut fold = tokio::time::interval(FOLD_EVERY);
            loop {
                fold.tick().await;
                window.figures.fold();
            }
        };
        tokio::select! {
            served = axum::serve(self.door, router) => {
                if let Err(error) = served {
                    tracing::error!(%error, "health and metrics endpoint stopped");
                }
            }
            () = folding => {}
            () = shutdown.cancelled() => {}
        }
    }
}

async fn answer(
    State(window): State<Arc<Window>>,
    ConnectInfo(caller): ConnectInfo<Caller>,
    request: Request,
) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if let Some(routine) = hooks::routine_in(request.uri().path()) {
        let routine = routine.to_owned();
        let webhooks = window.watched.webhooks.as_ref();
        return hooks::receive(webhooks, routine, &caller, request).await;
    }
    let _answering = caller.answering();
    match request.uri().path() {
        "/health" if is_read => window.health().await,
        "/metrics" if is_read => window.metrics().await,
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

impl Window {
    async fn health(&self) -> Response {
        let database = self.counts().await.is_some();
        let report = HealthReport::new(&self.watched, database, self.since.elapsed());
        let status = if report.is_well() {
            StatusCode::OK
        } else {
            StatusCode::SERVICE_UNAVAILABLE
        };
        (status, axum::Json(report)).into_response()
    }

    async fn metrics(&self) -> Response {
        figures::note_channels(&self.watched.channels);
        figures::note_embedder(self.watched.embedder.as_ref());
        let store = &self.watched.store;
        figures::note_database(self.counts().await.as_ref(), store.trouble().is_none());
        match store.sizes().await {
            Ok(sizes) => figures::note_sizes(&sizes),
            Err(error) => tracing::warn!(%error, "cannot read the database size"),
        }
        figures::note_process();
        let text = self.figures.text();
        // The version of the text format:
        // https://prometheus.io/docs/instrumenting/exposition_formats/
        let kind = "text/plain; version=0.0.4; charset=utf-8";
        ([(header::CONTENT_TYPE, kind)], text).into_response()
    }

    /// Returns what is in line; `None` when the database does not answer.
    async fn counts(&self) -> Option<counts::Counts> {
        let counting = counts::counts(self.watched.store.reader());
        match tokio::time::timeout(DATABASE_WITHIN, counting).await {
            Ok(Ok(counts)) => Some(counts),
            Ok(Err(error)) => {
                tracing::warn!(%error, "database not responding");
                None
            }
            Err(_) => None,
        }
    }
}
