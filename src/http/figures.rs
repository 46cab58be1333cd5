//! What `/metrics` says: what was counted where it happened, and what is read when somebody asks.
//!
//! No label holds anything that a person wrote: channels, providers and tools have the names of the
//! configuration and of the program.

use anyhow::Context as _;
use metrics::{counter, gauge};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use sayso_channel::{Health, HealthStatus};
use sayso_store::Sizes;
use sayso_store::counts::Counts;

use super::metric_list;

/// Upper bounds of the times that a model call takes, in seconds.
const MODEL_SECONDS: &[f64] = &[0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0];

/// Everything that is counted.
pub(super) struct Figures(PrometheusHandle);

impl Figures {
    /// Begins to count. What happened before was not counted.
    pub(super) fn install() -> anyhow::Result<Self> {
        let recorder = PrometheusBuilder::new()
            .set_buckets(MODEL_SECONDS)
            .context("the bounds of the metrics are not in order")?
            .build_recorder();
        let handle = recorder.handle();
        metrics::set_global_recorder(recorder)
            .map_err(|_| anyhow::anyhow!("this process counts already"))?;
        metric_list::describe();
        Ok(Self(handle))
    }

    /// Returns everything in the text format of Prometheus.
    pub(super) fn text(&self) -> String {
        self.0.render()
    }

    /// Folds in what was measured, which would else be kept one by one until somebody reads it.
    pub(super) fn fold(&self) {
        self.0.run_upkeep();
    }
}

/// Notes how each channel is now.
pub(super) fn note_channels(channels: &[(String, Health)]) {
    for (name, health) in channels {
        let state = health.read();
        let up = state.status == HealthStatus::Connected;
        gauge!("sayso_channel_up", "channel" => name.clone()).set(f64::from(u8::from(up)));
        if let Some(contact) = state.last_contact {
            gauge!("sayso_channel_last_contact_seconds", "channel" => name.clone())
                .set(contact.elapsed().as_secs_f64());
        }
        counter!("sayso_channel_interruptions_total", "channel" => name.clone())
            .absolute(state.interruptions);
    }
}

/// Notes whether the embedder answers. One that was not asked yet is not known to be away.
pub(super) fn note_embedder(embedder: Option<&Health>) {
    if let Some(health) = embedder {
        let away = matches!(health.read().status, HealthStatus::Waiting(_));
        gauge!("sayso_embedder_up").set(f64::from(u8::from(!away)));
    }
}

/// Notes what is in line; `None` is a database that does not answer.
pub(super) fn note_database(counts: Option<&Counts>, is_written: bool) {
    let is_up = counts.is_some() && is_written;
    gauge!("sayso_database_up").set(f64::from(u8::from(is_up)));
    let Some(counts) = counts else { return };
    for (state, rows) in [
        ("pending", counts.outbox_pending),
        ("sending", counts.outbox_sending),
        ("unknown", counts.outbox_unknown),
    ] {
        gauge!("sayso_outbox_rows", "state" => state).set(rows as f64);
    }
    gauge!("sayso_inbox_waiting").set(counts.inbox_waiting as f64);
    gauge!("sayso_approvals_open").set(counts.cards_open as f64);
}

/// Notes how large the files of the database are.
pub(super) fn note_sizes(sizes: &Sizes) {
    for (part, bytes) in [
        ("file", sizes.file),
        ("free", sizes.free),
        ("log", sizes.log),
    ] {
        gauge!("sayso_database_bytes", "part" => part).set(bytes as f64);
    }
}

/// Notes how large this process is.
pub(super) fn note_process() {
    if let Some(bytes) = resident_bytes() {
        gauge!("sayso_process_resident_bytes").set(bytes as f64);
    }
}

/// Reads the resident memory, as proc(5) has it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib * 1024)
}
