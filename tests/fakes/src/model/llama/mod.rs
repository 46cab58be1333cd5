//! The wire of llama.cpp's server: prompts in, texts out, and templates that take nothing but turns
//! that alternate.
//!
//! Contract: the page of the server (tools/server), and the chat templates of Mistral and Gemma.

mod chatml;
mod check;
mod grammar;

use serde_json::{Value, json};

use super::answer::{Answer, Ending};
use super::stream::cut;

pub(crate) use chatml::{THOUGHTS, parse, render};
pub(crate) use check::{check, check_turns};
pub(crate) use grammar::Grammar;

/// What a server or its model may lack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lack {
    /// It is too old to write prompts.
    Prompts,
    /// The template of its model has no place for a system prompt.
    SystemRole,
    /// That template has no place for tools: what is sent of them is dropped without a word.
    Tools,
    /// It was started without templates of its own kind, and refuses tools.
    Jinja,
    /// It has no endpoint for chats.
    Chat,
}

/// What the server of a test is.
#[derive(Clone, Debug, Default)]
pub(crate) struct Llama {
    pub(crate) is_served: bool,
    pub(crate) lacks: Vec<Lack>,
    /// Whether the template of its model begins the thoughts of the model in the prompt.
    pub(crate) begins_thoughts: bool,
    /// Whether it loads its model.
    pub(crate) is_loading: bool,
    /// How often it was asked whether it has.
    pub(crate) looks: usize,
    /// How much its context holds, where that is not 8192 tokens.
    pub(crate) context: Option<u64>,
    /// How many questions it answers side by side, where that is not 1.
    pub(crate) slots: Option<u64>,
}

impl Llama {
    pub(crate) fn has(&self, part: Lack) -> bool {
        !self.lacks.contains(&part)
    }
}

/// What a model says that sees no tools and is asked to use one.
pub(crate) const WITHOUT_TOOLS: &str = "I have no tools.";

/// An error in llama.cpp's words.
pub(crate) fn refusal(code: u16, kind: &str, why: &str) -> String {
    json!({"error": {"code": code, "message": why, "type": kind}}).to_string()
}

/// What `/props` says of the model.
pub(crate) fn properties(llama: &Llama) -> Value {
    json!({
        "default_generation_settings": {"n_ctx": llama.context.unwrap_or(8192)},
        "chat_template_caps": {"supports_tools": llama.has(Lack::Tools)},
        "total_slots": llama.slots.unwrap_or(1),
        "model_path": "/models/fake.gguf",
        "chat_template": "{% for message in messages %}{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}{% endfor %}",
    })
}

/// Returns the request as a chat completion: its conversation, and the tools that its grammar admits.
pub(crate) fn as_chat(body: &Value) -> Value {
    let grammar = body["grammar"].as_str().unwrap_or_default();
    let tools: Vec<Value> = grammar
        .split(r#""{\"tool\": \""#)
        .skip(1)
        .filter_map(|begin| begin.split_once('\\'))
        .map(|(name, _)| json!({"type": "function", "function": {"name": name}}))
        .collect();
    json!({
        "model": "llama",
        "messages": parse(body["prompt"].as_str().unwrap_or_default()),
        "temperature": body["temperature"],
        "stream": body["stream"],
        "tools": tools,
    })
}

/// What the model writes: a call in the only form that there is for one.
pub(crate) fn text(answer: &Answer) -> String {
    let call = answer.calls.first().map(|call| {
        let arguments: Value = serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
        format!("{{\"tool\": {}, \"args\": {arguments}}}", json!(call.name))
    });
    call.unwrap_or_else(|| answer.text.clone())
}

/// The answer in one piece.
pub(crate) fn whole(answer: &Answer) -> Value {
    let mut last = last(answer);
    last["content"] = text(answer).into();
    last
}

/// The answer as events.
pub(crate) fn events(answer: &Answer) -> Vec<String> {
    let text = text(answer);
    let read = answer.reading.iter().map(|processed| {
        let progress = progress(*processed);
        event(&json!({"content": "", "stop": false, "tokens": [0], "prompt_progress": progress}))
    });
    let said = cut(&text, answer.chunk)
        .into_iter()
        .map(|piece| event(&json!({"content": piece, "stop": false, "tokens": [1]})));
    let mut events: Vec<String> = read.chain(said).collect();
    if answer.ending == Ending::Whole {
        events.push(event(&last(answer)));
    }
    events
}

/// How much of a prompt of 2,000 tokens is read, of which 1,000 were cached.
pub(crate) fn progress(processed: u64) -> Value {
    json!({"total": 2000, "cache": 1000, "processed": processed, "time_ms": 1})
}

fn event(data: &Value) -> String {
    format!("data: {data}\n\n")
}

fn last(answer: &Answer) -> Value {
    let usage = answer.usage;
    let stop_type = if answer.finish.as_deref() == Some("length") {
        "limit"
    } else {
        "eos"
    };
    let mut last = json!({
        "content": "",
        "stop": true,
        "stop_type": stop_type,
        "stopping_word": "",
        "truncated": false,
        "tokens_evaluated": usage.prompt,
        "tokens_predicted": usage.completion,
        "tokens_cached": usage.prompt + usage.completion,
        "timings": {"prompt_n": usage.prompt - usage.cached, "predicted_n": usage.completion},
    });
    if let Some(report) = &answer.report {
        for counted in ["tokens_evaluated", "tokens_predicted", "timings"] {
            last[counted] = report[counted].clone();
        }
    }
    last
}
