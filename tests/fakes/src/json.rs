//! Malformed JSON: arbitrary values, and valid values with some places corrupted.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// Any value, a few levels deep; its names are among those that platforms use.
pub fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        "\\PC{0,12}".prop_map(Value::from),
        Just(json!("")),
        Just(json!(i64::MIN)),
        Just(json!(u64::MAX)),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        let name = "(id|type|text|user|name|data|offset|length|[a-z_]{0,6})";
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            prop::collection::vec((name, inner), 0..5)
                .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// A good value in which one to three places hold something else.
pub fn spoiled(good: Value) -> impl Strategy<Value = Value> {
    let place = prop::collection::vec(any::<usize>(), 1..8);
    prop::collection::vec((place, any_json()), 1..4).prop_map(move |changes| {
        let mut value = good.clone();
        for (place, with) in changes {
            put(&mut value, &place, with);
        }
        value
    })
}

/// Puts a value where the steps lead, each of which chooses among what is there.
fn put(value: &mut Value, place: &[usize], with: Value) {
    let Some((step, rest)) = place.split_first() else {
        *value = with;
        return;
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            let at = step % items.len();
            put(&mut items[at], rest, with);
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = step % fields.len();
            if let Some(field) = fields.values_mut().nth(at) {
                put(field, rest, with);
            }
        }
        _ => *value = with,
    }
}
