//! Tool calls as no server should send them: nothing breaks the reading, and arguments are an
//! object or what the model wrote.

use proptest::prelude::*;
use sayso_fakes::json::{any_json, spoiled};
use serde_json::{Map, Value, json};

use super::Calls;
use crate::wire::arguments;

fn pieces() -> Value {
    json!([
        {"index": 0, "id": "a", "function": {"name": "shell", "arguments": "{\"command\":"}},
        {"index": 0, "function": {"arguments": "\"ls\"}"}},
        {"index": 1, "id": "b", "type": "function", "function": {"name": "list", "arguments": {}}},
    ])
}

fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

proptest! {
    #[test]
    fn no_piece_breaks_the_reading(deltas in prop::collection::vec(
        prop_oneof![any_json(), spoiled(pieces())], 0..6,
    )) {
        let (mut streamed, mut whole) = (Calls::default(), Calls::default());
        for delta in &deltas {
            streamed.take_pieces(items(delta));
            whole.take_whole(items(delta));
        }
        for call in streamed.finish().iter().chain(&whole.finish()) {
            let read = arguments::read(&call.arguments);
            prop_assert!(read.is_object() || read.is_string());
        }
    }

    #[test]
    fn an_object_is_what_was_written_and_nothing_is_invented(
        fields in prop::collection::btree_map("[a-z]{1,6}", any_json(), 0..5)
    ) {
        let object = Value::Object(fields.into_iter().collect::<Map<_, _>>());
        let text = object.to_string();
        let written: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(arguments::read(&text), written.clone());
        // Encoded twice, as some servers do.
        prop_assert_eq!(arguments::read(&Value::String(text.clone()).to_string()), written);
        // What is cut is no object: it is shown back to the model, and never completed.
        let cut = &text[..text.floor_char_boundary(text.len() - 1)];
        prop_assert_eq!(arguments::read(cut), Value::String(cut.to_owned()));
    }

    #[test]
    fn no_text_breaks_the_reading_of_arguments(text in "([{}\\[\\]\":,\\\\]|null|\\PC){0,60}") {
        let read = arguments::read(&text);
        prop_assert!(read.is_object() || read.is_string());
    }

    #[test]
    fn arguments_in_pieces_join_to_what_was_cut(text in "\\PC{1,40}", cuts in prop::collection::vec(0..40_usize, 0..5)) {
        let mut cuts: Vec<_> = cuts.iter().map(|cut| text.floor_char_boundary(*cut)).collect();
        cuts.extend([0, text.len()]);
        cuts.sort_unstable();
        let mut calls = Calls::default();
        for (number, cut) in cuts.windows(2).enumerate() {
            let name = if number == 0 { "shell" } else { "" };
            let piece = json!({"index": 0, "function": {"name": name, "arguments": &text[cut[0]..cut[1]]}});
            calls.take_pieces(&[piece]);
        }
        let calls = calls.finish();
        prop_assert_eq!(calls.len(), 1);
        prop_assert_eq!(&calls[0].arguments, &text);
    }
}
