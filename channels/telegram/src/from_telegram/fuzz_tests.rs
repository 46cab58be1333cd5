//! Malformed updates: none of them breaks the parser, and malformed fields beside a text do not
//! lose the text.

use proptest::prelude::*;
use sayso_channel::Event;
use sayso_fakes::json::{any_json, spoiled};
use serde_json::{Value, json};

use super::tests::{message, read};
use super::update_id;

/// One update of each kind, with much in it.
fn updates() -> Vec<Value> {
    let full = message(&json!({
        "text": "/ask@sayso_bot hello \u{1f44d} @sayso_bot",
        "entities": [
            {"type": "bot_command", "offset": 0, "length": 14},
            {"type": "mention", "offset": 24, "length": 10},
            {"type": "text_mention", "offset": 15, "length": 5, "user": {"id": 42}},
        ],
        "reply_to_message": message(&json!({"text": "before", "photo": [{"file_id": "a"}]})),
        "quote": {"text": "be", "position": 0},
        "photo": [{"file_id": "a", "file_unique_id": "b", "width": 1, "height": 1}],
        "document": {"file_id": "c", "file_name": "d", "mime_type": "e", "file_size": 1},
        "media_group_id": "m",
        "message_thread_id": 3,
        "is_topic_message": true,
    }));
    let member = |status| json!({"status": status, "user": {"id": 42}});
    vec![
        json!({"update_id": 1, "message": full}),
        json!({"update_id": 2, "edited_message": full}),
        json!({"update_id": 3, "channel_post": full}),
        json!({"update_id": 4, "callback_query": {
            "id": "q", "from": full["from"], "message": full, "data": "token",
        }}),
        json!({"update_id": 5, "my_chat_member": {
            "chat": full["chat"], "from": full["from"], "date": 1,
            "old_chat_member": member("left"), "new_chat_member": member("member"),
        }}),
        json!({"update_id": 6, "message": message(&json!({"poll": {
            "question": "which?", "options": [{"text": "a"}, {"text": "b"}],
        }}))}),
    ]
}

/// Fields that stand beside a text and are not what is said.
const BESIDE: [&str; 12] = [
    "entities",
    "date",
    "edit_date",
    "reply_to_message",
    "quote",
    "external_reply",
    "media_group_id",
    "message_thread_id",
    "is_topic_message",
    "photo",
    "link_preview_options",
    "a_field_of_the_future",
];

proptest! {
    #[test]
    fn no_json_breaks_the_reading(update in any_json()) {
        read(&update);
        update_id(&update);
    }

    #[test]
    fn no_content_of_a_known_kind_breaks_the_reading(
        kind in "(message|edited_message|callback_query|my_chat_member)", body in any_json()
    ) {
        read(&json!({"update_id": 1, (kind): body}));
    }

    #[test]
    fn no_spoiled_update_breaks_the_reading(
        update in (0..6_usize).prop_flat_map(|kind| spoiled(updates().swap_remove(kind)))
    ) {
        read(&update);
    }

    #[test]
    fn whatever_stands_beside_a_text_it_is_heard(
        text in "[a-z\u{4f60}\u{1f44d}]{1,20}( [a-z]{1,8}){0,5}",
        field in 0..BESIDE.len(),
        value in any_json(),
    ) {
        let said = message(&json!({"text": text, (BESIDE[field]): value}));
        let heard = read(&json!({"update_id": 1, "message": said}));
        let Some(Event::Message(heard)) = heard.map(|inbound| inbound.event) else {
            return Err(TestCaseError::fail("nothing is heard"));
        };
        prop_assert_eq!(heard.text, text);
    }
}

#[test]
fn the_updates_that_are_spoiled_are_heard_as_they_are() {
    for update in updates() {
        assert!(read(&update).is_some(), "{update}");
    }
}
