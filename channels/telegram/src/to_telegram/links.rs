//! Links that Telegram does not carry are written out.

/// The schemes that a `text_link` keeps; Telegram drops others and the address would be lost.
const CARRIED: [&str; 3] = ["http:", "https:", "tg:"];

/// Says whether Telegram carries a link.
pub(super) fn is_carried(_words: &str, url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    CARRIED.iter().any(|scheme| url.starts_with(scheme))
}
