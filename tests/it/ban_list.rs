//! What never stands in a message of Sayso: words from inside the program.
//!
//! Every behaviour test ends with this check of everything that was sent or edited in it. What a
//! scripted model or a person said is not Sayso's own: a find that occurs in their words is none.

/// Names of tools that are no ordinary words.
const TOOL_NAMES: [&str; 20] = [
    "file_read",
    "file_write",
    "list_dir",
    "send_file",
    "http_request",
    "crawl_url",
    "web_search",
    "read_document",
    "ask_user",
    "tool_search",
    "self_info",
    "quick_note",
    "save_to_vault",
    "memory_store",
    "memory_recall",
    "memory_forget",
    "memory_update",
    "read_result",
    "mcp_resource",
    "mcp_prompt",
];
/// Codes of errors, and marks that are for a model.
const MARKS: [&str; 9] = [
    "E_INVALID_ARGS",
    "E_TOOL",
    "E_LOOP",
    "E_STEERED",
    "[added",
    "[工作中补充",
    "the user",
    "(s)",
    "✓ ↓",
];
/// How many digits an id has at least.
const ID_DIGITS: usize = 15;

/// Returns what stands in messages, as people see them, that must not.
pub fn found_in(messages: &[String], said_by_others: &[String]) -> Vec<String> {
    let is_others = |words: &str| said_by_others.iter().any(|said| said.contains(words));
    let mut found = Vec::new();
    for message in messages {
        let words = banned_in(message).into_iter();
        found.extend(
            words
                .filter(|words| !is_others(words))
                .map(|words| format!("{words:?} in {message:?}")),
        );
    }
    found.dedup();
    found
}

fn banned_in(text: &str) -> Vec<String> {
    let names = TOOL_NAMES.into_iter().filter(|name| has_word(text, name));
    let mut found: Vec<String> = names.map(str::to_owned).collect();
    let marks = MARKS.into_iter().filter(|mark| text.contains(mark));
    found.extend(marks.map(str::to_owned));
    found.extend(ids_in(text));
    found.extend(bare_lines(text));
    found.extend(broken_end(text));
    found
}

fn has_word(text: &str, word: &str) -> bool {
    let is_of_word = |it: Option<char>| it.is_some_and(|it| it.is_alphanumeric() || it == '_');
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        !is_of_word(before) && !is_of_word(after)
    })
}

/// An account is named by its platform's own id, as in `discord:1300000000000000101`, and people may
/// have digits in their names.
fn ids_in(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(|letter: char| letter.is_ascii_digit()) {
        let digits = &rest[at..];
        let end = digits.find(|letter: char| !letter.is_ascii_digit());
        let digits = &digits[..end.unwrap_or(digits.len())];
        let is_account = ["telegram:", "discord:", "@user"]
            .iter()
            .any(|platform| rest[..at].ends_with(platform));
        // A commit of git has letters in it.
        let before = rest[..at].chars().next_back();
        let after = rest[at + digits.len()..].chars().next();
        let is_of_hash = [before, after]
            .into_iter()
            .flatten()
            .any(|letter| matches!(letter, 'a'..='f'));
        if digits.len() >= ID_DIGITS && !is_account && !is_of_hash {
            found.push(digits.to_owned());
        }
        rest = &rest[at + digits.len()..];
    }
    found
}

fn bare_lines(text: &str) -> Vec<String> {
    let bare = text
        .lines()
        .filter(|line| matches!(line.trim(), "✓" | "✗" | "•"));
    bare.map(str::to_owned).collect()
}

/// The last line of a text that ends where a sentence goes on.
fn broken_end(text: &str) -> Option<String> {
    let last = text.trim_end().lines().next_back()?;
    // `find -exec` ends with one.
    let is_command = last.ends_with("\\;");
    let is_broken = last.ends_with([',', ';', '，', '；', '、']) && !is_command;
    is_broken.then(|| last.trim().to_owned())
}

#[test]
fn the_ban_list_finds_what_it_is_for() {
    let sent = str::to_owned;
    let bad = [
        "✓ remembered (id 96035328446431232)",
        "list_dir: not run",
        "tell the user what is in the way;",
        "✓ ↓",
        "a\n✓\nb",
        "[added while you work]",
    ];
    for text in bad {
        assert!(!found_in(&[sent(text)], &[]).is_empty(), "{text}");
    }
    let good = [
        "You are discord:1300000000000000101.",
        "my_list_dir2 is fine",
        "✓ Looked at your files",
    ];
    for text in good {
        assert_eq!(found_in(&[sent(text)], &[]), [] as [String; 0]);
    }
    let said = ["I call list_dir now".to_owned()];
    assert!(found_in(&[sent("list_dir it is")], &said).is_empty());
}
