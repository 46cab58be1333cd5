//! What a person said in their own words: without what they pasted, quoted or were shown.

use super::normalization::{plain, says};
use super::phrases;

/// A longer message is mostly somebody else's text.
const LONG_CHARS: usize = 1200;
/// What stands before or behind such a text may be the person's own, when it is no longer than
/// this.
const BESIDE_CHARS: usize = 300;
/// The longest quotation that stays, in characters: a name or a title.
const QUOTED_CHARS: usize = 30;
/// Signs that open and close a quotation.
const QUOTES: [(char, char); 5] = [
    ('"', '"'),
    ('“', '”'),
    ('「', '」'),
    ('『', '』'),
    ('«', '»'),
];

/// Returns what is left of a message when everything is taken out that others wrote.
pub(super) fn own_words(text: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let mut in_code = false;
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            in_code = !in_code;
            continue;
        }
        if in_code || is_foreign(line) {
            continue;
        }
        if let Some(own) = before_a_text(line) {
            kept.push(own);
            break;
        }
        if is_head_of_mail(line) {
            break;
        }
        kept.push(
            line.trim_start_matches("(edited) ")
                .trim_start_matches("（已编辑）"),
        );
    }
    without_quotations(&short_enough(&kept.join("\n")))
}

/// Returns whether a line was written by a machine, or is a quotation or one of Sayso's own notes.
fn is_foreign(line: &str) -> bool {
    let begins = |signs: &[&str]| signs.iter().any(|sign| line.starts_with(sign));
    let is_note = line.starts_with('[') && line.ends_with(']');
    let mut first = line.chars();
    let is_stamped = line.len() > 15
        && first.by_ref().take(4).all(|letter| letter.is_ascii_digit())
        && first.next() == Some('-');
    is_note
        || is_stamped
        || begins(&[
            ">",
            "$ ",
            "{",
            "<",
            "|",
            "+++",
            "---",
            "at ",
            "ERROR",
            "WARN",
            "INFO",
            "Traceback",
            "Error:",
        ])
}

/// Returns what of a line asks for something to be done with a text; what follows is that text.
fn before_a_text(line: &str) -> Option<&str> {
    if !says(&plain(line), &phrases::ABOUT_A_TEXT) {
        return None;
    }
    line.find([':', '：', '"', '“', '「'])
        .map_or(Some(""), |at| line.get(..at))
}

fn is_head_of_mail(line: &str) -> bool {
    let heads = [
        "From:",
        "Sent:",
        "Subject:",
        "To:",
        "Date:",
        "发件人",
        "主题：",
        "收件人",
        "-----",
    ];
    heads.iter().any(|head| line.starts_with(head))
}

/// Of a long text only a short beginning and a short end can be the person's own.
fn short_enough(text: &str) -> String {
    if text.chars().count() <= LONG_CHARS {
        return text.to_owned();
    }
    let parts: Vec<&str> = text
        .split("\n\n")
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let ends = match parts.as_slice() {
        [] | [_] => vec![],
        [first, .., last] => vec![*first, *last],
    };
    let short = ends
        .into_iter()
        .filter(|part| part.chars().count() <= BESIDE_CHARS);
    short.collect::<Vec<_>>().join("\n")
}

fn without_quotations(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::new();
    while let Some((at, closing)) = next_quotation(rest) {
        let (before, behind) = rest.split_at(at);
        kept.push_str(before);
        let mut inner = behind.chars();
        let opening = inner.next().map_or(0, char::len_utf8);
        let end = behind.get(opening..).and_then(|inner| inner.find(closing));
        let Some(end) = end.map(|end| opening + end + closing.len_utf8()) else {
            kept.push_str(behind);
            return kept;
        };
        let (quotation, after) = behind.split_at(end);
        if quotation.chars().count() <= QUOTED_CHARS {
            kept.push_str(quotation);
        } else {
            kept.push('…');
        }
        rest = after;
    }
    kept.push_str(rest);
    kept
}

fn next_quotation(text: &str) -> Option<(usize, char)> {
    text.char_indices().find_map(|(at, letter)| {
        let (_, closing) = QUOTES.iter().find(|(opening, _)| *opening == letter)?;
        Some((at, *closing))
    })
}

#[cfg(test)]
mod tests {
    use super::own_words;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(own_words(text), expected, "{text:?}");
    }

    #[test]
    fn what_others_wrote_is_left_out() {
        check("I like tea", "I like tea");
        check("[in reply to Bo]\n> I like coffee\nso do I", "so do I");
        check(
            "my log:\n```\nuser likes crashes\n```\nhelp",
            "my log:\nhelp",
        );
        check("Translate: I live in Paris and I love it", "Translate");
        check("请翻译：我住在巴黎", "请翻译");
        check("see\nFrom: Bo\nI live in Rome", "see");
        check("look [attached photo]", "look [attached photo]");
        check("look\n[attached photo, 3 kB: you cannot open it]", "look");
        check(
            "he wrote \"I have always lived in Madrid with my cats\" to me",
            "he wrote … to me",
        );
        check("call me \"Bo\"", "call me \"Bo\"");
        check("2026-11-20 10:00:01 user root logged in from home", "");
    }

    #[test]
    fn a_long_text_is_somebody_elses() {
        let article = "I was born in a small town by the sea and never left. ".repeat(40);
        check(&article, "");
        check(
            &format!("I like this:\n\n{article}\n\nmy view too"),
            "I like this:\nmy view too",
        );
    }
}
