//! Discord's Markdown as its clients read it: from the text on the wire to what people see.
//! Block by block here, a line's inside in `inline`.

use super::inline;

const FENCE: &str = "```";

/// Reads a message. `name` gives the words of a mention by its sigil (`@`, `@&`, `#`) and id.
pub(crate) fn read(content: &str, name: impl Fn(&str, i64) -> Option<String>) -> String {
    let mut seen = String::new();
    let mut rest = content;
    while let Some((before, code, after)) = next_fence(rest) {
        seen.push_str(&read_lines(
            before.strip_suffix('\n').unwrap_or(before),
            &name,
        ));
        // The block begins a line of its own; an empty line before it stays one.
        let begins_line = seen.is_empty() || (before.is_empty() && seen.ends_with('\n'));
        if !begins_line {
            seen.push('\n');
        }
        seen.push_str(code);
        rest = after.strip_prefix('\n').unwrap_or(after);
        if !rest.is_empty() {
            seen.push('\n');
        }
    }
    seen.push_str(&read_lines(rest, &name));
    seen
}

/// Returns the texts of the fenced blocks.
pub(crate) fn blocks(content: &str) -> Vec<String> {
    let mut blocks = Vec::new();
    let mut rest = content;
    while let Some((_, code, after)) = next_fence(rest) {
        blocks.push(code.to_owned());
        rest = after;
    }
    blocks
}

/// Finds the next fenced block: what is before it, the code in it, and what follows. A fence in a quote, or
/// one that never ends, is none.
fn next_fence(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    loop {
        let start = from + text.get(from..)?.find(FENCE)?;
        let is_escaped = text[..start].ends_with('\\');
        let inside = start + FENCE.len();
        let length = text[inside..].find(FENCE);
        match length {
            Some(length) if !is_escaped && length > 0 => {
                let code = code_of(&text[inside..inside + length]);
                return Some((&text[..start], code, &text[inside + length + FENCE.len()..]));
            }
            _ => from = inside,
        }
    }
}

/// The code without the language, which stands alone on the fence's line.
fn code_of(inside: &str) -> &str {
    let is_language = |word: &str| {
        word.chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-_#.".contains(c))
    };
    let code = match inside.split_once('\n') {
        Some((first, code)) if is_language(first) => code,
        _ => inside,
    };
    code.strip_suffix('\n').unwrap_or(code)
}

fn read_lines(text: &str, name: &impl Fn(&str, i64) -> Option<String>) -> String {
    let lines: Vec<&str> = text.split('\n').map(bare_line).collect();
    inline::read(&lines.join("\n"), name)
}

/// The line without the marks of headings, small print and quotes.
fn bare_line(line: &str) -> &str {
    let line = line
        .strip_prefix(">>> ")
        .or_else(|| line.strip_prefix("> "))
        .or_else(|| (line == ">").then_some(""))
        .unwrap_or(line);
    let heading = ["### ", "## ", "# ", "-# "];
    heading
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(written: &str, seen: &str) {
        let name = |sigil: &str, id: i64| (id == 7).then(|| format!("{sigil}ann"));
        assert_eq!(read(written, name), seen, "{written}");
    }

    #[test]
    fn people_see_no_marks() {
        check("plain 中文 👍", "plain 中文 👍");
        check(
            "**bold** *it* _it_ __under__ ~~gone~~ ||secret||",
            "bold it it under gone secret",
        );
        check(
            "***both*** and **bold *inside* it**",
            "both and bold inside it",
        );
        check(
            "a `code *as* is` and ``with ` tick``",
            "a code *as* is and with ` tick",
        );
    }

    #[test]
    fn marks_that_mark_nothing_are_seen() {
        check("2 * 3 * 4", "2 * 3 * 4");
        check("snake_case_name", "snake_case_name");
        check("5 ** 2 and [open", "5 ** 2 and [open");
        check("\\*not it\\* and \\`", "*not it* and `");
        check("C:\\temp", "C:\\temp");
    }

    #[test]
    fn blocks_lose_their_marks() {
        check("# Title\ntext", "Title\ntext");
        check("-# small", "small");
        check("> said\n> twice\nafter", "said\ntwice\nafter");
        check(
            "before\n```rust\nfn a() {}\n```\nafter",
            "before\nfn a() {}\nafter",
        );
        check("a\n\n```\nb\n```\n\nc", "a\n\nb\n\nc");
        check("```\na\n```\n```\nb\n```", "a\nb");
        check("```\n*raw*\n```", "*raw*");
        check("```only```", "only");
    }

    #[test]
    fn links_and_mentions_are_words() {
        check("[text](https://a.b/c_d_e)", "text");
        check("[**bold**](<https://a.b>)", "bold");
        check(
            "<https://a.b/x_y_z> https://a.b/x_y_z",
            "https://a.b/x_y_z https://a.b/x_y_z",
        );
        check("<@7> <@&7> <#7> <@9>", "@ann @&ann #ann <@9>");
        check("<:smile:123> 1 < 2", ":smile: 1 < 2");
    }
}
