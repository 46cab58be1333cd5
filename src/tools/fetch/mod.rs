//! Asking servers over HTTP: the one guarded fetcher, and the tool `http_request` over it.
//!
//! A request leaves this machine only through [`Fetcher`]. It looks a name up itself, refuses
//! addresses that are not of the public internet, connects to an address that it checked and to
//! no other, and follows redirects by hand, with the same checks at each hop. No proxy of the
//! environment is used, since a proxy would look the name up again.

mod addresses;
mod answer;
mod crawl;
mod error;
mod fetcher;
mod names;
mod page;
mod page_reader;
mod page_request;
mod page_text;
mod redirect;
mod robots;
mod target;
mod text;
mod tool;

pub use crawl::CrawlUrl;
pub use error::FetchError;
pub use fetcher::{FetchLimits, Fetcher};
pub use names::{Names, NoAddress};
pub(super) use page::{as_text as page_as_text, is_too_deep as page_is_too_deep};
pub use page_reader::PageReader;
pub use page_request::{PageExtent, PageReading, PageText, TooDeep, page_text, read_page_here};
pub use redirect::Request;
pub use target::{BadUrl, Target};
pub use tool::HttpRequest;
