//! `web_search`: what a search service of the operator's choice finds.
//!
//! The service is asked through the guarded fetcher, like any server. What it finds is text from
//! outside.

mod service;

use std::fmt::Write as _;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_core::visible::visible_line;
use sayso_fetch::{BadUrl, FetchError, Fetcher, Request, Target};
use sayso_policy::{Action, ClearedCall, Method, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;

use self::service::{Found, Period};
pub use self::service::{SearchConfig, SearchKind};

use super::arguments::{parse_arguments, refusal, spec_of};
use super::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// The longest question, in characters: what Brave takes
/// (<https://api-dashboard.search.brave.com/app/documentation/web-search/query>).
const QUERY_CHARS: usize = 400;
/// The longest title and text of one result, in characters.
const TITLE_CHARS: usize = 200;
const TEXT_CHARS: usize = 500;

/// Words that speak for it in a request.
const HINTS: [&str; 14] = [
    "search",
    "google",
    "news",
    "latest",
    "look up",
    "web",
    "internet",
    "online",
    "搜索",
    "搜一下",
    "查一下",
    "最新",
    "新闻",
    "网上",
];

/// Searches the web.
pub struct WebSearch {
    spec: ToolSpec,
    config: SearchConfig,
    fetcher: Arc<Fetcher>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// What to look for.
    query: String,
    /// How many results, up to 20.
    count: Option<usize>,
    /// Only what is this new.
    newer_than: Option<Period>,
}

impl WebSearch {
    /// The name of the tool.
    pub const NAME: &'static str = "web_search";

    /// Makes the tool.
    pub fn new(config: SearchConfig, fetcher: Arc<Fetcher>) -> Self {
        let description = "Searches the web and gives titles, addresses and a few words of each \
            page. Read a page with http_request.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            config,
            fetcher,
        }
    }

    fn arguments(&self, call: &ToolCall) -> Result<(Arguments, usize), ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let wrong = |problem: String| refusal(&self.spec, &problem);
        let chars = arguments.query.trim().chars().count();
        if chars == 0 || chars > QUERY_CHARS {
            return Err(wrong(format!(
                "`query`: it has {chars} characters, 1 to {QUERY_CHARS} are allowed"
            )));
        }
        let most = SearchConfig::MOST_RESULTS;
        let count = arguments.count.unwrap_or(self.config.results);
        if !(1..=most).contains(&count) {
            return Err(wrong(format!(
                "`count`: {count} is not allowed, 1 to {most} is"
            )));
        }
        Ok((arguments, count))
    }

    /// Makes the request, which has no secret in what a person is shown.
    fn request(&self, arguments: &Arguments, count: usize) -> Result<Request, BadUrl> {
        let url = self
            .config
            .url(arguments.query.trim(), count, arguments.newer_than);
        Ok(Request {
            method: Method::Get,
            target: Target::parse(url.as_str(), self.fetcher.rules())?,
            headers: self.config.headers(),
            body: None,
        })
    }

    async fn search(&self, call: &ToolCall) -> Result<String, ToolOutcome> {
        let (arguments, count) = self.arguments(call)?;
        let request = self
            .request(&arguments, count)
            .map_err(|error| failed(format!("the search service: {error}")))?;
        let answer = self.fetcher.fetch(request).await;
        let answer = answer.map_err(|error: FetchError| failed(error.to_string()))?;
        if !answer.status.is_success() {
            return Err(failed(told_status(answer.status.as_u16())));
        }
        let found = self.config.found(&answer.body);
        let found = found.ok_or_else(|| {
            failed("the search service gave no JSON that is a list of results".to_owned())
        })?;
        Ok(listed(&found, count))
    }
}

#[async_trait]
impl Tool for WebSearch {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let (arguments, count) = self.arguments(call)?;
        let request = self
            .request(&arguments, count)
            .map_err(|error| failed(format!("the search service: {error}")))?;
        Ok(ToolFacts {
            summary: visible_line(arguments.query.trim()).into(),
            detail: None,
            action: Action::Fetch {
                method: Method::Get,
                url: request.target.url().to_string(),
                server: request.target.server().clone(),
            },
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let searched = tokio::select! {
            searched = self.search(call.call()) => searched,
            () = context.stop.cancelled() => Err(failed("stopped".to_owned())),
        };
        searched.map_or_else(|outcome| outcome, |output| ToolOutcome::Success { output })
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}

/// Tells what was found, in the service's order.
fn listed(found: &[Found], count: usize) -> String {
    if found.is_empty() {
        return "nothing was found".to_owned();
    }
    let mut text = String::new();
    for (position, result) in found.iter().take(count).enumerate() {
        let title = one_line(&result.title, TITLE_CHARS);
        let url = visible_line(&result.url);
        let words = one_line(&result.text, TEXT_CHARS);
        // Writing to a string cannot fail.
        let _ = write!(text, "{}. {title}\n   {url}\n   {words}\n", position + 1);
    }
    text.truncate(text.trim_end().len());
    text
}

fn one_line(text: &str, chars: usize) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let cut: String = line.chars().take(chars).collect();
    let end = if cut.len() < line.len() { "…" } else { "" };
    format!("{}{end}", visible_line(&cut))
}

fn told_status(status: u16) -> String {
    let why = match status {
        401 | 403 => {
            "the key is missing or refused, or JSON is switched off there; tell the \
                      person, who can ask the operator"
        }
        429 => "too many searches; wait before you search again",
        _ => "try again later, or go without",
    };
    format!("the search service answered HTTP {status}: {why}")
}

fn failed(error: String) -> ToolOutcome {
    ToolOutcome::Failed {
        error,
        partial: None,
    }
}

#[cfg(test)]
mod tests {
    use super::listed;
    use crate::web_search::service::Found;

    #[test]
    fn results_are_numbered_cut_and_on_lines_of_their_own() {
        let found = |title: &str, text: &str| Found {
            title: title.into(),
            url: "https://example.org/a\u{202e}b".into(),
            text: text.into(),
        };
        let long = "word ".repeat(200);
        let listed = listed(&[found("One\n2. two", "a\n\nb"), found("Two", &long)], 5);
        assert!(listed.ends_with('…'));
        assert_eq!(listed.lines().count(), 6);
        let first: Vec<&str> = listed.lines().take(3).collect();
        insta::assert_snapshot!(first.join("\n"), @r"
        1. One 2. two
           https://example.org/a\u{202e}b
           a b
        ");
    }
}
