//! Which addresses the server takes behind words, and how much of them: what TDLib's
//! `LinkManager::check_link` refuses is refused here, in its words.

use std::net::Ipv6Addr;

use serde_json::Value;

use super::refusal::Refusal;

/// The most bytes of entities in one message, as bots have measured it.
const ENTITY_BYTES: usize = 9500;

/// Judges the addresses of all entities, and their bytes together.
pub(crate) fn check_links(entities: &[Value]) -> Result<(), Refusal> {
    let mut bytes = 0;
    for entity in entities {
        bytes += 12;
        if entity["type"] != "text_link" {
            continue;
        }
        let url = entity["url"].as_str().unwrap_or_default();
        bytes += url.len();
        if let Err(why) = check_link(url) {
            return Err(Refusal::violation(format!(
                "entity URL '{url}' is invalid: {why}"
            )));
        }
    }
    if bytes > ENTITY_BYTES {
        return Err(Refusal::violation("ENTITIES_TOO_LONG"));
    }
    Ok(())
}

fn check_link(url: &str) -> Result<(), &'static str> {
    let lower = url.to_ascii_lowercase();
    if let Some(action) = lower.strip_prefix("tg:") {
        let action = action.strip_prefix("//").unwrap_or(action);
        let host = action.split(['/', '?', '#']).next().unwrap_or_default();
        return match host {
            "" => Err("URL host is empty"),
            _ if host.contains([':', '@', '[']) => Err("Wrong tg URL"),
            _ if host
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte)) =>
            {
                Ok(())
            }
            _ => Err("Unallowed characters in URL host"),
        };
    }
    let behind = match lower.split_once("://") {
        Some(("http" | "https", behind)) => behind,
        Some((scheme, _)) if !scheme.contains(['/', '?', '#', '@', ':', '[', ']']) => {
            return Err("Unsupported URL protocol");
        }
        Some(_) | None => &lower,
    };
    check_authority(behind.split(['/', '?', '#']).next().unwrap_or_default())
}

fn check_authority(authority: &str) -> Result<(), &'static str> {
    let colon = authority.rfind([':', ']', '@']);
    let colon = colon.filter(|at| *at > 0 && authority.as_bytes()[*at] == b':');
    let (user_host, port) = match colon {
        Some(at) => (&authority[..at], Some(&authority[at + 1..])),
        None => (authority, None),
    };
    if port.is_some_and(|port| {
        !port
            .parse()
            .is_ok_and(|port: i32| (1..=65535).contains(&port))
    }) {
        return Err("Wrong port number specified in the URL");
    }
    let (user, host) = user_host.rsplit_once('@').unwrap_or(("", user_host));
    if host.is_empty() {
        return Err("URL host is empty");
    }
    if host.starts_with('[') && host.ends_with(']') {
        let address = &host[1..host.len() - 1];
        return match address.parse::<Ipv6Addr>() {
            Ok(_) => Ok(()),
            Err(_) => Err("Wrong IPv6 address specified in the URL"),
        };
    }
    if host == "." {
        return Err("Host is invalid");
    }
    check_part(host, "")?;
    check_part(user, ":")?;
    if host.contains('.') {
        Ok(())
    } else {
        Err("Wrong HTTP URL")
    }
}

fn check_part(part: &str, also: &str) -> Result<(), &'static str> {
    let bytes = part.as_bytes();
    let mut place = 0;
    while let Some(byte) = bytes.get(place) {
        place += 1;
        if *byte == b'%' {
            let digits = bytes.get(place..place + 2).unwrap_or_default();
            if digits.len() < 2 || !digits.iter().all(u8::is_ascii_hexdigit) {
                return Err("Wrong percent-encoded symbol in URL host");
            }
            place += 2;
        } else if *byte < 128
            && !byte.is_ascii_alphanumeric()
            && !b".-_!$,~*'();&+=".contains(byte)
            && !also.as_bytes().contains(byte)
        {
            return Err("Disallowed character in URL host");
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::check_links;

    #[test]
    fn addresses_are_refused_in_the_servers_words() {
        let link = |url: &str| json!({ "type": "text_link", "offset": 0, "length": 1, "url": url });
        let why = |url: &str| check_links(&[link(url)]).err().map(|why| why.description);
        assert_eq!(why("https://a.example/x"), None);
        assert_eq!(
            why("http://localhost:3000/login").as_deref(),
            Some(
                "Bad Request: entity URL 'http://localhost:3000/login' is invalid: Wrong HTTP URL"
            )
        );
        for url in [
            "http://a.example:99999/x",
            "http:///x",
            "http://exa mple.example/",
        ] {
            assert!(why(url).is_some(), "{url}");
        }
        let many = vec![link(&format!("https://a.example/{}", "p".repeat(300))); 60];
        assert!(check_links(&many).is_err());
    }
}
