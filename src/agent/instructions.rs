//! The `AGENTS.md` of the project that a turn works in, from its root to the folders of the files that
//! the turn has in hand: instructions once an owner accepted this version of a file, and text from
//! outside until then.

use std::collections::{BTreeMap, BTreeSet};

use sayso_core::transcript::{
    CallId, ConversationMessage, OutsideSource, Scope, Taint, ToolCall, enclose, first_chars,
};
use sayso_tools::{INSTRUCTIONS_BYTES, INSTRUCTIONS_FILE, ProjectInstructions};
use serde_json::json;

use super::{Journal, JournalError};

/// What begins the lines of a patch that name a file.
const NAMES_A_FILE: [&str; 4] = [
    "*** Update File: ",
    "*** Add File: ",
    "*** Delete File: ",
    "+++ b/",
];

/// What a project says to its turns. Without a project it is nothing, and costs nothing.
#[derive(Debug, Default)]
pub(super) struct Instructions {
    /// What an owner accepted.
    pub(super) accepted: Option<String>,
    /// What no owner accepted, in the delimiters of text from outside.
    pub(super) outside: Option<String>,
    /// Where that came from.
    pub(super) taint: Taint,
    /// The files and folders that it was looked up for.
    in_hand: BTreeSet<String>,
}

/// Returns the files and folders of the project that the calls of a turn name, as they are written.
pub(super) fn in_hand(messages: &[ConversationMessage]) -> BTreeSet<String> {
    let calls = messages.iter().flat_map(|message| match message {
        ConversationMessage::Assistant(message) => message.calls.as_slice(),
        ConversationMessage::User { .. } | ConversationMessage::ToolResult { .. } => &[],
    });
    let mut paths = BTreeSet::new();
    for call in calls {
        let text = |name: &str| call.arguments[name].as_str().unwrap_or_default();
        let patched = text("patch").lines();
        let patched = patched.filter_map(|line| {
            let mut signs = NAMES_A_FILE.iter();
            signs.find_map(|sign| line.strip_prefix(sign))
        });
        let named = patched.chain([text("path")]).map(str::trim);
        paths.extend(named.filter(|path| !path.is_empty()).map(str::to_owned));
    }
    paths
}

impl Instructions {
    /// Reads those of the project of a turn for what it has in hand, and shows `most` characters of them.
    pub(super) async fn load(
        scope: &Scope,
        in_hand: BTreeSet<String>,
        most: usize,
        journal: &mut dyn Journal,
    ) -> Result<Self, JournalError> {
        let Some(project) = &scope.project else {
            return Ok(Self::default());
        };
        let found = ProjectInstructions::on_the_way(&scope.workspace, &in_hand).await;
        let accepted = if found.is_empty() {
            BTreeMap::new()
        } else {
            journal.accepted_instructions(&project.name).await?
        };
        let mut instructions = Self::of(found, most, &accepted);
        instructions.in_hand = in_hand;
        Ok(instructions)
    }

    /// Returns whether they were looked up for exactly this.
    pub(super) fn are_for(&self, in_hand: &BTreeSet<String>) -> bool {
        self.in_hand == *in_hand
    }

    fn of(
        found: Vec<ProjectInstructions>,
        most: usize,
        accepted: &BTreeMap<String, String>,
    ) -> Self {
        let mut instructions = Self::default();
        let mut room = most.min(INSTRUCTIONS_BYTES);
        for one in found {
            let is_accepted = accepted.get(&one.path) == Some(&one.hash);
            if one.is_attack && !is_accepted {
                tracing::warn!(
                    "AGENTS.md of a project was left out: it contains instructions of an attack"
                );
                continue;
            }
            let text = shown(&one, room);
            room = room.saturating_sub(text.len());
            if is_accepted {
                append(&mut instructions.accepted, &text);
            } else {
                instructions.add_outside(&one, &text);
            }
        }
        instructions
    }

    fn add_outside(&mut self, found: &ProjectInstructions, text: &str) {
        let call = ToolCall {
            id: CallId(String::new()),
            name: "read_file".to_owned(),
            arguments: json!({ "path": found.path }),
        };
        let source = OutsideSource {
            call: format!("{} {}", call.name, call.canonical_arguments()),
            suspected: found.is_suspected,
        };
        self.taint.add_result_of(&call);
        append(&mut self.outside, &enclose(text, &source));
    }
}

/// Returns what is shown of a file where there is room for `room` characters: one in a folder with the
/// folder that it holds for.
fn shown(found: &ProjectInstructions, room: usize) -> String {
    let mut text = match found.path.strip_suffix(INSTRUCTIONS_FILE) {
        None | Some("") => String::new(),
        Some(folder) => format!("For the files in `{folder}` ({}):\n", found.path),
    };
    let kept = first_chars(&found.text, room);
    text.push_str(kept.unwrap_or(&found.text));
    if found.is_cut || kept.is_some() {
        text.push_str("\n[cut here]");
    }
    text
}

fn append(all: &mut Option<String>, text: &str) {
    let all = all.get_or_insert_default();
    if !all.is_empty() {
        all.push_str("\n\n");
    }
    all.push_str(text);
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sayso_core::transcript::{AssistantMessage, CallId, ConversationMessage, ToolCall};
    use sayso_tools::ProjectInstructions;
    use serde_json::{Value, json};

    use super::{Instructions, in_hand};

    const ROOM: usize = 10_000;

    fn found_at(path: &str, text: &str, is_attack: bool) -> ProjectInstructions {
        ProjectInstructions {
            path: path.to_owned(),
            text: text.to_owned(),
            hash: format!("hash of {text}"),
            is_cut: false,
            is_attack,
            is_suspected: false,
        }
    }

    fn found(text: &str, is_attack: bool) -> Vec<ProjectInstructions> {
        vec![found_at("AGENTS.md", text, is_attack)]
    }

    fn accepted(files: &[(&str, &str)]) -> BTreeMap<String, String> {
        let files = files.iter();
        files
            .map(|(path, text)| ((*path).to_owned(), format!("hash of {text}")))
            .collect()
    }

    #[test]
    fn only_the_accepted_version_is_followed_and_all_others_taint() {
        let same = accepted(&[("AGENTS.md", "Run tests.")]);
        let same = Instructions::of(found("Run tests.", false), ROOM, &same);
        assert_eq!(same.accepted.as_deref(), Some("Run tests."));
        assert!(same.outside.is_none() && same.taint.is_empty());
        let elsewhere = accepted(&[("web/AGENTS.md", "Run tests.")]);
        let another = accepted(&[("AGENTS.md", "another")]);
        for accepted in [BTreeMap::new(), another, elsewhere] {
            let other = Instructions::of(found("Run tests.", false), ROOM, &accepted);
            assert_eq!(other.accepted, None);
            let outside = other.outside.unwrap();
            assert!(outside.starts_with("[outside "), "{outside}");
            assert!(!other.taint.is_empty());
        }
    }

    #[test]
    fn an_attack_is_left_out_unless_it_was_accepted() {
        let left_out = Instructions::of(found("Obey.", true), ROOM, &BTreeMap::new());
        assert!(left_out.accepted.is_none() && left_out.outside.is_none());
        let obeyed = accepted(&[("AGENTS.md", "Obey.")]);
        let accepted = Instructions::of(found("Obey.", true), ROOM, &obeyed);
        assert!(accepted.accepted.is_some());
    }

    #[test]
    fn those_of_folders_say_where_they_hold_and_share_the_room() {
        let files = || {
            vec![
                found_at("AGENTS.md", "Run tests.", false),
                found_at("web/AGENTS.md", "Use tabs.", false),
            ]
        };
        let both = accepted(&[("AGENTS.md", "Run tests."), ("web/AGENTS.md", "Use tabs.")]);
        let all = Instructions::of(files(), ROOM, &both).accepted.unwrap();
        insta::assert_snapshot!(all, @r"
        Run tests.

        For the files in `web/` (web/AGENTS.md):
        Use tabs.
        ");
        let cut = Instructions::of(files(), 14, &both).accepted.unwrap();
        assert!(cut.ends_with("Use \n[cut here]"), "{cut}");
        let one = accepted(&[("AGENTS.md", "Run tests.")]);
        let mixed = Instructions::of(files(), ROOM, &one);
        assert_eq!(mixed.accepted.as_deref(), Some("Run tests."));
        assert!(mixed.outside.unwrap().contains("Use tabs."));
    }

    #[test]
    fn the_calls_of_a_turn_say_what_it_has_in_hand() {
        let call = |name: &str, arguments: Value| ToolCall {
            id: CallId("1".to_owned()),
            name: name.to_owned(),
            arguments,
        };
        let patch = "*** Begin Patch\n*** Update File: web/a.css\n@@\n-x\n+y\n*** End Patch";
        let message = AssistantMessage {
            calls: vec![
                call("read_file", json!({"path": "src/a.rs"})),
                call("apply_patch", json!({"patch": patch})),
                call("run_cmd", json!({"command": "ls"})),
            ],
            ..AssistantMessage::default()
        };
        let named = in_hand(&[ConversationMessage::Assistant(message)]);
        let named: Vec<&str> = named.iter().map(String::as_str).collect();
        assert_eq!(named, ["src/a.rs", "web/a.css"]);
    }
}
