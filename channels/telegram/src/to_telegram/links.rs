//! Links that Telegram does not carry are written out.
//!
//! A server that dislikes one link refuses the whole message. Judged as TDLib judges an address
//! (`LinkManager::check_link`, `parse_url`), and where that is finer than is worth it, more
//! strictly.

use std::net::Ipv6Addr;

/// The longest address behind words, in bytes: a few longer ones would fill what a message may
/// hold.
const LINK_BYTES: usize = 2048;

/// What the host, and what stands before it, may hold beside letters, digits and all that is not
/// ASCII.
const HOST_MARKS: &str = ".-_!$,~*'();&+=";

/// Returns whether Telegram carries a link.
pub(super) fn is_carried(_words: &str, url: &str) -> bool {
    if url.len() > LINK_BYTES || url.contains(|letter: char| letter.is_whitespace()) {
        return false;
    }
    let Some((scheme, behind)) = url.split_once(':') else {
        return false;
    };
    match scheme.to_ascii_lowercase().as_str() {
        "tg" => is_app_link(behind),
        "http" | "https" => behind.strip_prefix("//").is_some_and(is_web_link),
        _ => false,
    }
}

/// Judges what stands behind `tg:`: the name of an action, with a query.
fn is_app_link(link: &str) -> bool {
    let link = link.strip_prefix("//").unwrap_or(link);
    let action = link.split(['/', '?', '#']).next().unwrap_or_default();
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    !action.is_empty() && action.chars().all(is_letter)
}

/// Judges what stands behind `http://`.
fn is_web_link(link: &str) -> bool {
    let authority = link.split(['/', '?', '#']).next().unwrap_or_default();
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    let (host, port) = match host.rsplit_once(':') {
        Some((before, port)) if !port.contains(']') => (before, Some(port)),
        _ => (host, None),
    };
    let is_port = |port: &str| {
        let is_number = !port.is_empty() && port.bytes().all(|byte| byte.is_ascii_digit());
        is_number && port.parse::<u16>().is_ok_and(|port| port > 0)
    };
    port.is_none_or(is_port) && is_allowed(&user.replace(':', "")) && is_host(host)
}

fn is_host(host: &str) -> bool {
    if let Some(address) = host.strip_prefix('[') {
        let address = address.strip_suffix(']');
        return address.is_some_and(|address| address.parse::<Ipv6Addr>().is_ok());
    }
    host.contains('.') && host != "." && is_allowed(host)
}

/// Returns whether a part of an address holds no odd character, and `%` only before two digits.
fn is_allowed(part: &str) -> bool {
    let mut bytes = part.bytes();
    while let Some(byte) = bytes.next() {
        let fits = match byte {
            b'%' => {
                let mut is_digit = || bytes.next().is_some_and(|byte| byte.is_ascii_hexdigit());
                is_digit() && is_digit()
            }
            _ => byte >= 128 || byte.is_ascii_alphanumeric() || HOST_MARKS.contains(byte as char),
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::is_carried;

    #[test]
    fn chat_f2_links_are_judged_as_telegram_judges_them() {
        for url in [
            "https://a.example",
            "http://a.example:8080/x?y#z",
            "HTTP://A.example/(b)",
            "https://me:x@a.example/",
            "http://[::1]:3000/",
            "http://192.168.1.4:65535",
            "http://例子.example/页",
            "http://a%20b.example/",
            "tg://resolve?domain=a",
            "tg:user?id=1",
        ] {
            assert!(is_carried("", url), "{url}");
        }
        for url in [
            "http://localhost:3000/login",
            "http://nas:5000/",
            "http:///x",
            "http://.",
            "http://a.example:99999/x",
            "http://a.example:0/",
            "http://a.example:/",
            "http://a.example:x/",
            "http://exa mple.example/",
            "http://a.example/x y",
            "http://a\"b.example/",
            "http://a%2.example/",
            "http://[::g]/",
            "http://::1/",
            "http:a.example",
            "tg://a.b/",
            "tg:",
            "mailto:a@b.example",
            "ftp://a.example",
            "src/main.rs",
        ] {
            assert!(!is_carried("", url), "{url}");
        }
        assert!(!is_carried(
            "",
            &format!("https://a.example/{}", "p".repeat(3000))
        ));
    }
}
