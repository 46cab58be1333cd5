//! Which values are read in the type of their schema, and which stay as they are.

use serde_json::{Value, json};

use super::coerced;

/// Checks what becomes of a value under a schema, as a field that must be given.
#[track_caller]
fn check(schema: Value, written: Value, expected: Value) {
    let properties = field(schema);
    let schema = json!({"type": "object", "properties": properties, "required": ["x"]});
    let read = coerced(field(written), &schema);
    assert_eq!(read, field(expected), "{schema}");
}

fn field(value: Value) -> Value {
    Value::Object([("x".to_owned(), value)].into_iter().collect())
}

#[track_caller]
fn stays(schema: Value, written: Value) {
    check(schema, written.clone(), written);
}

#[test]
fn chat_f10_a_text_is_read_as_the_only_type_that_is_taken() {
    check(json!({"type": "integer"}), json!("5"), json!(5));
    check(json!({"type": "integer"}), json!(" -5\n"), json!(-5));
    check(json!({"type": "integer"}), json!("5.0"), json!(5));
    check(json!({"type": "number"}), json!("2.5"), json!(2.5));
    check(json!({"type": "boolean"}), json!("true"), json!(true));
    check(json!({"type": "boolean"}), json!("False"), json!(false));
    let texts = json!({"type": "array", "items": {"type": "string"}});
    check(texts.clone(), json!("[\"a\",\"b\"]"), json!(["a", "b"]));
    check(texts, json!("['a']"), json!(["a"]));
    let numbers = json!({"type": "array", "items": {"type": "integer"}});
    check(numbers, json!("[\"1\", 2]"), json!([1, 2]));
    check(
        json!({"type": "object"}),
        json!("{\"a\": 1}"),
        json!({"a": 1}),
    );
    check(json!({"type": ["integer", "null"]}), json!("5"), json!(5));
    check(
        json!({"anyOf": [{"type": "integer"}, {"type": "null"}]}),
        json!("5"),
        json!(5),
    );
    check(json!({"enum": [1, 2]}), json!("2"), json!(2));
}

#[test]
fn chat_f10_a_number_or_a_boolean_is_read_as_a_text_where_only_that_is_taken() {
    check(json!({"type": "string"}), json!(5), json!("5"));
    check(json!({"type": "string"}), json!(true), json!("true"));
    check(
        json!({"type": "string", "enum": ["1", "2"]}),
        json!(2),
        json!("2"),
    );
    check(
        json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
        json!(7),
        json!("7"),
    );
    check(json!({"type": "integer"}), json!(5.0), json!(5));
}

#[test]
fn chat_f10_what_fits_or_has_two_readings_stays() {
    let either = json!({"anyOf": [{"type": "string"}, {"type": "integer"}]});
    stays(either.clone(), json!("5"));
    stays(either, json!(5));
    stays(json!({"type": ["string", "integer"]}), json!("5"));
    stays(json!({"type": "string"}), json!("5"));
    stays(json!({"type": "string"}), json!("[\"a\"]"));
    stays(json!({"type": "string"}), json!("null"));
    stays(json!({}), json!("5"));
    stays(json!(true), json!("5"));
    stays(json!({"enum": ["5", 5]}), json!("5"));
    stays(json!({"type": "number"}), json!(5.0));
}

#[test]
fn chat_f10_what_has_no_reading_stays() {
    stays(json!({"type": "integer"}), json!("five"));
    stays(json!({"type": "integer"}), json!("5.5"));
    stays(json!({"type": "integer"}), json!(5.5));
    stays(json!({"type": "integer"}), json!("5, 6"));
    stays(json!({"type": "integer"}), json!("true"));
    stays(json!({"type": "integer"}), json!(true));
    stays(json!({"type": "boolean"}), json!("yes"));
    stays(json!({"type": "boolean"}), json!(1));
    stays(json!({"type": "array"}), json!("a,b"));
    stays(json!({"type": "array"}), json!("a"));
    // Written as 1.10, it is 1.1 by now.
    stays(json!({"type": "string"}), json!(1.1));
    stays(json!({"type": "string"}), json!(["a"]));
    stays(json!({"type": "string"}), json!({"a": 1}));
    stays(json!({"enum": [1, 2]}), json!("3"));
    stays(json!({"type": "integer"}), json!(null));
}

#[test]
fn chat_f10_null_for_a_field_that_may_be_left_out_is_dropped() {
    let schema = json!({
        "type": "object",
        "properties": {
            "must": {"type": "string"},
            "may": {"type": "integer"},
            "also": {"type": "boolean"},
            "nullable": {"type": ["integer", "null"]},
            "either": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            "any": {},
            "word": {"enum": ["a", null]},
            "text": {"type": "string"},
        },
        "required": ["must"],
    });
    let written = json!({
        "must": null, "may": null, "also": "null", "nullable": null, "either": null, "any": null,
        "word": null, "text": "null", "unknown": null,
    });
    let expected = json!({
        "must": null, "nullable": null, "either": null, "any": null, "word": null, "text": "null",
        "unknown": null,
    });
    assert_eq!(coerced(written, &schema), expected);
}

#[test]
fn chat_f10_values_inside_of_others_are_read_too() {
    let filter = json!({
        "type": "object",
        "properties": {"since": {"type": "integer"}, "exact": {"type": "boolean"}},
    });
    let schema = json!({
        "type": "object",
        "properties": {
            "filters": {"type": "array", "items": filter},
            "maybe": {"anyOf": [filter, {"type": "null"}]},
            "pair": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
            "counts": {"type": "object", "additionalProperties": {"type": "integer"}},
            "both": {"allOf": [{"properties": {"a": {"type": "integer"}}}, filter]},
        },
    });
    let written = json!({
        "filters": [{"since": "3", "exact": null}, "{'since': '4'}"],
        "maybe": {"exact": "true"},
        "pair": [1, "2"],
        "counts": {"one": "1"},
        "both": {"a": "1", "since": "2"},
    });
    let expected = json!({
        "filters": [{"since": 3}, {"since": 4}],
        "maybe": {"exact": true},
        "pair": ["1", 2],
        "counts": {"one": 1},
        "both": {"a": 1, "since": 2},
    });
    assert_eq!(coerced(written, &schema), expected);
}

#[test]
fn arguments_that_are_no_object_stay_what_they_are() {
    let schema = json!({"type": "object", "properties": {}});
    assert_eq!(coerced(json!("{\"a\":"), &schema), json!("{\"a\":"));
}
