//! The tools that ask servers for pages: `http_request` and `crawl_url`, over the guarded fetcher.

mod crawl_url;
mod http_request;

pub use crawl_url::CrawlUrl;
pub use http_request::HttpRequest;
