//! What the offline model understands: a few verbs in two languages, and the tool for each.

use serde_json::{Value, json};

/// One thing that was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Intent {
    /// Run a command.
    Run(String),
    /// Read a file.
    Read(String),
    /// List a directory.
    List(String),
    /// Write a text to a file.
    Write {
        /// The text.
        text: String,
        /// The file.
        path: String,
    },
    /// Remember a text.
    Remember(String),
    /// Say what is remembered.
    Recall(String),
    /// Forget what is remembered.
    Forget(String),
}

impl Intent {
    /// Returns the name of the tool.
    pub(super) fn tool(&self) -> &'static str {
        match self {
            Self::Run(_) => "shell",
            Self::Read(_) => "file_read",
            Self::List(_) => "list_dir",
            Self::Write { .. } => "file_write",
            Self::Remember(_) => "memory_store",
            Self::Recall(_) => "memory_recall",
            Self::Forget(_) => "memory_forget",
        }
    }

    /// Returns the arguments of the tool.
    pub(super) fn arguments(&self) -> Value {
        match self {
            Self::Run(command) => json!({"command": command}),
            Self::Read(path) | Self::List(path) => json!({"path": path}),
            Self::Write { text, path } => json!({"path": path, "content": text}),
            Self::Remember(text) => json!({"text": text}),
            Self::Recall(query) | Self::Forget(query) => json!({"query": query}),
        }
    }

    /// Whether another request may follow in the same sentence. A text to keep ends where the
    /// sentence does.
    fn may_be_followed(&self) -> bool {
        match self {
            Self::Run(_) | Self::Read(_) | Self::List(_) => true,
            Self::Write { .. } | Self::Remember(_) | Self::Recall(_) | Self::Forget(_) => false,
        }
    }
}

const POLITE: [&str; 8] = [
    "please ",
    "can you ",
    "could you ",
    "then ",
    "请帮我",
    "帮我",
    "请",
    "再",
];

const BETWEEN: [&str; 9] = [
    " and then ",
    " and ",
    ", then ",
    " then ",
    "，然后",
    "然后",
    "并且",
    "和",
    "，再",
];

/// Words that only stand between "list" and what is to be listed.
const LIST_FILLERS: [&str; 12] = [
    "all",
    "the",
    "my",
    "files",
    "file",
    "in",
    "of",
    "here",
    "directory",
    "folder",
    "workspace",
    "please",
];

/// Reads the requests in a text.
///
/// Quotations, labels and what the conversation was about may stand above the words that count,
/// and a remark in brackets below them. So where the whole text is no request, its last line is
/// read, also behind a label.
pub(super) fn read(said: &str) -> Vec<Intent> {
    let said = said.trim();
    let last_line = said
        .lines()
        .map(str::trim)
        .rfind(|line| !line.starts_with(['(', '（']))
        .unwrap_or_default();
    let behind_label = last_line
        .split_once([':', '：'])
        .map(|(_, rest)| rest.trim())
        .unwrap_or_default();
    [said, last_line, behind_label]
        .into_iter()
        .map(read_sentence)
        .find(|intents| !intents.is_empty())
        .unwrap_or_default()
}

fn read_sentence(sentence: &str) -> Vec<Intent> {
    let mut intents = Vec::new();
    let mut rest = sentence;
    loop {
        let (first, later) = split_at_next(rest);
        let Some(intent) = read_one(first) else {
            return intents;
        };
        if !intent.may_be_followed() {
            intents.extend(read_one(rest));
            return intents;
        }
        intents.push(intent);
        match later {
            Some(later) => rest = later,
            None => return intents,
        }
    }
}

/// Splits before the next request: a joining word counts only in front of one.
fn split_at_next(text: &str) -> (&str, Option<&str>) {
    let next = BETWEEN
        .iter()
        .flat_map(|joint| text.match_indices(joint))
        .filter(|(at, joint)| read_one(&text[at + joint.len()..]).is_some())
        .min_by_key(|(at, _)| *at);
    match next {
        Some((at, joint)) => (&text[..at], Some(&text[at + joint.len()..])),
        None => (text, None),
    }
}

fn read_one(text: &str) -> Option<Intent> {
    let text = without_politeness(text.trim());
    read_english(text).or_else(|| read_chinese(text))
}

fn without_politeness(mut text: &str) -> &str {
    while let Some(rest) = POLITE.iter().find_map(|word| behind(text, word)) {
        text = rest.trim_start();
    }
    text
}

fn read_english(text: &str) -> Option<Intent> {
    let one_of = |words: &[&str]| words.iter().find_map(|word| behind(text, word));
    if let Some(command) = one_of(&["run ", "execute "]) {
        return object(command).map(Intent::Run);
    }
    if let Some(path) = one_of(&["read the file ", "read "]) {
        return object(path).map(Intent::Read);
    }
    if let Some(rest) = one_of(&["write "]) {
        return written(rest, " to ");
    }
    if let Some(fact) = one_of(&["remember that ", "remember: ", "remember "]) {
        return object(fact).map(Intent::Remember);
    }
    if let Some(rest) = one_of(&["what do you remember", "do you remember"]) {
        let query = behind(rest, " about ").unwrap_or(rest);
        return object(query).or_else(|| object(text)).map(Intent::Recall);
    }
    if let Some(fact) = one_of(&["forget that ", "forget about ", "forget "]) {
        return object(fact).map(Intent::Forget);
    }
    if text.eq_ignore_ascii_case("ls") || one_of(&["ls files"]).is_some() {
        return Some(Intent::List(".".to_owned()));
    }
    listed(one_of(&["list"])?)
}

fn read_chinese(text: &str) -> Option<Intent> {
    let one_of = |words: &[&str]| words.iter().find_map(|word| behind(text, word));
    if let Some(command) = one_of(&["运行", "执行"]) {
        return object(command).map(Intent::Run);
    }
    if let Some(path) = one_of(&["读取", "读一下", "读"]) {
        return object(path).map(Intent::Read);
    }
    if let Some(rest) = one_of(&["把"]) {
        return written(rest, "写到").or_else(|| written(rest, "写进"));
    }
    if let Some(fact) = one_of(&["记住"]) {
        return object(fact).map(Intent::Remember);
    }
    if let Some(query) = one_of(&["你还记得", "你记得"]) {
        let query = query.trim_end_matches(['什', '么', '吗', '？', '?']);
        return object(query).or_else(|| object(text)).map(Intent::Recall);
    }
    if let Some(fact) = one_of(&["忘记", "忘掉"]) {
        return object(fact).map(Intent::Forget);
    }
    one_of(&["列出", "有哪些文件"]).map(|_| Intent::List(".".to_owned()))
}

fn listed(rest: &str) -> Option<Intent> {
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let mut left = rest
        .split_whitespace()
        .filter(|word| !LIST_FILLERS.contains(&word.to_lowercase().as_str()));
    let path = left.next().and_then(object);
    match left.next() {
        Some(_) => None,
        None => Some(Intent::List(path.unwrap_or_else(|| ".".to_owned()))),
    }
}

fn written(rest: &str, joint: &str) -> Option<Intent> {
    let (text, path) = rest.rsplit_once(joint)?;
    Some(Intent::Write {
        text: object(text)?,
        path: object(path)?,
    })
}

/// Returns what stands behind a word, in any letter case.
fn behind<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let head = text.get(..word.len())?;
    head.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// Returns the object of a sentence without its quotes and its final point. A point that stands
/// apart, as in `ls .`, belongs to a command.
fn object(text: &str) -> Option<String> {
    let sentence = text
        .trim()
        .trim_start_matches(['：', ':', '，', ','])
        .trim()
        .trim_end_matches(['。', '！', '？', '?', '!']);
    let text = match sentence.strip_suffix('.') {
        Some(rest) if rest.ends_with(|letter: char| letter.is_alphanumeric() || letter == '`') => {
            rest
        }
        _ => sentence,
    };
    let unquoted = [
        ('`', '`'),
        ('"', '"'),
        ('“', '”'),
        ('「', '」'),
        ('\'', '\''),
    ]
    .iter()
    .find_map(|(open, close)| text.strip_prefix(*open)?.strip_suffix(*close))
    .unwrap_or(text)
    .trim();
    (!unquoted.is_empty()).then(|| unquoted.to_owned())
}

#[cfg(test)]
#[path = "intents_tests.rs"]
mod tests;
