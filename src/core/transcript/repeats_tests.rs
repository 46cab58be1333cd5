//! The shapes of loops that agents were seen in, and what looks like one and is none.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Repeats, Repetition, skeleton};
use crate::transcript::{CallId, ErrorCode, ToolCall, ToolOutcome};

fn call(tool: &str, arguments: Value) -> ToolCall {
    ToolCall {
        id: CallId("c".into()),
        name: tool.to_owned(),
        arguments,
    }
}

fn gave(output: &str) -> ToolOutcome {
    ToolOutcome::Success {
        output: output.to_owned(),
    }
}

fn failed(error: &str) -> ToolOutcome {
    ToolOutcome::Failed {
        error: error.to_owned(),
        partial: None,
    }
}

fn kept_from_running() -> ToolOutcome {
    ToolOutcome::Error {
        code: ErrorCode::Loop,
        message: "again".to_owned(),
    }
}

/// What becomes of calls, one after the other: `run` tells what each gives that runs.
fn played(
    calls: impl IntoIterator<Item = ToolCall>,
    mut run: impl FnMut(usize) -> ToolOutcome,
) -> Vec<Option<Repetition>> {
    let mut repeats = Repeats::default();
    let mut judged = Vec::new();
    for (place, call) in calls.into_iter().enumerate() {
        let repetition = repeats.judge(&call);
        let outcome = match repetition {
            Some(_) => kept_from_running(),
            None => run(place),
        };
        repeats.take(&call, &outcome);
        judged.push(repetition);
    }
    judged
}

const RUNS: Option<Repetition> = None;
const THIRD: Option<Repetition> = Some(Repetition::ThirdTime);
const ROUND: Option<Repetition> = Some(Repetition::GoesRound);
const BLOCKED: Option<Repetition> = Some(Repetition::Blocked);

#[test]
fn equal_calls_are_kept_from_the_third_on() {
    let calls = (0..5).map(|_| call("shell", json!({"command": "make"})));
    let judged = played(calls, |_| failed("exit code 2"));
    assert_eq!(judged, [RUNS, RUNS, THIRD, BLOCKED, BLOCKED]);
}

#[test]
fn ids_of_a_wrapper_do_not_hide_a_loop() {
    let ids = [
        "7f3a9c21-aa10-4f0e-9b1d-0c55ab20ffee",
        "call_8Zq21Lk0x9",
        "1763829412345",
    ];
    let calls = ids.map(|id| call("search", json!({"request": id, "query": "rust"})));
    let judged = played(calls, |place| {
        let id = ids[place];
        gave(&format!(
            "<result id={id} at=2026-11-22T21:0{place}:14Z took={place}.3ms>nothing</result>"
        ))
    });
    assert_eq!(judged, [RUNS, RUNS, THIRD]);
}

#[test]
fn small_changes_do_not_hide_a_loop() {
    let queries = [
        "release notes of the tool",
        "release notes of the  Tool",
        "the release notes of the tool",
    ];
    let calls = queries.map(|query| call("search", json!({"query": query, "limit": query.len()})));
    assert_eq!(played(calls, |_| gave("no results")), [RUNS, RUNS, THIRD]);
}

#[test]
fn a_call_that_goes_on_changing_stays_kept_until_another_runs() {
    let search = |query: &str| call("search", json!({"query": query}));
    let calls = [
        search("release notes of the tool"),
        search("release notes of the tool 2"),
        search("release notes of the tool 3"),
        search("release notes of the tool 4"),
        call("list_dir", json!({"path": "."})),
        search("release notes of the tool 5"),
        search("release notes of the tool 3"),
    ];
    let judged = played(calls, |_| gave("no results"));
    assert_eq!(judged, [RUNS, RUNS, THIRD, THIRD, RUNS, RUNS, BLOCKED]);
}

#[test]
fn two_calls_in_turns_are_a_loop() {
    let names = ["a", "b", "a", "b", "a", "b", "a"];
    let calls = names.map(|name| call(name, json!({})));
    let judged = played(calls, |place| gave(names[place]));
    assert_eq!(judged, [RUNS, RUNS, RUNS, RUNS, ROUND, ROUND, BLOCKED]);
}

#[test]
fn what_comes_to_something_else_each_time_is_none() {
    let calls = (0..6).map(|_| call("shell", json!({"command": "tail -1 build.log"})));
    let judged = played(calls, |place| gave(&format!("[{place}/6] compiling")));
    assert_eq!(judged, [RUNS; 6]);
    let pages = (0..6).map(|page| call("read_file", json!({"path": "a.txt", "offset": page})));
    let judged = played(pages, |place| gave(&format!("page {place}")));
    assert_eq!(judged, [RUNS; 6]);
}

#[test]
fn other_questions_with_one_answer_are_none() {
    let words = ["alpha", "gamma", "omega", "sigma"];
    let calls = words.map(|word| {
        call(
            "search_files",
            json!({"path": "src/providers", "text": word}),
        )
    });
    assert_eq!(played(calls, |_| gave("no matches")), [RUNS; 4]);
}

#[test]
fn a_test_between_changes_is_none() {
    let calls = (0..8).map(|place| match place % 2 {
        0 => call("shell", json!({"command": "cargo test"})),
        _ => call(
            "write_file",
            json!({"path": "a.rs", "text": format!("{}", "fn main() { }\n".repeat(place * 3))}),
        ),
    });
    let judged = played(calls, |place| match place % 2 {
        0 => failed("exit code 101"),
        _ => gave("written"),
    });
    assert_eq!(judged, [RUNS; 8]);
}

#[test]
fn somebodys_words_begin_anew() {
    let build = || call("shell", json!({"command": "make"}));
    let mut repeats = Repeats::default();
    repeats.take(&build(), &failed("exit code 2"));
    repeats.take(&build(), &failed("exit code 2"));
    repeats.take(&build(), &kept_from_running());
    assert_eq!(repeats.judge(&build()), BLOCKED);
    repeats.take_words();
    assert_eq!(repeats.judge(&build()), RUNS);
    assert_eq!(repeats.blocks(), 1, "what was kept stays counted");
}

#[test]
fn ids_and_times_are_left_out_and_counts_are_not() {
    let check = |text: &str, bare: &str| assert_eq!(skeleton(text), bare, "{text}");
    check(
        "Job 7f3a9c21 at 2026-11-22 21:08:54 took 0.42s",
        "job # at # # took #",
    );
    check(
        "3 of 12 tests  failed in src/a1.rs",
        "3 of 12 tests failed in src/a1.rs",
    );
    check("port 8080, utf-8, v1.2.3", "port 8080, utf-8, v1.2.3");
    check("a/7f3a9c21.txt v1.23456789012.x", "a/#.txt v1.#.x");
    check("你好  世界", "你好 世界");
}

proptest! {
    /// Whatever is called, no call is kept before it came twice.
    #[test]
    fn nothing_is_kept_before_the_third_time(
        tools in proptest::collection::vec(0_u32..4, 0..12),
        text in "\\PC{0,30}",
    ) {
        let mut repeats = Repeats::default();
        for (place, tool) in tools.iter().enumerate() {
            let made = call(&format!("t{tool}"), json!({"text": text}));
            let before = tools[..place].iter().filter(|it| *it == tool).count();
            let judged = repeats.judge(&made);
            prop_assert!(judged.is_none() || before >= 2);
            let outcome = judged.map_or_else(|| gave("same"), |_| kept_from_running());
            repeats.take(&made, &outcome);
        }
    }
}
