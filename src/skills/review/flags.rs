//! Findings that an owner should look at in a third-party skill.
//!
//! A flag is no proof of anything, and a skill without one is not thereby harmless: what a call may
//! do is judged by the policy when it is made.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::bytes::Regex;
use sayso_core::visible::{visible, visible_line};
use sayso_injection::{Treatment, check_tool_result};

use crate::skills::content::Content;

/// Something to look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Flag {
    /// Something is fetched and run at once.
    DownloadAndRun,
    /// It gives orders to the model as an attack would.
    Orders,
    /// Text that does not show: invisible letters, comments, tiny or white letters.
    HiddenText,
    /// An archive is opened with a password, so its content cannot be reviewed.
    PasswordArchive,
    /// Text that only a program can read.
    Encoded,
    /// Keys, passwords or the variables of the environment are read.
    Secrets,
    /// A program that is no text.
    Binary,
    /// A script.
    Script,
}

/// Where a flag is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flagged {
    /// What it is.
    pub flag: Flag,
    /// The first file that has it.
    pub file: String,
    /// The line in it, counted from 1.
    pub line: usize,
    /// In how many more places it is.
    pub more: usize,
}

const PATTERNS: [(Flag, &str); 11] = [
    (
        Flag::DownloadAndRun,
        r"\b(curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n;]*\|\s*(sudo\s+)?(env\s+)?(ba|z|da|k|fi)?(sh|python3?|node|perl|ruby|iex)\b",
    ),
    (
        Flag::DownloadAndRun,
        r"\b(ba|z|da|k)?(sh|source|eval|exec|python3?|node)\b[^\n]{0,20}(<\(|\$\(|`)\s*(curl|wget)\b",
    ),
    (
        Flag::DownloadAndRun,
        r"\b(iex|invoke-expression)\b[^\n]*(downloadstring|iwr|irm|invoke-webrequest)",
    ),
    (
        Flag::PasswordArchive,
        r"\bunzip\b[^\n]*\s-P|\b7z[ar]?\b[^\n]*\s-p\S|\bunrar\b[^\n]*\s-p\S",
    ),
    (
        Flag::PasswordArchive,
        r"(password|passphrase|密码)[^\n]{0,60}\.?(zip|rar|7z|archive|压缩)|\b(zip|rar|7z|archive|压缩)[^\n]{0,60}(password|passphrase|密码)",
    ),
    (Flag::Encoded, r"[A-Za-z0-9+/_-]{160,}={0,2}"),
    (
        Flag::Encoded,
        r"\bbase64\s+(-d|-D|--decode)|\bb64decode\b|\batob\s*\(|frombase64string|\bxxd\s+-r",
    ),
    (Flag::HiddenText, r"<!--"),
    (
        Flag::HiddenText,
        r"font-size\s*:\s*[01](\.\d+)?(px|pt|em|%)?\b|display\s*:\s*none|visibility\s*:\s*hidden|opacity\s*:\s*0|color\s*:\s*(white|#fff)",
    ),
    (
        Flag::Secrets,
        r"~/\.(ssh|aws|gnupg|netrc|kube|docker|config/gcloud)|\bid_(rsa|ed25519|ecdsa)\b|/etc/shadow|/proc/self/environ|\bkeychain\b|login\.keychain",
    ),
    (
        Flag::Secrets,
        r"\bprintenv\b|(cat|read|open|source|upload|send)[^\n]{0,30}[\s/'\x22]\.env\b|os\.environ\b|process\.env\b|\$\{?[A-Z_]*(TOKEN|SECRET|PASSWORD|API_?KEY)\b",
    ),
];

/// They are constants, and a test compiles them.
static COMPILED: LazyLock<Vec<(Flag, Regex)>> = LazyLock::new(|| {
    let compile = |(flag, pattern): &(Flag, &str)| {
        let pattern = Regex::new(&format!("(?i-u){pattern}"));
        pattern.ok().map(|pattern| (*flag, pattern))
    };
    PATTERNS.iter().filter_map(compile).collect()
});

static HOST: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i-u)\bhttps?://([a-z0-9._-]+\.[a-z0-9-]+|localhost)").ok());

/// What scripts are called.
const SCRIPTS: [&str; 14] = [
    ".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".ps1", ".bat",
    ".lua", ".php",
];

/// Returns what should be looked at, the gravest first.
pub fn of(content: &Content) -> Vec<Flagged> {
    let mut found: Vec<Flagged> = content
        .files()
        .flat_map(|(path, bytes)| in_file(path, bytes))
        .collect();
    found.sort_by_key(|one| one.flag);
    let kinds = found.chunk_by(|one, other| one.flag == other.flag);
    kinds
        .filter_map(|kind| {
            let places: usize = kind.iter().map(|one| one.more + 1).sum();
            let first = kind.first()?.clone();
            Some(Flagged {
                more: places - 1,
                ..first
            })
        })
        .collect()
}

/// Returns what is in one file, by the first place of each pattern.
fn in_file(path: &str, bytes: &[u8]) -> Vec<Flagged> {
    let flagged = |flag, line, places: usize| Flagged {
        flag,
        file: visible_line(path),
        line,
        more: places.saturating_sub(1),
    };
    let mut found = Vec::new();
    for (flag, pattern) in COMPILED.iter() {
        let mut places = pattern.find_iter(bytes);
        if let Some(first) = places.next() {
            let before = bytes.get(..first.start()).unwrap_or_default();
            let line = before.split(|byte| *byte == b'\n').count();
            found.push(flagged(*flag, line, 1 + places.count()));
        }
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => {
            let hidden = (1..).zip(text.lines());
            let mut hidden = hidden.filter(|(_, line)| visible(line) != *line);
            if let Some((line, _)) = hidden.next() {
                found.push(flagged(Flag::HiddenText, line, 1 + hidden.count()));
            }
            if check_tool_result(text).treatment == Treatment::Block {
                found.push(flagged(Flag::Orders, 1, 1));
            }
        }
        Err(_) => found.push(flagged(Flag::Binary, 1, 1)),
    }
    if bytes.starts_with(b"#!") || SCRIPTS.iter().any(|end| path.ends_with(end)) {
        found.push(flagged(Flag::Script, 1, 1));
    }
    found
}

/// Returns the hosts of the addresses in all texts, in the order of the alphabet.
pub fn hosts(content: &Content) -> Vec<String> {
    let mut hosts = BTreeSet::new();
    for (_, bytes) in content.files() {
        let found = HOST.iter().flat_map(|host| host.captures_iter(bytes));
        let names = found.filter_map(|captures| captures.get(1));
        hosts.extend(
            names.map(|name| String::from_utf8_lossy(name.as_bytes()).to_ascii_lowercase()),
        );
    }
    hosts.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::{COMPILED, HOST, PATTERNS};

    #[test]
    fn every_pattern_can_be_read() {
        assert_eq!(COMPILED.len(), PATTERNS.len());
        assert!(HOST.is_some());
    }
}
