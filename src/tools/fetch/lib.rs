//! Asking servers over HTTP: the one guarded fetcher, and the text of what it brings. The tools over it
//! are in `tools/web`.
//!
//! A request leaves this machine only through [`Fetcher`]. It looks a name up itself, refuses
//! addresses that are not of the public internet, connects to an address that it checked and to
//! no other, and follows redirects by hand, with the same checks at each hop. No proxy of the
//! environment is used, since a proxy would look the name up again.
//!
//! # Files
//!
//! `fetch/` (a crate) is the one way in which a tool asks a server, `web/` the tools `http_request`
//! and `crawl_url` over it: `target` checks a URL, `names` looks a name up and checks its addresses
//! (`addresses`), `redirect` decides about each hop, `answer` reads up to a limit of bytes, `text`
//! finds out its encoding, and `page_reader` has a page read by a helper (`page_request`): `page`
//! parses it and finds its main text, `page_text` writes it down.
//!
//! # Invariants
//!
//! - No name is looked up before a call is cleared, and a connection goes only to an address that
//!   was checked: not to a second answer, not through a proxy.
//! - A redirect leads to the same host or to one that is read unasked; every other target is
//!   reported to the model, whose next call is judged by itself.

mod addresses;
mod answer;
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

pub use answer::Answer;
pub use error::FetchError;
pub use fetcher::{FetchLimits, Fetcher, Hop, MAX_REDIRECTS};
pub use names::{Names, NoAddress};
pub use page::{as_text as page_as_text, is_too_deep as page_is_too_deep};
pub use page_reader::{PageReader, Unreadable};
pub use page_request::{PageExtent, PageText, TooDeep, page_text, read_page_sealed};
pub use redirect::{Request, is_same_host};
pub use robots::Robots;
pub use target::{BadUrl, Target};
