//! A collector of traces on loopback, as OTLP over HTTP has it: POST `/v1/traces` with a protobuf
//! body, by the published messages (`opentelemetry/proto/collector/trace/v1`). What is none is
//! refused as the specification says, and noted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::Router;
use axum::body::Bytes;
use axum::extract;
use axum::http::{HeaderMap, StatusCode, header};
use axum::routing::post;
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode as SpanStatus;
use prost::Message as _;
use tokio::sync::Notify;

use crate::waiting::patiently;
use crate::wire::{self, Served};

/// The media type of OTLP's binary form.
const PROTOBUF: &str = "application/x-protobuf";

/// The fake collector. Dropping it cuts every connection.
#[derive(Debug)]
pub struct FakeCollector {
    desk: Arc<Desk>,
    served: Served,
}

#[derive(Debug, Default)]
struct Desk {
    state: Mutex<State>,
    came: Notify,
}

impl Desk {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Debug, Default)]
struct State {
    spans: Vec<CollectedSpan>,
    violations: Vec<String>,
    fails: bool,
}

/// A span that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CollectedSpan {
    /// The service that sent it.
    pub service: String,
    /// What it is called.
    pub name: String,
    /// The trace that it belongs to.
    pub trace: Vec<u8>,
    /// Itself.
    pub id: Vec<u8>,
    /// The span that it is part of; empty for the first of a trace.
    pub parent: Vec<u8>,
    /// When it began, in nanoseconds since 1970.
    pub began_ns: u64,
    /// Its attributes as `name=value`, in their order.
    pub attributes: Vec<String>,
    /// Whether it is said to have failed.
    pub failed: bool,
}

impl CollectedSpan {
    /// Returns when it began.
    pub fn began(&self) -> SystemTime {
        UNIX_EPOCH + Duration::from_nanos(self.began_ns)
    }

    /// Returns the value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find_map(|attribute| {
            let (key, value) = attribute.split_once('=')?;
            (key == name).then_some(value)
        })
    }
}

impl FakeCollector {
    /// Starts a collector on a free loopback port.
    pub async fn start() -> Self {
        let (listener, served) = wire::bind().await;
        let desk = Arc::<Desk>::default();
        let router = Router::new()
            .route("/v1/traces", post(take))
            .with_state(Arc::clone(&desk));
        wire::serve(listener, router, served.stop.clone());
        Self { desk, served }
    }

    /// Returns its address, without a path.
    pub fn url(&self) -> String {
        format!("http://{}", self.served.address)
    }

    /// Refuses everything from now on, or takes it again.
    pub fn fails(&self, fails: bool) {
        self.desk.state().fails = fails;
    }

    /// Returns the spans that came so far.
    pub fn spans(&self) -> Vec<CollectedSpan> {
        self.desk.state().spans.clone()
    }

    /// Waits until `count` spans of this name have arrived that began at this time or later, and
    /// returns them in order.
    pub async fn hears_since(
        &self,
        name: &str,
        since: SystemTime,
        count: usize,
    ) -> Vec<CollectedSpan> {
        let named = || {
            let mut named = self.spans();
            named.retain(|span| span.name == name && span.began() >= since);
            named.sort_by_key(|span| span.began_ns);
            (named.len() >= count).then_some(named)
        };
        let found = patiently(&self.desk.came, named).await;
        found.unwrap_or_else(|| panic!("less than {count} spans `{name}` since {since:?}"))
    }

    /// Waits for a span of this name.
    pub async fn hears(&self, name: &str) -> CollectedSpan {
        let named = || self.spans().into_iter().find(|span| span.name == name);
        let found = patiently(&self.desk.came, named).await;
        found.unwrap_or_else(|| panic!("no span `{name}`: {:#?}", self.desk.state()))
    }

    /// Panics when something was sent that OTLP does not know.
    pub fn assert_clean(&self) {
        let violations = &self.desk.state().violations;
        assert!(violations.is_empty(), "{violations:#?}");
    }
}

async fn take(
    extract::State(desk): extract::State<Arc<Desk>>,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, [(header::HeaderName, &'static str); 1], Vec<u8>) {
    let mut state = desk.state();
    let answer = |status, body| (status, [(header::CONTENT_TYPE, PROTOBUF)], body);
    if state.fails {
        return answer(StatusCode::SERVICE_UNAVAILABLE, Vec::new());
    }
    match read(&headers, &body) {
        Ok(spans) => {
            state.spans.extend(spans);
            desk.came.notify_waiters();
            let taken = ExportTraceServiceResponse::default().encode_to_vec();
            answer(StatusCode::OK, taken)
        }
        Err(violation) => {
            state.violations.push(violation);
            answer(StatusCode::BAD_REQUEST, Vec::new())
        }
    }
}

fn read(headers: &HeaderMap, body: &Bytes) -> Result<Vec<CollectedSpan>, String> {
    let said = headers.get(header::CONTENT_TYPE);
    if said.is_none_or(|said| said != PROTOBUF) {
        return Err(format!("the media type is {said:?}"));
    }
    let request = ExportTraceServiceRequest::decode(body.clone())
        .map_err(|error| format!("no request for traces: {error}"))?;
    let mut spans = Vec::new();
    for sender in request.resource_spans {
        let who = sender.resource.map(|resource| resource.attributes);
        let who = who.unwrap_or_default();
        let service = who.iter().find(|attribute| attribute.key == "service.name");
        let service = service.map(said_by).ok_or("the service has no name")?;
        for span in sender.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            spans.push(collected(&service, span)?);
        }
    }
    Ok(spans)
}

fn collected(service: &str, span: Span) -> Result<CollectedSpan, String> {
    let Span { name, .. } = &span;
    if span.trace_id.len() != 16 || span.span_id.len() != 8 || name.is_empty() {
        return Err(format!("a span without its names: {span:?}"));
    }
    if span.end_time_unix_nano < span.start_time_unix_nano {
        return Err(format!("`{name}` ended before it began"));
    }
    let named = |attribute: &KeyValue| format!("{}={}", attribute.key, said_by(attribute));
    Ok(CollectedSpan {
        service: service.to_owned(),
        began_ns: span.start_time_unix_nano,
        attributes: span.attributes.iter().map(named).collect(),
        failed: span
            .status
            .is_some_and(|status| status.code() == SpanStatus::Error),
        name: span.name,
        trace: span.trace_id,
        id: span.span_id,
        parent: span.parent_span_id,
    })
}

fn said_by(attribute: &KeyValue) -> String {
    let value = attribute.value.as_ref();
    match value.and_then(|value| value.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        Some(Value::BoolValue(is)) => is.to_string(),
        other => format!("{other:?}"),
    }
}
