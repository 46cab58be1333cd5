//! The rules. Each returns its breaches, as `path:line: what is wrong`.

use super::Row;
use super::source::{CORE, CRATES, Source};

/// The lines of a file, without its tests, beyond which it says why it has more.
const FILE_LINES: usize = 600;
/// The lines of a function, its signature included, beyond which it says why it has more.
const FUNCTION_LINES: usize = 60;
/// How the reason begins: in the header of a file, or right above a function.
const REASON: &str = "long: ";

/// A room, the words that must not stand in its code, and why.
type Ban = (&'static str, &'static [&'static str], &'static str);

/// What rooms leave alone, beyond the table.
const BANS: [Ban; 9] = [
    (
        "transcript",
        &[
            "async fn",
            ".await",
            "std::fs",
            "std::net",
            "SystemTime",
            "Instant",
        ],
        "it is pure data",
    ),
    (
        "policy",
        &[
            "async fn",
            ".await",
            "std::fs",
            "std::net",
            "std::time",
            "SystemTime",
            "Instant",
        ],
        "it neither awaits, nor reads a clock, nor touches disk or network",
    ),
    (
        "injection",
        &[
            "async fn",
            ".await",
            "std::fs",
            "std::net",
            "std::time",
            "SystemTime",
            "Instant",
        ],
        "it neither awaits, nor reads a clock, nor touches disk or network",
    ),
    (
        "executor",
        &[
            "Address",
            "Button",
            "Outbound",
            "Provider",
            "PromptParts",
            "rusqlite",
            "SELECT ",
        ],
        "it knows no chat, no model, no prompt and no SQL",
    ),
    (
        "agent",
        &[
            "Address",
            "Button",
            "ChannelName",
            "MessageKey",
            "Outbound",
            "rusqlite",
            "SELECT ",
            "OpenAi",
            "Offline",
            "Scripted",
            "Reliable",
            "Shell",
            "FileRead",
            "FileWrite",
            "ListDir",
            "StoredMemory",
            "MemoryStore",
            "MemoryUpdate",
            "MemoryRecall",
            "MemoryForget",
            "SkillTool",
        ],
        "it knows no address, no button, no SQL, and no concrete provider or tool",
    ),
    (
        "sessions",
        &[
            "Telegram",
            "Discord",
            "Terminal",
            "build_routing_prompt",
            "PromptParts",
        ],
        "it names no platform and builds no prompt",
    ),
    (
        "intake",
        &[
            "Telegram",
            "Discord",
            "Terminal",
            "chat_with_tools",
            "Toolbox",
        ],
        "it names no platform and calls neither model nor tool",
    ),
    (
        "commands",
        &[
            "Telegram",
            "Discord",
            "Terminal",
            "chat_with_tools",
            "Toolbox",
        ],
        "it names no platform and calls neither model nor tool",
    ),
    (
        "delivery",
        &["Telegram", "Discord", "Terminal"],
        "what differs between platforms is data, or the adapter's own affair",
    ),
];

/// Words that belong to some rooms, and to no other.
const OWNED: [(&str, &[&str]); 4] = [
    ("rusqlite", &["store"]),
    ("sayso_discord", &["app", "config", "cli"]),
    ("sayso_telegram", &["app", "config", "cli"]),
    ("sayso_terminal", &["app", "demo"]),
];

/// Where a tool is run.
const EXECUTOR: &str = "src/tools/toolbox.rs";
/// Where a proof is made that a person approved a call.
const REDEEMER: &str = "src/approvals/open.rs";
/// What has calls run, for every driver.
const CALL_RUN: &str = "src/executor/call_run.rs";

/// A file opens with what it owns.
pub fn header(source: &Source) -> Vec<String> {
    let first = source.lines.first().map(|line| line.text.as_str());
    match first.unwrap_or_default().strip_prefix("//! ") {
        Some(words) if !words.trim().is_empty() => Vec::new(),
        _ => vec![format!(
            "{}:1: no `//!` line that says what it owns",
            source.path
        )],
    }
}

/// What is longer than most of its kind, and why.
pub struct Long {
    /// What it is, and how long.
    pub what: String,
    /// Why it is so long, if that is said.
    pub reason: Option<String>,
}

/// What is long without a reason is two things.
pub fn unexplained(source: &Source) -> Vec<String> {
    let long = long(source).into_iter();
    let unexplained = long.filter(|it| it.reason.is_none());
    unexplained
        .map(|it| format!("{}, and no `// {REASON}` says why", it.what))
        .collect()
}

/// Returns the file, if it is long, and its long functions.
pub fn long(source: &Source) -> Vec<Long> {
    let path = &source.path;
    let length = source.lines.iter().filter(|line| !line.is_test).count();
    let header = source.lines.iter().map(|line| line.text.as_str());
    let file = (length > FILE_LINES).then(|| Long {
        what: format!("{path}: {length} lines without tests, {FILE_LINES} are usual"),
        reason: header
            .take_while(|line| line.starts_with("//!"))
            .find_map(|line| reason(line.strip_prefix("//!")?)),
    });
    let functions = source.functions().into_iter();
    let functions = functions.filter(|function| function.length > FUNCTION_LINES);
    let functions = functions.map(|function| {
        let (name, length) = (&function.name, function.length);
        Long {
            what: format!("{path}: `{name}` has {length} lines, {FUNCTION_LINES} are usual"),
            reason: function
                .above
                .iter()
                .find_map(|line| reason(line.strip_prefix("//")?)),
        }
    });
    file.into_iter().chain(functions).collect()
}

fn reason(comment: &str) -> Option<String> {
    let reason = comment.trim().strip_prefix(REASON)?.trim();
    (!reason.is_empty()).then(|| reason.to_owned())
}

/// A room names only what its row allows, tests included. Below the rooms of the table are those of
/// other crates.
pub fn rooms(source: &Source, table: &[Row], below: &[&str]) -> Vec<String> {
    let Some(room) = source.room() else {
        return Vec::new();
    };
    let Some((_, allowed)) = table.iter().find(|(row, _)| *row == room) else {
        return vec![format!("{}: the room `{room}` has no row", source.path)];
    };
    let is_room = |name: &str| below.contains(&name) || table.iter().any(|(row, _)| *row == name);
    let code = source.joined();
    let mut named = rooms_named(&code, "crate::");
    named.extend(crates_named(&code));
    named.sort_unstable();
    named.dedup();
    let strangers = named
        .into_iter()
        .filter(|name| is_room(name) && name != room && !allowed.contains(&name.as_str()))
        .map(|name| format!("{}: `{room}` may not name `{name}`", source.path));
    strangers.chain(ways_around(source)).collect()
}

/// Returns the rooms of other crates in `src/` that are named.
fn crates_named(code: &str) -> Vec<String> {
    let named = CRATES.iter().map(|(_, name)| *name);
    let named = named.filter(|name| *name != CORE && has_word(code, name));
    let rooms = named.filter_map(|name| Some(name.strip_prefix("sayso_")?.to_owned()));
    rooms.chain(rooms_named(code, "sayso_core::")).collect()
}

/// Returns the first names behind the root of a crate, also those of a group.
fn rooms_named(code: &str, root: &str) -> Vec<String> {
    let behind = code.split(root).skip(1);
    behind
        .flat_map(|rest| match rest.strip_prefix('{') {
            Some(group) => group_members(group),
            None => vec![first_name(rest)],
        })
        .collect()
}

/// Returns the first names of a group's members; what stands in inner braces is not one.
fn group_members(group: &str) -> Vec<String> {
    let mut depth = 0;
    let mut members = vec![String::new()];
    for letter in group.chars() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => members.push(String::new()),
            _ if depth == 0 => members.last_mut().unwrap().push(letter),
            _ => {}
        }
    }
    members
        .iter()
        .map(|member| first_name(member.trim()))
        .collect()
}

fn first_name(path: &str) -> String {
    let is_name = |letter: &char| letter.is_alphanumeric() || *letter == '_';
    path.chars().take_while(is_name).collect()
}

/// A room is left by `crate::` only: `super::` that climbs to the root would go around the table.
fn ways_around(source: &Source) -> Vec<String> {
    let mut breaches = Vec::new();
    for (at, text) in source.code_and_tests().enumerate() {
        let climbs = climbs(text);
        if climbs > 0 && climbs >= source.depth() + source.lines[at].nesting {
            breaches.push(format!(
                "{}:{}: `super` leaves the room",
                source.path,
                at + 1
            ));
        }
    }
    breaches
}

/// Returns the longest chain of `super::` in a line.
fn climbs(text: &str) -> usize {
    let mut longest = 0;
    let mut rest = text;
    while let Some(at) = rest.find("super::") {
        rest = &rest[at..];
        let mut chain = 0;
        while let Some(behind) = rest.strip_prefix("super::") {
            chain += 1;
            rest = behind;
        }
        longest = longest.max(chain);
    }
    longest
}

/// Returns a room that reaches itself, if there is one. None does through another crate.
pub fn circle(table: &[Row], other: &[&str]) -> Option<&'static str> {
    // A row may only name rows above it.
    table.iter().enumerate().find_map(|(at, (room, allowed))| {
        let below = &table[..at];
        let is_below =
            |name: &&str| other.contains(name) || below.iter().any(|(row, _)| row == name);
        (!allowed.iter().all(is_below)).then_some(*room)
    })
}

/// A room's code does not hold the words of what it must leave to others.
pub fn forbidden_words(source: &Source) -> Vec<String> {
    let room = source.room().unwrap_or_default();
    let bans = BANS.iter().filter(|(banned, ..)| *banned == room);
    let mut breaches = Vec::new();
    for (at, text) in source.code() {
        for (_, words, why) in bans.clone() {
            let found = words.iter().filter(|word| has_word(text, word));
            breaches.extend(
                found.map(|word| format!("{}:{at}: `{word}` in `{room}`: {why}", source.path)),
            );
        }
        let owned = OWNED.iter().filter(|(word, owners)| {
            source.path.starts_with("src/") && has_word(text, word) && !owners.contains(&room)
        });
        breaches.extend(
            owned.map(|(word, owners)| {
                format!("{}:{at}: `{word}` belongs to {owners:?}", source.path)
            }),
        );
    }
    breaches
}

/// A tool runs in the executor and nowhere else: what a run wants is made there alone.
pub fn one_executor(source: &Source) -> Vec<String> {
    let makes_context = |text: &str| {
        let is_type = text.contains("struct ToolContext");
        (text.contains("ToolContext {") && !is_type) || text.contains("Seal(")
    };
    let code = source.code().filter(|_| source.path != EXECUTOR);
    code.filter(|(_, text)| makes_context(text))
        .map(|(at, _)| format!("{}:{at}: only `{EXECUTOR}` runs a tool", source.path))
        .collect()
}

/// That a person approved a call is proved from the row of the approval, where its token is used up.
pub fn one_redeemer(source: &Source) -> Vec<String> {
    let code = source.code().filter(|_| source.path != REDEEMER);
    code.filter(|(_, text)| text.contains("Approved::redeemed"))
        .map(|(at, _)| {
            format!(
                "{}:{at}: only `{REDEEMER}` redeems an approval",
                source.path
            )
        })
        .collect()
}

/// A call runs for a driver through `executor` and nowhere else: what it runs with is made there
/// alone.
pub fn one_call_path(source: &Source) -> Vec<String> {
    let makes_context =
        |text: &str| text.contains("CallContext {") && !text.contains("struct CallContext");
    let code = source.code().filter(|_| source.path != CALL_RUN);
    code.filter(|(_, text)| makes_context(text))
        .map(|(at, _)| format!("{}:{at}: only `{CALL_RUN}` has calls run", source.path))
        .collect()
}

/// Returns whether a word stands in a line, not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    text.match_indices(word).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + word.len()..].chars().next();
        let is_longer_before = word.starts_with(is_letter) && before.is_some_and(is_letter);
        let is_longer_behind = word.ends_with(is_letter) && after.is_some_and(is_letter);
        !is_longer_before && !is_longer_behind
    })
}

/// Returns the lines of a manifest about what its crate is built with, without its tests.
pub fn dependencies(manifest: &str) -> impl Iterator<Item = &str> {
    let mut is_within = false;
    manifest.lines().filter(move |line| {
        if line.starts_with('[') {
            is_within = *line == "[dependencies]";
        }
        is_within && !line.starts_with('[') && !line.is_empty()
    })
}

/// Returns the crate that a line of a manifest is about.
pub fn named(line: &str) -> &str {
    line.split(['.', '=', ' ']).next().unwrap_or_default()
}

/// Of the workspace's crates, a channel depends on `sayso-channel` alone; its tests may use the
/// fakes. What a channel is stands on `sayso-core`.
pub fn manifest(channel: &str, manifest: &str) -> Vec<String> {
    let mut section = "";
    let mut breaches = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if line.starts_with('[') {
            section = line;
            continue;
        }
        let Some(name) = line
            .split(['.', '=', ' '])
            .next()
            .filter(|_| section.contains("dependencies"))
        else {
            continue;
        };
        let allowed: &[&str] = match (channel, section.contains("dev-dependencies")) {
            ("api", _) => &["sayso-core"],
            (_, false) => &["sayso-channel"],
            (_, true) => &["sayso-channel", "sayso-fakes"],
        };
        let is_ours = name == "sayso" || name.starts_with("sayso-");
        if is_ours && !allowed.contains(&name) {
            breaches.push(format!("channels/{channel}: {section} names `{name}`"));
        }
    }
    breaches
}
