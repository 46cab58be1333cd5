//! `http_request`: one request to a server, shown whole before it is sent.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use super::answer::Answer;
use super::fetcher::Fetcher;
use super::redirect::Request;
use super::target::Target;
use super::text::readable;
use crate::policy::{Action, ClearedCall, Method, ToolFacts};
use crate::tools::arguments::{parse_arguments, refusal, spec_of};
use crate::tools::visible::{visible, visible_line};
use crate::tools::{Tool, ToolContext};
use crate::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};

/// The headers that a call may set. None of them says who asks, where a request goes, or what it
/// does: those are the connection's, the URL's and the method's to say.
const HEADERS: [&str; 9] = [
    "accept",
    "accept-language",
    "content-type",
    "if-match",
    "if-none-match",
    "if-modified-since",
    "if-unmodified-since",
    "prefer",
    "range",
];
/// The longest header, in bytes.
const MAX_HEADER_BYTES: usize = 1024;
/// The longest body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Sends a request to a server.
pub struct HttpRequest {
    spec: ToolSpec,
    fetcher: Arc<Fetcher>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The whole URL; `https` or `http`.
    url: String,
    /// `GET` when left out.
    #[serde(default)]
    #[schemars(schema_with = "methods")]
    method: Method,
    /// Such as `{"accept": "application/json"}`.
    headers: Option<BTreeMap<String, String>>,
    /// The body, for `POST`, `PUT`, `PATCH` and `DELETE`.
    body: Option<String>,
}

/// The methods by their names alone: their meaning is HTTP's.
fn methods(_: &mut SchemaGenerator) -> Schema {
    json_schema!({
        "type": "string",
        "enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    })
}

impl HttpRequest {
    /// Makes the tool.
    pub fn new(fetcher: Arc<Fetcher>) -> Self {
        let description = format!(
            "Sends one HTTP request to a server of the public internet and gives its answer: text \
             and JSON as they are, pages as plain text. Takes in up to {} bytes. Other headers \
             than {} cannot be set.",
            fetcher.limits().max_bytes,
            HEADERS.join(", ")
        );
        Self {
            spec: spec_of::<Arguments>("http_request", &description),
            fetcher,
        }
    }

    fn request(&self, call: &ToolCall) -> Result<Request, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let bad = |problem: &str| refusal(&self.spec, problem);
        let target = Target::parse(&arguments.url, self.fetcher.rules())
            .map_err(|error| bad(&format!("`url`: {error}")))?;
        let headers = headers(&arguments.headers.unwrap_or_default())
            .map_err(|problem| bad(&format!("`headers`: {problem}")))?;
        let method = arguments.method;
        match &arguments.body {
            Some(_) if !method.changes() => {
                return Err(bad(&format!("`body`: {} has none", method.as_str())));
            }
            Some(body) if body.len() > MAX_BODY_BYTES => {
                return Err(bad(&format!("`body`: longer than {MAX_BODY_BYTES} bytes")));
            }
            Some(_) | None => {}
        }
        Ok(Request {
            method,
            target,
            headers,
            body: arguments.body,
        })
    }
}

fn headers(written: &BTreeMap<String, String>) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in written {
        let lower = name.to_ascii_lowercase();
        if !HEADERS.contains(&lower.as_str()) {
            return Err(format!(
                "`{}` cannot be set; {} can",
                visible_line(name),
                HEADERS.join(", ")
            ));
        }
        let is_visible = value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let read = HeaderName::from_bytes(lower.as_bytes())
            .ok()
            .zip(HeaderValue::from_str(value).ok())
            .filter(|_| is_visible && value.len() <= MAX_HEADER_BYTES);
        let Some((name, value)) = read else {
            return Err(format!(
                "`{lower}` must be at most {MAX_HEADER_BYTES} letters of ASCII"
            ));
        };
        headers.insert(name, value);
    }
    Ok(headers)
}

#[async_trait]
impl Tool for HttpRequest {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let request = self.request(call)?;
        let target = &request.target;
        Ok(ToolFacts {
            summary: format!("{} {}", request.method.as_str(), target.url()),
            detail: detail(&request),
            action: Action::Fetch {
                method: request.method,
                url: target.url().to_string(),
                server: target.server().clone(),
            },
            scripts: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let request = match self.request(call.call()) {
            Ok(request) => request,
            Err(refusal) => return refusal,
        };
        let method = request.method;
        let fetched = tokio::select! {
            fetched = self.fetcher.fetch(request) => fetched,
            () = context.stop.cancelled() => {
                return ToolOutcome::Failed { error: "stopped".to_owned(), partial: None };
            }
        };
        match fetched {
            Ok(answer) => told(&answer, method),
            Err(error) => ToolOutcome::Failed {
                error: error.to_string(),
                partial: None,
            },
        }
    }

    fn brings_outside_text(&self) -> bool {
        true
    }
}

/// Returns the headers and the body, as they are sent.
fn detail(request: &Request) -> Option<String> {
    let mut shown = String::new();
    for (name, value) in &request.headers {
        let value = String::from_utf8_lossy(value.as_bytes());
        let _ = writeln!(shown, "{name}: {value}");
    }
    if let Some(body) = &request.body {
        if !shown.is_empty() {
            shown.push('\n');
        }
        shown.push_str(&visible(body));
    }
    let shown = shown.trim_end_matches('\n');
    (!shown.is_empty()).then(|| shown.to_owned())
}

/// Tells the answer: a line of what it is, then its text.
fn told(answer: &Answer, method: Method) -> ToolOutcome {
    let mut line = format!("HTTP {} from {}", answer.status, answer.target.url());
    let kind = answer.content_type.as_deref().unwrap_or("of no named type");
    let is_bodiless = method == Method::Head || answer.body.is_empty();
    let size = match (is_bodiless, answer.told_length) {
        (true, Some(length)) => format!("{length} bytes"),
        (true, None) => "no body".to_owned(),
        (false, _) if answer.is_cut => format!("cut after {} bytes", answer.body.len()),
        (false, _) => format!("{} bytes", answer.body.len()),
    };
    let _ = write!(line, " ({kind}, {size})");
    let text = if is_bodiless {
        Some(String::new())
    } else {
        readable(answer.content_type.as_deref(), &answer.body)
    };
    match text {
        None => ToolOutcome::Failed {
            error: format!("{line}: it is no text, and is not shown"),
            partial: None,
        },
        Some(text) if answer.status.is_client_error() || answer.status.is_server_error() => {
            ToolOutcome::Failed {
                error: line,
                partial: (!text.is_empty()).then_some(text),
            }
        }
        Some(text) if text.is_empty() => ToolOutcome::Success { output: line },
        Some(text) => ToolOutcome::Success {
            output: format!("{line}\n\n{text}"),
        },
    }
}

#[cfg(test)]
#[path = "tool_tests.rs"]
mod tests;
