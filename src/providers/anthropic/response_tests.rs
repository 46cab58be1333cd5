//! Streams as the API sends them, and as it should not.

use std::sync::Mutex;

use sayso_core::transcript::{Thought, ThoughtKind, Usage};
use serde_json::{Value, json};

use super::Stream;
use crate::wire::Reading;
use crate::{ProviderError, Reply};

fn stream(events: &[Value]) -> String {
    let event = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"]);
    events.iter().map(event).collect()
}

fn start(usage: &Value) -> Value {
    json!({"type": "message_start", "message": {
        "role": "assistant", "content": [], "stop_reason": null, "usage": usage,
    }})
}

fn begins(index: u64, block: &Value) -> Value {
    json!({"type": "content_block_start", "index": index, "content_block": block})
}

fn piece(index: u64, delta: &Value) -> Value {
    json!({"type": "content_block_delta", "index": index, "delta": delta})
}

fn text(index: u64, text: &str) -> Value {
    piece(index, &json!({"type": "text_delta", "text": text}))
}

fn input(index: u64, json_text: &str) -> Value {
    piece(
        index,
        &json!({"type": "input_json_delta", "partial_json": json_text}),
    )
}

fn ends(reason: &str, output: u64) -> Value {
    json!({"type": "message_delta", "delta": {"stop_reason": reason}, "usage": {"output_tokens": output}})
}

fn stop() -> Value {
    json!({"type": "message_stop"})
}

/// Reads a body cut into pieces of this size; returns the reply and what was heard.
fn read_cut(body: &str, size: usize) -> (Result<Reply, ProviderError>, String) {
    let words = Mutex::new(String::new());
    let heard = |piece: &str| words.lock().unwrap().push_str(piece);
    let mut reading = Reading::<Stream>::new(200);
    let reply = (|| {
        for bytes in body.as_bytes().chunks(size) {
            reading.push(bytes, &heard)?;
        }
        reading.finish(&heard)?.into_reply()
    })();
    (reply, words.into_inner().unwrap())
}

fn read(events: &[Value]) -> Result<Reply, ProviderError> {
    let body = stream(events);
    let (whole, heard) = read_cut(&body, body.len());
    for size in 1..40 {
        assert_eq!(
            read_cut(&body, size),
            (whole.clone(), heard.clone()),
            "cut every {size}"
        );
    }
    whole
}

#[test]
fn a_text_is_heard_as_it_comes() {
    let body = stream(&[
        start(&json!({"input_tokens": 10, "output_tokens": 1})),
        begins(0, &json!({"type": "text", "text": "你"})),
        json!({"type": "ping"}),
        text(0, "好"),
        text(0, "!"),
        json!({"type": "content_block_stop", "index": 0}),
        ends("end_turn", 5),
        stop(),
    ]);
    let (reply, heard) = read_cut(&body, 3);
    assert_eq!(heard, "你好!");
    let reply = reply.unwrap();
    assert_eq!(reply.message.text, "你好!");
    assert!(!reply.truncated);
}

#[test]
fn calls_are_put_together_by_their_index() {
    let reply = read(&[
        start(&json!({})),
        begins(0, &json!({"type": "text", "text": ""})),
        text(0, "Both."),
        begins(
            1,
            &json!({"type": "tool_use", "id": "a", "name": "shell", "input": {}}),
        ),
        begins(
            2,
            &json!({"type": "tool_use", "id": "b", "name": "now", "input": {}}),
        ),
        input(1, "{\"command\": "),
        input(2, ""),
        input(1, "\"ls\"}"),
        ends("tool_use", 9),
        stop(),
    ]);
    let calls = reply.unwrap().message.calls;
    let calls: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                call.id.0.as_str(),
                call.name.as_str(),
                call.arguments.clone(),
            )
        })
        .collect();
    assert_eq!(
        calls,
        [
            ("a", "shell", json!({"command": "ls"})),
            ("b", "now", json!({}))
        ]
    );
}

#[test]
fn thoughts_are_kept_where_they_stood_with_what_proves_them() {
    let reply = read(&[
        start(&json!({})),
        begins(
            0,
            &json!({"type": "thinking", "thinking": "", "signature": ""}),
        ),
        piece(0, &json!({"type": "thinking_delta", "thinking": "Let me "})),
        piece(0, &json!({"type": "thinking_delta", "thinking": "look."})),
        piece(0, &json!({"type": "signature_delta", "signature": "c2ln"})),
        begins(1, &json!({"type": "text", "text": ""})),
        text(1, "Looking"),
        begins(2, &json!({"type": "redacted_thinking", "data": "ZGF0YQ=="})),
        begins(
            3,
            &json!({"type": "tool_use", "id": "a", "name": "now", "input": {}}),
        ),
        ends("tool_use", 9),
        stop(),
    ]);
    let message = reply.unwrap().message;
    assert_eq!(message.reasoning(), "Let me look.");
    let thought = |behind_text, kind| Thought {
        behind_text,
        behind_calls: 0,
        kind,
    };
    assert_eq!(
        message.thoughts,
        [
            thought(
                0,
                ThoughtKind::Signed {
                    text: "Let me look.".into(),
                    signature: "c2ln".into()
                }
            ),
            thought(
                7,
                ThoughtKind::Redacted {
                    data: "ZGF0YQ==".into()
                }
            ),
        ]
    );
}

#[test]
fn a_prompt_is_all_that_was_sent_whatever_the_cache_gave() {
    let reply = read(&[
        start(&json!({
            "input_tokens": 10, "output_tokens": 1,
            "cache_creation_input_tokens": 300, "cache_read_input_tokens": 2000,
        })),
        begins(0, &json!({"type": "text", "text": "Yes."})),
        ends("end_turn", 7),
        stop(),
    ]);
    assert_eq!(
        reply.unwrap().usage,
        Usage {
            prompt_tokens: 2310,
            completion_tokens: 7,
            cached_tokens: 2000,
        }
    );
}

#[test]
fn an_answer_at_the_limit_is_known_to_be_cut() {
    for reason in ["max_tokens", "model_context_window_exceeded"] {
        let reply = read(&[
            start(&json!({})),
            begins(
                0,
                &json!({"type": "tool_use", "id": "a", "name": "now", "input": {}}),
            ),
            ends(reason, 9),
            stop(),
        ]);
        let reply = reply.unwrap();
        assert!(reply.truncated, "{reason}");
        assert_eq!(reply.message.calls[0].arguments, json!(""), "{reason}");
    }
}

#[test]
fn an_error_in_the_stream_is_the_answer() {
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let reply = read(&[start(&json!({})), text(0, "Half"), overloaded]);
    assert_eq!(
        reply,
        Err(ProviderError::Broken {
            status: 529,
            message: "Overloaded".into()
        })
    );
}

#[test]
fn a_model_that_declines_refuses() {
    let reply = read(&[
        start(&json!({})),
        begins(0, &json!({"type": "text", "text": "I"})),
        ends("refusal", 1),
        stop(),
    ]);
    let Err(ProviderError::Refused { message, .. }) = reply else {
        panic!("{reply:?}")
    };
    assert!(message.contains("declines"), "{message}");
}

#[test]
fn half_a_stream_is_no_answer() {
    let garbage = |reply: Result<Reply, ProviderError>| match reply {
        Err(ProviderError::Garbage(why)) => why,
        other => panic!("{other:?}"),
    };
    let half = [start(&json!({})), text(0, "Half")];
    assert_eq!(garbage(read(&half)), "the stream ended before its finish");
    let without_end = [start(&json!({})), text(0, "Half"), stop()];
    assert_eq!(
        garbage(read(&without_end)),
        "the stream ended before its finish"
    );
    let silent = [start(&json!({})), ends("end_turn", 0), stop()];
    assert_eq!(garbage(read(&silent)), "an empty answer");
    let broken = format!("{}data: {{\"type\": \n\n", stream(&half))
        + &stream(&[ends("end_turn", 1), stop()]);
    let why = garbage(read_cut(&broken, 7).0);
    assert_eq!(why, "a piece of the stream is no JSON");
    assert_eq!(
        garbage(read_cut("{\"content\": [", 5).0),
        "the answer is no JSON, or was cut"
    );
    assert_eq!(
        garbage(read_cut("{\"id\": 1}", 5).0),
        "the answer has no `content`"
    );
}

#[test]
fn the_finish_counts_also_when_the_last_event_is_missing() {
    let reply = read(&[start(&json!({})), text(0, "All of it"), ends("end_turn", 3)]);
    assert_eq!(reply.unwrap().message.text, "All of it");
}

#[test]
fn an_answer_in_one_piece_is_the_same_answer() {
    let body = json!({
        "type": "message", "role": "assistant", "stop_reason": "tool_use",
        "content": [
            {"type": "thinking", "thinking": "Hm.", "signature": "c2ln"},
            {"type": "text", "text": "Looking"},
            {"type": "tool_use", "id": "a", "name": "shell", "input": {"command": "ls"}},
        ],
        "usage": {"input_tokens": 3, "output_tokens": 4},
    });
    let (reply, heard) = read_cut(&body.to_string(), 11);
    assert_eq!(heard, "Looking");
    let message = reply.unwrap().message;
    assert_eq!(message.calls[0].arguments, json!({"command": "ls"}));
    assert_eq!(message.reasoning(), "Hm.");
}

#[test]
fn a_loop_is_cut_off_while_it_streams() {
    let again = text(0, &"the same again ".repeat(40));
    let mut events = vec![start(&json!({}))];
    events.extend(std::iter::repeat_n(again, 40));
    let (reply, _) = read_cut(&stream(&events), 4096);
    assert!(
        matches!(reply, Err(ProviderError::Repeating(_))),
        "{reply:?}"
    );
}
