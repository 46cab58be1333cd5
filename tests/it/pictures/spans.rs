//! The text of a message with its looks: Telegram's entities, or Discord's Markdown.

use sayso_fakes::Message;

use crate::platform::Platform;

/// How a piece of text looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// In letters of equal width.
    pub is_code: bool,
    /// In bold letters.
    pub is_bold: bool,
}

/// A line of characters with their looks.
pub type Line = Vec<(char, Look)>;

/// Returns the lines of a message.
pub fn lines(message: &Message, platform: Platform) -> Vec<Line> {
    let styled = match platform {
        Platform::Telegram => from_entities(message),
        Platform::Discord => from_markdown(&message.text),
    };
    let lines = styled.split(|(letter, _)| *letter == '\n');
    lines.map(<[_]>::to_vec).collect()
}

/// Entities count in UTF-16 units.
fn from_entities(message: &Message) -> Line {
    let mut offset = 0;
    let mut styled = Line::new();
    for letter in message.text.chars() {
        let mut look = Look::default();
        for entity in &message.entities {
            let number = |key: &str| entity[key].as_u64().unwrap_or_default();
            let is_inside =
                (number("offset")..number("offset") + number("length")).contains(&offset);
            match entity["type"].as_str() {
                Some("pre" | "code") if is_inside => look.is_code = true,
                Some("bold") if is_inside => look.is_bold = true,
                _ => {}
            }
        }
        styled.push((letter, look));
        offset += letter.len_utf16() as u64;
    }
    styled
}

/// Reads what Sayso writes on Discord: fences, backticks, `**` and escaped signs.
fn from_markdown(text: &str) -> Line {
    let mut look = Look::default();
    let mut styled = Line::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        let mark = ["```", "`", "**"]
            .into_iter()
            .find(|it| rest.starts_with(it));
        match mark {
            Some("**") if !look.is_code => look.is_bold = !look.is_bold,
            Some(mark) if mark != "**" => {
                look.is_code = !look.is_code;
                let after = &rest[mark.len()..];
                // A fence stands on a line of its own, with the name of a language behind it.
                if mark == "```" && look.is_code {
                    let skipped = after.find('\n').map_or(0, |end| end + 1);
                    rest = &after[skipped..];
                    continue;
                }
                if mark == "```" && styled.last().is_some_and(|(last, _)| *last == '\n') {
                    styled.pop();
                }
            }
            _ if letter == '\\' && !look.is_code => {
                rest = &rest[1..];
                let escaped = rest.chars().next();
                styled.extend(escaped.map(|escaped| (escaped, look)));
                rest = &rest[escaped.map_or(0, char::len_utf8)..];
                continue;
            }
            _ => styled.push((letter, look)),
        }
        rest = &rest[mark.map_or(letter.len_utf8(), str::len)..];
    }
    styled
}
