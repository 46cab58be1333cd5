//! Links that Telegram does not carry are written out.

use sayso_channel::styled::{Span, Style, Styled};

/// The schemes that a `text_link` keeps; Telegram drops others and the address would be lost.
const CARRIED: [&str; 3] = ["http:", "https:", "tg:"];

/// Turns each link that Telegram would drop into its words with the address behind them.
pub(super) fn in_plain_sight(mut styled: Styled) -> Styled {
    while let Some(position) = styled.spans.iter().position(is_dropped) {
        let link = styled.spans.remove(position);
        let Style::Link { url } = &link.style else {
            continue;
        };
        write_out(&mut styled, &link, url);
    }
    styled
}

fn is_dropped(span: &Span) -> bool {
    let Style::Link { url } = &span.style else {
        return false;
    };
    let url = url.to_ascii_lowercase();
    !CARRIED.iter().any(|scheme| url.starts_with(scheme))
}

/// Inserts the address behind the words of a link, unless the words are the address.
fn write_out(styled: &mut Styled, link: &Span, url: &str) {
    let bare = url.split_once(':').map_or(url, |(_, bare)| bare);
    if styled.text[link.start..link.end].contains(bare) {
        return;
    }
    let address = format!(" ({bare})");
    styled.text.insert_str(link.end, &address);
    for span in &mut styled.spans {
        if span.start >= link.end {
            span.start += address.len();
        }
        // A span that ends with the link, or around it, takes the address in.
        if span.end > link.end || (span.end == link.end && span.start <= link.start) {
            span.end += address.len();
        }
    }
}
