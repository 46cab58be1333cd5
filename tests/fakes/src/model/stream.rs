//! Writes an answer on the wire: in one piece, or as server-sent events cut where the test wants
//! them cut.

use std::collections::VecDeque;
use std::io;

use axum::body::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use serde_json::{Map, Value, json};

use super::answer::{Answer, Ending, ToolCall};
use super::llama;
use super::messages;
use super::request::ModelRequest;

/// The answer as one `chat.completion`, or as one `message` on the other wire.
pub(crate) fn whole(answer: &Answer, request: &ModelRequest) -> Value {
    if request.is_of_messages() {
        return messages::whole(answer, request);
    }
    if request.completion_body().is_some() {
        return llama::whole(answer);
    }
    let mut message = json!({ "role": "assistant" });
    // A message with calls and no text has `null` as content, not an empty string.
    message["content"] = match answer.text.as_str() {
        "" if !answer.calls.is_empty() => Value::Null,
        text => text.into(),
    };
    if !answer.reasoning.is_empty() {
        message["reasoning_content"] = answer.reasoning.as_str().into();
    }
    if !answer.calls.is_empty() {
        message["tool_calls"] = answer
            .calls
            .iter()
            .map(|call| whole_call(answer, call))
            .collect();
    }
    json!({
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": request.model(),
        "choices": [{ "index": 0, "message": message, "finish_reason": finish_reason(answer) }],
        "usage": usage(answer),
    })
}

fn whole_call(answer: &Answer, call: &ToolCall) -> Value {
    let arguments = arguments(answer, call);
    json!({
        "id": call.id,
        "type": "function",
        "function": { "name": call.name, "arguments": arguments },
    })
}

/// Arguments as text, or as the object that some servers send in its place.
fn arguments(answer: &Answer, call: &ToolCall) -> Value {
    if answer.style.object_arguments {
        return serde_json::from_str(&call.arguments).unwrap_or(Value::Null);
    }
    call.arguments.as_str().into()
}

fn finish_reason(answer: &Answer) -> &str {
    let natural = if answer.calls.is_empty() {
        "stop"
    } else {
        "tool_calls"
    };
    answer.finish.as_deref().unwrap_or(natural)
}

fn usage(answer: &Answer) -> Value {
    if let Some(report) = &answer.report {
        return report.clone();
    }
    let usage = answer.usage;
    json!({
        "prompt_tokens": usage.prompt,
        "completion_tokens": usage.completion,
        "total_tokens": usage.prompt + usage.completion,
        "prompt_tokens_details": { "cached_tokens": usage.cached },
    })
}

/// The answer as server-sent events, with its pauses, its gate and its ending.
pub(crate) fn stream(
    answer: Answer,
    request: &ModelRequest,
) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
    let pieces = pieces(&answer, request);
    unfold(
        (pieces, answer, 0_usize),
        async |(mut pieces, answer, sent)| {
            if let Some((held_after, gate)) = &answer.gate_after
                && *held_after == sent
            {
                gate.pass().await;
            }
            let Some(piece) = pieces.pop_front() else {
                return end(answer, pieces).await;
            };
            if sent > 0 && !answer.between.is_zero() {
                tokio::time::sleep(answer.between).await;
            }
            Some((Ok(piece), (pieces, answer, sent + 1)))
        },
    )
}

type Rest = (VecDeque<Bytes>, Answer, usize);

async fn end(mut answer: Answer, rest: VecDeque<Bytes>) -> Option<(io::Result<Bytes>, Rest)> {
    match answer.ending {
        Ending::Whole | Ending::Cut => None,
        Ending::Broken => {
            answer.ending = Ending::Cut;
            // What was said must be on the wire before it breaks: a pause has the server flush.
            tokio::task::yield_now().await;
            Some((
                Err(io::ErrorKind::ConnectionReset.into()),
                (rest, answer, usize::MAX),
            ))
        }
        Ending::Silent => std::future::pending().await,
    }
}

fn pieces(answer: &Answer, request: &ModelRequest) -> VecDeque<Bytes> {
    let events = if request.is_of_messages() {
        messages::events(answer, request)
    } else if request.completion_body().is_some() {
        llama::events(answer)
    } else {
        events(answer, request)
    };
    let Some(size) = answer.split_bytes else {
        return events.into_iter().map(Bytes::from).collect();
    };
    events
        .concat()
        .as_bytes()
        .chunks(size)
        .map(Bytes::copy_from_slice)
        .collect()
}

fn events(answer: &Answer, request: &ModelRequest) -> Vec<String> {
    let mut deltas = vec![json!({ "role": "assistant", "content": "" })];
    let texts = |field: &str, text: &str| -> Vec<Value> {
        cut(text, answer.chunk)
            .into_iter()
            .map(|piece| one(field, piece.into()))
            .collect()
    };
    deltas.extend(texts("reasoning_content", &answer.reasoning));
    deltas.extend(texts("content", &answer.text));
    for (at, call) in answer.calls.iter().enumerate() {
        let pieces = call_deltas(answer, call, at);
        deltas.extend(
            pieces
                .into_iter()
                .map(|piece| json!({ "tool_calls": [piece] })),
        );
    }
    let choice = |delta: Value, finish: Value| {
        event(
            request,
            json!([{ "index": 0, "delta": delta, "finish_reason": finish }]),
            None,
        )
    };
    let read = answer.reading.iter().map(|processed| {
        let delta = json!({ "role": "assistant", "content": null });
        let choices = json!([{ "index": 0, "delta": delta, "finish_reason": null }]);
        chunk(
            request,
            choices,
            ("prompt_progress", llama::progress(*processed)),
        )
    });
    let said = deltas.into_iter().map(|delta| choice(delta, Value::Null));
    let mut events: Vec<_> = read.chain(said).collect();
    if let Some((kind, why)) = &answer.error_at_end {
        let error = json!({ "error": { "message": why, "type": kind, "code": kind } });
        events.push(format!("data: {error}\n\n"));
        return events;
    }
    if answer.ending != Ending::Whole {
        return events;
    }
    events.push(choice(json!({}), finish_reason(answer).into()));
    if request.body["stream_options"]["include_usage"] == true {
        events.push(event(request, json!([]), Some(usage(answer))));
    }
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn event(request: &ModelRequest, choices: Value, usage: Option<Value>) -> String {
    chunk(request, choices, ("usage", usage.unwrap_or_default()))
}

/// A chunk with one field beside its choices, unless that is null.
fn chunk(request: &ModelRequest, choices: Value, (name, value): (&str, Value)) -> String {
    let mut chunk = json!({
        "id": "chatcmpl-fake",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": request.model(),
    });
    chunk["choices"] = choices;
    if !value.is_null() {
        chunk[name] = value;
    }
    format!("data: {chunk}\n\n")
}

/// The deltas of one tool call: its head, then its arguments piece by piece.
fn call_deltas(answer: &Answer, call: &ToolCall, at: usize) -> Vec<Value> {
    if answer.style.object_arguments {
        return vec![call_delta(answer, call, at, true, arguments(answer, call))];
    }
    let mut pieces: VecDeque<_> = cut(&call.arguments, answer.chunk).into();
    pieces.push_front("");
    pieces
        .into_iter()
        .enumerate()
        .map(|(position, piece)| {
            let has_head = position == 0 || answer.style.repeated_id;
            call_delta(answer, call, at, has_head, piece.into())
        })
        .collect()
}

fn call_delta(
    answer: &Answer,
    call: &ToolCall,
    at: usize,
    has_head: bool,
    arguments: Value,
) -> Value {
    let mut delta = json!({});
    if !answer.style.no_index {
        delta["index"] = at.into();
    }
    if has_head {
        delta["id"] = call.id.clone().into();
        delta["type"] = "function".into();
        delta["function"] = json!({ "name": call.name });
    }
    delta["function"]["arguments"] = arguments;
    delta
}

fn one(field: &str, value: Value) -> Value {
    Map::from_iter([(field.to_owned(), value)]).into()
}

/// Cuts the text into pieces of this number of characters.
pub(crate) fn cut(text: &str, characters: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest
            .char_indices()
            .nth(characters)
            .map_or(rest.len(), |(at, _)| at);
        let (piece, tail) = rest.split_at(end);
        pieces.push(piece);
        rest = tail;
    }
    pieces
}
