//! What a call does, for people: the kind of act and its main object, read from the call alone.
//!
//! Nothing is judged by it, and a model is not shown it.

use sayso_core::transcript::ToolCall;
use serde_json::Value;

/// What a call does, in the words that people read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// It runs a command.
    Command(String),
    /// It lists a folder.
    ListFiles,
    /// It reads a file or a document.
    ReadFile(String),
    /// It writes a file.
    WriteFile(String),
    /// It sends a file to the chat.
    SendFile(String),
    /// It reads a page or asks a server for something.
    ReadSite(String),
    /// It sends something to a server.
    SendToSite(String),
    /// It searches the web.
    SearchWeb(String),
    /// It keeps a memory.
    Remember(String),
    /// It replaces a memory.
    CorrectMemory(String),
    /// It removes memories.
    Forget,
    /// It looks for memories.
    Recall,
    /// It writes a note.
    WriteNote,
    /// It reads the instructions of a skill.
    ReadInstructions,
    /// It looks for a tool.
    FindTool,
    /// It reads more of a long result.
    ReadResult,
    /// It looks at the state of the program itself.
    LookAtItself,
    /// It looks at settings.
    ReadSettings,
    /// It changes a setting.
    ChangeSettings,
    /// It looks at routines.
    ReadRoutines,
    /// It changes routines.
    ChangeRoutines,
    /// It has a connected service do something.
    UseService(String),
    /// It plans its steps, which the plan itself shows.
    Plan,
    /// It asks the person something, which the question itself shows.
    Ask,
    /// It does something else.
    Other,
}

impl Act {
    /// Reads what a call does. Arguments that are missing or wrong leave their object empty.
    pub fn of(call: &ToolCall) -> Self {
        let text = |name: &str| argument(&call.arguments, name).to_owned();
        match call.name.as_str() {
            "shell" | "run_cmd" => Self::Command(text("command")),
            "run_checks" => Self::Command(text("check")),
            "git" => Self::Command(format!("git {}", text("action"))),
            "list_dir" | "glob_file_search" => Self::ListFiles,
            "file_read" | "read_file" | "read_document" => Self::ReadFile(text("path")),
            "file_write" | "write_file" => Self::WriteFile(text("path")),
            "apply_patch" => Self::WriteFile(patched(&call.arguments)),
            "send_file" => Self::SendFile(sent_file(&call.arguments)),
            "http_request" if !is_reading(&call.arguments) => Self::SendToSite(host(&text("url"))),
            "http_request" | "crawl_url" => Self::ReadSite(host(&text("url"))),
            "web_search" => Self::SearchWeb(text("query")),
            "memory_store" => Self::Remember(text("text")),
            "memory_update" => Self::CorrectMemory(text("text")),
            "memory_forget" => Self::Forget,
            "memory_recall" => Self::Recall,
            "quick_note" | "save_to_vault" => Self::WriteNote,
            "skill" => Self::ReadInstructions,
            "tool_search" => Self::FindTool,
            "read_result" => Self::ReadResult,
            "self_info" => Self::LookAtItself,
            "config" if argument(&call.arguments, "action") == "show" => Self::ReadSettings,
            "config" => Self::ChangeSettings,
            "routine" => match argument(&call.arguments, "action") {
                "list" | "show" => Self::ReadRoutines,
                _ => Self::ChangeRoutines,
            },
            "remind" => Self::ChangeRoutines,
            "plan" => Self::Plan,
            "ask_user" => Self::Ask,
            "mcp_resource" | "mcp_prompt" => Self::UseService(text("server")),
            name => match name.split_once("__") {
                Some((server, _)) => Self::UseService(server.to_owned()),
                None => Self::Other,
            },
        }
    }
}

/// Returns the first file that a patch names.
fn patched(arguments: &Value) -> String {
    const SIGNS: [&str; 4] = [
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "+++ b/",
    ];
    let mut lines = argument(arguments, "patch").lines();
    let named = lines.find_map(|line| SIGNS.iter().find_map(|sign| line.strip_prefix(sign)));
    named.unwrap_or_default().trim().to_owned()
}

fn argument<'a>(arguments: &'a Value, name: &str) -> &'a str {
    arguments[name].as_str().unwrap_or_default().trim()
}

/// A text is sent under a name of its own, a file under its path's.
fn sent_file(arguments: &Value) -> String {
    let name = argument(arguments, "name");
    let path = argument(arguments, "path");
    let last = path.rsplit('/').next().unwrap_or_default();
    (if name.is_empty() { last } else { name }).to_owned()
}

fn is_reading(arguments: &Value) -> bool {
    let method = argument(arguments, "method").to_ascii_uppercase();
    matches!(method.as_str(), "" | "GET" | "HEAD")
}

/// Returns the server of an address, without account and port.
fn host(address: &str) -> String {
    let behind_scheme = address.split_once("://").map_or(address, |(_, rest)| rest);
    let authority = behind_scheme.split(['/', '?', '#']).next();
    let authority = authority.unwrap_or_default();
    let server = authority.rsplit('@').next().unwrap_or_default();
    server
        .split_once(':')
        .map_or(server, |(server, _)| server)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use sayso_core::transcript::{CallId, ToolCall};
    use serde_json::json;

    use super::Act;

    fn act(name: &str, arguments: serde_json::Value) -> Act {
        Act::of(&ToolCall {
            id: CallId("c".to_owned()),
            name: name.to_owned(),
            arguments,
        })
    }

    #[test]
    fn a_call_says_what_it_does_and_to_what() {
        let site = |method| json!({"url": "https://ann:x@example.org:8443/a?b", "method": method});
        assert_eq!(
            act("http_request", site("GET")),
            Act::ReadSite("example.org".into())
        );
        assert_eq!(
            act("http_request", site("POST")),
            Act::SendToSite("example.org".into())
        );
        assert_eq!(
            act("send_file", json!({"path": "trips/rome.pdf"})),
            Act::SendFile("rome.pdf".into())
        );
        assert_eq!(
            act("github__list_issues", json!({})),
            Act::UseService("github".into())
        );
        assert_eq!(
            act("shell", json!({"command": 5})),
            Act::Command(String::new())
        );
        assert_eq!(act("telepathy", json!({})), Act::Other);
    }
}
