//! What the fake sends is checked as strictly as what it is sent: against the published types.

use serde_json::{Value, json};

use super::FakeTelegram;
use super::methods::perform;
use super::params::Params;
use super::spec::Spec;
use super::updates::Window;

fn params(fields: Value) -> Params {
    let Value::Object(fields) = fields else {
        panic!("parameters are an object")
    };
    Params {
        fields,
        uploads: Vec::new(),
    }
}

/// Takes all updates that are pending.
fn pending(telegram: &FakeTelegram) -> Vec<Value> {
    let mut state = telegram.world.state();
    let reader = state.updates.take_over();
    let window = Window {
        offset: 0,
        limit: usize::MAX,
    };
    let updates = state.updates.poll(reader, window).unwrap().unwrap();
    updates
        .iter()
        .map(|update| serde_json::from_str(&update.body).unwrap())
        .collect()
}

#[tokio::test]
async fn updates_have_the_published_shape() {
    let telegram = FakeTelegram::start().await;
    let ann = telegram.person(101, "Ann");
    let chat = telegram.direct(&ann);
    let hello = chat.says("/start@sayso_bot see https://a.b @ann");
    chat.edits(hello, "/help");
    chat.replies(hello, "well?");
    chat.sends_document("notes.txt", "notes", "look");
    chat.sends_voice("voice");
    chat.sends_album(vec![b"one".to_vec(), b"two".to_vec()], "two photos");
    let _press = chat.presses_token(&ann, hello, "token");
    let _gone = chat.presses_token(&ann, 999, "token");
    chat.blocks();
    chat.unblocks();
    let forum = telegram.group(-100_123, "Team").forum();
    forum.topic("Builds").says_as(&ann, "in a topic");
    forum.says_anonymously("from the shadows");
    forum.promotes_bot();
    let group = telegram.group(-77, "Old").with(&ann);
    group.migrates(-100_777).says("moved");
    let channel = telegram.channel(-100_555, "News");
    channel.says("news");

    let updates = pending(&telegram);
    assert_eq!(updates.len(), 19);
    if !Spec::get().is_published {
        return;
    }
    for update in updates {
        Spec::get()
            .check_type("Update", &update)
            .unwrap_or_else(|why| panic!("{why}: {update}"));
    }
}

#[tokio::test]
async fn results_have_the_published_shape() {
    if !Spec::get().is_published {
        return;
    }
    let telegram = FakeTelegram::start().await;
    let chat = telegram.direct(&telegram.person(101, "Ann"));
    let file = {
        chat.sends_document("notes.txt", "notes", "look");
        chat.messages()[0].file.clone().unwrap().file_id
    };
    let button = json!({ "inline_keyboard": [[{ "text": "Yes", "callback_data": "y" }]] });
    let said = json!({ "chat_id": 101, "text": "hi", "reply_markup": button });
    let cases = [
        ("getMe", json!({}), "User"),
        ("sendMessage", said, "Message"),
        (
            "sendDocument",
            json!({ "chat_id": 101, "document": file }),
            "Message",
        ),
        (
            "editMessageText",
            json!({ "chat_id": 101, "message_id": 3, "text": "ho" }),
            "Message",
        ),
        ("getFile", json!({ "file_id": file }), "File"),
        ("getChat", json!({ "chat_id": 101 }), "ChatFullInfo"),
        (
            "getChatMember",
            json!({ "chat_id": 101, "user_id": 4242 }),
            "ChatMember",
        ),
        ("getWebhookInfo", json!({}), "WebhookInfo"),
    ];
    for (method, fields, returned) in cases {
        let result = perform(&mut telegram.world.state(), method, &params(fields));
        let result = result.unwrap_or_else(|refusal| panic!("{method}: {refusal:?}"));
        let checked = Spec::get().check_type(returned, &result);
        checked.unwrap_or_else(|why| panic!("{method}: {why}: {result}"));
    }
}
