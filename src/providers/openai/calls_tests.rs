//! Tool calls in the forms that servers were seen to send.

use serde_json::{Value, json};

use super::Calls;

fn check(deltas: &[Value], expected: &[(&str, &str, &str)]) {
    let mut calls = Calls::default();
    for delta in deltas {
        calls.take_pieces(delta.as_array().unwrap());
    }
    let calls = calls.finish();
    let found: Vec<_> = calls
        .iter()
        .map(|call| {
            (
                call.id.as_str(),
                call.name.as_str(),
                call.arguments.as_str(),
            )
        })
        .collect();
    assert_eq!(found, expected);
}

fn function(name: &str, arguments: impl Into<Value>) -> Value {
    json!({"name": name, "arguments": arguments.into()})
}

#[test]
fn pieces_join_by_index() {
    check(
        &[
            json!([{"index": 0, "id": "a", "function": function("read", "")}]),
            json!([{"index": 0, "function": {"arguments": "{\"p\":"}}]),
            json!([{"index": 1, "id": "b", "function": function("list", "{}")}]),
            json!([{"index": 0, "function": {"arguments": "1}"}}]),
        ],
        &[("a", "read", "{\"p\":1}"), ("b", "list", "{}")],
    );
}

#[test]
fn calls_that_arrive_out_of_order_are_put_in_the_models_order() {
    check(
        &[
            json!([{"index": 1, "id": "b", "function": function("second", "{}")}]),
            json!([{"index": 0, "id": "a", "function": function("first", "{}")}]),
        ],
        &[("a", "first", "{}"), ("b", "second", "{}")],
    );
}

#[test]
fn a_repeated_id_and_an_empty_name_continue_the_call() {
    check(
        &[
            json!([{"index": 0, "id": "a", "function": function("read", "{")}]),
            json!([{"index": 0, "id": "a", "function": {"name": null, "arguments": "}"}}]),
            json!([{"index": 0, "id": "a", "function": function("read", "")}]),
        ],
        &[("a", "read", "{}")],
    );
}

#[test]
fn an_id_invented_for_each_piece_does_not_split_the_call() {
    check(
        &[
            json!([{"index": 0, "id": "x1", "function": function("read", "{")}]),
            json!([{"index": 0, "id": "x2", "function": {"arguments": "}"}}]),
        ],
        &[("x1", "read", "{}")],
    );
}

#[test]
fn a_server_that_counts_every_call_as_zero_still_makes_two_calls() {
    check(
        &[
            json!([{"index": 0, "id": "a", "function": function("read", "{}")}]),
            json!([{"index": 0, "id": "b", "function": function("list", "{}")}]),
        ],
        &[("a", "read", "{}"), ("b", "list", "{}")],
    );
}

#[test]
fn without_an_index_the_id_decides_and_then_the_position() {
    check(
        &[
            json!([{"id": "a", "function": function("read", "{")}]),
            json!([{"id": "b", "function": function("list", "[")}]),
            json!([{"id": "a", "function": {"arguments": "1"}}]),
            json!([{"function": {"arguments": "2"}}]),
            json!([{"function": {"arguments": "}"}}, {"function": {"arguments": "]"}}]),
        ],
        &[("a", "read", "{1}"), ("b", "list", "[2]")],
    );
}

#[test]
fn arguments_may_come_as_an_object() {
    check(
        &[json!([{"function": function("read", json!({"path": "a"}))}])],
        &[("", "read", "{\"path\":\"a\"}")],
    );
}

#[test]
fn a_name_may_come_in_two_pieces() {
    check(
        &[
            json!([{"index": 0, "id": "a", "function": {"name": "file_"}}]),
            json!([{"index": 0, "function": {"name": "read", "arguments": "{}"}}]),
        ],
        &[("a", "file_read", "{}")],
    );
}
