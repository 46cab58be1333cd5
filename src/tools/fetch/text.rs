//! From the bytes of an answer to its characters: what it is, and in which encoding.
//!
//! Pages go on to `page_request`, everything else is shown as it stands.

use encoding_rs::{Encoding, UTF_8};

/// How far into a page its encoding may be named, in bytes (HTML standard, section 4.2.5.4).
const META_BYTES: usize = 1024;

/// What a body is, by the type that the server gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Page,
    Text,
    /// The server does not say.
    Untold,
    Other,
}

/// A body that is text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Body {
    /// The markup of a page.
    Page(String),
    /// Text that is shown as it stands.
    Text(String),
}

/// Returns a body in the encoding that the server or the page names. `None` when it is no text.
pub(crate) fn decoded(content_type: Option<&str>, body: &[u8]) -> Option<Body> {
    let kind = kind(content_type);
    match kind {
        Kind::Other => return None,
        // Few kinds of text hold a NUL, and most other kinds of file do.
        Kind::Untold if body.contains(&0) => return None,
        Kind::Page | Kind::Text | Kind::Untold => {}
    }
    let (text, _, _) = encoding(kind, content_type, body).decode(body);
    let is_page = kind == Kind::Page
        || (kind == Kind::Untold && text.trim_start().get(..5).is_some_and(opens_page));
    Some(if is_page {
        Body::Page(text.into_owned())
    } else {
        Body::Text(text.into_owned())
    })
}

fn opens_page(beginning: &str) -> bool {
    beginning.eq_ignore_ascii_case("<html") || beginning.eq_ignore_ascii_case("<!doc")
}

fn kind(content_type: Option<&str>) -> Kind {
    let Some(content_type) = content_type else {
        return Kind::Untold;
    };
    let essence = content_type.split(';').next().unwrap_or_default();
    let essence = essence.trim().to_ascii_lowercase();
    match essence.as_str() {
        "" => Kind::Untold,
        "text/html" | "application/xhtml+xml" => Kind::Page,
        "application/json"
        | "application/ld+json"
        | "application/x-ndjson"
        | "application/xml"
        | "application/javascript"
        | "application/x-javascript"
        | "application/ecmascript"
        | "application/yaml"
        | "application/x-yaml"
        | "application/toml"
        | "application/sql"
        | "application/x-sh"
        | "application/graphql"
        | "application/x-www-form-urlencoded"
        | "image/svg+xml" => Kind::Text,
        other if other.starts_with("text/") => Kind::Text,
        other if other.ends_with("+json") || other.ends_with("+xml") => Kind::Text,
        _ => Kind::Other,
    }
}

/// Returns the encoding that the server or the page names, else UTF-8.
fn encoding(kind: Kind, content_type: Option<&str>, body: &[u8]) -> &'static Encoding {
    let told = content_type.and_then(charset);
    let beginning = &body[..body.len().min(META_BYTES)];
    let named = || match kind {
        Kind::Page | Kind::Untold => charset(&String::from_utf8_lossy(beginning)),
        Kind::Text | Kind::Other => None,
    };
    told.or_else(named).unwrap_or(UTF_8)
}

/// Returns the encoding that stands behind the first `charset=`.
fn charset(text: &str) -> Option<&'static Encoding> {
    let lower = text.to_ascii_lowercase();
    let (_, label) = lower.split_once("charset=")?;
    let label = label.trim_start_matches(['"', '\'', ' ']);
    let end =
        label.find(|letter: char| !(letter.is_ascii_alphanumeric() || "-_:.".contains(letter)));
    Encoding::for_label(&label.as_bytes()[..end.unwrap_or(label.len())])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::page;
    use super::{Body, decoded};

    /// Returns a body as a model reads it.
    fn readable(content_type: Option<&str>, body: &[u8]) -> Option<String> {
        Some(match decoded(content_type, body)? {
            Body::Page(markup) => page::as_text(&markup),
            Body::Text(text) => text,
        })
    }

    #[test]
    fn text_is_given_as_it_stands() {
        for kind in [
            "text/plain",
            "application/json; charset=utf-8",
            "application/vnd.api+json",
            "TEXT/CSV",
        ] {
            assert_eq!(
                readable(Some(kind), "{\"你\": 1}".as_bytes()).as_deref(),
                Some("{\"你\": 1}"),
                "{kind}"
            );
        }
        assert_eq!(readable(None, b"plain").as_deref(), Some("plain"));
    }

    #[test]
    fn what_is_no_text_is_not_given() {
        for kind in [
            "image/png",
            "application/pdf",
            "application/octet-stream",
            "nonsense",
        ] {
            assert_eq!(readable(Some(kind), b"x"), None, "{kind}");
        }
        assert_eq!(readable(None, b"\x7fELF\0"), None);
    }

    #[test]
    fn a_page_is_given_without_its_markup() {
        assert_eq!(
            readable(Some("text/html"), b"<p>a<b>b</b></p>").as_deref(),
            Some("ab")
        );
        assert_eq!(readable(None, b"<!DOCTYPE html><p>a").as_deref(), Some("a"));
    }

    #[test]
    fn the_encoding_is_what_the_server_or_the_page_names() {
        let gbk = b"\xc4\xe3\xba\xc3";
        assert_eq!(
            readable(Some("text/plain; charset=GBK"), gbk).as_deref(),
            Some("你好")
        );
        let page = [b"<meta charset=\"gb2312\"><p>", &gbk[..]].concat();
        assert_eq!(readable(Some("text/html"), &page).as_deref(), Some("你好"));
        assert_eq!(
            readable(Some("text/plain; charset=none-such"), b"\xff").as_deref(),
            Some("\u{fffd}")
        );
    }

    proptest! {
        #[test]
        fn no_body_breaks_the_reading(
            body in prop::collection::vec(any::<u8>(), 0..200),
            kind in "(text/html|text/plain|)(; ?charset=[a-z0-9\"-]{0,8})?",
        ) {
            readable(Some(&kind), &body);
            readable(None, &body);
        }
    }
}
