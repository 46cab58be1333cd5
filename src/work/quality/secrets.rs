//! Secrets that stand in code and configuration.
//!
//! Tokens by their form, and random values behind a name such as `password`, are what
//! `sayso_core::redact` knows. Here are the passwords that are no random values: a text that is given to
//! a name which says that it is one.

use std::sync::OnceLock;

use regex::bytes::Regex;
use sayso_core::redact::{Mark, Redactor, marks};

/// The longest line that is looked at, in bytes.
const MAX_LINE: usize = 2000;

/// A secret in a text.
pub(crate) struct FoundSecret {
    /// Lines count from 1.
    pub(crate) line: usize,
    /// What it is, in words.
    pub(crate) kind: String,
}

/// Finds secrets that can be told by their form.
pub(crate) fn in_text(text: &str, is_code: bool) -> Vec<FoundSecret> {
    static REDACTOR: OnceLock<Option<Redactor>> = OnceLock::new();
    let Some(redactor) = REDACTOR.get_or_init(|| Redactor::new([]).ok()) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.len() > MAX_LINE || line.len() < 12 {
            continue;
        }
        if line.contains("-----BEGIN ") && line.contains("PRIVATE KEY") {
            let is_key = holds_key(text, number, line);
            found.extend(is_key.then(|| FoundSecret {
                line: number + 1,
                kind: "private key".to_owned(),
            }));
            continue;
        }
        if is_code && !line.contains(['"', '\'', '`']) {
            continue;
        }
        let hidden = redactor.redact(line);
        let found_marks = marks(&hidden);
        let Some(mark) = found_marks.first() else {
            continue;
        };
        let is_one = found_marks.len() == 1;
        let is_placeholder = is_one && is_stand_in(replaced(line, &hidden, mark));
        if marks(line).is_empty() && !is_reference(line) && !is_placeholder {
            found.push(FoundSecret {
                line: number + 1,
                kind: mark.kind.to_owned(),
            });
        }
    }
    found
}

/// What a line has where its redacted form has a mark.
fn replaced<'l>(line: &'l str, hidden: &str, mark: &Mark<'_>) -> &'l str {
    let after = hidden.len() - mark.end;
    let end = line.len().saturating_sub(after);
    line.get(mark.start..end).unwrap_or_default()
}

/// Returns whether a text says where a secret goes, and is none.
fn is_stand_in(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    is_constant_name(text) || PLACEHOLDERS.iter().any(|it| lower.contains(it))
}

/// `API_KEY`: the name of a variable, or a word in capitals for what is to be filled in.
fn is_constant_name(text: &str) -> bool {
    text.len() < 40
        && text.bytes().any(|byte| byte.is_ascii_uppercase())
        && (text.bytes()).all(|byte| byte.is_ascii_uppercase() || byte == b'_')
}

/// A line that begins a private key has a key after it, in the line or in the next ones.
fn holds_key(text: &str, number: usize, line: &str) -> bool {
    let after = line.split("PRIVATE KEY").nth(1).unwrap_or_default();
    let next = text.lines().nth(number + 1).unwrap_or_default();
    let longest = |line: &str| {
        let words =
            line.split(|sign: char| !(sign.is_ascii_alphanumeric() || "+/=".contains(sign)));
        words.map(str::len).max().unwrap_or_default()
    };
    longest(after) >= 20 || longest(next) >= 20
}

/// The value is taken from elsewhere: the environment, a template, a file.
fn is_reference(line: &str) -> bool {
    let signs = [
        "${",
        "{{",
        "os.environ",
        "getenv",
        "process.env",
        "env!(",
        "ENV[",
        "secrets.",
        "vault:",
        "<%=",
    ];
    signs.iter().any(|sign| line.contains(sign))
}

/// Returns whether a name is that of a password or key.
pub(crate) fn is_secret_name(path: &str) -> bool {
    static NAMES: OnceLock<Option<Regex>> = OnceLock::new();
    let names = NAMES.get_or_init(|| {
        let expression = "(?i-u)(?:^|_|[a-z])(?:passw(?:or)?d|passwd|pwd|passphrase|pass|secret|\
            secret_?key|api_?key|auth_?token|access_?token|private_?key|token|credential)s?$";
        Regex::new(expression).ok()
    });
    let name = path.rsplit('.').next().unwrap_or(path);
    let is_other = [
        "public",
        "next_token",
        "nexttoken",
        "csrf",
        "type",
        "name",
        "field",
        "bypass",
        "compass",
        "first_pass",
        "token_type",
        "param",
        "label",
        "header",
        "prompt",
        "pad_token",
        "eos_token",
        "bos_token",
        "unk_token",
        "sep_token",
        "mask_token",
        "cls_token",
    ];
    let lower = name.to_ascii_lowercase();
    names
        .as_ref()
        .is_some_and(|names| names.is_match(name.as_bytes()))
        && !is_other.iter().any(|other| lower.contains(other))
}

/// What stands in the place of a secret.
const PLACEHOLDERS: &[&str] = &[
    "changeme",
    "change_me",
    "change-me",
    "example",
    "placeholder",
    "your",
    "xxxx",
    "****",
    "todo",
    "insert",
    "redacted",
    "dummy",
    "<",
    "${",
    "{{",
    "{",
    "%s",
    "env:",
    "none",
    "null",
    "n/a",
    "not set",
    "unset",
    "undefined",
    "...",
    "replace",
];

/// Returns whether a text that a password was given is one, and no placeholder, name or prose.
pub(crate) fn is_password(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let is_name = lower.split(['_', '-', '.', ' ']).any(|word| {
        matches!(
            word,
            "password"
                | "passwords"
                | "passwd"
                | "token"
                | "tokens"
                | "secret"
                | "secrets"
                | "apikey"
                | "passphrase"
        )
    }) && !lower.bytes().any(|byte| byte.is_ascii_digit());
    let is_place = lower.starts_with(['/', '$', '#', '.', '@', '-']) || lower.contains("://");
    (3..=200).contains(&text.len())
        && !text
            .chars()
            .any(|sign| sign.is_whitespace() || !sign.is_ascii())
        && !PLACEHOLDERS.iter().any(|it| lower.contains(it))
        && !is_name
        && !is_constant_name(text)
        && !is_place
        && text
            .bytes()
            .any(|byte| byte != b'x' && byte != b'*' && byte != b'0')
}
