//! What the model says of its own calls: the title of their card. It is a claim, so nothing in it
//! may pass for our own words: one line, without formatting, links, quotation marks or pictographs.

/// The longest claim, in characters.
const CLAIM_CHARS: usize = 140;
/// A sentence shorter than this is shown with the one before it, in characters.
const SHORT_SENTENCE: usize = 8;

/// Returns the last sentence of what a model said beside its calls; `None` where it said nothing
/// that a person could read.
pub fn claim(text: &str) -> Option<String> {
    let words: Vec<String> = last_paragraph(text)
        .split_whitespace()
        .filter_map(plain_word)
        .collect();
    let line = words.join(" ");
    let sentence = last_sentence(&line).trim_end_matches([':', '：', '…', ' ', ',', '，']);
    if sentence.chars().filter(|it| it.is_alphabetic()).count() < 2 {
        return None;
    }
    let shown: String = sentence.chars().take(CLAIM_CHARS).collect();
    let more = if shown.len() < sentence.len() {
        "…"
    } else {
        ""
    };
    Some(format!("{}{more}", shown.trim_end()))
}

/// Returns whether the claim says all of a text: then the card leaves nothing of it out.
pub fn is_all_claimed(text: &str) -> bool {
    let letters = |text: &str| {
        let letters = text.chars().filter(|letter| letter.is_alphanumeric());
        letters.collect::<Vec<_>>()
    };
    claim(text).is_some_and(|claim| letters(&claim) == letters(text))
}

/// Returns the last lines that belong together, without code blocks and the marks of lists.
fn last_paragraph(text: &str) -> String {
    let text = without_link_targets(text);
    let (mut paragraph, mut is_code, mut is_over) = (Vec::new(), false, false);
    for line in text.lines().map(str::trim) {
        if line.starts_with("```") || line.starts_with("~~~") {
            is_code = !is_code;
            is_over = true;
        } else if line.is_empty() {
            is_over = true;
        } else if !is_code {
            if is_over {
                paragraph.clear();
            }
            is_over = false;
            paragraph.push(without_list_mark(line));
        }
    }
    paragraph.join(" ")
}

fn without_list_mark(line: &str) -> &str {
    let bare = line.trim_start_matches(['-', '*', '#', '>', '•', ' ']);
    let digits = bare.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let item = digits.strip_prefix(". ").or(digits.strip_prefix(") "));
    item.filter(|_| digits.len() < bare.len()).unwrap_or(bare)
}

/// Takes the addresses out of `[text](address)`.
fn without_link_targets(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some((before, behind)) = rest.split_once("](") {
        kept.push_str(before);
        match behind.split_once(')') {
            Some((_, after)) => rest = after,
            None => rest = behind,
        }
    }
    kept.push_str(rest);
    kept
}

/// Returns a word without what a platform reads as formatting, a link or a mention.
fn plain_word(word: &str) -> Option<String> {
    if word.contains("://") {
        return Some("…".to_owned());
    }
    let letters: Vec<char> = word
        .chars()
        .filter(|letter| !is_left_out(*letter))
        .collect();
    let plain: String = letters
        .iter()
        .enumerate()
        .filter(|(position, letter)| **letter != '_' || is_inside(&letters, *position))
        .map(|(_, letter)| *letter)
        .collect();
    let plain = plain.trim_start_matches('@');
    (!plain.is_empty()).then(|| plain.to_owned())
}

fn is_inside(letters: &[char], position: usize) -> bool {
    let is_letter = |at: Option<usize>| {
        at.and_then(|at| letters.get(at))
            .is_some_and(|letter| letter.is_alphanumeric())
    };
    is_letter(position.checked_sub(1)) && is_letter(Some(position + 1))
}

/// Returns whether a character could pass for our formatting or our marks, or is not seen.
fn is_left_out(letter: char) -> bool {
    letter.is_control()
        || "*`[]<>~|\\\"“”„«»「」『』".contains(letter)
        || matches!(
            letter,
            '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{2300}'..='\u{23ff}'
                | '\u{2600}'..='\u{27bf}'
                | '\u{2b00}'..='\u{2bff}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{1f000}'..='\u{1faff}'
                | '\u{e0000}'..='\u{e0fff}'
        )
}

/// Returns the last sentence of a line, with the one before it while it is too short.
fn last_sentence(line: &str) -> &str {
    let end = line.trim_end().len();
    let mut starts: Vec<usize> = Vec::new();
    let mut letters = line.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        let next = letters.peek().map(|(_, next)| *next);
        let ends = match letter {
            '。' | '！' | '？' => true,
            '.' | '!' | '?' => next == Some(' '),
            _ => false,
        };
        if ends && at + letter.len_utf8() < end {
            starts.push(at + letter.len_utf8());
        }
    }
    let sentence = starts
        .iter()
        .rev()
        .map(|start| line[*start..].trim())
        .find(|sentence| sentence.chars().count() >= SHORT_SENTENCE);
    sentence.unwrap_or_else(|| line.trim())
}

#[cfg(test)]
mod tests {
    use super::{CLAIM_CHARS, claim, is_all_claimed};

    #[test]
    fn a_claim_that_is_a_part_is_not_all() {
        for text in [
            "I will make two folders for your photos.",
            "  **I will** make `two` folders:\n",
            "我来为照片建两个文件夹。",
        ] {
            assert!(is_all_claimed(text), "{text:?}");
        }
        for text in [
            "",
            "…",
            "I looked around. Now I delete the old downloads:",
            "It is done like this:\n```\nrm x\n```",
            &"long ".repeat(CLAIM_CHARS),
        ] {
            assert!(!is_all_claimed(text), "{text:?}");
        }
    }

    #[track_caller]
    fn check(text: &str, claimed: Option<&str>) {
        assert_eq!(claim(text).as_deref(), claimed, "{text:?}");
    }

    #[test]
    fn u4_the_last_sentence_is_the_claim() {
        check(
            "I will make two folders for your photos.",
            Some("I will make two folders for your photos."),
        );
        check(
            "I looked around. Now I delete the old downloads:",
            Some("Now I delete the old downloads"),
        );
        check("我先看看。现在要删除旧的下载：", Some("现在要删除旧的下载"));
        check(
            "First.\n\nI move the photos to 2026.",
            Some("I move the photos to 2026."),
        );
        check("I run this:\n```sh\nrm -rf x\n```\n", Some("I run this"));
        check(
            "I make folders for v1.2 of it",
            Some("I make folders for v1.2 of it"),
        );
        check("Delete the photos? OK!", Some("Delete the photos? OK!"));
        check(
            "1. make folders\n2. move photos",
            Some("make folders move photos"),
        );
        check("", None);
        check(" … ", None);
        check("```\nls\n```", None);
    }

    #[test]
    fn u4_a_claim_cannot_pass_for_words_of_ours() {
        check(
            "**It only reads** ✅ “Approved” by [Ann](https://evil.example) _safe_ <b>",
            Some("It only reads Approved by Ann safe b"),
        );
        check(
            "See https://evil.example/x and @everyone in file_name.txt",
            Some("See … and everyone in file_name.txt"),
        );
        check("⚠️🔴⏳ reads\u{202e} only\u{200b}", Some("reads only"));
        let long = claim(&"word ".repeat(100)).unwrap();
        assert_eq!(long.chars().last(), Some('…'));
        assert!(long.chars().count() <= CLAIM_CHARS + 1);
    }
}
