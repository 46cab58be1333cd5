//! What was read lately that is not the person's own, as a card says it: by the names of files and
//! hosts, not of tools.

use sayso_core::transcript::{Taint, TaintOrigin, TaintSource, Way};
use sayso_core::{Language, text};
use serde_json::Value;

/// How many sources of untrusted text a card names.
const NAMED_SOURCES: usize = 4;
/// The longest name that is shown, in characters.
const NAME_CHARS: usize = 40;
/// The folder of a workspace in which files lie that people sent.
const SENT_FILES: &str = "inbox/";

/// Says what was read that is not the person's own; `None` where nothing was.
pub(crate) fn in_view(taint: &Taint, language: Language) -> Option<String> {
    let mut names: Vec<String> = Vec::new();
    for source in taint.sources() {
        let name = source_name(source, language);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let more = names.len().saturating_sub(NAMED_SOURCES);
    names.truncate(NAMED_SOURCES);
    Some(match more {
        0 => text!(
            language,
            "policy-in-view",
            names = names.join(text!(language, "list-names"))
        ),
        _ => text!(
            language,
            "policy-in-view-more",
            names = names.join(text!(language, "list-names")),
            more
        ),
    })
}

fn source_name(source: &TaintSource, language: Language) -> String {
    let origin = match &source.origin {
        TaintOrigin::Others => text!(language, "policy-view-source-name-origin-others").to_owned(),
        TaintOrigin::Tool { name, arguments } => {
            let stored = arguments.as_deref().map(serde_json::from_str);
            let arguments = stored.and_then(Result::ok).unwrap_or(Value::Null);
            read_by(name, &arguments, language)
        }
        TaintOrigin::Picture => {
            text!(language, "policy-view-source-name-origin-picture").to_owned()
        }
        TaintOrigin::Many => text!(language, "policy-view-source-name-origin-many").to_owned(),
    };
    match source.way {
        Way::Here | Way::Earlier => origin,
        Way::Memory => text!(language, "policy-view-source-name-memory", origin),
    }
}

/// Names what a call read.
fn read_by(tool: &str, arguments: &Value, language: Language) -> String {
    let argument = |name: &str| arguments[name].as_str();
    if let Some(path) = argument("path").filter(|_| tool != "list_dir") {
        return file_name(path, language);
    }
    if let Some(host) = argument("url").and_then(host_of) {
        return format!("`{}`", shown(host));
    }
    if let Some((server, _)) = tool.split_once("__") {
        return format!("`{}`", shown(server));
    }
    let said = match tool {
        "list_dir" => text!(language, "policy-view-read-list"),
        "web_search" => text!(language, "policy-view-read-search"),
        "shell" | "run_cmd" | "run_checks" | "git" => text!(language, "policy-view-read-output"),
        "memory_recall" | "memory_forget" | "read_result" => {
            text!(language, "policy-view-read-notes")
        }
        _ => text!(language, "policy-view-read-other"),
    };
    said.to_owned()
}

fn file_name(path: &str, language: Language) -> String {
    let name = shown(path.rsplit('/').next().unwrap_or(path));
    let was_sent = path.trim_start_matches("./").starts_with(SENT_FILES);
    if was_sent {
        text!(language, "policy-view-file-sent-here", name)
    } else {
        format!("`{name}`")
    }
}

/// Returns the host of an address, without the name of a user before it.
fn host_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    (!host.is_empty()).then_some(host)
}

/// Returns a name for a code span: no letter that ends it or is not seen, and no more than is read.
fn shown(name: &str) -> String {
    let is_unseen = |letter: char| {
        letter.is_control()
            || matches!(letter, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
    };
    let seen = name
        .chars()
        .filter(|letter| *letter != '`' && !is_unseen(*letter));
    let mut shown: String = seen.take(NAME_CHARS + 1).collect();
    if shown.chars().count() > NAME_CHARS {
        shown = shown.chars().take(NAME_CHARS).chain(['…']).collect();
    }
    shown
}

#[cfg(test)]
mod tests {
    use sayso_core::Language;
    use sayso_core::transcript::{CallId, Taint, ToolCall, Way};

    use super::in_view;
    use serde_json::{Value, json};

    fn call(name: &str, arguments: Value) -> ToolCall {
        ToolCall {
            id: CallId("1".into()),
            name: name.into(),
            arguments,
        }
    }

    fn read(calls: &[(&str, Value)]) -> String {
        let mut taint = Taint::default();
        for (name, arguments) in calls {
            taint.add_result_of(&call(name, arguments.clone()));
        }
        let page = [Language::English, Language::Chinese].map(|language| in_view(&taint, language));
        page.map(Option::unwrap).join("\n")
    }

    #[test]
    fn u6_a_card_names_files_and_hosts_and_no_tools() {
        assert_eq!(in_view(&Taint::default(), Language::English), None);
        insta::assert_snapshot!(read(&[
            ("file_read", json!({"path": "inbox/invoice_3.txt"})),
            ("read_document", json!({"path": "papers/2026/plan.pdf"})),
            ("http_request", json!({"url": "https://ann:pw@example.org:8443/a?b=@c"})),
            ("files__search", json!({"q": "tea"})),
        ]), @r"
        I have recently read: `invoice_3.txt` (sent here), `files`, `example.org:8443`, `plan.pdf`.
        最近读过：`invoice_3.txt`（发来的文件）、`files`、`example.org:8443`、`plan.pdf`。
        ");
        insta::assert_snapshot!(read(&[
            ("list_dir", json!({"path": "."})),
            ("shell", json!({"command": "ps"})),
            ("memory_recall", json!({"query": "tea"})),
            ("web_search", json!({"query": "tea"})),
        ]), @r"
        I have recently read: the names of files in your folder, my earlier notes, the output of a command, a web search.
        最近读过：文件夹里的文件名、我以前的记录、命令的输出、网页搜索结果。
        ");
        insta::assert_snapshot!(read(&[("new_tool", json!({}))]), @r"
        I have recently read: other texts.
        最近读过：其他文本。
        ");
    }

    #[test]
    fn u6_a_name_cannot_pass_for_words_of_ours() {
        let path = format!("a`** Approve\u{202e}\n{}", "x".repeat(100));
        let said = read(&[("file_read", json!({ "path": path }))]);
        let english = said.lines().next().unwrap();
        assert!(
            english.starts_with("I have recently read: `a** Approvexx"),
            "{said}"
        );
        assert!(english.ends_with("x…`."), "{said}");
    }

    #[test]
    fn u6_the_same_text_is_named_once_and_a_memory_as_such() {
        let mut taint = Taint::default();
        taint.add_result_of(&call("file_read", json!({"path": "x.txt"})));
        let before = taint.clone();
        taint.merge(&before.by(Way::Earlier));
        taint.merge(&before.by(Way::Memory));
        taint.add_others();
        let page = [Language::English, Language::Chinese].map(|language| in_view(&taint, language));
        insta::assert_snapshot!(page.map(Option::unwrap).join("\n"), @r"
        I have recently read: words of others, `x.txt`, `x.txt` (remembered).
        最近读过：他人的话、`x.txt`、`x.txt`（记忆）。
        ");
        taint.add_picture();
        taint.add_unnamed();
        let many = in_view(&taint, Language::English).unwrap();
        assert!(many.ends_with(", and 1 more."), "{many}");
    }
}
