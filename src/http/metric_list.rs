//! The metrics there are, with their labels: what `/metrics` says of each, and the reference page of
//! the book. Where a metric is counted, its name is written out; a test compares the two.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};

/// What a metric is, in Prometheus's terms (<https://prometheus.io/docs/concepts/metric_types/>).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// Only grows, from 0 at the start of the process.
    Counter,
    /// A value at the moment of the request.
    Gauge,
    /// Observations in buckets.
    Histogram,
}

impl MetricKind {
    /// Returns Prometheus's word for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// A metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// Its name; a counter ends in `_total`, and a unit stands before that.
    pub name: &'static str,
    /// What it is.
    pub kind: MetricKind,
    /// Its unit, where it is not a count.
    pub unit: Option<Unit>,
    /// Its labels, in the order in which they are written.
    pub labels: &'static [Label],
    /// What it measures, as one sentence.
    pub about: &'static str,
}

/// A label of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label {
    /// Its name.
    pub name: &'static str,
    /// Its values, or where they come from.
    pub values: &'static str,
}

const CHANNEL: Label = Label {
    name: "channel",
    values: "the channel's name in the configuration",
};
const PROVIDER: Label = Label {
    name: "provider",
    values: "the provider's name in the configuration",
};

/// Returns a counter without a unit.
const fn counter(name: &'static str, labels: &'static [Label], about: &'static str) -> Metric {
    Metric {
        name,
        kind: MetricKind::Counter,
        unit: None,
        labels,
        about,
    }
}

/// Returns a gauge without a unit.
const fn gauge(name: &'static str, labels: &'static [Label], about: &'static str) -> Metric {
    Metric {
        kind: MetricKind::Gauge,
        ..counter(name, labels, about)
    }
}

impl Metric {
    const fn measured_in(self, unit: Unit) -> Self {
        Self {
            unit: Some(unit),
            ..self
        }
    }
}

/// Every metric, in the order of the reference page.
pub const METRICS: [Metric; 21] = [
    gauge(
        "sayso_channel_up",
        &[CHANNEL],
        "1 while the channel is connected, else 0.",
    ),
    gauge(
        "sayso_channel_last_contact_seconds",
        &[CHANNEL],
        "Age of the platform's last answer: a poll, a heartbeat or a call.",
    )
    .measured_in(Unit::Seconds),
    counter(
        "sayso_channel_interruptions_total",
        &[CHANNEL],
        "How often the connection was lost.",
    ),
    counter("sayso_turns_started_total", &[], "Turns that were started."),
    counter(
        "sayso_turns_ended_total",
        &[Label {
            name: "outcome",
            values: "`replied`, `asked`, `inquired`, `proposed`, `step_limit`, `time_limit`, `not_received`, \
                     `stopped`, `expired`, `failed`",
        }],
        "Turns that ended, by outcome.",
    ),
    counter(
        "sayso_model_calls_total",
        &[
            PROVIDER,
            Label {
                name: "status",
                values: "`answered`, `failed`",
            },
        ],
        "Model calls, by provider and status.",
    ),
    Metric {
        kind: MetricKind::Histogram,
        ..counter(
            "sayso_model_call_seconds",
            &[PROVIDER],
            "Duration of a model call.",
        )
    }
    .measured_in(Unit::Seconds),
    counter(
        "sayso_route_guesses_total",
        &[Label {
            name: "status",
            values: "`agreed`, `dropped`",
        }],
        "First steps that were requested in parallel with Phase 1, by whether it agreed.",
    ),
    counter(
        "sayso_tokens_total",
        &[Label {
            name: "kind",
            values: "`prompt`, `cached`, `completion`, `embedded`",
        }],
        "Tokens that were booked; a cached token of a prompt counts as `cached` alone.",
    ),
    counter(
        "sayso_money_micros_total",
        &[],
        "Cost of model calls and embeddings, in millionths of the currency of `[[prices]]`.",
    ),
    counter(
        "sayso_budget_refusals_total",
        &[Label {
            name: "scope",
            values: "`turn`, `user`, `routine`, `instance`, `month`",
        }],
        "Model calls that a budget refused, by the limit that was reached.",
    ),
    counter(
        "sayso_tool_calls_total",
        &[
            Label {
                name: "tool",
                values: "the tool's name",
            },
            Label {
                name: "status",
                values: "`success`, `failed`, `error`, `asks`, `sends`, `plans`, `denied`, \
                         `unknown`",
            },
        ],
        "Tool calls that ran, by tool and outcome.",
    ),
    gauge(
        "sayso_outbox_rows",
        &[Label {
            name: "state",
            values: "`pending`, `sending`, `unknown`",
        }],
        "Messages and edits in the outbox, by state.",
    ),
    counter(
        "sayso_outbox_done_total",
        &[Label {
            name: "state",
            values: "`sent`, `failed`",
        }],
        "Messages and edits that left the outbox, by state.",
    ),
    gauge("sayso_inbox_waiting", &[], "Messages that wait for a turn."),
    gauge(
        "sayso_approvals_open",
        &[],
        "Approval cards that wait for an answer.",
    ),
    counter(
        "sayso_facts_learned_total",
        &[],
        "Facts that were extracted from conversations and stored.",
    ),
    gauge(
        "sayso_embedder_up",
        &[],
        "1 while the embedder answers, else 0; absent without `[memory.embedder]`.",
    ),
    gauge(
        "sayso_database_up",
        &[],
        "1 while the database answers and can be written, else 0.",
    ),
    gauge(
        "sayso_database_bytes",
        &[Label {
            name: "part",
            values: "`file`, `free` (unused pages of the file), `log` (the write-ahead log)",
        }],
        "Size of the database, by part.",
    )
    .measured_in(Unit::Bytes),
    gauge(
        "sayso_process_resident_bytes",
        &[],
        "Resident memory of this process.",
    )
    .measured_in(Unit::Bytes),
];

/// Describes every metric to the recorder of this process.
pub(super) fn describe() {
    for metric in METRICS {
        let unit = metric.unit.unwrap_or(Unit::Count);
        match metric.kind {
            MetricKind::Counter => describe_counter!(metric.name, unit, metric.about),
            MetricKind::Gauge => describe_gauge!(metric.name, unit, metric.about),
            MetricKind::Histogram => describe_histogram!(metric.name, unit, metric.about),
        }
    }
}
