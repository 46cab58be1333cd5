//! Inbound messages, by examples of Discord's objects.

use sayso_channel::{
    Addressed, AttachmentKind, ChatKind, Event, HeardMessage, Inbound, SenderKind,
};
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::*;

const US: u64 = 42;
const SERVER: u64 = 900;

pub(super) fn mapper() -> EventMapper {
    EventMapper {
        channel: "discord".into(),
        us: Identity {
            id: US,
            application: 43,
            name: "Sayso".to_owned(),
            reads_messages: true,
            servers: None,
        },
    }
}

/// A server with the chat `general` (5), its thread (6), our role (70), a role that we hold (71)
/// and one that we do not (72).
pub(super) fn places() -> Places {
    let server = json!({
        "id": "900",
        "roles": [
            {"id": "70", "name": "Sayso", "tags": {"bot_id": "42"}},
            {"id": "71", "name": "helpers"},
            {"id": "72", "name": "admins"},
        ],
        "members": [{"user": {"id": "42"}, "roles": ["71"]}],
        "channels": [{"id": "5", "type": 0, "name": "general"}],
        "threads": [{"id": "6", "type": 11, "name": "plans", "parent_id": "5"}],
    });
    let mut places = Places::default();
    places.learn_server(&RawGuild::deserialize(server).unwrap(), Id(US));
    places
}

fn merged(mut object: Value, fields: &Value) -> Value {
    for (field, value) in fields.as_object().unwrap() {
        object[field] = value.clone();
    }
    object
}

/// Returns a message as Discord sends it: common fields, then `fields` over them.
pub(super) fn message(fields: &Value) -> Value {
    let usual = json!({
        "id": "175928847299117063",
        "channel_id": "1",
        "type": 0,
        "content": "hi",
        "author": {"id": "7", "username": "ann_77", "global_name": "Ann"},
        "timestamp": "2016-04-30T11:18:25.796000+00:00",
        "edited_timestamp": null,
        "flags": 0,
    });
    merged(usual, fields)
}

fn read(object: &Value, form: Form, place: &Place) -> Option<Inbound> {
    let raw = RawMessage::deserialize(object).unwrap();
    heard(&raw, form, place, &places(), &mapper())
}

pub(super) fn direct(fields: &Value) -> Option<Inbound> {
    read(&message(fields), Form::Said, &Place::direct(Id(1)))
}

pub(super) fn in_server(fields: &Value) -> Option<Inbound> {
    let place = places().chat(Id(5)).cloned().unwrap();
    let usual = json!({"channel_id": "5", "guild_id": SERVER.to_string()});
    read(&message(&merged(usual, fields)), Form::Said, &place)
}

#[track_caller]
fn message_of(inbound: Option<Inbound>) -> HeardMessage {
    match inbound.expect("something is heard").event {
        Event::Message(message) => *message,
        other => panic!("not a message: {other:?}"),
    }
}

#[test]
fn direct_message_is_heard_whole() {
    let inbound = direct(&json!({})).unwrap();
    insta::assert_snapshot!(serde_json::to_string(&inbound).unwrap(), @r#"{"address":{"channel":"discord","chat":"1"},"chat_kind":"direct","sender":{"key":"7","name":"Ann","language":null,"kind":"person","handle":"ann_77"},"key":{"kind":"message","id":"175928847299117063","version":0},"at_ms":1462015105796,"event":{"message":{"message":"175928847299117063","text":"hi","addressed":"direct","command":null,"quoted":null,"attachments":[],"album":null,"edited":false,"unsupported":null}}}"#);
}

#[track_caller]
fn check_addressed(fields: &Value, addressed: Addressed, text: &str) {
    let message = message_of(in_server(fields));
    assert_eq!(
        (message.addressed, message.text.as_str()),
        (addressed, text),
        "{fields}"
    );
}

#[test]
fn message_in_a_server_is_for_us_when_it_names_us() {
    let us = json!([{"id": "42", "username": "Sayso"}]);
    let naming = |content: &str| json!({"content": content, "mentions": us});
    check_addressed(&json!({"content": "hi all"}), Addressed::No, "hi all");
    check_addressed(&naming("<@42> hello"), Addressed::Mention, "hello");
    check_addressed(&naming("<@!42>, hello"), Addressed::Mention, "hello");
    check_addressed(&naming("hey <@42>!"), Addressed::Mention, "hey @Sayso!");
    check_addressed(&naming("<@42>"), Addressed::Mention, "");
    // In code it is no mention, and Discord says so.
    let quoted = json!({"content": "`<@42>` is how", "mentions": []});
    check_addressed(&quoted, Addressed::No, "`<@42>` is how");
    let everyone = json!({"content": "@everyone hi", "mention_everyone": true});
    check_addressed(&everyone, Addressed::No, "@everyone hi");
}

#[test]
fn role_of_ours_names_us_and_another_does_not() {
    let naming = |role: &str| json!({"content": format!("<@&{role}> hi"), "mention_roles": [role]});
    check_addressed(&naming("70"), Addressed::Mention, "hi");
    check_addressed(&naming("71"), Addressed::Mention, "hi");
    check_addressed(&naming("72"), Addressed::No, "@admins hi");
    check_addressed(&naming("73"), Addressed::No, "<@&73> hi");
}

#[test]
fn mentions_read_as_people_see_them() {
    let fields = json!({
        "content": "ask <@8> and <@9> in <#5>, <#99> <:wave:1> <a:dance:2> </help:3> <t:1> a<b>c",
        "mentions": [{"id": "8", "username": "bob", "member": {"nick": "Bobby"}}],
    });
    check_addressed(
        &fields,
        Addressed::No,
        "ask @Bobby and <@9> in #general, <#99> :wave: :dance: /help <t:1> a<b>c",
    );
}

#[test]
fn reply_shows_what_it_replies_to() {
    let original = |author: &str| {
        json!({
            "message_reference": {"type": 0, "message_id": "12", "channel_id": "5"},
            "type": 19,
            "referenced_message": {
                "id": "12", "content": "take <@7>'s file",
                "author": {"id": author, "username": "x", "bot": true},
                "mentions": [{"id": "7", "username": "ann_77", "global_name": "Ann"}],
                "attachments": [{"id": "3", "filename": "a.txt", "url": "https://cdn/a", "size": 2}],
            },
        })
    };
    let to_us = message_of(in_server(&original("42")));
    let quoted = to_us.quoted.unwrap();
    assert_eq!(to_us.addressed, Addressed::Reply);
    assert_eq!(
        (quoted.from_us, quoted.text.as_str()),
        (true, "take @Ann's file")
    );
    assert_eq!(
        quoted.attachments[0].reference,
        r#"{"channel":"5","message":"12","attachment":"3","url":"https://cdn/a"}"#
    );
    assert_eq!(
        message_of(in_server(&original("8"))).addressed,
        Addressed::No
    );
}

#[test]
fn reply_to_a_deleted_message_quotes_nothing() {
    let fields = json!({
        "type": 19, "message_reference": {"message_id": "12"}, "referenced_message": null,
    });
    assert_eq!(message_of(direct(&fields)).quoted, None);
}

#[test]
fn forwarded_message_is_quoted() {
    let fields = json!({
        "content": "",
        "message_reference": {"type": 1, "message_id": "12", "channel_id": "99"},
        "message_snapshots": [{"message": {"content": "look at this", "attachments": []}}],
    });
    let message = message_of(direct(&fields));
    let quoted = message.quoted.unwrap();
    assert_eq!(
        (quoted.author.as_str(), quoted.text.as_str()),
        ("forwarded", "look at this")
    );
    assert_eq!(message.text, "");
}

#[test]
fn machines_and_notes_are_not_heard() {
    for fields in [
        json!({"author": {"id": "42", "username": "Sayso", "bot": true}}),
        json!({"author": {"id": "8", "username": "other", "bot": true}}),
        json!({"author": {"id": "8", "username": "Discord", "system": true}}),
        json!({"webhook_id": "8"}),
        json!({"type": 7}),
        json!({"type": 6}),
        json!({"type": 21}),
        json!({"content": ""}),
    ] {
        assert_eq!(direct(&fields), None, "{fields}");
    }
}

#[test]
fn unknown_everything_loses_no_text() {
    let fields = json!({
        "type": 250, "flags": "many", "content": "still here",
        "components": [{"type": 99, "content": 5}], "embeds": "none", "attachments": [7],
        "mentions": {"no": "list"}, "sticker_items": 3, "poll": 4, "message_reference": "?",
        "edited_timestamp": 12, "telepathy": {"text": "hm"},
    });
    let message = message_of(direct(&fields));
    assert_eq!(message.text, "still here");
    assert_eq!(message.quoted, None);
}

#[test]
fn words_of_components_and_frames_are_read_where_there_is_no_text() {
    let fields = json!({
        "content": "",
        "components": [{"type": 17, "components": [{"type": 10, "content": "inside"}]}],
        "embeds": [{"title": "News", "fields": [{"name": "when", "value": "now"}]}],
    });
    assert_eq!(message_of(direct(&fields)).text, "inside\nNews\nwhen: now");
}

#[test]
fn chat_f14_what_a_bot_framed_below_its_words_is_seen_and_previews_are_not() {
    let frame = json!({
        "type": "rich", "title": "High load", "description": "cpu at 99 %",
        "author": {"name": "Grafana"}, "footer": {"text": "since 9:00"},
        "fields": [{"name": "host", "value": "nas"}],
    });
    let alert = json!({
        "id": "8", "content": "@oncall please look", "author": {"id": "9", "username": "alerts", "bot": true},
        "webhook_id": "9", "embeds": [frame],
    });
    let whole = "@oncall please look\nGrafana\nHigh load\ncpu at 99 %\nhost: nas\nsince 9:00";
    let reply = message_of(direct(&json!({
        "content": "what is this?", "message_reference": {"message_id": "8"}, "referenced_message": alert,
    })));
    assert_eq!(reply.quoted.unwrap().text, whole);
    let forwarded = message_of(direct(&json!({
        "content": "", "message_reference": {"type": 1, "message_id": "8"},
        "message_snapshots": [{"message": {"content": "@oncall please look", "embeds": [frame]}}],
    })));
    let quoted = forwarded.quoted.unwrap();
    assert_eq!((quoted.text.as_str(), quoted.forwarded), (whole, true));
    for kind in ["link", "article", "video", "rich"] {
        let preview = json!({
            "content": "see https://a.example/b",
            "embeds": [{"type": kind, "url": "https://a.example/b", "title": "A page"}],
        });
        assert_eq!(
            message_of(direct(&preview)).text,
            "see https://a.example/b",
            "{kind}"
        );
    }
}

#[test]
fn written_command_is_read() {
    let command = message_of(direct(&json!({"content": "/Start  code "})))
        .command
        .unwrap();
    assert_eq!(
        (command.name.as_str(), command.arguments.as_str()),
        ("start", "code")
    );
}

#[test]
fn sticker_and_poll_are_named() {
    let sticker = json!({"content": "", "sticker_items": [{"name": "wave"}]});
    assert_eq!(
        message_of(direct(&sticker)).unsupported.as_deref(),
        Some("a sticker")
    );
    let poll = json!({"content": "", "poll": {
        "question": {"text": "Lunch?"}, "answers": [{"poll_media": {"text": "now"}}],
    }});
    let heard = message_of(direct(&poll));
    assert_eq!(
        (heard.unsupported.as_deref(), heard.text.as_str()),
        (Some("a poll"), "Lunch?\nnow")
    );
}

#[track_caller]
fn check_file(flags: u64, media_type: Option<&str>, expected: AttachmentKind) {
    let file =
        json!({"id": "3", "filename": "f", "url": "https://cdn/f", "content_type": media_type});
    let message = message_of(direct(&json!({"flags": flags, "attachments": [file]})));
    assert_eq!(message.attachments[0].kind, expected, "{media_type:?}");
}

#[test]
fn files_have_their_kinds() {
    check_file(0, Some("image/png"), AttachmentKind::Photo);
    check_file(0, Some("audio/mpeg"), AttachmentKind::Audio);
    check_file(0, Some("video/mp4"), AttachmentKind::Video);
    check_file(
        0,
        Some("text/plain; charset=utf-8"),
        AttachmentKind::Document,
    );
    check_file(0, None, AttachmentKind::Document);
    check_file(1 << 13, Some("audio/ogg"), AttachmentKind::Voice);
}

#[test]
fn edit_has_a_version_and_a_preview_is_none() {
    let place = Place::direct(Id(1));
    let edited = message(&json!({"edited_timestamp": "2016-04-30T11:18:26.000000+00:00"}));
    let inbound = read(&edited, Form::Changed, &place).unwrap();
    assert_eq!(inbound.key.version, 1_462_015_106_000);
    assert!(message_of(Some(inbound)).edited);
    assert_eq!(read(&message(&json!({})), Form::Changed, &place), None);
    let partial = json!({"id": "1", "channel_id": "1", "embeds": [{"title": "preview"}]});
    assert_eq!(read(&partial, Form::Changed, &place), None);
}

#[test]
fn message_that_is_read_back_reads_as_it_is_now() {
    let place = Place::direct(Id(1));
    let edited = message(&json!({"edited_timestamp": "2016-04-30T11:18:26.000000+00:00"}));
    let inbound = read(&edited, Form::ReadBack, &place).unwrap();
    assert_eq!(inbound.key.version, 1_462_015_106_000);
    assert!(!message_of(Some(inbound)).edited);
}

#[test]
fn thread_is_an_address_below_its_chat() {
    let place = places().chat(Id(6)).cloned().unwrap();
    let member = json!({"nick": "Annie", "roles": ["71", "72"]});
    let object = message(&json!({"channel_id": "6", "guild_id": "900", "member": member}));
    let inbound = read(&object, Form::Said, &place).unwrap();
    assert_eq!(inbound.address.to_string(), "discord:5/6");
    assert_eq!(inbound.chat_kind, ChatKind::Group);
    assert_eq!(inbound.sender.name, "Annie");
    assert_eq!(inbound.sender.roles, ["71", "72"]);
}

/// Returns an interaction as Discord sends it in a server's thread.
fn interaction(fields: &Value) -> Value {
    let usual = json!({
        "id": "175928847299117063", "application_id": "43", "token": "aW50", "version": 1,
        "guild_id": "900", "channel_id": "6", "context": 0, "locale": "zh-CN",
        "channel": {"id": "6", "type": 11, "parent_id": "5"},
        "member": {"user": {"id": "7", "username": "ann"}, "roles": ["71"]},
    });
    merged(usual, fields)
}

fn asked(fields: &Value) -> Asked {
    let read = read_interaction(&interaction(fields), &mapper());
    read.expect("it can be answered").asked
}

#[test]
fn slash_command_is_heard_where_it_was_given() {
    let data =
        json!({"type": 1, "name": "autonomy", "options": [{"name": "level", "value": "full"}]});
    let Asked::Command(inbound, call) = asked(&json!({"type": 2, "data": data})) else {
        panic!("not a command");
    };
    assert_eq!(
        (call.name.as_str(), call.arguments.as_str()),
        ("autonomy", "full")
    );
    assert_eq!(inbound.address.to_string(), "discord:5/6");
    assert_eq!(inbound.key.kind, "command");
    assert_eq!(inbound.sender.kind, SenderKind::Person);
    assert_eq!(inbound.sender.roles, ["71"]);
    assert_eq!(inbound.sender.language.as_deref(), Some("zh-CN"));
    let message = message_of(Some(*inbound));
    assert_eq!(message.message.as_str(), "i:43:175928847299117063:aW50");
    assert_eq!(
        (message.addressed, message.text.as_str()),
        (Addressed::Command, "/autonomy full")
    );
}

#[test]
fn message_that_is_asked_about_is_quoted() {
    let data = json!({"type": 3, "name": "Ask Sayso", "target_id": "12", "resolved": {"messages": {
        "12": {"id": "12", "content": "what is this?", "author": {"id": "8", "username": "bob"}},
    }}});
    let Asked::About(inbound) = asked(&json!({"type": 2, "data": data})) else {
        panic!("not about a message");
    };
    let message = message_of(Some(*inbound));
    let quoted = message.quoted.unwrap();
    assert_eq!(
        (quoted.author.as_str(), quoted.text.as_str()),
        ("bob", "what is this?")
    );
    assert_eq!((message.text.as_str(), message.command), ("", None));
}

#[test]
fn press_brings_its_token_whatever_it_is() {
    let token = "../".repeat(33);
    let data = json!({"custom_id": token, "component_type": 2});
    let fields = json!({"type": 3, "data": data, "message": {"id": "12"}});
    let Asked::Press(pressed) = asked(&fields) else {
        panic!("not a press");
    };
    let Event::Press(press) = &pressed.event else {
        panic!("not a press");
    };
    assert_eq!(press.token, token);
    assert_eq!(press.message.as_ref().unwrap().as_str(), "12");
}

#[test]
fn interactions_that_we_do_not_know_can_be_answered() {
    for fields in [
        json!({"type": 99, "data": {}}),
        json!({"type": 2, "data": {"type": 77}}),
        json!({"type": 2, "data": {"type": 3, "target_id": "1"}}),
        json!({"type": 3}),
        json!({"type": "what"}),
    ] {
        assert_eq!(asked(&fields), Asked::Unknown, "{fields}");
    }
    assert_eq!(asked(&json!({"type": 4, "data": {}})), Asked::Completion);
    assert_eq!(
        asked(&json!({"type": 3, "context": 2, "data": {}})),
        Asked::Elsewhere
    );
    assert_eq!(read_interaction(&json!({"id": "1"}), &mapper()), None);
    assert_eq!(read_interaction(&json!(5), &mapper()), None);
}
