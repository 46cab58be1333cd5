//! What is left of a text without its time: what it is about.

use super::folded::Folded;
use super::groups::Group;

/// What asks to be reminded; the longer ones first.
const REQUESTS: [&str; 36] = [
    "please",
    "can you",
    "could you",
    "would you",
    "hey",
    "set a reminder",
    "set an alarm",
    "set a alarm",
    "add a reminder",
    "create a reminder",
    "make a reminder",
    "set reminder",
    "remind me again",
    "remind me",
    "remind us",
    "reminder",
    "notify me",
    "alert me",
    "ping me",
    "各提醒我一次",
    "各提醒一次",
    "再提醒我",
    "提醒我一下",
    "提醒一下我",
    "提醒我",
    "提醒一下",
    "提醒",
    "叫我",
    "通知我",
    "喊我",
    "催我",
    "请",
    "帮我",
    "麻烦你",
    "记得",
    "设个闹钟",
];
/// Words that lead from the request to the matter.
const LEADS: [&str; 5] = ["to", "that", "about", "of", "for"];
const MARKS: [char; 14] = [
    ',', ':', ';', '-', '.', '!', '，', '：', '；', '。', '！', '、', '–', '—',
];

/// Returns the text without its expressions of time and without the request around it.
pub(super) fn of(folded: &Folded, used: &[Group]) -> String {
    let mut left = String::new();
    for (at, character) in folded.written.iter().enumerate() {
        if used
            .iter()
            .any(|group| !group.is_matter() && (group.at..group.end).contains(&at))
        {
            if !left.ends_with(' ') {
                left.push(' ');
            }
        } else {
            left.push(*character);
        }
    }
    without_request(&left)
}

fn without_request(text: &str) -> String {
    let mut rest = text.trim();
    loop {
        let trimmed = rest.trim_start_matches(|it: char| it.is_whitespace() || MARKS.contains(&it));
        let request = REQUESTS
            .iter()
            .find_map(|request| behind_word(trimmed, request));
        let lead = || LEADS.iter().find_map(|lead| behind_lead(trimmed, lead));
        if let Some(behind) = request.or_else(lead) {
            rest = behind;
        } else {
            rest = trimmed;
            break;
        }
    }
    let mut rest = rest.trim_end_matches(|it: char| it.is_whitespace() || MARKS.contains(&it));
    while let Some(before) = REQUESTS
        .iter()
        .find_map(|request| before_word(rest, request))
    {
        rest = before.trim_end_matches(|it: char| it.is_whitespace() || MARKS.contains(&it));
    }
    spaced(rest)
}

fn behind_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let (head, tail) = text.split_at_checked(word.len())?;
    let ends = !word.is_ascii() || !tail.starts_with(|it: char| it.is_ascii_alphanumeric());
    (head.eq_ignore_ascii_case(word) && ends).then_some(tail)
}

fn behind_lead<'a>(text: &'a str, lead: &str) -> Option<&'a str> {
    behind_word(text, lead)
}

fn before_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let place = text.len().checked_sub(word.len())?;
    let (head, tail) = text.split_at_checked(place)?;
    let begins = !word.is_ascii() || head.is_empty() || head.ends_with(' ');
    (tail.eq_ignore_ascii_case(word) && begins).then_some(head)
}

/// One space where there were several, and none beside Chinese characters.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    for word in text.split_whitespace() {
        let is_chinese = |it: Option<char>| it.is_some_and(|it| !it.is_ascii());
        let joins = is_chinese(out.chars().next_back()) && is_chinese(word.chars().next());
        if !out.is_empty() && !joins {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}
