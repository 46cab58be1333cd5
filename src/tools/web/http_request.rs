//! `http_request`: one request to a server, shown whole before it is sent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use reqwest::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue};
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::{visible, visible_line};
use sayso_fetch::{Answer, Fetcher, PageExtent, PageReader, PageText, Request, Target, Unreadable};
use sayso_policy::{Action, ClearedCall, Method, ToolFacts};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;

use crate::arguments::{WrongArgument, parse_arguments, refusal, spec_of};
use crate::secrets::{BadHandle, Form, Secrets, handles_in, with_plain_handles};
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

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
/// The headers that carry a secret, and nothing else: a call may set them to what holds a handle.
const SECRET_HEADERS: [&str; 5] = [
    "api-key",
    "authorization",
    "private-token",
    "x-api-key",
    "x-auth-token",
];
/// What a request says that needs a server.
const HINTS: [&str; 30] = [
    "http", "https", "www", "url", "link", "web", "website", "site", "page", "online", "internet",
    "download", "fetch", "api", "endpoint", "webhook", "post", "curl", "news", "weather", "price",
    "网", "链接", "下载", "抓取", "接口", "新闻", "天气", "价格", "股",
];
/// The longest header, in bytes.
const MAX_HEADER_BYTES: usize = 1024;
/// The longest body, in bytes.
const MAX_BODY_BYTES: usize = 64 * 1024;

/// Sends a request to a server.
pub struct HttpRequest {
    spec: ToolSpec,
    fetcher: Arc<Fetcher>,
    pages: Arc<PageReader>,
    secrets: Secrets,
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
    /// `true`: all of a page, with its menus and comments, not its main text alone.
    whole_page: Option<bool>,
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
    pub fn new(fetcher: Arc<Fetcher>, pages: Arc<PageReader>, secrets: Secrets) -> Self {
        let mut description = format!(
            "Sends one HTTP request to a server of the public internet and gives its answer: text \
             and JSON as they are, the main text of a page without its markup. Takes in up to {} bytes. Other headers \
             than {} cannot be set.",
            fetcher.limits().max_bytes,
            HEADERS.join(", ")
        );
        if let Some(told) = secrets.for_hosts() {
            let _ = write!(
                description,
                " In URL, headers ({} too) and body, `{{{{secret:NAME}}}}` stands for a secret, \
                 which is filled in when it is sent: {told}.",
                SECRET_HEADERS.join(", ")
            );
        }
        Self {
            spec: spec_of::<Arguments>("http_request", &description),
            fetcher,
            pages,
            secrets,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<(Arguments, Vec<String>), ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let headers = arguments.headers.iter().flat_map(BTreeMap::values);
        let texts = [&arguments.url].into_iter().chain(headers);
        let mut names = BTreeSet::new();
        for text in texts.chain(&arguments.body) {
            let found = handles_in(text);
            names.extend(found.map_err(|error| refusal(&self.spec, &error.to_string()))?);
        }
        Ok((arguments, names.into_iter().collect()))
    }

    /// Makes the request, with its handles or with what `fill` puts into their place.
    fn request(
        &self,
        arguments: &Arguments,
        fill: impl Fn(&str, Form) -> Result<String, BadHandle>,
    ) -> Result<Request, ToolOutcome> {
        let bad = |problem: &str| refusal(&self.spec, problem);
        let unfilled = |error: BadHandle| bad(&error.to_string());
        let url = fill(&arguments.url, Form::Percent).map_err(unfilled)?;
        let target = Target::parse(&url, self.fetcher.rules())
            .map_err(|error| bad(&format!("`url`: {error}")))?;
        let headers = headers(arguments.headers.iter().flatten(), &fill)
            .map_err(|wrong| bad(&wrong.to_string()))?;
        let method = arguments.method;
        let form = form_of(&headers, arguments.body.as_deref());
        let filled = arguments.body.as_ref().map(|body| fill(body, form));
        let body = filled.transpose().map_err(unfilled)?;
        match &body {
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
            body,
        })
    }

    /// Makes the request with its secrets, which goes to the same server as what was judged.
    fn filled(&self, arguments: &Arguments, judged: &Request) -> Result<Request, ToolOutcome> {
        let request = self.request(arguments, |text, form| self.secrets.fill(text, form))?;
        if request.target.url().origin() == judged.target.url().origin() {
            Ok(request)
        } else {
            Err(refusal(
                &self.spec,
                "`url`: a secret cannot stand in its host",
            ))
        }
    }

    /// Sends a request and reads its answer, in a helper that is started in this directory.
    async fn fetch(&self, asking: Asking, directory: &Path) -> ToolOutcome {
        let method = asking.request.method;
        let asked = asking.request.target.clone();
        let answer = match self.fetcher.fetch(asking.request).await {
            Ok(answer) => answer,
            Err(error) => {
                return ToolOutcome::Failed {
                    error: error.to_string(),
                    partial: None,
                };
            }
        };
        let place = if answer.target == asked {
            &asking.judged.target
        } else {
            &answer.target
        };
        let place = with_plain_handles(place.url().as_str(), &asking.names);
        let line = line_of(&answer, &place, method);
        if is_bodiless(&answer, method) {
            return told(&answer, line, Ok(String::new()));
        }
        let read = self.pages.read(&answer, asking.extent, directory).await;
        told(&answer, line, read.map(with_note))
    }
}

/// A request that is about to be sent.
struct Asking {
    /// As it was judged, with handles.
    judged: Request,
    /// What is sent, with secrets.
    request: Request,
    /// The names of its secrets.
    names: Vec<String>,
    /// How much of a page is wanted.
    extent: PageExtent,
}

/// Returns how a secret is written in this body.
fn form_of(headers: &HeaderMap, body: Option<&str>) -> Form {
    let kind = headers.get(CONTENT_TYPE);
    let kind = kind
        .and_then(|kind| kind.to_str().ok())
        .map(str::to_ascii_lowercase);
    let looks_like_json = body.is_some_and(|body| body.trim_start().starts_with(['{', '[']));
    match kind {
        Some(kind) if kind.contains("json") => Form::Json,
        Some(kind) if kind.contains("x-www-form-urlencoded") => Form::Percent,
        None if looks_like_json => Form::Json,
        Some(_) | None => Form::Plain,
    }
}

fn headers<'w>(
    written: impl Iterator<Item = (&'w String, &'w String)>,
    fill: impl Fn(&str, Form) -> Result<String, BadHandle>,
) -> Result<HeaderMap, WrongArgument> {
    let wrong = |problem: String| WrongArgument::new("headers", problem);
    let mut headers = HeaderMap::new();
    for (name, value) in written {
        let lower = name.to_ascii_lowercase();
        let holds_secret = handles_in(value).is_ok_and(|names| !names.is_empty());
        let is_for_secrets = SECRET_HEADERS.contains(&lower.as_str());
        if is_for_secrets && !holds_secret {
            return Err(wrong(format!(
                "`{lower}` takes a secret, as `{{{{secret:NAME}}}}`; nothing else can be set there"
            )));
        }
        if !is_for_secrets && !HEADERS.contains(&lower.as_str()) {
            return Err(wrong(format!(
                "`{}` cannot be set; {} can",
                visible_line(name),
                HEADERS.join(", ")
            )));
        }
        let value = fill(value, Form::Plain).map_err(|error| wrong(error.to_string()))?;
        let is_visible = value.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        let read = HeaderName::from_bytes(lower.as_bytes())
            .ok()
            .zip(HeaderValue::from_str(&value).ok())
            .filter(|_| is_visible && value.len() <= MAX_HEADER_BYTES);
        let Some((name, mut value)) = read else {
            return Err(wrong(format!(
                "`{lower}` must be at most {MAX_HEADER_BYTES} letters of ASCII"
            )));
        };
        value.set_sensitive(holds_secret);
        headers.insert(name, value);
    }
    Ok(headers)
}

#[async_trait]
impl Tool for HttpRequest {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        // Who gave secrets for servers means them to be used.
        match self.secrets.for_hosts() {
            Some(_) => SchemaVisibility::Always,
            None => SchemaVisibility::When(HINTS.to_vec()),
        }
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (arguments, secrets) = self.arguments(call)?;
        let request = self.request(&arguments, |text, _| Ok(text.to_owned()))?;
        let target = &request.target;
        let url = with_plain_handles(target.url().as_str(), &secrets);
        Ok(ToolFacts {
            summary: format!("{} {url}", request.method.as_str()).into(),
            detail: detail(&request),
            action: Action::Fetch {
                method: request.method,
                url,
                server: target.server().clone(),
            },
            scripts: Vec::new(),
            secrets,
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let made = self.arguments(call.call()).and_then(|(arguments, names)| {
            let judged = self.request(&arguments, |text, _| Ok(text.to_owned()))?;
            let filled = self.filled(&arguments, &judged)?;
            let extent = match arguments.whole_page {
                Some(true) => PageExtent::Whole,
                Some(false) | None => PageExtent::Main,
            };
            Ok(Asking {
                judged,
                request: filled,
                names,
                extent,
            })
        });
        let asking = match made {
            Ok(made) => made,
            Err(refusal) => return refusal,
        };
        tokio::select! {
            outcome = self.fetch(asking, &context.scope.workspace) => outcome,
            () = context.stop.cancelled() => ToolOutcome::Failed {
                error: "stopped".to_owned(),
                partial: None,
            },
        }
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Returns the headers and the body, as they are sent, with handles in the place of secrets.
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

/// Returns whether there is nothing to read in an answer.
fn is_bodiless(answer: &Answer, method: Method) -> bool {
    method == Method::Head || answer.body.is_empty()
}

/// Returns the line that says what an answer is.
fn line_of(answer: &Answer, place: &str, method: Method) -> String {
    let kind = answer.content_type.as_deref().unwrap_or("of no named type");
    let size = match (is_bodiless(answer, method), answer.told_length) {
        (true, Some(length)) => format!("{length} bytes"),
        (true, None) => "no body".to_owned(),
        (false, _) if answer.is_cut => format!("cut after {} bytes", answer.body.len()),
        (false, _) => format!("{} bytes", answer.body.len()),
    };
    format!("HTTP {} from {place} ({kind}, {size})", answer.status)
}

/// Returns the text of a page with a note of what was left out of it.
fn with_note(page: PageText) -> String {
    let PageText { text, left_out, .. } = page;
    if left_out == 0 {
        return text;
    }
    format!(
        "{text}\n\n[main text of the page; {left_out} bytes around it are left out, `whole_page` \
         gives them]"
    )
}

/// Tells the answer: a line of what it is, then its text.
fn told(answer: &Answer, line: String, text: Result<String, Unreadable>) -> ToolOutcome {
    match text {
        Err(error) => ToolOutcome::Failed {
            error: format!("{line}: {error}"),
            partial: None,
        },
        Ok(text) if answer.status.is_client_error() || answer.status.is_server_error() => {
            ToolOutcome::Failed {
                error: line,
                partial: (!text.is_empty()).then_some(text),
            }
        }
        Ok(text) if text.is_empty() => ToolOutcome::Success { output: line },
        Ok(text) => ToolOutcome::Success {
            output: format!("{line}\n\n{text}"),
        },
    }
}

#[cfg(test)]
#[path = "http_request_tests.rs"]
mod tests;
