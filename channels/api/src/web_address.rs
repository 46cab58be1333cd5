//! Addresses as they stand in a text: how far one goes, and whether words say where a link leads.
//!
//! GitHub Flavored Markdown's rules for extended autolinks, with two exceptions for texts without
//! spaces: their punctuation (`。`) ends an address, and a letter of theirs ends a host.

/// What a bare web address begins with.
const SCHEMES: [&str; 3] = ["https://", "http://", "ftp://"];

/// Punctuation that is no part of an address when it ends with it.
const TRAILING: &str = "?!.,:'\";";

/// Punctuation of texts without spaces, which ends an address.
const FULL_WIDTH: &str = "　、。，；：！？（）《》〈〉【】「」『』“”‘’…";

/// Returns the scheme that a text begins with, in any case: `https://`.
pub fn web_scheme(text: &str) -> Option<&'static str> {
    SCHEMES.into_iter().find(|scheme| begins_with(text, scheme))
}

/// Returns whether a text begins with these ASCII letters, in any case.
pub(crate) fn begins_with(text: &str, prefix: &str) -> bool {
    let head = text.as_bytes().get(..prefix.len());
    head.is_some_and(|head| head.eq_ignore_ascii_case(prefix.as_bytes()))
}

/// Returns the length of the web address that a text begins with, in bytes; 0 for none. The text is
/// no Markdown: nothing in it is a mark.
///
/// A bracket that closes what was opened before the address ends it when it is among the words of a
/// link (`in_brackets`).
pub fn web_address_length(text: &str, in_brackets: bool) -> usize {
    let Some(scheme) = web_scheme(text) else {
        return 0;
    };
    let length = without_tail(whole_address(text, scheme.len(), in_brackets), "");
    if length > scheme.len() { length } else { 0 }
}

/// Returns how far an address goes in Markdown whose host begins at `host`.
///
/// Marks at its end that close one of the `open_marks` are the text's, except for names such as
/// `__init__`.
pub(crate) fn address_length(
    text: &str,
    host: usize,
    in_brackets: bool,
    open_marks: &str,
) -> usize {
    let address = whole_address(text, host, in_brackets);
    let length = without_tail(address, "");
    let address = address.get(..length).unwrap_or_default();
    let name = address.trim_end_matches('_');
    let run = address.get(name.len()..).unwrap_or_default();
    if run.len() > 1 && name.contains(run) {
        length
    } else {
        without_tail(address, open_marks)
    }
}

/// Returns everything up to what ends an address, whose host begins at `host`.
fn whole_address(text: &str, host: usize, in_brackets: bool) -> &str {
    let mut open = 0_usize;
    let mut end = text.len();
    // A host that begins in a script without spaces is a name of that script.
    let first = text.get(host..).and_then(|host| host.chars().next());
    let mut is_host = first.is_some_and(|first| !is_east_asian(first));
    for (index, letter) in text.char_indices().skip_while(|(index, _)| *index < host) {
        is_host &= !matches!(letter, '/' | '?' | '#');
        let ends = match letter {
            '[' => {
                open += 1;
                false
            }
            ']' if open > 0 => {
                open -= 1;
                false
            }
            ']' => in_brackets,
            _ => ends_address(letter) || (is_host && is_east_asian(letter)),
        };
        if ends {
            end = index;
            break;
        }
    }
    text.get(..end).unwrap_or_default()
}

fn ends_address(letter: char) -> bool {
    letter.is_whitespace() || letter.is_control() || letter == '<' || FULL_WIDTH.contains(letter)
}

/// Takes off what does not count to an address: punctuation at its end, and parentheses that were
/// not opened in it.
fn without_tail(address: &str, marks: &str) -> usize {
    let opened = address.matches('(').count();
    let mut closed = address.matches(')').count();
    let mut end = address.len();
    for (index, letter) in address.char_indices().rev() {
        match letter {
            ')' if closed > opened => closed -= 1,
            _ if TRAILING.contains(letter) || marks.contains(letter) => {}
            _ => break,
        }
        end = index;
    }
    end
}

/// Returns the length of the host name behind the `@` of an e-mail address; 0 when it has no dot.
pub(crate) fn mail_host_length(text: &str) -> usize {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || ".-_".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let host = text.get(..end).unwrap_or_default();
    let host = host.trim_end_matches(['.', '-', '_']);
    let has_dot = host.split('.').filter(|part| !part.is_empty()).count() > 1;
    if has_dot && !host.starts_with('.') {
        host.len()
    } else {
        0
    }
}

/// Returns whether the words of a link are its address: nothing is lost where only they are shown.
pub fn words_are_address(words: &str, url: &str) -> bool {
    let behind_scheme = url.split_once(':').map(|(_, behind)| behind);
    let bare = behind_scheme.map(|behind| behind.strip_prefix("//").unwrap_or(behind));
    let is_same = |address: &str| words == address || words == address.trim_end_matches('/');
    is_same(url) || bare.is_some_and(is_same)
}

/// Returns whether a character belongs to a script without spaces: ideographs, kana, full-width
/// forms and their punctuation.
pub(crate) fn is_east_asian(letter: char) -> bool {
    matches!(letter, '\u{2e80}'..='\u{a4cf}' | '\u{f900}'..='\u{faff}' | '\u{fe30}'..='\u{fe4f}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::{web_address_length, words_are_address};

    #[track_caller]
    fn check(text: &str, address: &str) {
        let length = web_address_length(text, false);
        assert_eq!(&text[..length], address, "{text}");
    }

    #[test]
    fn chat_f1_an_address_ends_where_gfm_says() {
        check(
            "https://a.example/x_(y)_z), so",
            "https://a.example/x_(y)_z",
        );
        check("https://a.example/x?q=(b)).", "https://a.example/x?q=(b)");
        check(
            "https://a.example/__init__.py.",
            "https://a.example/__init__.py",
        );
        check(
            "http://localhost:3000/a*b*, c",
            "http://localhost:3000/a*b*",
        );
        check("HTTPS://A.example/?q=a&b;", "HTTPS://A.example/?q=a&b");
        check("https://a.example/<b>", "https://a.example/");
        check("http://[::1]:3000/a]b c", "http://[::1]:3000/a]b");
        check("https://a.example/a。下", "https://a.example/a");
        check("https://a.example的页面", "https://a.example");
        check("https://zh.example/中文_页 x", "https://zh.example/中文_页");
        check("https://例子.example/a b", "https://例子.example/a");
        check("https://...", "");
        check("gopher://a.example", "");
    }

    #[test]
    fn chat_f2_words_say_where_a_link_leads_only_when_they_are_its_address() {
        assert!(words_are_address(
            "https://a.example/b",
            "https://a.example/b"
        ));
        assert!(words_are_address("a.example", "https://a.example/"));
        assert!(words_are_address("me@a.example", "mailto:me@a.example"));
        assert!(!words_are_address("main.rs", "src/main.rs"));
        assert!(!words_are_address("b", "https://a.example/b"));
    }
}
