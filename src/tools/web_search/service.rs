//! What is particular about each search service: its address, its parameters, its JSON.

use reqwest::header::{ACCEPT, HeaderMap, HeaderName, HeaderValue};
use schemars::JsonSchema;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use url::Url;

/// The header that carries Brave's key.
const BRAVE_KEY: HeaderName = HeaderName::from_static("x-subscription-token");

/// Which service is asked, from `[tools.web_search]`.
#[derive(Debug, Clone)]
pub struct SearchConfig {
    /// What it speaks.
    pub kind: SearchKind,
    /// What stands before `/search` (SearXNG) or `/res/v1/web/search` (Brave).
    pub base_url: Url,
    /// The key, where it wants one.
    pub api_key: Option<SecretString>,
    /// The default number of results of a search.
    pub results: usize,
}

/// What a search service speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchKind {
    /// SearXNG: <https://docs.searxng.org/dev/search_api.html>.
    Searxng,
    /// Brave: <https://api-dashboard.search.brave.com/app/documentation/web-search/get-started>.
    Brave,
}

/// How new a result must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Period {
    Day,
    Week,
    Month,
    Year,
}

/// A result.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Found {
    pub(super) title: String,
    pub(super) url: String,
    pub(super) text: String,
}

#[derive(Deserialize)]
struct SearxngAnswer {
    results: Vec<SearxngResult>,
}

#[derive(Deserialize)]
struct SearxngResult {
    url: Option<String>,
    title: Option<String>,
    content: Option<String>,
}

#[derive(Deserialize)]
struct BraveAnswer {
    web: Option<BraveWeb>,
}

#[derive(Deserialize)]
struct BraveWeb {
    results: Vec<BraveResult>,
}

#[derive(Deserialize)]
struct BraveResult {
    url: String,
    title: Option<String>,
    description: Option<String>,
}

impl SearchConfig {
    /// The most results of one search.
    pub const MOST_RESULTS: usize = 20;

    /// Returns the address of one search.
    pub(super) fn url(&self, query: &str, count: usize, newer_than: Option<Period>) -> Url {
        let mut url = self.base_url.clone();
        let below = match self.kind {
            SearchKind::Searxng => "search",
            SearchKind::Brave => "res/v1/web/search",
        };
        let path = format!("{}/{below}", self.base_url.path().trim_end_matches('/'));
        url.set_path(&path);
        let mut asked = url.query_pairs_mut();
        asked.append_pair("q", query);
        match self.kind {
            SearchKind::Searxng => {
                asked.append_pair("format", "json");
                // It knows no week: https://docs.searxng.org/dev/search_api.html
                let range = newer_than.map(|period| match period {
                    Period::Day => "day",
                    Period::Week | Period::Month => "month",
                    Period::Year => "year",
                });
                range.map(|range| asked.append_pair("time_range", range).finish());
            }
            SearchKind::Brave => {
                asked.append_pair("count", &count.to_string());
                let freshness = newer_than.map(|period| match period {
                    Period::Day => "pd",
                    Period::Week => "pw",
                    Period::Month => "pm",
                    Period::Year => "py",
                });
                freshness.map(|range| asked.append_pair("freshness", range).finish());
            }
        }
        drop(asked);
        url
    }

    pub(super) fn headers(&self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
        let key = self.api_key.as_ref().map(ExposeSecret::expose_secret);
        if let Some(Ok(mut key)) = key.map(HeaderValue::from_str) {
            key.set_sensitive(true);
            headers.insert(BRAVE_KEY, key);
        }
        headers
    }

    /// Reads an answer; `None` where it is none.
    pub(super) fn found(&self, body: &[u8]) -> Option<Vec<Found>> {
        match self.kind {
            SearchKind::Searxng => {
                let answer: SearxngAnswer = serde_json::from_slice(body).ok()?;
                let results = answer.results.into_iter().filter_map(|result| {
                    Some(Found {
                        url: result.url?,
                        title: result.title.unwrap_or_default(),
                        text: result.content.unwrap_or_default(),
                    })
                });
                Some(results.collect())
            }
            SearchKind::Brave => {
                let answer: BraveAnswer = serde_json::from_slice(body).ok()?;
                let results = answer.web.map(|web| web.results).unwrap_or_default();
                let results = results.into_iter().map(|result| Found {
                    url: result.url,
                    title: result.title.unwrap_or_default(),
                    // Brave marks the words of the question.
                    text: without_marks(&result.description.unwrap_or_default()),
                });
                Some(results.collect())
            }
        }
    }
}

fn without_marks(text: &str) -> String {
    text.replace("<strong>", "").replace("</strong>", "")
}

#[cfg(test)]
mod tests {
    use url::Url;

    use super::{Found, Period, SearchConfig, SearchKind};

    fn service(kind: SearchKind, base: &str) -> SearchConfig {
        SearchConfig {
            kind,
            base_url: Url::parse(base).unwrap(),
            api_key: None,
            results: 5,
        }
    }

    #[test]
    fn a_search_is_asked_for_as_each_service_wants_it() {
        let searxng = service(SearchKind::Searxng, "https://search.example.org/sx/");
        let asked = searxng.url("red & blue", 5, Some(Period::Year));
        insta::assert_snapshot!(asked, @"https://search.example.org/sx/search?q=red+%26+blue&format=json&time_range=year");
        let brave = service(SearchKind::Brave, "https://api.search.brave.com");
        insta::assert_snapshot!(brave.url("红 茶", 3, Some(Period::Week)), @"https://api.search.brave.com/res/v1/web/search?q=%E7%BA%A2+%E8%8C%B6&count=3&freshness=pw");
    }

    #[test]
    fn what_is_no_list_of_results_is_told() {
        let searxng = service(SearchKind::Searxng, "https://search.example.org");
        assert_eq!(searxng.found(b"<html>"), None);
        assert_eq!(searxng.found(br#"{"results": []}"#), Some(vec![]));
        let brave = service(SearchKind::Brave, "https://api.search.brave.com");
        let answer = br#"{"type": "search", "web": {"results": [{"url": "https://a.org", "title": "A", "description": "the <strong>word</strong>"}]}}"#;
        let found = Found {
            title: "A".into(),
            url: "https://a.org".into(),
            text: "the word".into(),
        };
        assert_eq!(brave.found(answer), Some(vec![found]));
        assert_eq!(brave.found(br#"{"type": "search"}"#), Some(vec![]));
    }
}
