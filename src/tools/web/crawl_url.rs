//! `crawl_url`: a few pages of one site, as text.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use reqwest::header::HeaderMap;
use sayso_core::transcript::{Scope, ToolCall, ToolOutcome, ToolSpec};
use sayso_fetch::{
    Answer, BadUrl, FetchError, Fetcher, Hop, MAX_REDIRECTS, PageExtent, PageReader, PageText,
    Request, Robots, Target, Unreadable, is_same_host,
};
use sayso_policy::{Action, ClearedCall, Method, ToolFacts};
use schemars::JsonSchema;
use serde::Deserialize;
use thiserror::Error;
use tokio::time::Instant;
use url::Origin;

use crate::arguments::{parse_arguments, refusal, spec_of};
use crate::{OutsideText, SchemaVisibility, Tool, ToolContext};

/// The default and the greatest number of pages.
const PAGES: usize = 5;
const MOST_PAGES: usize = 20;
/// The default and the greatest distance from the first page, in links.
const DEPTH: usize = 1;
const MOST_DEPTH: usize = 3;
/// The limit of text of each page, in bytes.
const PAGE_BYTES: usize = 12_000;
/// How many pages wait to be read.
const WAITING: usize = 500;
/// After this no further page is asked for.
const WITHIN: Duration = Duration::from_mins(1);

/// Words that speak for it in a request.
const HINTS: [&str; 7] = [
    "crawl",
    "website",
    "site",
    "web pages",
    "网站",
    "爬取",
    "抓取",
];

/// Reads several pages of one site.
pub struct CrawlUrl {
    spec: ToolSpec,
    fetcher: Arc<Fetcher>,
    pages: Arc<PageReader>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Arguments {
    /// The page to begin at.
    url: String,
    /// How many pages, 1-20; 5 when left out.
    pages: Option<usize>,
    /// How many links away, 0-3; 1 when left out.
    depth: Option<usize>,
}

/// What is to be read.
struct Crawl {
    first: Target,
    pages: usize,
    depth: usize,
}

impl CrawlUrl {
    /// The name of the tool.
    pub const NAME: &'static str = "crawl_url";

    /// Makes the tool.
    pub fn new(fetcher: Arc<Fetcher>, pages: Arc<PageReader>) -> Self {
        let description = "Reads the main text of a page and of pages of the same site that it links \
            to. Leaves alone what the site's robots.txt names.";
        Self {
            spec: spec_of::<Arguments>(Self::NAME, description),
            fetcher,
            pages,
        }
    }

    fn wanted(&self, call: &ToolCall) -> Result<Crawl, ToolOutcome> {
        let arguments: Arguments = parse_arguments(call, &self.spec)?;
        let wrong = |problem: String| refusal(&self.spec, &problem);
        let first = Target::parse(&arguments.url, self.fetcher.rules())
            .map_err(|error| wrong(format!("`url`: {error}")))?;
        let pages = arguments.pages.unwrap_or(PAGES);
        if !(1..=MOST_PAGES).contains(&pages) {
            return Err(wrong(format!(
                "`pages`: {pages} is not allowed, 1 to {MOST_PAGES} is"
            )));
        }
        let depth = arguments.depth.unwrap_or(DEPTH);
        if depth > MOST_DEPTH {
            return Err(wrong(format!(
                "`depth`: {depth} is not allowed, 0 to {MOST_DEPTH} is"
            )));
        }
        Ok(Crawl {
            first,
            pages,
            depth,
        })
    }

    async fn crawl(&self, crawl: &Crawl, directory: &Path) -> Result<String, NotRead> {
        let mut reader = Reader::new(&self.fetcher);
        let mut site = HashSet::from([crawl.first.url().origin()]);
        let over = Instant::now() + WITHIN;
        let mut told = Report::default();
        let mut seen = HashSet::from([crawl.first.url().to_string()]);
        let mut waiting = VecDeque::from([(crawl.first.clone(), 0)]);
        while told.tried < crawl.pages && Instant::now() < over {
            let Some((target, depth)) = waiting.pop_front() else {
                break;
            };
            let answer = match reader.read(target.clone()).await {
                Ok(Some(answer)) => answer,
                Ok(None) => {
                    told.left_alone += 1;
                    continue;
                }
                Err(error) if depth == 0 => return Err(error),
                Err(error) => {
                    told.fail(&target, &error.to_string());
                    continue;
                }
            };
            let here = &answer.target;
            // What the first page is called now is another name of the site. A redirect may also
            // have led to another one that may be read; it is not this one.
            if depth == 0 && is_same_host(here, &crawl.first) {
                site.insert(here.url().origin());
                seen.insert(here.url().to_string());
            }
            let is_here = site.contains(&here.url().origin());
            let read = self.pages.read(&answer, PageExtent::Main, directory);
            let page = read.await;
            if let Ok(page) = &page
                && is_here
                && answer.status.is_success()
                && depth < crawl.depth
            {
                for target in self.further(&answer, &page.links, &site) {
                    if waiting.len() < WAITING && seen.insert(target.url().to_string()) {
                        waiting.push_back((target, depth + 1));
                    }
                }
            }
            told.page(&answer, page);
        }
        Ok(told.finish(waiting.len()))
    }

    /// Returns the pages of the site that a page links to.
    fn further(&self, answer: &Answer, links: &[String], site: &HashSet<Origin>) -> Vec<Target> {
        let targets = links
            .iter()
            .filter_map(|link| answer.target.join(link, self.fetcher.rules()).ok());
        targets
            .filter(|target| site.contains(&target.url().origin()))
            .collect()
    }
}

/// Why a page was not read, for the model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
enum NotRead {
    /// It cannot be had.
    #[error(transparent)]
    Page(#[from] FetchError),
    /// Its server has no place for a `robots.txt`.
    #[error(transparent)]
    NoRobots(BadUrl),
    /// Its server cannot say now what it wants left alone.
    #[error("the site's robots.txt gives HTTP {0}, so it is left alone for now")]
    RobotsFail(u16),
    /// What its server wants left alone cannot be had.
    #[error("the site's robots.txt cannot be read: {0}")]
    RobotsUnread(FetchError),
    /// The turn was stopped.
    #[error("stopped")]
    Stopped,
}

/// Reads pages, each server by what it wants left alone.
struct Reader<'f> {
    fetcher: &'f Fetcher,
    /// What was said by each server so far, or why nothing was.
    robots: HashMap<Origin, Result<Robots, NotRead>>,
}

impl<'f> Reader<'f> {
    fn new(fetcher: &'f Fetcher) -> Self {
        Self {
            fetcher,
            robots: HashMap::new(),
        }
    }

    /// Reads a page; `None` when a server on the way there wants it left alone.
    async fn read(&mut self, target: Target) -> Result<Option<Answer>, NotRead> {
        let timeout = self.fetcher.limits().timeout;
        tokio::time::timeout(timeout, self.follow(target))
            .await
            .unwrap_or_else(|_| Err(FetchError::TimedOut(timeout).into()))
    }

    async fn follow(&mut self, target: Target) -> Result<Option<Answer>, NotRead> {
        let mut request = reading(target);
        for _ in 0..=MAX_REDIRECTS {
            if !self.may_read(&request.target).await? {
                return Ok(None);
            }
            let hop = self.fetcher.hop(request).await;
            match hop? {
                Hop::Onward(following) => request = following,
                Hop::Arrived(answer) => return Ok(Some(answer)),
            }
        }
        Err(FetchError::TooManyRedirects(MAX_REDIRECTS).into())
    }

    async fn may_read(&mut self, target: &Target) -> Result<bool, NotRead> {
        let origin = target.url().origin();
        let robots = match self.robots.entry(origin) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => unknown.insert(robots(self.fetcher, target).await),
        };
        let robots = robots.as_ref().map_err(Clone::clone)?;
        Ok(robots.allows(&path_of(target)))
    }
}

/// Reads what a server wants left alone. One that cannot say so now is left alone as a whole (RFC 9309,
/// section 2.3.1).
async fn robots(fetcher: &Fetcher, target: &Target) -> Result<Robots, NotRead> {
    let place = target.join("/robots.txt", fetcher.rules());
    let place = place.map_err(NotRead::NoRobots)?;
    match fetcher.fetch(reading(place)).await {
        Ok(answer) if answer.status.is_success() => {
            Ok(Robots::parse(&String::from_utf8_lossy(&answer.body)))
        }
        Ok(answer) if answer.status.is_server_error() => {
            Err(NotRead::RobotsFail(answer.status.as_u16()))
        }
        Ok(_) => Ok(Robots::default()),
        Err(error) => Err(NotRead::RobotsUnread(error)),
    }
}

fn reading(target: Target) -> Request {
    Request {
        method: Method::Get,
        target,
        headers: HeaderMap::new(),
        body: None,
    }
}

/// Returns what a rule of `robots.txt` is compared with.
fn path_of(target: &Target) -> String {
    let url = target.url();
    match url.query() {
        Some(query) => format!("{}?{query}", url.path()),
        None => url.path().to_owned(),
    }
}

/// What was read so far.
#[derive(Default)]
struct Report {
    text: String,
    /// The number of requests: one that fails costs as much as one that succeeds.
    tried: usize,
    pages: usize,
    left_alone: usize,
}

impl Report {
    fn page(&mut self, answer: &Answer, page: Result<PageText, Unreadable>) {
        self.tried += 1;
        self.pages += 1;
        let url = answer.target.url();
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "== {url} (HTTP {})", answer.status.as_u16());
        match page {
            Ok(PageText { mut text, .. }) => {
                let missing = text.len().saturating_sub(PAGE_BYTES);
                text.truncate(text.floor_char_boundary(PAGE_BYTES));
                self.text.push_str(text.trim_end());
                if missing > 0 || answer.is_cut {
                    self.text
                        .push_str("\n[cut: read the rest with http_request]");
                }
            }
            Err(Unreadable::NoText) => self.text.push_str("[no text]"),
            Err(error) => {
                let _ = write!(self.text, "[{error}]");
            }
        }
        self.text.push_str("\n\n");
    }

    fn fail(&mut self, target: &Target, why: &str) {
        self.tried += 1;
        let _ = write!(self.text, "== {}\n[not read: {why}]\n\n", target.url());
    }

    fn finish(mut self, waiting: usize) -> String {
        let pages = self.pages;
        let _ = write!(self.text, "[{pages} pages read, {waiting} more are linked");
        if self.left_alone > 0 {
            let _ = write!(
                self.text,
                ", {} left alone as robots.txt asks",
                self.left_alone
            );
        }
        self.text.push(']');
        self.text
    }
}

#[async_trait]
impl Tool for CrawlUrl {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn schema_visibility(&self) -> SchemaVisibility<'_> {
        SchemaVisibility::When(HINTS.to_vec())
    }

    async fn inspect(&self, call: &ToolCall, _scope: &Scope) -> Result<ToolFacts, ToolOutcome> {
        let Crawl {
            first,
            pages,
            depth,
        } = self.wanted(call)?;
        let url = first.url().to_string();
        Ok(ToolFacts {
            summary: format!("{url} (up to {pages} pages, {depth} links away)").into(),
            detail: None,
            action: Action::Fetch {
                method: Method::Get,
                url,
                server: first.server().clone(),
            },
            scripts: Vec::new(),
            secrets: Vec::new(),
        })
    }

    async fn run(&self, call: &ClearedCall, context: &ToolContext) -> ToolOutcome {
        let crawl = match self.wanted(call.call()) {
            Ok(crawl) => crawl,
            Err(refusal) => return refusal,
        };
        let crawled = tokio::select! {
            crawled = self.crawl(&crawl, &context.scope.workspace) => crawled,
            () = context.stop.cancelled() => Err(NotRead::Stopped),
        };
        match crawled {
            Ok(output) => ToolOutcome::Success { output },
            Err(error) => ToolOutcome::Failed {
                error: error.to_string(),
                partial: None,
            },
        }
    }

    fn is_idempotent(&self) -> bool {
        true
    }

    fn outside_text(&self, _outcome: &ToolOutcome) -> OutsideText {
        OutsideText::Unchecked
    }
}
