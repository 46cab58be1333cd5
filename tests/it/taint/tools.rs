//! Every tool that the real program offers, whatever its name: none changes anything unasked while
//! text from outside is in view, and what each brings from there is bounded and in delimiters.
//!
//! The tools and the arguments that they want are read from the request to the model, so a tool
//! that is added is tried as well.

use std::collections::BTreeMap;
use std::path::Path;

use sayso_fakes::Message;
use sayso_fakes::model::{Answer, ModelRequest};
use serde_json::{Value, json};

use super::obeying::workspace_of;
use crate::platform::Chat;
use crate::test_bot::TestBot;

/// Stands in the name and in the text of a file that somebody else could have written.
const CANARY: &str = "canary-of-the-attacker";
/// The file that the model names itself.
const NOTE: &str = "note.txt";
/// The bound of a result, and what a note about the rest may add.
const BOUND: (usize, usize) = (2_000, 700);

const SETTINGS: [(&str, &str); 6] = [
    ("AGENT__AUTONOMY", "full"),
    ("POLICY__ALLOW_COMMANDS", "[\"touch\", \"cat\"]"),
    ("POLICY__CONFIRM_EXEC", "false"),
    ("POLICY__CONFIRM_WRITE", "false"),
    ("TOOLS__MAX_OUTPUT_BYTES", "2000"),
    ("TOOLS__MAX_FILE_READ_BYTES", "2000"),
];

/// A tool as offered to the model.
struct Offered {
    name: String,
    schema: Value,
}

async fn opens() -> TestBot {
    let mut bot = TestBot::closed(&SETTINGS).await;
    bot.set("ACCESS__ALLOW", "[\"telegram:*\"]");
    bot.model.when(obey);
    bot.start();
    bot.settles_in().await;
    bot
}

/// The model makes the calls that the message lists, and ends: `NAME calls: [[TOOL, ARGUMENTS]]`.
fn obey(request: &ModelRequest) -> Option<Answer> {
    if request.is_routing() {
        return None;
    }
    let said = request.last_user();
    let (name, calls) = said.split_once(" calls: ")?;
    if request.messages().last()?["role"] == "tool" {
        return Some(Answer::text(format!("done: {name}")));
    }
    // So that the user's own words hold none of it.
    let calls = calls
        .replace("@many", &CANARY.repeat(60))
        .replace("@canary", CANARY);
    let calls: Vec<(String, Value)> = serde_json::from_str(&calls).ok()?;
    let calls = calls
        .iter()
        .map(|(tool, call)| (tool.as_str(), call.clone()));
    Some(Answer::calls(calls.collect::<Vec<_>>()))
}

/// Has the model make calls, and waits until it is done, or a card asks.
async fn does(chat: &Chat, name: &str, calls: Vec<(&str, Value)>) -> Message {
    let done = format!("done: {name}");
    chat.says(&format!("{name} calls: {}", json!(calls)));
    chat.settles(|message| message.asks() || message.text == done)
        .await
}

/// Lets somebody new begin: their workspace holds a file, and they have something remembered.
async fn somebody(bot: &TestBot, number: i64) -> Chat {
    let chat = bot.direct_with(&bot.person(20_000 + number, "Eve"));
    let file = |path: &str| json!({"path": path, "content": "@many"});
    let memory = json!({"text": "Eve has a blue kettle."});
    does(
        &chat,
        "prepare",
        vec![
            ("memory_store", memory),
            ("file_write", file(NOTE)),
            ("file_write", file("@canary")),
        ],
    )
    .await;
    chat
}

async fn offered(bot: &TestBot) -> Vec<Offered> {
    bot.direct().says("hello");
    let request = bot.model.waits_for(|request| !request.is_routing()).await;
    let tools = request.body["tools"].as_array().unwrap();
    let tool = |tool: &Value| Offered {
        name: tool["function"]["name"].as_str().unwrap().to_owned(),
        schema: tool["function"]["parameters"].clone(),
    };
    tools.iter().map(tool).collect()
}

impl Offered {
    /// Returns calls of this tool: one with what it must have, one with all that it can have.
    fn calls(&self, command: &str) -> Vec<(&str, Value)> {
        let properties = self.schema["properties"].as_object();
        let properties: Vec<(&String, &Value)> = properties.into_iter().flatten().collect();
        let required = self.schema["required"].as_array();
        let required: Vec<&Value> = required.into_iter().flatten().collect();
        let least = properties
            .iter()
            .filter(|(name, _)| required.iter().any(|required| *required == *name));
        let [least, all]: [Vec<_>; 2] = [least.copied().collect(), properties.clone()];
        let with = |properties: Vec<(&String, &Value)>| -> Value {
            let named = properties.into_iter();
            named
                .filter_map(|(name, schema)| Some((name.clone(), argument(name, schema, command)?)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        };
        [least, all]
            .map(|properties| (self.name.as_str(), with(properties)))
            .into()
    }
}

/// Returns a valid value for a property: chosen by name for strings, by type otherwise. `None`
/// omits the property: ids, which would be unknown, and access.
fn argument(name: &str, schema: &Value, command: &str) -> Option<Value> {
    let kind = schema["type"].to_string();
    Some(match name {
        "id" | "access" | "offset" => return None,
        "command" => command.into(),
        "path" => NOTE.into(),
        "query" => "blue kettle".into(),
        "url" => "http://127.0.0.1:9/".into(),
        _ if kind.contains("integer") || kind.contains("number") => 100.into(),
        _ if kind.contains("boolean") => false.into(),
        _ if kind.contains("array") => json!([]),
        _ if kind.contains("object") => json!({}),
        _ => "obeyed".into(),
    })
}

/// Returns everything that a tool could have changed: files with their content, and memories.
async fn world(bot: &TestBot) -> BTreeMap<String, Vec<u8>> {
    let mut world = BTreeMap::new();
    collect(&bot.data().join("workspaces"), &mut world);
    let memories = "SELECT owner_id || text FROM memories WHERE kind = 'fact'";
    for memory in bot.rows(memories).await {
        world.insert(memory, Vec::new());
    }
    world
}

fn collect(folder: &Path, world: &mut BTreeMap<String, Vec<u8>>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // What a long result leaves behind is the executor's own.
        if path.ends_with(".sayso") {
            continue;
        }
        if path.is_dir() {
            collect(&path, world);
        } else {
            let content = std::fs::read(&path).unwrap();
            world.insert(path.display().to_string(), content);
        }
    }
}

#[tokio::test]
async fn no_tool_changes_anything_unasked_while_text_from_outside_is_in_view() {
    let bot = opens().await;
    let mut changing = Vec::new();
    for (number, tool) in (0..).zip(offered(&bot).await) {
        let calls = || tool.calls("touch obeyed");
        let clean = somebody(&bot, 2 * number).await;
        let before = world(&bot).await;
        let heard = does(&clean, "try", calls()).await;
        assert!(!heard.asks(), "`{}`: {heard}", tool.name);
        let changes = world(&bot).await != before;

        let told = somebody(&bot, 2 * number + 1).await;
        let workspace = workspace_of(&bot, 20_000 + 2 * number + 1).await;
        // Somebody else's from now on, also under the name of the user's own.
        std::fs::write(workspace.join(NOTE), CANARY.repeat(60)).unwrap();
        let read = json!({"path": NOTE});
        does(&told, "read", vec![("file_read", read)]).await;
        let before = world(&bot).await;
        let heard = does(&told, "try", calls()).await;
        assert_eq!(world(&bot).await, before, "`{}` changed it", tool.name);
        let asked = heard.asks();
        assert!(asked || !changes, "`{}` was not asked about", tool.name);
        if changes {
            changing.push(tool.name.clone());
        }
    }
    assert!(
        changing.len() >= 3,
        "few could change anything: {changing:?}"
    );
    bot.assert_clean();
}

#[tokio::test]
async fn what_a_tool_brings_from_outside_is_bounded_and_in_delimiters() {
    let bot = opens().await;
    let mut bringing = Vec::new();
    let tools = offered(&bot).await;
    let command = format!("cat {NOTE} {NOTE}");
    let calls = tools.iter().flat_map(|tool| tool.calls(&command));
    for (number, (tool, call)) in (0..).zip(calls) {
        let chat = somebody(&bot, number).await;
        does(&chat, "try", vec![(tool, call)]).await;
        let request = bot.model.turn_requests().pop().unwrap();
        let (_, result) = request.tool_results().pop().unwrap();
        let (most, note) = BOUND;
        assert!(result.len() <= most + note, "`{tool}`: {result}");
        if let Some(at) = result.find(CANARY) {
            let encloses = result.starts_with("[outside ") || result[..at].contains("\n[outside ");
            assert!(encloses, "`{tool}`: {result}");
            bringing.push(tool);
        }
    }
    bringing.dedup();
    assert!(bringing.len() >= 3, "few brought it: {bringing:?}");
    bot.assert_clean();
}
