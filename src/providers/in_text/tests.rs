//! What is a call, what stays text, and what is heard of both while it arrives.

use std::sync::Mutex;

use proptest::prelude::*;
use sayso_core::transcript::{AssistantMessage, CallId, ToolCall, ToolSpec};
use serde_json::{Value, json};

use super::{Held, tags};
use crate::Reply;

fn tools() -> Vec<ToolSpec> {
    let tool = |name: &str, parameters: Value| ToolSpec {
        name: name.to_owned(),
        description: "does it".to_owned(),
        parameters: parameters.into(),
    };
    let properties = json!({"command": {"type": "string"}, "lines": {"type": "integer"}});
    vec![
        tool("shell", json!({"type": "object", "properties": properties})),
        tool("list_dir", json!({"type": "object", "properties": {}})),
    ]
}

fn saying(text: &str) -> Reply {
    Reply {
        message: AssistantMessage {
            text: text.to_owned(),
            ..AssistantMessage::default()
        },
        ..Reply::default()
    }
}

/// Returns the calls of an answer, its text, and what was heard when it came in pieces so long.
fn read(text: &str, piece: usize) -> (Vec<(String, Value)>, String, String) {
    let heard = Mutex::new(String::new());
    let keep = |piece: &str| heard.lock().unwrap().push_str(piece);
    let tools = tools();
    let held = Held::new(&keep, &tools);
    let letters: Vec<char> = text.chars().collect();
    for piece in letters.chunks(piece) {
        held.hear(&piece.iter().collect::<String>());
    }
    let message = held.end(saying(text)).message;
    let calls = message.calls.into_iter();
    let calls = calls.map(|call| (call.name, call.arguments)).collect();
    drop(held);
    (calls, message.text, heard.into_inner().unwrap())
}

/// A text that is calls behind this prose, and nothing else.
#[track_caller]
fn calls_behind(prose: &str, text: &str, expected: &[(&str, Value)]) {
    let expected: Vec<_> = expected
        .iter()
        .map(|(name, arguments)| ((*name).to_owned(), arguments.clone()))
        .collect();
    for piece in [1, 3, 1000] {
        let (calls, said, heard) = read(text, piece);
        assert_eq!(calls, expected, "{text}");
        assert_eq!((said.as_str(), heard.as_str()), ("", prose), "{text}");
    }
}

#[track_caller]
fn runs_ls(text: &str) {
    calls_behind("", text, &[("shell", json!({"command": "ls"}))]);
}

#[track_caller]
fn stays_text(text: &str) {
    for piece in [1, 3, 1000] {
        let (calls, said, heard) = read(text, piece);
        assert_eq!(calls, [], "{text}");
        assert_eq!((said.as_str(), heard.as_str()), (text, text));
    }
}

#[test]
fn a_text_that_is_json_is_a_call_in_every_known_shape() {
    runs_ls(r#"{"name": "shell", "arguments": {"command": "ls"}}"#);
    runs_ls(r#"{"name": "shell", "parameters": {"command": "ls"}}"#);
    runs_ls(r#"{"type": "tool_use", "id": "x", "name": "shell", "input": {"command": "ls"}}"#);
    runs_ls(r#"{"tool": "shell", "args": {"command": "ls"}}"#);
    runs_ls(r#"{"function": {"name": "shell", "arguments": "{\"command\": \"ls\"}"}}"#);
    runs_ls(
        r#"{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "shell", "arguments": {"command": "ls"}}}]}"#,
    );
    runs_ls("[{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}]\n");
}

#[test]
fn tags_of_open_models_are_calls() {
    runs_ls(
        "<tool_call>\n{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}\n</tool_call>",
    );
    runs_ls("<tool_call>\n{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}");
    runs_ls("<function=shell>{\"command\": \"ls\"}</function>");
    runs_ls(
        "<tool_call>\n<function=shell>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>",
    );
    runs_ls(
        "<function_calls>\n<invoke name=\"shell\">\n<parameter name=\"command\">ls</parameter>\n</invoke>\n</function_calls>",
    );
    runs_ls("[TOOL_CALLS] [{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}]");
    runs_ls("[TOOL_CALLS]shell[ARGS]{\"command\": \"ls\"}");
    runs_ls("<|python_tag|>{\"name\": \"shell\", \"parameters\": {\"command\": \"ls\"}}<|eom_id|>");
    calls_behind(
        "",
        "<tool_call>{\"name\": \"list_dir\"}</tool_call>",
        &[("list_dir", json!({}))],
    );
}

#[test]
fn chat_f9_calls_of_every_family_run() {
    for text in [
        // GLM 4.5 and newer, with the end and without it.
        "<tool_call>shell\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>",
        "<tool_call>shell<arg_key>command</arg_key><arg_value>ls</arg_value>",
        // DeepSeek V3.1, R1 and V3.2.
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>shell<｜tool▁sep｜>{\"command\": \"ls\"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>shell\n```json\n{\"command\": \"ls\"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"shell\">\n<｜DSML｜parameter name=\"command\" string=\"true\">ls</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
        // Kimi K2.
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.shell:0<|tool_call_argument_begin|>{\"command\": \"ls\"}<|tool_call_end|><|tool_calls_section_end|>",
        "<|tool_call_begin|>functions.shell:0<|tool_call_argument_begin|>{\"command\": \"ls\"}",
        // MiniMax M2, Seed.
        "<minimax:tool_call>\n<invoke name=\"shell\">\n<parameter name=\"command\">ls</parameter>\n</invoke>\n</minimax:tool_call>",
        "<seed:tool_call>\n<function=shell>\n<parameter=command>ls</parameter>\n</function>\n</seed:tool_call>",
        // Gemma 4, LFM2.
        "<|tool_call>call:shell{command:<|\"|>ls<|\"|>}<tool_call|><end_of_turn>",
        "<|tool_call_start|>[shell(command=\"ls\")]<|tool_call_end|><|im_end|>",
        "<|tool_call_start|>[shell(command='ls')]<|tool_call_end|>",
        // gpt-oss (harmony), Granite, Phi.
        "<|channel|>commentary to=functions.shell <|constrain|>json<|message|>{\"command\": \"ls\"}<|call|>",
        "<|start|>assistant<|channel|>commentary to=functions.shell<|message|>{\"command\": \"ls\"}",
        "<|tool_call|>[{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}]<|/tool_call|>",
        "<|tool_call|>[{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}]",
    ] {
        runs_ls(text);
    }
    let two = [
        ("shell", json!({"command": "a, b"})),
        ("list_dir", json!({})),
    ];
    calls_behind(
        "",
        "<|tool_call_start|>[shell(command=\"a, b\"), list_dir()]<|tool_call_end|>",
        &two,
    );
    calls_behind(
        "I look.\n",
        "I look.\n<|tool_call>call:shell{lines:3,command:<|\"|>ls<|\"|>}<tool_call|>",
        &[("shell", json!({"lines": 3, "command": "ls"}))],
    );
}

#[test]
fn chat_f9_what_begins_as_a_call_and_is_none_is_not_shown() {
    for text in [
        "<tool_call>soon</tool_call>",
        "<function=reboot></function>",
        "<｜tool▁calls▁begin｜>shell",
        "<|tool_call>call:unknown{a:1}<tool_call|>",
        "<|channel|>commentary to=functions.unknown<|message|>{}<|call|>",
    ] {
        for piece in [1, 3, 1000] {
            let (calls, said, heard) = read(text, piece);
            assert_eq!(
                (calls, said.as_str(), heard.as_str()),
                (vec![], "", ""),
                "{text}"
            );
        }
    }
}

#[test]
fn a_block_of_json_is_a_call() {
    let call = r#"{"tool": "shell", "args": {"command": "ls"}}"#;
    for language in ["json", "", "tool_call"] {
        runs_ls(&format!("```{language}\n{call}\n```"));
    }
    runs_ls(&format!("```tool_call\n{call}\n```\nNow I know."));
    let ls = ("shell", json!({"command": "ls"}));
    calls_behind(
        "I look.\n\n",
        &format!("I look.\n\n```json\n{call}\n```\n"),
        &[ls],
    );
}

#[test]
fn several_calls_are_kept_in_their_order() {
    let both = [
        ("shell", json!({"command": "ls"})),
        ("list_dir", json!({"path": "."})),
    ];
    let lines = "{\"tool\": \"shell\", \"args\": {\"command\": \"ls\"}}\n{\"tool\": \"list_dir\", \"args\": {\"path\": \".\"}}";
    calls_behind("", lines, &both);
    calls_behind(
        "",
        &format!("<|python_tag|>{}", lines.replace('\n', "; ")),
        &both,
    );
    let tags = "<tool_call>{\"name\": \"shell\", \"arguments\": {\"command\": \"ls\"}}</tool_call>\n<tool_call>{\"name\": \"list_dir\", \"arguments\": {\"path\": \".\"}}</tool_call>";
    calls_behind("", tags, &both);
}

#[test]
fn prose_before_a_call_is_heard_and_prose_behind_a_first_one_is_not() {
    let ls = || [("shell", json!({"command": "ls"}))];
    let call = r#"{"tool": "shell", "args": {"command": "ls"}}"#;
    calls_behind("Let me see: ", &format!("Let me see: {call}"), &ls());
    calls_behind("Ü\n", &format!("Ü\n<tool_call>{call}</tool_call>"), &ls());
    calls_behind("So: ", &format!("So: <tool_call>{call}</tool_call>"), &ls());
    calls_behind("", &format!("{call}\nIt lists everything."), &ls());
    let data = r#"Here: {"a": {"b": [1]}} and {"c": 2}"#;
    calls_behind(&format!("{data}\n"), &format!("{data}\n{call}"), &ls());
}

#[test]
fn a_quotation_stays_text() {
    let call = r#"{"tool": "shell", "args": {"command": "ls"}}"#;
    stays_text(&format!("The page says {call}, which I do not do."));
    stays_text(&format!("The page says `{call}`"));
    stays_text(&format!("The page says \"{call}"));
    stays_text(&format!("The page says:\n> {call}"));
    stays_text(&format!("The page says:\n> <tool_call>{call}</tool_call>"));
    stays_text(&format!("In Rust:\n```rust\n{call}\n```"));
    stays_text(&format!("```json\n{call}\n```\nThis is how a call looks."));
    stays_text(&format!("See <tool_call>{call}</tool_call> for yourself."));
    stays_text(&format!(
        "See\n<tool_call>{call}</tool_call>\nfor yourself."
    ));
}

#[test]
fn an_example_stays_text() {
    stays_text(r#"{"name": "Ada", "arguments": {"age": 36}}"#);
    stays_text(r#"{"name": "shell"}"#);
    stays_text(r#"{"name": "shell", "arguments": {}, "price": 3}"#);
    stays_text(r#"{"name": "shell", "tool": "shell", "args": {}}"#);
    stays_text(r#"{"tool": "reboot", "args": {}}"#);
    stays_text("```json\n{\"servers\": [1, 2]}\n```\n");
    stays_text("```\nls -la\n```\nand ```x``` then `{`");
    stays_text("fn main() { shell(\"name\") }\n[1, 2]\n{ }\n");
    stays_text("{\"result\": {\"tool\": \"shell\", \"args\": {}}");
    stays_text("[{\"a\": 1}, {\"tool\": \"shell\", \"args\": {}}");
    stays_text("The tag <function=shell> is one of Qwen's.");
    stays_text("");
    stays_text("[");
}

#[test]
fn faults_with_one_reading_are_mended_and_no_others() {
    runs_ls("{\"tool\": \"shell\", \"args\": {\"command\": \"ls\",},}");
    calls_behind(
        "",
        "{\"tool\": \"shell\", \"args\": {\"command\": \"ls\n\tpwd, ]\"}}",
        &[("shell", json!({"command": "ls\n\tpwd, ]"}))],
    );
    stays_text("{'tool': 'shell', 'args': {'command': 'ls'}}");
    stays_text("{\"tool\": \"shell\", \"args\": {\"command\": \"ls\"} // list\n}");
    stays_text("{\"tool\": \"shell\", \"args\": {\"command\": }}");
}

#[test]
fn a_call_that_was_cut_has_no_arguments_that_can_run() {
    let cut = |text: &str, written: &str| calls_behind("", text, &[("shell", json!(written))]);
    cut(
        "{\"tool\": \"shell\", \"args\": {\"command\": \"rm -rf /tm",
        "{\"command\": \"rm -rf /tm",
    );
    cut(
        "{\"tool\": \"shell\", \"args\": {\"command\": \"ls\"}",
        "{\"command\": \"ls\"}",
    );
    cut("```json\n{\"name\": \"shell\", \"arguments\": ", "");
    cut(
        "<tool_call>{\"name\": \"shell\", \"arguments\": {\"co",
        "{\"co",
    );
    cut(
        "<function=shell>\n<parameter=command>\nrm -rf /tm",
        "<parameter=command>\nrm -rf /tm",
    );
    cut("[TOOL_CALLS]shell[ARGS]{\"command\"", "{\"command\"");
    stays_text("{\"tool\": \"she");
    stays_text("{\"tool\": \"shell\", \"ar");
}

#[test]
fn an_argument_between_tags_is_as_its_schema_says() {
    let text = "<function=shell>\n<parameter=command>\n5\n</parameter>\n<parameter=lines>\n5\n</parameter>\n<parameter=more>a</parameter> b</parameter>\n</function>";
    let arguments = json!({"command": "5", "lines": 5, "more": "a</parameter> b"});
    calls_behind("", text, &[("shell", arguments)]);
}

#[test]
fn a_call_of_the_protocol_leaves_the_text_alone() {
    let heard = Mutex::new(String::new());
    let keep = |piece: &str| heard.lock().unwrap().push_str(piece);
    let tools = tools();
    let held = Held::new(&keep, &tools);
    let text = r#"{"tool": "shell", "args": {"command": "rm x"}}"#;
    held.hear(text);
    let mut reply = saying(text);
    reply.message.calls = vec![ToolCall {
        id: CallId("1".to_owned()),
        name: "list_dir".to_owned(),
        arguments: json!({}),
    }];
    assert_eq!(held.end(reply.clone()), reply);
    assert_eq!(*heard.lock().unwrap(), text);
}

#[test]
fn a_text_of_nothing_but_beginnings_is_read_in_the_end() {
    let text = "{\"name\" ".repeat(20_000);
    stays_text(&text);
}

/// Pieces that texts with calls are made of.
fn confetti() -> impl Strategy<Value = String> {
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        ",",
        ":",
        " ",
        "\n",
        "`",
        "```",
        "```json\n",
        "> ",
        "a",
        "ü",
        "\"name\"",
        "\"tool\"",
        "\"args\"",
        "\"shell\"",
        "shell",
        "<tool_call>",
        "</tool_call>",
        "<function=shell>",
        "<parameter=command>",
        "</parameter>",
        "</function>",
        "[TOOL_CALLS]",
        "<|python_tag|>",
        "<",
        "{\"tool\": \"shell\", \"args\": {\"command\": \"ls\"}}",
    ];
    let piece = prop::sample::select(pieces.to_vec());
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    /// However it is cut: what was heard is the text, or the prose before the calls in it.
    #[test]
    fn what_is_heard_is_what_is_no_call(text in confetti(), piece in 1_usize..9) {
        let (calls, said, heard) = read(&text, piece);
        if calls.is_empty() && tags::begins(text.trim_start()) {
            prop_assert_eq!(&said, "");
        } else if calls.is_empty() {
            prop_assert_eq!(&said, &text);
            prop_assert_eq!(&heard, &text);
        } else {
            prop_assert_eq!(said, "");
            prop_assert!(text.starts_with(&heard) && heard.len() < text.len());
            prop_assert!(calls.iter().all(|(name, _)| name == "shell"));
        }
    }

    #[test]
    fn a_text_without_the_name_of_a_tool_stays_as_it_is(text in "\\PC{0,80}", more in confetti()) {
        let text = format!("{text}{more}").replace("shell", "sh").replace("list_dir", "ls");
        let (calls, said, heard) = read(&text, 4);
        prop_assert_eq!(calls, vec![]);
        if tags::begins(text.trim_start()) {
            prop_assert_eq!(&said, "");
        } else {
            prop_assert_eq!(&said, &text);
            prop_assert_eq!(&heard, &text);
        }
    }
}
