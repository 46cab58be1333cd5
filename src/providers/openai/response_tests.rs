//! Bodies as servers send them, cut at every length.

use std::sync::Mutex;

use super::{Progress, Stream};
use crate::wire::Reading;
use crate::wire::response_body::MAX_ANSWER_BYTES;
use crate::{ProviderError, Reply};

fn read(body: &str, cut: usize) -> (Result<Reply, ProviderError>, String) {
    let words = Mutex::new(String::new());
    let heard = |piece: &str| words.lock().unwrap().push_str(piece);
    let mut reading = Reading::<Stream>::new(200);
    for chunk in body.as_bytes().chunks(cut) {
        match reading.push(chunk, &heard) {
            Ok(Progress::Done) => break,
            Ok(_) => {}
            Err(error) => return (Err(error), words.into_inner().unwrap()),
        }
    }
    let reply = reading.finish(&heard).and_then(super::Answer::into_reply);
    (reply, words.into_inner().unwrap())
}

#[track_caller]
fn check(body: &str, expected: &str) -> Reply {
    let (whole, _) = read(body, body.len());
    let whole = whole.unwrap();
    for cut in 1..60 {
        let (reply, words) = read(body, cut);
        assert_eq!(reply.as_ref(), Ok(&whole), "cut every {cut} bytes");
        assert_eq!(words, expected, "cut every {cut} bytes");
    }
    assert_eq!(whole.message.text, expected);
    whole
}

#[track_caller]
fn check_garbage(body: &str, expected: &str) {
    for cut in [1, 7, body.len()] {
        let (reply, _) = read(body, cut);
        assert_eq!(reply, Err(ProviderError::Garbage(expected.to_owned())));
    }
}

const FINISH: &str =
    "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n";

fn said(text: &str) -> String {
    format!("data: {{\"choices\":[{{\"delta\":{{\"content\":\"{text}\"}}}}]}}\n\n")
}

#[test]
fn a_stream_is_whole_wherever_it_is_cut() {
    let body = format!(
        "{}: keep-alive\n\n{}{FINISH}data: {{\"choices\":[],\"usage\":{{\"prompt_tokens\":9,\
         \"completion_tokens\":2,\"prompt_tokens_details\":{{\"cached_tokens\":4}}}}}}\n\n\
         data: [DONE]\n\ndata: {{\"choices\":[],\"cost\":\"0\"}}\n\n",
        said("你"),
        said("好🙂")
    );
    let reply = check(&body, "你好🙂");
    assert_eq!(
        (
            reply.usage.prompt_tokens,
            reply.usage.completion_tokens,
            reply.usage.cached_tokens
        ),
        (9, 2, 4)
    );
}

#[test]
fn a_finish_without_done_is_a_finish() {
    check(&(said("yes") + FINISH), "yes");
}

#[test]
fn done_without_a_finish_is_a_finish() {
    check(&(said("yes") + "data: [DONE]\n\n"), "yes");
}

#[test]
fn a_last_event_that_is_not_closed_counts() {
    check(&(said("yes") + FINISH.trim_end()), "yes");
}

#[test]
fn a_usage_that_is_cut_after_the_finish_does_not_spoil_the_answer() {
    check(&(said("yes") + FINISH + "data: {\"usage\":{\"pro"), "yes");
}

#[test]
fn a_stream_without_its_finish_is_no_answer() {
    check_garbage(&said("ye"), "the stream ended before its finish");
    let cut = said("ye") + "data: {\"choices\":[{\"del";
    check_garbage(&cut, "the stream ended before its finish");
    check_garbage(": keep-alive\n\n", "the stream ended before its finish");
}

#[test]
fn a_piece_that_cannot_be_read_is_not_passed_over() {
    let body = said("ye") + "data: {oops\n\n" + FINISH;
    check_garbage(&body, "a piece of the stream is no JSON");
}

#[test]
fn an_error_in_the_stream_is_an_error() {
    let body = said("ye")
        + "data: {\"error\":{\"message\":\"the model crashed\",\"type\":\"server_error\"}}\n\n";
    let (reply, words) = read(&body, 5);
    assert_eq!(
        reply,
        Err(ProviderError::Broken {
            status: 200,
            message: "the model crashed".into()
        })
    );
    assert_eq!(words, "ye");
}

#[test]
fn an_answer_that_is_not_streamed_is_read_as_such() {
    let body = r#"
        {"choices":[{"index":0,"message":{"role":"assistant","content":"yes","tool_calls":[
            {"id":"a","index":0,"function":{"name":"read","arguments":"{}"}},
            {"id":"b","index":0,"function":{"name":"read","arguments":{"path":"x"}}}
        ]},"finish_reason":"length"}]}"#;
    let reply = check(body, "yes");
    assert!(reply.truncated);
    let calls: Vec<_> = reply
        .message
        .calls
        .iter()
        .map(|call| (call.id.0.as_str(), call.canonical_arguments()))
        .collect();
    assert_eq!(
        calls,
        [("a", "{}".to_owned()), ("b", "{\"path\":\"x\"}".to_owned())]
    );
}

#[test]
fn a_call_that_was_cut_before_its_arguments_does_not_run_without_them() {
    let answer = |reason: &str| {
        let body = format!(
            r#"{{"choices":[{{"message":{{"content":"so","tool_calls":[
            {{"id":"a","function":{{"name":"read","arguments":""}}}}]}},
            "finish_reason":"{reason}"}}]}}"#
        );
        let reply = check(&body, "so");
        reply.message.calls.into_iter().next().unwrap().arguments
    };
    assert_eq!(answer("length"), serde_json::json!(""));
    assert_eq!(answer("tool_calls"), serde_json::json!({}));
}

#[test]
fn only_the_first_of_several_answers_counts() {
    let other = "data: {\"choices\":[{\"index\":1,\"delta\":{\"content\":\"no\"}}]}\n\n";
    check(&(said("yes") + other + FINISH), "yes");
}

#[test]
fn a_text_in_parts_and_thinking_in_parts_are_read() {
    let body = r#"{"choices":[{"message":{"content":[
        {"type":"thinking","thinking":[{"type":"text","text":"hm"}]},
        {"type":"text","text":"yes"}]},"finish_reason":"stop"}]}"#;
    let reply = check(body, "yes");
    assert_eq!(reply.message.reasoning_content.as_deref(), Some("hm"));
}

#[test]
fn a_refusal_is_what_the_model_said() {
    let body = r#"{"choices":[{"message":{"content":null,"refusal":"I would rather not."},
        "finish_reason":"stop"}]}"#;
    check(body, "I would rather not.");
}

#[test]
fn reasoning_under_either_name_is_kept_and_makes_an_empty_text_an_answer() {
    for field in ["reasoning_content", "reasoning"] {
        let body = format!(
            "data: {{\"choices\":[{{\"delta\":{{\"{field}\":\"hm, \"}}}}]}}\n\n\
             data: {{\"choices\":[{{\"delta\":{{\"{field}\":\"so\"}}}}]}}\n\n{FINISH}"
        );
        let reply = check(&body, "");
        assert_eq!(reply.message.reasoning_content.as_deref(), Some("hm, so"));
    }
}

#[test]
fn an_answer_that_says_nothing_is_none() {
    check_garbage(FINISH, "an empty answer");
    check_garbage(
        r#"{"choices":[{"message":{"content":""},"finish_reason":"length"}]}"#,
        "an empty answer: it was cut at the token limit before the first word",
    );
    check_garbage("{}", "the answer has no `choices`");
    check_garbage("{\"choices\":", "the answer is no JSON, or was cut");
    check_garbage(
        "<!doctype html><title>hello</title>",
        "a web page instead of an answer: `base_url` may lack its version, such as `/v1`",
    );
    let empty = Reading::<Stream>::new(200).finish(&|_| {});
    assert!(matches!(empty, Err(ProviderError::Garbage(what)) if what == "an empty body"));
}

#[test]
fn an_answer_without_end_is_cut_off() {
    let mut reading = Reading::<Stream>::new(200);
    let chunk = vec![b'x'; MAX_ANSWER_BYTES];
    assert!(reading.push(&chunk, &|_| {}).is_ok());
    assert!(matches!(
        reading.push(b"x", &|_| {}),
        Err(ProviderError::Garbage(_))
    ));
}
