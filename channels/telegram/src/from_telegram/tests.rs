//! Inbound messages, by examples of Telegram's updates.

use sayso_channel::{
    Addressed, AttachmentKind, ChatKind, Event, HeardMessage, Inbound, SenderKind, ThreadKey,
};
use serde_json::{Value, json};

use super::{UpdateMapper, from_telegram};
use crate::identity::Identity;

const NOW: i64 = 1_800_000_000_000;

fn mapper() -> UpdateMapper {
    UpdateMapper {
        channel: "telegram".into(),
        us: Identity {
            id: 42,
            name: "Sayso".to_owned(),
            username: Some("sayso_bot".to_owned()),
            can_read_all_group_messages: false,
            can_join_groups: true,
        },
    }
}

pub(super) fn read(update: &Value) -> Option<Inbound> {
    from_telegram(update, &mapper(), NOW)
}

/// Returns a message as Telegram sends it: common fields, then `fields` over them.
pub(super) fn message(fields: &Value) -> Value {
    let mut message = json!({
        "message_id": 10,
        "date": 1_700_000_000,
        "chat": {"id": 7, "type": "private", "first_name": "Ann"},
        "from": {"id": 7, "is_bot": false, "first_name": "Ann", "language_code": "de"},
    });
    for (field, value) in fields.as_object().unwrap() {
        message[field] = value.clone();
    }
    message
}

fn in_group(mut fields: Value) -> Value {
    fields["chat"] = json!({"id": -1005, "type": "supergroup", "title": "Team"});
    message(&fields)
}

#[track_caller]
fn heard(message: &Value) -> (Inbound, HeardMessage) {
    let update = json!({"update_id": 1, "message": message});
    let inbound = read(&update).expect("something is heard");
    let Event::Message(heard) = inbound.event.clone() else {
        panic!("not a message: {inbound:?}");
    };
    (inbound, *heard)
}

fn mention(offset: usize) -> Value {
    json!([{"type": "mention", "offset": offset, "length": 10}])
}

#[test]
fn direct_message_is_heard_whole() {
    let update = json!({"update_id": 1, "message": message(&json!({"text": "hi"}))});
    insta::assert_snapshot!(serde_json::to_string_pretty(&read(&update)).unwrap(), @r#"
    {
      "address": {
        "channel": "telegram",
        "chat": "7"
      },
      "chat_kind": "direct",
      "sender": {
        "key": "7",
        "name": "Ann",
        "language": "de",
        "kind": "person"
      },
      "key": {
        "kind": "message",
        "id": "7/10",
        "version": 0
      },
      "at_ms": 1700000000000,
      "event": {
        "message": {
          "message": "10",
          "text": "hi",
          "addressed": "direct",
          "command": null,
          "quoted": null,
          "attachments": [],
          "album": null,
          "edited": false,
          "unsupported": null
        }
      }
    }
    "#);
}

#[track_caller]
fn check_group(text: &str, entities: &Value, expected: (Addressed, &str)) {
    let (inbound, heard) = heard(&in_group(json!({"text": text, "entities": entities})));
    assert_eq!(inbound.chat_kind, ChatKind::Group);
    assert_eq!((heard.addressed, heard.text.as_str()), expected, "{text:?}");
}

#[test]
fn mention_addresses_us_and_is_left_out_at_the_beginning() {
    check_group("@sayso_bot hi", &mention(0), (Addressed::Mention, "hi"));
    check_group("@SaySo_Bot, hi", &mention(0), (Addressed::Mention, "hi"));
    check_group(
        " @sayso_bot：你好",
        &mention(1),
        (Addressed::Mention, "你好"),
    );
    check_group(
        "👍 @sayso_bot hi",
        &mention(3),
        (Addressed::Mention, "👍 @sayso_bot hi"),
    );
    check_group(
        "你好 @sayso_bot",
        &mention(3),
        (Addressed::Mention, "你好 @sayso_bot"),
    );
    check_group("@sayso_bot", &mention(0), (Addressed::Mention, ""));
    check_group(
        "@other_bot hi",
        &mention(0),
        (Addressed::No, "@other_bot hi"),
    );
    check_group(
        "mail a@sayso_bot",
        &json!([]),
        (Addressed::No, "mail a@sayso_bot"),
    );
}

#[test]
fn mention_by_id_addresses_us() {
    let entity =
        |id: i64| json!([{"type": "text_mention", "offset": 0, "length": 5, "user": {"id": id}}]);
    check_group("Sayso do it", &entity(42), (Addressed::Mention, "do it"));
    check_group("Other do it", &entity(43), (Addressed::No, "Other do it"));
}

#[test]
fn offsets_that_make_no_sense_lose_nothing() {
    check_group("👍@sayso_bot", &mention(1), (Addressed::No, "👍@sayso_bot"));
    check_group("hi", &mention(usize::MAX), (Addressed::No, "hi"));
    check_group("hi", &json!("not a list"), (Addressed::No, "hi"));
    check_group(
        "hi",
        &json!([{"type": 5, "offset": -1}]),
        (Addressed::No, "hi"),
    );
}

#[test]
fn unknown_entity_kinds_lose_neither_text_nor_the_mention() {
    let entities = json!([
        {"type": "date_time", "offset": 0, "length": 3, "unix_time": 5},
        {"type": "something_of_2031", "offset": 0, "length": 1, "user": "broken"},
        {"type": "mention", "offset": 4, "length": 10},
    ]);
    check_group(
        "now @sayso_bot go",
        &entities,
        (Addressed::Mention, "now @sayso_bot go"),
    );
}

#[track_caller]
fn check_command(message: &Value, expected: (Addressed, Option<(&str, &str)>)) {
    let (_, heard) = heard(message);
    let command = heard.command.as_ref();
    let found = command.map(|command| (command.name.as_str(), command.arguments.as_str()));
    assert_eq!((heard.addressed, found), expected, "{message}");
}

#[test]
fn commands_are_for_us_unless_another_bot_is_named() {
    let direct = |text: &str| message(&json!({"text": text}));
    let group = |text: &str| in_group(json!({"text": text}));
    check_command(
        &direct("/start CODE"),
        (Addressed::Direct, Some(("start", "CODE"))),
    );
    check_command(&group("/stop"), (Addressed::Command, Some(("stop", ""))));
    check_command(
        &group("/stop@Sayso_bot now"),
        (Addressed::Command, Some(("stop", "now"))),
    );
    check_command(&group("/stop@other_bot"), (Addressed::No, None));
    let behind_mention = in_group(json!({"text": "@sayso_bot /new", "entities": mention(0)}));
    check_command(&behind_mention, (Addressed::Command, Some(("new", ""))));
}

#[test]
fn reply_to_us_addresses_us_and_quotes() {
    let ours = json!({"message_id": 9, "from": {"id": 42, "first_name": "Sayso"}, "text": "Done."});
    let (_, heard) = heard(&in_group(
        json!({"text": "thanks", "reply_to_message": ours}),
    ));
    assert_eq!(heard.addressed, Addressed::Reply);
    let quoted = heard.quoted.unwrap();
    assert_eq!(
        (
            quoted.from_us,
            quoted.text.as_str(),
            quoted.message.as_str()
        ),
        (true, "Done.", "9")
    );
}

#[test]
fn quoted_message_brings_its_text_and_files() {
    let theirs = json!({
        "message_id": 9,
        "from": {"id": 8, "first_name": "Bob", "last_name": "B"},
        "caption": "the plan, page 3",
        "document": {"file_id": "F", "file_name": "plan.pdf", "mime_type": "application/pdf", "file_size": 5},
    });
    let chosen = json!({"text": "page 3", "position": 10, "is_manual": true});
    let all = message(&json!({"text": "what?", "reply_to_message": theirs}));
    let piece = message(&json!({"text": "what?", "reply_to_message": theirs, "quote": chosen}));

    let quoted = heard(&all).1.quoted.unwrap();
    assert_eq!(quoted.author, "Bob B");
    assert_eq!(quoted.text, "the plan, page 3");
    assert_eq!(quoted.attachments[0].name.as_deref(), Some("plan.pdf"));
    assert!(!quoted.from_us);
    assert_eq!(heard(&piece).1.quoted.unwrap().text, "page 3");
}

#[test]
fn message_of_another_chat_can_be_quoted() {
    let reply = json!({
        "origin": {"type": "hidden_user", "sender_user_name": "Somebody"},
        "chat": {"id": -9, "type": "channel"},
        "message_id": 5,
        "photo": [{"file_id": "P", "width": 1, "height": 1}],
    });
    let fields = json!({"text": "look", "external_reply": reply, "quote": {"text": "words"}});
    let quoted = heard(&message(&fields)).1.quoted.unwrap();
    assert_eq!(quoted.author, "Somebody");
    assert_eq!(quoted.text, "words");
    assert_eq!(quoted.message.as_str(), "-9/5");
    assert_eq!(quoted.attachments.len(), 1);
}

#[test]
fn forum_topic_is_a_thread_and_its_first_message_no_quote() {
    let opening =
        json!({"message_id": 3, "from": {"id": 42}, "forum_topic_created": {"name": "x"}});
    let fields = json!({
        "text": "hi",
        "message_thread_id": 3,
        "is_topic_message": true,
        "reply_to_message": opening,
    });
    let (inbound, heard) = heard(&in_group(fields));
    assert_eq!(inbound.address.thread, Some(ThreadKey::from("3")));
    assert_eq!(heard.quoted, None);
    assert_eq!(heard.addressed, Addressed::No);
}

#[test]
fn chain_of_replies_is_no_thread() {
    let (inbound, _) = heard(&in_group(json!({"text": "hi", "message_thread_id": 3})));
    assert_eq!(inbound.address.thread, None);
}

#[test]
fn edit_has_its_own_key() {
    let edited = message(&json!({"text": "hi!", "edit_date": 1_700_000_060}));
    let inbound = read(&json!({"update_id": 2, "edited_message": edited})).unwrap();
    assert_eq!((inbound.key.id.as_str(), inbound.key.version), ("7/10", 2));
    assert_eq!(inbound.at_ms, 1_700_000_060_000);
    assert!(matches!(&inbound.event, Event::Message(heard) if heard.edited));
}

#[track_caller]
fn check_file(fields: &Value, kind: AttachmentKind, reference: &str) {
    let (_, heard) = heard(&message(fields));
    let found: Vec<_> = heard
        .attachments
        .iter()
        .map(|attachment| (attachment.kind, attachment.reference.as_str()))
        .collect();
    assert_eq!(found, [(kind, reference)], "{fields}");
    assert_eq!(heard.unsupported, None, "{fields}");
}

#[test]
fn files_are_attachments() {
    let sizes = json!([
        {"file_id": "small", "width": 90, "height": 60},
        {"file_id": "large", "width": 900, "height": 600},
        {"file_id": "medium", "width": 320, "height": 200},
    ]);
    let file = json!({"file_id": "F"});
    check_file(&json!({"photo": sizes}), AttachmentKind::Photo, "large");
    check_file(&json!({"document": file}), AttachmentKind::Document, "F");
    check_file(&json!({"voice": file}), AttachmentKind::Voice, "F");
    check_file(&json!({"audio": file}), AttachmentKind::Audio, "F");
    check_file(&json!({"video": file}), AttachmentKind::Video, "F");
    check_file(&json!({"video_note": file}), AttachmentKind::Video, "F");
    let animation = json!({"animation": file, "document": {"file_id": "same"}});
    check_file(&animation, AttachmentKind::Video, "F");
}

#[test]
fn piece_of_an_album_has_its_caption_and_name() {
    let fields = json!({
        "photo": [{"file_id": "P"}],
        "media_group_id": "A",
        "caption": "@sayso_bot see",
        "caption_entities": mention(0),
    });
    let (_, heard) = heard(&in_group(fields));
    assert_eq!(heard.album.as_deref(), Some("A"));
    assert_eq!(
        (heard.addressed, heard.text.as_str()),
        (Addressed::Mention, "see")
    );
}

#[track_caller]
fn check_unsupported(fields: &Value, name: &str, text: &str) {
    let (_, heard) = heard(&message(fields));
    assert_eq!(heard.unsupported.as_deref(), Some(name), "{fields}");
    assert_eq!(heard.text, text, "{fields}");
}

#[test]
fn what_cannot_be_shown_is_named_and_gives_up_its_text() {
    check_unsupported(
        &json!({"sticker": {"file_id": "S", "emoji": "🎉"}}),
        "a sticker",
        "🎉",
    );
    let poll = json!({"id": "1", "question": "Tea?", "options": [{"text": "Yes"}, {"text": "No"}]});
    check_unsupported(&json!({"poll": poll}), "a poll", "Tea?\nYes\nNo");
    let place = json!({"latitude": 48.5, "longitude": 9.0});
    check_unsupported(&json!({"location": place}), "a location", "48.5 9.0");
    let contact = json!({"phone_number": "+49", "first_name": "Bob", "last_name": "B"});
    check_unsupported(&json!({"contact": contact}), "a contact", "+49 Bob B");
    check_unsupported(
        &json!({"dice": {"emoji": "🎲", "value": 6}}),
        "a dice",
        "🎲 6",
    );
    check_unsupported(
        &json!({"story": {"id": 1, "chat": {"id": 5, "title": "x"}}}),
        "a story",
        "",
    );
    let unknown =
        json!({"hologram": {"text": "inside", "file_id": "H"}, "sender_tag": {"text": "B"}});
    check_unsupported(&unknown, "a message of an unknown kind", "inside");
}

/// What a bot wrote in a person's name is quoted like what the person forwards.
#[test]
fn s11_what_a_bot_wrote_for_somebody_is_not_their_own_words() {
    let bot = json!({"id": 99, "is_bot": true, "first_name": "Gif", "username": "gif"});
    for field in ["via_bot", "sender_business_bot"] {
        let mut fields = json!({"text": "/autonomy full"});
        fields[field] = bot.clone();
        let (_, said) = heard(&message(&fields));
        assert_eq!((said.text.as_str(), said.command), ("", None), "{field}");
        let quoted = said.quoted.unwrap();
        assert_eq!(quoted.text, "/autonomy full");
        assert_eq!(quoted.author, "Gif");
        assert_eq!(quoted.author_key, Some("99".into()));
        assert!(!quoted.from_us);

        // So it is when it is replied to, and when its sender forwards it.
        let mut original = message(&fields);
        original["message_id"] = json!(4);
        let (_, reply) = heard(&message(
            &json!({"text": "do that", "reply_to_message": original}),
        ));
        assert_eq!(reply.text, "do that");
        assert_eq!(reply.quoted.unwrap().author_key, Some("99".into()));
        let sender = message(&fields)["from"].clone();
        fields["forward_origin"] = json!({"type": "user", "date": 1, "sender_user": sender});
        let (_, forwarded) = heard(&message(&fields));
        assert_eq!(forwarded.quoted.unwrap().author_key, Some("99".into()));

        // A picture with a caption goes the same way.
        let mut photo =
            json!({"caption": "look", "photo": [{"file_id": "P", "width": 1, "height": 1}]});
        photo[field] = bot.clone();
        let (_, pictured) = heard(&message(&photo));
        assert!(pictured.text.is_empty() && pictured.attachments.is_empty());
        let quoted = pictured.quoted.unwrap();
        assert_eq!(
            (quoted.text.as_str(), quoted.attachments.len()),
            ("look", 1)
        );
    }
}

#[test]
fn rich_message_keeps_its_text() {
    let rich = json!({"blocks": [
        {"type": "heading", "text": "Plan", "size": 1},
        {"type": "paragraph", "text": ["Ask ", {"type": "bold", "text": "@sayso_bot"}, ", please"]},
        {"type": "list", "items": [{"label": "1.", "blocks": [{"type": "paragraph", "text": "one"}]}]},
    ]});
    let (_, heard) = heard(&in_group(json!({"rich_message": rich})));
    assert_eq!(heard.text, "Plan\nAsk @sayso_bot, please\n1.\none");
    assert_eq!(
        (heard.addressed, heard.unsupported),
        (Addressed::Mention, None)
    );
}

#[track_caller]
fn check_sender(message: &Value, expected: (&str, &str, SenderKind)) {
    let (inbound, _) = heard(message);
    let sender = &inbound.sender;
    assert_eq!(
        (sender.key.as_str(), sender.name.as_str(), sender.kind),
        expected
    );
}

#[test]
fn senders_are_people_bots_or_chats() {
    let from = |from: Value| message(&json!({"text": "x", "from": from}));
    let bob = json!({"id": 8, "first_name": "Bob", "last_name": " B "});
    check_sender(&from(bob), ("8", "Bob B", SenderKind::Person));
    let nameless = json!({"id": 8, "first_name": "", "username": "bob"});
    check_sender(&from(nameless), ("8", "bob", SenderKind::Person));
    let robot = json!({"id": 9, "is_bot": true, "first_name": "R2"});
    check_sender(&from(robot), ("9", "R2", SenderKind::Bot));
    let long = json!({"id": 8, "first_name": "长".repeat(300)});
    check_sender(&from(long), ("8", &"长".repeat(128), SenderKind::Person));
    let anonymous = in_group(json!({
        "text": "x",
        "from": {"id": 1_087_968_824, "is_bot": true, "first_name": "Group"},
        "sender_chat": {"id": -1005, "type": "supergroup", "title": "Team"},
    }));
    check_sender(&anonymous, ("-1005", "Team", SenderKind::Chat));
}

#[test]
fn channel_post_is_said_by_the_channel() {
    let post = json!({
        "message_id": 1, "date": 5, "text": "news",
        "chat": {"id": -1009, "type": "channel", "title": "News"},
    });
    let inbound = read(&json!({"update_id": 1, "channel_post": post})).unwrap();
    assert_eq!(
        (inbound.sender.key.as_str(), inbound.sender.kind),
        ("-1009", SenderKind::Chat)
    );
    assert_eq!(inbound.chat_kind, ChatKind::Group);
}

#[track_caller]
fn check_silence(update: &Value) {
    assert_eq!(read(update), None, "{update}");
}

#[test]
fn what_nobody_says_is_silence() {
    let said = |fields: Value| json!({"update_id": 1, "message": in_group(fields)});
    check_silence(&said(json!({"new_chat_members": [{"id": 5}]})));
    check_silence(&said(
        json!({"pinned_message": {"message_id": 1, "text": "old"}}),
    ));
    check_silence(&said(json!({"migrate_from_chat_id": -5})));
    check_silence(&said(
        json!({"text": "mine", "from": {"id": 42, "is_bot": true}}),
    ));
    check_silence(&json!({"update_id": 1, "poll": {"id": "5"}}));
    check_silence(&json!({"update_id": 1, "mind_read": {"message": {"text": "x"}}}));
    check_silence(&json!({"update_id": 1, "message": "broken"}));
    check_silence(&json!({"update_id": 1, "message": {"text": "no chat"}}));
    check_silence(&json!([1, 2]));
    let moving = message(&json!({"location": {"latitude": 1.0, "longitude": 2.0}}));
    check_silence(&json!({"update_id": 1, "edited_message": moving}));
}

#[test]
fn migration_gives_the_new_address() {
    let note = json!({
        "message_id": 10, "date": 5, "migrate_to_chat_id": -1007,
        "chat": {"id": -7, "type": "group", "title": "Team"},
        "from": {"id": 8, "first_name": "Bob"},
    });
    let inbound = read(&json!({"update_id": 1, "message": note})).unwrap();
    assert_eq!(inbound.key.kind, "migration");
    assert_eq!(inbound.address.chat.as_str(), "-7");
    let Event::Moved { to } = inbound.event else {
        panic!("not a move");
    };
    assert_eq!(to.chat.as_str(), "-1007");
}

#[track_caller]
fn check_membership(old: &Value, new: &Value, expected: Option<&Event>) {
    let update = json!({"update_id": 77, "my_chat_member": {
        "chat": {"id": 7, "type": "private"}, "from": {"id": 7, "first_name": "Ann"}, "date": 5,
        "old_chat_member": old, "new_chat_member": new,
    }});
    let inbound = read(&update);
    assert_eq!(
        inbound.as_ref().map(|inbound| &inbound.event),
        expected,
        "{new}"
    );
}

#[test]
fn membership_opens_and_closes_a_chat() {
    let status = |status: &str| json!({"status": status});
    check_membership(&status("member"), &status("kicked"), Some(&Event::Closed));
    check_membership(&status("kicked"), &status("member"), Some(&Event::Opened));
    check_membership(
        &status("left"),
        &status("administrator"),
        Some(&Event::Opened),
    );
    check_membership(&status("member"), &status("administrator"), None);
    check_membership(&status("left"), &status("kicked"), None);
    let muted = json!({"status": "restricted", "is_member": true, "can_send_messages": false});
    check_membership(&status("member"), &muted, Some(&Event::Closed));
}

#[test]
fn press_brings_its_token_and_message() {
    let card =
        in_group(json!({"text": "May I?", "message_thread_id": 3, "is_topic_message": true}));
    let press =
        json!({"id": "q1", "from": {"id": 8, "first_name": "Bob"}, "message": card, "data": "yes"});
    let inbound = read(&json!({"update_id": 1, "callback_query": press})).unwrap();
    assert_eq!(
        (inbound.key.kind.as_str(), inbound.key.id.as_str()),
        ("press", "q1")
    );
    assert_eq!(inbound.address.to_string(), "telegram:-1005/3");
    assert_eq!((inbound.sender.key.as_str(), inbound.at_ms), ("8", NOW));
    let Event::Press(press) = inbound.event else {
        panic!("not a press");
    };
    assert_eq!(
        (press.token.as_str(), press.message.unwrap().as_str()),
        ("yes", "10")
    );
}

#[test]
fn press_of_an_old_message_or_without_data_is_heard() {
    let old = json!({"chat": {"id": 7, "type": "private"}, "message_id": 3, "date": 0});
    let press = json!({"id": "q1", "from": {"id": 7, "first_name": "Ann"}, "message": old});
    let inbound = read(&json!({"update_id": 1, "callback_query": press})).unwrap();
    let Event::Press(press) = inbound.event else {
        panic!("not a press");
    };
    assert_eq!(press.token, "");

    let inline = json!({"id": "q2", "from": {"id": 7}, "inline_message_id": "i", "data": "x"});
    check_silence(&json!({"update_id": 2, "callback_query": inline}));
}

#[test]
fn chat_f17_a_reply_to_a_task_says_which_and_what_is_done() {
    let checklist = json!({"title": "Trip", "tasks": [
        {"id": 1, "text": "Book", "completion_date": 1_700_000_000, "completed_by_user": {"id": 7}},
        {"id": 2, "text": "Pack", "completion_date": 0},
    ]});
    let mut original = message(&json!({"message_id": 9}));
    original["checklist"] = checklist.clone();
    let fields = json!({
        "text": "do this one", "reply_to_message": original, "reply_to_checklist_task_id": 2,
    });
    let (_, reply) = heard(&message(&fields));
    let quoted = reply.quoted.unwrap();
    assert_eq!(quoted.text, "Trip\n☑ Book\n☐ Pack ← this task is meant");
    let (_, said) = heard(&message(&json!({"checklist": checklist})));
    assert_eq!(said.text, "Trip\n☑ Book\n☐ Pack");
    assert_eq!(said.unsupported.as_deref(), Some("a checklist"));
}

#[test]
fn chat_f17_a_reply_to_a_story_and_a_forward_say_what_they_are() {
    let story = json!({"id": 3, "chat": {"id": 5, "type": "private", "first_name": "Zed"}});
    let (_, reply) = heard(&message(&json!({"text": "nice!", "reply_to_story": story})));
    let quoted = reply.quoted.unwrap();
    assert_eq!((quoted.author.as_str(), quoted.forwarded), ("Zed", false));
    assert!(quoted.text.contains("story"), "{}", quoted.text);
    let origin = json!({"type": "hidden_user", "date": 1, "sender_user_name": "Zed"});
    let (_, forwarded) = heard(&message(
        &json!({"text": "so he says", "forward_origin": origin}),
    ));
    let quoted = forwarded.quoted.unwrap();
    assert_eq!((quoted.author.as_str(), quoted.forwarded), ("Zed", true));
    let original = message(&json!({"message_id": 9, "text": "a"}));
    let (_, reply) = heard(&message(
        &json!({"text": "b", "reply_to_message": original}),
    ));
    assert!(!reply.quoted.unwrap().forwarded);
}

#[test]
fn u5_the_direct_messages_of_a_channel_have_a_topic_for_each_person() {
    let (inbound, _) = heard(&in_group(json!({
        "text": "hello", "direct_messages_topic": {"topic_id": 4242}, "message_thread_id": 5,
    })));
    assert_eq!(inbound.address.thread, Some(ThreadKey::new("direct/4242")));
    assert_eq!(crate::send::direct_topic(&inbound.address), Some(4242));
    assert_eq!(crate::send::topic(&inbound.address), None);
}

#[test]
fn chat_f11_a_topic_has_the_name_that_it_was_opened_with() {
    let opened =
        json!({"message_id": 77, "forum_topic_created": {"name": "Bugs", "icon_color": 1}});
    let (inbound, heard) = heard(&in_group(json!({
        "text": "hi", "message_thread_id": 77, "is_topic_message": true, "reply_to_message": opened,
    })));
    assert_eq!(inbound.thread_title.as_deref(), Some("Bugs"));
    assert!(heard.quoted.is_none());
}
