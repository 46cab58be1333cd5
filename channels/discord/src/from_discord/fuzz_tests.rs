//! Malformed objects: none of them breaks the parser, and malformed fields beside a text do not
//! lose the text.

use proptest::prelude::*;
use sayso_channel::{Event, Inbound};
use sayso_fakes::json::{any_json, spoiled};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::tests::{direct, mapper, message, places};
use super::{
    Form, Id, Place, Places, RawGuild, RawMessage, heard, quote, read_interaction, time_ms,
};

/// A message with much in it.
fn full() -> Value {
    message(&json!({
        "content": "<@42> hello <#5> <@&71> <:fish:8> <t:1>",
        "mentions": [{"id": "42", "username": "sayso"}],
        "mention_roles": ["71"],
        "member": {"nick": "Ann", "roles": ["71"]},
        "attachments": [{"id": "3", "filename": "a.txt", "url": "https://x.y/z", "size": 1,
            "content_type": "text/plain"}],
        "embeds": [{"title": "t", "description": "d"}],
        "components": [{"type": 1, "components": [{"type": 2, "label": "l", "custom_id": "c"}]}],
        "sticker_items": [{"id": "4", "name": "s"}],
        "poll": {"question": {"text": "q"}, "answers": [{"poll_media": {"text": "a"}}]},
        "message_reference": {"type": 0, "message_id": "9", "channel_id": "5"},
        "referenced_message": message(&json!({"content": "before"})),
        "message_snapshots": [{"message": {"content": "forwarded"}}],
    }))
}

fn interaction() -> Value {
    json!({
        "id": "11", "application_id": "43", "type": 2, "token": "t", "channel_id": "1",
        "context": 1,
        "user": {"id": "7", "username": "ann", "global_name": "Ann"},
        "message": full(),
        "data": {"id": "12", "name": "ask", "type": 1, "custom_id": "c", "component_type": 2,
            "options": [{"name": "text", "type": 3, "value": "hello"}]},
    })
}

/// Parses a message in every form and place, if it is one.
fn read(object: &Value) -> Vec<Inbound> {
    let Ok(raw) = RawMessage::deserialize(object) else {
        return Vec::new();
    };
    let places = places();
    quote(&raw, &Place::direct(Id(1)), &places, &mapper());
    let chats = [Place::direct(Id(1)), places.chat(Id(5)).unwrap().clone()];
    let forms = [Form::Said, Form::Changed, Form::ReadBack];
    let all = chats
        .iter()
        .flat_map(|chat| forms.map(|form| heard(&raw, form, chat, &places, &mapper())));
    all.flatten().collect()
}

/// Fields that stand beside a text and are not what is said.
const BESIDE: [&str; 14] = [
    "embeds",
    "attachments",
    "mentions",
    "mention_roles",
    "components",
    "sticker_items",
    "poll",
    "message_reference",
    "referenced_message",
    "message_snapshots",
    "flags",
    "timestamp",
    "member",
    "a_field_of_the_future",
];

proptest! {
    #[test]
    fn no_json_breaks_the_reading(object in any_json()) {
        read(&object);
        read_interaction(&object, &mapper());
        if let Ok(server) = RawGuild::deserialize(&object) {
            Places::default().learn_server(&server, Id(42));
        }
    }

    #[test]
    fn no_spoiled_message_breaks_the_reading(object in spoiled(full())) {
        read(&object);
    }

    #[test]
    fn no_spoiled_interaction_breaks_the_reading(object in spoiled(interaction())) {
        read_interaction(&object, &mapper());
    }

    #[test]
    fn no_text_breaks_a_time(text in "\\PC{0,40}|[0-9T:.+Z-]{0,40}") {
        time_ms(&text);
    }

    #[test]
    fn no_words_break_the_reading(content in "([<>@#&!:/0-9a-z\u{4f60}]|<@42>|<t:|\\PC){0,60}") {
        read(&message(&json!({"content": content})));
    }

    #[test]
    fn whatever_stands_beside_a_text_it_is_heard(
        text in "[a-z\u{4f60}\u{1f44d}]{1,20}( [a-z]{1,8}){0,5}",
        field in 0..BESIDE.len(),
        value in any_json(),
    ) {
        let said = direct(&json!({"content": text, (BESIDE[field]): value}));
        let Some(Event::Message(said)) = said.map(|inbound| inbound.event) else {
            return Err(TestCaseError::fail("nothing is heard"));
        };
        prop_assert!(said.text.contains(&text), "{:?} in {:?}", text, said.text);
    }
}

#[test]
fn the_objects_that_are_spoiled_are_heard_as_they_are() {
    assert!(!read(&full()).is_empty());
    assert!(read_interaction(&interaction(), &mapper()).is_some());
}
