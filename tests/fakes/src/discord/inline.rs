//! The inside of Discord's Markdown lines: emphasis, code, links, mentions and escapes.

/// The marks of emphasis, the longer first.
const MARKS: &[&str] = &["***", "**", "__", "~~", "||", "*", "_"];

/// Reads text that holds no fenced code.
pub(crate) fn read(text: &str, name: &impl Fn(&str, i64) -> Option<String>) -> String {
    let mut seen = String::new();
    let mut rest = text;
    let mut previous = None;
    while let Some(first) = rest.chars().next() {
        let step = escape(rest)
            .or_else(|| code(rest))
            .or_else(|| address(rest))
            .or_else(|| link(rest, name))
            .or_else(|| angled(rest, name))
            .or_else(|| emphasis(rest, previous, name));
        let (words, length) = step.unwrap_or_else(|| (first.to_string(), first.len_utf8()));
        seen.push_str(&words);
        previous = rest[..length].chars().next_back();
        rest = &rest[length..];
    }
    seen
}

/// What is seen in place of the beginning of the text, and how many bytes of it that stands for.
type Step = Option<(String, usize)>;

/// A backslash hides what a mark would mean.
fn escape(rest: &str) -> Step {
    let hidden = rest.strip_prefix('\\')?.chars().next()?;
    let is_mark = !hidden.is_ascii_alphanumeric() && !hidden.is_whitespace();
    is_mark.then(|| (hidden.to_string(), 1 + hidden.len_utf8()))
}

/// Code between equally many backticks.
fn code(rest: &str) -> Step {
    let ticks = rest.len() - rest.trim_start_matches('`').len();
    if ticks == 0 {
        return None;
    }
    let fence = &rest[..ticks];
    let mut from = ticks;
    loop {
        let end = from + rest[from..].find(fence)?;
        let run = rest[end..].len() - rest[end..].trim_start_matches('`').len();
        if run == ticks {
            let inside = &rest[ticks..end];
            let is_padded =
                inside.starts_with("` ") || inside.ends_with(" `") || inside.contains('`');
            let inside = if is_padded {
                trimmed_once(inside)
            } else {
                inside
            };
            return Some((inside.to_owned(), end + ticks));
        }
        from = end + run;
    }
}

/// Code that holds backticks has a space at its ends to keep them apart.
fn trimmed_once(inside: &str) -> &str {
    let inside = inside.strip_prefix(' ').unwrap_or(inside);
    inside.strip_suffix(' ').unwrap_or(inside)
}

/// A bare URL is displayed literally, even with underscores.
fn address(rest: &str) -> Step {
    if !rest.starts_with("https://") && !rest.starts_with("http://") {
        return None;
    }
    let length = rest
        .find(|c: char| c.is_whitespace() || "<>|)*".contains(c))
        .unwrap_or(rest.len());
    Some((rest[..length].to_owned(), length))
}

/// `[words](address)` or `[words](<address>)`: the words are seen.
fn link(rest: &str, name: &impl Fn(&str, i64) -> Option<String>) -> Step {
    let inside = rest.strip_prefix('[')?;
    let middle = end_of_words(inside)?;
    let words = &inside[..middle];
    let target = &inside[middle + "](".len()..];
    let is_angled = target.starts_with('<');
    let end = target.find(if is_angled { ">)" } else { ")" })?;
    let address = target[..end].trim_start_matches('<');
    let is_address = address.starts_with("http://") || address.starts_with("https://");
    if !is_address || words.is_empty() || address.contains(char::is_whitespace) {
        return None;
    }
    let closing = if is_angled { ">)" } else { ")" };
    let length = "[".len() + middle + "](".len() + end + closing.len();
    Some((read(words, name), length))
}

/// Where the words of a link end: at a bracket that is not escaped and is followed by the address.
fn end_of_words(inside: &str) -> Option<usize> {
    let mut from = 0;
    loop {
        let end = from + inside[from..].find("](")?;
        let backslashes = inside[..end].len() - inside[..end].trim_end_matches('\\').len();
        if backslashes.is_multiple_of(2) {
            return Some(end);
        }
        from = end + 1;
    }
}

/// Mentions, emoji and addresses in angle brackets.
fn angled(rest: &str, name: &impl Fn(&str, i64) -> Option<String>) -> Step {
    let inside = rest.strip_prefix('<')?;
    let end = inside.find('>')?;
    let inside = &inside[..end];
    let length = end + "<>".len();
    if inside.starts_with("https://") || inside.starts_with("http://") {
        return Some((inside.to_owned(), length));
    }
    if let Some(emoji) = inside
        .strip_prefix("a:")
        .or_else(|| inside.strip_prefix(':'))
    {
        let (emoji, _) = emoji.split_once(':')?;
        return Some((format!(":{emoji}:"), length));
    }
    ["@&", "@!", "@", "#"].iter().find_map(|sigil| {
        let id = inside.strip_prefix(sigil)?.parse().ok()?;
        let sigil = if *sigil == "@!" { "@" } else { sigil };
        Some((name(sigil, id)?, length))
    })
}

/// Emphasis that opens and closes as Discord wants it.
fn emphasis(
    rest: &str,
    previous: Option<char>,
    name: &impl Fn(&str, i64) -> Option<String>,
) -> Step {
    // Of three stars that do not close together, either the one or the two may close last.
    let marks: &[&str] = if rest.starts_with("***") {
        &["***", "*", "**"]
    } else {
        MARKS
    };
    marks
        .iter()
        .find_map(|mark| marked(rest, mark, previous, name))
}

/// Text between two of this mark.
fn marked(
    rest: &str,
    mark: &str,
    previous: Option<char>,
    name: &impl Fn(&str, i64) -> Option<String>,
) -> Step {
    let inside = rest.strip_prefix(mark)?;
    // An underscore inside a word is a letter.
    if mark == "_" && previous.is_some_and(char::is_alphanumeric) {
        return None;
    }
    if mark == "*" && inside.starts_with(char::is_whitespace) {
        return None;
    }
    let end = closing(inside, mark)?;
    let length = mark.len() + end + mark.len();
    Some((read(&inside[..end], name), length))
}

/// Where the mark closes what it opened.
fn closing(inside: &str, mark: &str) -> Option<usize> {
    let mut at = 0;
    while at < inside.len() {
        let rest = &inside[at..];
        if let Some((_, length)) = escape(rest)
            .or_else(|| code(rest))
            .or_else(|| address(rest))
        {
            at += length;
            continue;
        }
        if at > 0 && rest.starts_with(mark) && closes(inside, at, mark) {
            return Some(at);
        }
        let run = MARKS
            .iter()
            .find(|other| other.len() > mark.len() && rest.starts_with(**other));
        at += match run {
            // A longer mark inside is read as one of its own.
            Some(other) => {
                other.len()
                    + closing(&rest[other.len()..], other).map_or(0, |end| end + other.len())
            }
            None => rest.chars().next().map_or(1, char::len_utf8),
        };
    }
    None
}

fn closes(inside: &str, at: usize, mark: &str) -> bool {
    let before = inside[..at].chars().next_back();
    let after = inside[at + mark.len()..].chars().next();
    match mark {
        "*" => !before.is_some_and(char::is_whitespace) && after != Some('*'),
        "_" => !after.is_some_and(char::is_alphanumeric) && after != Some('_'),
        // `**` in `***` closes at its end, so that the single mark inside can close first.
        _ => !after.is_some_and(|next| mark.starts_with(next) && mark.len() == 2 && next == '*'),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, seen: &str) {
        assert_eq!(read(written, &|_, _| None), seen, "{written}");
    }

    #[test]
    fn whatever_is_escaped_is_seen_as_it_is() {
        for letter in (' '..='~').filter(|letter| !letter.is_ascii_alphanumeric() && *letter != ' ')
        {
            check(
                &format!("a\\{letter}b\\{letter}c"),
                &format!("a{letter}b{letter}c"),
            );
        }
    }

    #[test]
    fn code_is_seen_as_it_is() {
        check("`\\*`", "\\*");
        check("`` ` ``", "`");
        check("`open", "`open");
        check("**`a`**", "a");
    }

    #[test]
    fn emphasis_closes_where_it_must() {
        check("**a**b**c**", "abc");
        check("*a **b** c*", "a b c");
        check("***a** b*", "a b");
        check("***a* b**", "a b");
        check("__a_b__", "a_b");
        check("~~a~~~", "a~");
    }
}
