//! Traces for a collector: what turns, model calls, tools and messages took, sent by OTLP over HTTP to
//! `log.traces`. Names of attributes are those of OpenTelemetry's semantic conventions for generative AI where
//! they have one. No text of people, models or tools is in a trace.
//!
//! A collector that is away costs nothing but its traces: spans wait in a queue of bounded length and are sent by a
//! thread of their own.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use opentelemetry::trace::TracerProvider as _;
use opentelemetry_otlp::{Protocol, WithExportConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::error::OTelSdkResult;
use opentelemetry_sdk::trace::{SdkTracerProvider, SpanData, SpanExporter};
use reqwest::Url;
use tracing::Subscriber;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// The target of spans.
const SPANS: &str = "sayso::spans";
/// How long the collector has for one batch.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the end of the process waits for the last batch.
const AT_THE_END: Duration = Duration::from_secs(3);

/// Sends what is left when it is dropped.
pub(super) struct Traces(SdkTracerProvider);

impl Drop for Traces {
    fn drop(&mut self) {
        // The exporter has said what is wrong.
        let _ = self.0.shutdown_with_timeout(AT_THE_END);
    }
}

/// Returns what turns spans into traces for the collector at `address`, and what must live as long.
pub(super) fn layer<S>(address: &Url) -> anyhow::Result<(Box<dyn Layer<S> + Send + Sync>, Traces)>
where
    S: Subscriber + for<'span> LookupSpan<'span> + Send + Sync,
{
    let exporter = opentelemetry_otlp::SpanExporter::builder()
        .with_http()
        .with_protocol(Protocol::HttpBinary)
        .with_endpoint(endpoint(address))
        .with_timeout(PATIENCE)
        .build()
        .with_context(|| format!("cannot send traces to `{address}`"))?;
    let who = Resource::builder_empty()
        .with_service_name("sayso")
        .with_attribute(opentelemetry::KeyValue::new(
            "service.version",
            env!("CARGO_PKG_VERSION"),
        ))
        .build();
    let provider = SdkTracerProvider::builder()
        .with_resource(who)
        .with_batch_exporter(Telling {
            exporter,
            fails: AtomicBool::new(false),
        })
        .build();
    let spans = tracing_opentelemetry::layer()
        .with_tracer(provider.tracer("sayso"))
        .with_location(false)
        .with_threads(false)
        .with_target(false)
        .with_tracked_inactivity(false)
        .with_filter(Targets::new().with_target(SPANS, tracing::Level::INFO));
    Ok((spans.boxed(), Traces(provider)))
}

/// Returns where traces go: `v1/traces` below what is written, as OTLP has it, unless that is written out.
fn endpoint(address: &Url) -> String {
    let written = address.as_str().trim_end_matches('/');
    if written.ends_with("/v1/traces") {
        written.to_owned()
    } else {
        format!("{written}/v1/traces")
    }
}

/// Says once that a collector does not take traces, and once that it does again.
#[derive(Debug)]
struct Telling<E> {
    exporter: E,
    fails: AtomicBool,
}

impl<E: SpanExporter> SpanExporter for Telling<E> {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        let spans = batch.len();
        let result = self.exporter.export(batch).await;
        let failed_before = self.fails.swap(result.is_err(), Ordering::Relaxed);
        match &result {
            Err(error) if !failed_before => {
                tracing::warn!(target: "sayso", spans, %error, "trace collector unavailable; spans are dropped until it recovers");
            }
            Ok(()) if failed_before => {
                tracing::info!(target: "sayso", spans, "trace collector available again");
            }
            _ => {}
        }
        result
    }

    fn shutdown_with_timeout(&self, timeout: Duration) -> OTelSdkResult {
        self.exporter.shutdown_with_timeout(timeout)
    }

    fn set_resource(&mut self, resource: &Resource) {
        self.exporter.set_resource(resource);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn traces_go_below_what_is_written() {
        for (written, address) in [
            ("http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"),
            ("http://127.0.0.1:4318/", "http://127.0.0.1:4318/v1/traces"),
            (
                "https://collector.example/otlp",
                "https://collector.example/otlp/v1/traces",
            ),
            (
                "https://collector.example/v1/traces",
                "https://collector.example/v1/traces",
            ),
        ] {
            assert_eq!(endpoint(&Url::parse(written).unwrap()), address);
        }
    }
}
