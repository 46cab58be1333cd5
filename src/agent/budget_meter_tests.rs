//! What calls cost: what a service counts, what is estimated, and what is not believed.

use std::sync::Arc;
use std::time::Duration;

use sayso_core::transcript::{
    AssistantMessage, CallId, ConversationMessage, Image, ImageKind, ToolCall, Usage,
};
use sayso_providers::{
    Attempts, ChatOptions, ChatRequest, Counted, Provider, ProviderError, Received, Reliable,
    Reply, Scripted,
};
use serde_json::json;

use super::{Cost, PlannedCall};

fn planned() -> PlannedCall {
    PlannedCall {
        model: "first".to_owned(),
        prompt_tokens: 100,
        certain_tokens: 80,
        answer_tokens: 1000,
    }
}

#[test]
fn a_picture_is_set_aside_as_usual_and_little_of_it_is_certain_whatever_text_counts() {
    let image = Image {
        path: "cat.jpg".to_owned(),
        kind: ImageKind::Jpeg,
        digest: Image::digest_of(&b"cat"[..]).unwrap(),
        data: Some("Y2F0".into()),
    };
    let planned = |images: Vec<Image>, factor: f64| {
        let text = "word ".repeat(400);
        let messages = [ConversationMessage::User { text, images }];
        let request = ChatRequest {
            system: "",
            messages: &messages,
            tools: &[],
            temperature: None,
            stream: false,
            attempts: None,
            wanted: None,
            options: ChatOptions::default(),
        };
        let call = PlannedCall::new("model", &request, factor, 4096);
        (call.prompt_tokens, call.certain_tokens)
    };
    for factor in [1.0, 3.0] {
        let (prompt, certain) = planned(vec![], factor);
        assert_eq!(certain, prompt * 4 / 5);
        let two = planned(vec![image.clone(), image.clone()], factor);
        assert_eq!(two, (prompt + 2 * 1600, certain + 2 * 85), "{factor}");
    }
}

fn cost(answer: &Result<Reply, ProviderError>, heard: &str) -> Cost {
    let costs = planned().costs(Some(answer), heard, &Attempts::default());
    assert_eq!(costs.len(), 1);
    costs[0].clone()
}

fn tokens(usage: Usage) -> (u64, u64) {
    (usage.prompt_tokens, usage.completion_tokens)
}

#[test]
fn what_the_provider_says_counts_and_else_an_estimate() {
    let said = Reply {
        model: "second".to_owned(),
        usage: Usage {
            prompt_tokens: 7,
            completion_tokens: 3,
            cached_tokens: 2,
        },
        ..Reply::default()
    };
    let booked = cost(&Ok(said.clone()), "");
    assert_eq!(
        (booked.model.as_str(), booked.usage),
        ("second", said.usage)
    );
    assert!(!booked.is_estimated);

    let silent = Reply {
        message: AssistantMessage {
            text: "eight letters".to_owned(),
            reasoning_content: Some("four".to_owned()),
            thoughts: vec![],
            calls: vec![],
        },
        ..Reply::default()
    };
    let booked = cost(&Ok(silent), "");
    assert_eq!(
        (booked.model.as_str(), tokens(booked.usage)),
        ("first", (100, 5))
    );
    assert!(booked.is_estimated);
}

#[test]
fn a_failure_costs_what_was_asked_and_heard_unless_no_model_began() {
    let late = ProviderError::TimedOut {
        stage: "go on",
        after: Duration::from_secs(1),
    };
    let stuck = ProviderError::Repeating("so often".to_owned());
    let lost = ProviderError::Unreachable("cut".to_owned());
    let check = |error, heard, expected| {
        assert_eq!(tokens(cost(&Err(error), heard).usage), expected);
    };
    check(late, "four", (100, 1));
    check(stuck, "", (100, 0));
    check(lost.clone(), "four", (100, 1));
    check(lost, "", (0, 0));
    check(ProviderError::Missing, "", (0, 0));
}

/// Stopped in the pause after an attempt that may have cost something: it is booked once.
#[tokio::test]
async fn a_stop_between_two_attempts_books_those_that_were_made() {
    let slow = ProviderError::TimedOut {
        stage: "begin to answer",
        after: Duration::from_secs(1),
    };
    let attempts = Attempts::default();
    let provider: Arc<dyn Provider> = Arc::new(Scripted::new([Err(slow)]));
    let reliable = Reliable::new(vec![vec![provider]]);
    let request = ChatRequest {
        system: "",
        messages: &[],
        tools: &[],
        temperature: None,
        stream: false,
        attempts: Some(&attempts),
        wanted: None,
        options: ChatOptions::default(),
    };
    tokio::select! {
        biased;
        answer = reliable.chat_with_tools(request, &|_| {}) => panic!("{answer:?}"),
        // The first attempt has failed, and the pause goes on.
        () = std::future::ready(()) => {}
    }
    let costs = planned().costs(None, "", &attempts);
    let tokens: Vec<_> = costs.iter().map(|cost| tokens(cost.usage)).collect();
    assert_eq!(tokens, [(0, 0), (100, 0)]);
}

/// A call with a long prompt.
fn long() -> PlannedCall {
    PlannedCall {
        prompt_tokens: 2000,
        certain_tokens: 1600,
        ..planned()
    }
}

fn counted(prompt_tokens: u64, completion_tokens: u64, total_tokens: u64) -> Counted {
    Counted {
        usage: Usage {
            prompt_tokens,
            completion_tokens,
            cached_tokens: 0,
        },
        total_tokens,
    }
}

/// Asserts what is booked of an answer of 1,000 tokens, and whether any of it is estimated.
#[track_caller]
fn check_answer(said: Counted, expected: (u64, u64), is_estimated: bool) {
    let reply = Reply {
        message: AssistantMessage {
            text: "four".repeat(600),
            reasoning_content: Some("four".repeat(300)),
            thoughts: vec![],
            calls: vec![ToolCall {
                id: CallId("1".to_owned()),
                name: String::new(),
                arguments: json!("four".repeat(100)),
            }],
        },
        usage: said.usage,
        total_tokens: said.total_tokens,
        ..Reply::default()
    };
    let costs = long().costs(Some(&Ok(reply)), "", &Attempts::default());
    assert_eq!(tokens(costs[0].usage), expected, "{said:?}");
    assert_eq!(costs[0].is_estimated, is_estimated, "{said:?}");
}

/// What is estimated of the answer of [`check_answer`], the quotes of its call included.
const WRITTEN: u64 = 1001;

#[test]
fn r4_what_a_service_does_not_count_is_estimated_field_by_field() {
    check_answer(counted(1900, 1200, 3100), (1900, 1200), false);
    check_answer(counted(1900, 0, 0), (1900, WRITTEN), true);
    check_answer(counted(0, 1200, 0), (2000, 1200), true);
    check_answer(counted(0, 0, 0), (2000, WRITTEN), true);
    check_answer(counted(0, 0, 99_999), (2000, 97_999), true);
}

#[test]
fn r4_thoughts_that_stand_in_the_sum_alone_are_part_of_the_answer() {
    check_answer(counted(1900, 5, 20_015), (1900, 18_115), false);
    check_answer(counted(10, 5, 20_015), (10, 20_005), false);
    // A sum that is less than its parts says nothing.
    check_answer(counted(1900, 1200, 7), (1900, 1200), false);
}

#[test]
fn r4_a_count_below_a_fifth_of_the_estimate_is_not_believed() {
    check_answer(counted(100, 300, 400), (2000, WRITTEN), true);
    check_answer(counted(1, 1, 2), (2000, WRITTEN), true);
    // The answer alone.
    check_answer(counted(1900, 5, 1905), (1900, WRITTEN), true);
    check_answer(counted(1900, 201, 0), (1900, 201), false);
}

#[test]
fn r15_absurd_counts_are_not_believed() {
    for absurd in [1 << 63, u64::MAX, 100_000_001] {
        check_answer(counted(absurd, 1200, 0), (2000, 1200), true);
        check_answer(counted(1900, absurd, 0), (1900, WRITTEN), true);
        check_answer(counted(absurd, absurd, absurd), (2000, WRITTEN), true);
        check_answer(counted(1900, 1200, absurd), (1900, 1200), false);
    }
}

/// Returns what is booked of an attempt that ended like this when this had come.
fn cut(error: ProviderError, received: Received) -> (u64, u64) {
    let attempts = Attempts::default();
    attempts.note_received(received);
    let costs = long().costs(Some(&Err(error)), "", &attempts);
    tokens(costs[0].usage)
}

#[test]
fn r5_a_call_is_free_only_if_no_byte_of_a_stream_came() {
    let lost = || ProviderError::Unreachable("reset".to_owned());
    assert_eq!(cut(lost(), Received::default()), (0, 0));
    let mut received = Received {
        has_begun: true,
        ..Received::default()
    };
    assert_eq!(cut(lost(), received), (2000, 0));
    received.written = 10_000;
    assert_eq!(cut(lost(), received), (2000, 10_000));
    // What was counted at the beginning is older than what came.
    received.counted = counted(1900, 1, 0);
    assert_eq!(cut(lost(), received), (1900, 10_000));
}

#[test]
fn r14_an_empty_answer_costs_what_its_service_counted() {
    let empty = ProviderError::Garbage("an empty answer".to_owned());
    let received = Received {
        has_begun: true,
        written: 0,
        counted: counted(1000, 900, 1900),
    };
    assert_eq!(cut(empty, received), (1000, 900));
}
