//! How the offline model answers Phase 1: proper JSON, from words that it looks for.

use sayso_core::Language;
use serde_json::json;

use super::language_of;

/// A skill and the words that call for it: ASCII ones stand alone, others anywhere.
const SKILLS: [(&str, &[&str]); 3] = [
    (
        "git-workflow",
        &["git", "commit", "branch", "merge", "rebase", "提交", "分支"],
    ),
    ("code-review", &["review", "审查", "评审"]),
    ("rust-dev", &["rust", "cargo", "rustc", "clippy"]),
];

/// Requests that say nothing of what is wanted.
const UNCLEAR: [&str; 13] = [
    "do it",
    "do that",
    "fix it",
    "fix that",
    "handle it",
    "handle that",
    "take care of it",
    "弄一下",
    "处理一下",
    "搞一下",
    "修一下",
    "帮我弄一下",
    "帮我处理一下",
];

/// Returns the route of a request as JSON. Only skills that `system` lists are named.
pub(super) fn answer(system: &str, said: &str) -> String {
    if is_unclear(said) {
        return clarification(language_of(said));
    }
    let skills: Vec<_> = SKILLS
        .iter()
        .filter(|(name, words)| system.contains(name) && mentions(said, words))
        .map(|(name, _)| *name)
        .collect();
    json!({"direct": skills.is_empty(), "skills": skills}).to_string()
}

/// Each choice is a request that the offline model understands by itself.
fn clarification(language: Language) -> String {
    let (question, choices) = match language {
        Language::English => (
            "What shall I do?",
            ["list the files", "read README.md", "run git status"],
        ),
        Language::Chinese => (
            "您想让我做什么？",
            ["列出文件", "读 README.md", "运行 git status"],
        ),
    };
    json!({"skills": [], "direct": false, "question": question, "choices": choices}).to_string()
}

fn is_unclear(said: &str) -> bool {
    let lower = said
        .trim()
        .trim_end_matches(['.', '!', '?', '。', '！', '？'])
        .to_lowercase();
    let mut request = lower.as_str();
    for polite in ["please ", "请"] {
        request = request.strip_prefix(polite).unwrap_or(request);
    }
    UNCLEAR.contains(&request.strip_suffix(" please").unwrap_or(request))
}

fn mentions(said: &str, words: &[&str]) -> bool {
    let said = said.to_lowercase();
    let alone: Vec<_> = said
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .collect();
    words.iter().any(|word| {
        if word.is_ascii() {
            alone.contains(word)
        } else {
            said.contains(word)
        }
    })
}
