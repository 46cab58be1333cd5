//! Saying: what reaches Telegram, and what each failure means for the sender.

use std::path::PathBuf;
use std::time::Duration;

use sayso_channel::{
    Address, AttachmentKind, AttachmentRef, Button, ButtonLook, Channel, ChannelError, Command,
    FileSource, OutFile, Outbound, SendKey, Speaker, ThreadKey,
};
use sayso_fakes::{FakeTelegram, Fault};
use serde_json::json;
use url::Url;

use crate::bot::{Bot, address, config, message_of, send, silent};

fn button(label: &str, look: ButtonLook) -> Button {
    Button {
        label: label.to_owned(),
        token: label.to_lowercase(),
        key: None,
        look,
    }
}

#[tokio::test]
async fn message_carries_styles_buttons_reply_and_silence() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let asked = chat.says("may you?");
    let message = Outbound {
        buttons: vec![vec![
            button("Yes", ButtonLook::Yes),
            button("No", ButtonLook::No),
            button("Later", ButtonLook::Plain),
        ]],
        reply_to: Some(asked.to_string().as_str().into()),
        quiet: true,
        ..Outbound::markdown("👍 **May I?**")
    };
    send(&silent(&fake), &address(7), &message).await.unwrap();

    let heard = chat.hears().await;
    assert_eq!(heard.text, "👍 May I?");
    assert_eq!(
        heard.entities,
        [json!({"type": "bold", "offset": 3, "length": 6})]
    );
    assert_eq!(heard.labels(), ["Yes", "No", "Later"]);
    assert_eq!((heard.reply_to, heard.silent), (Some(asked), true));
    let call = &fake.calls_of("sendMessage")[0];
    let row = &call.params["reply_markup"]["inline_keyboard"][0];
    assert_eq!(
        (&row[0]["style"], &row[1]["style"]),
        (&json!("success"), &json!("danger"))
    );
    assert!(row[2].get("style").is_none());
    fake.assert_clean();
}

#[tokio::test]
async fn question_opens_a_reply() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let _chat = fake.direct(&ann);
    let message = Outbound {
        asks_reply: true,
        ..Outbound::markdown("Which one?")
    };
    send(&silent(&fake), &address(7), &message).await.unwrap();
    let call = &fake.calls_of("sendMessage")[0];
    assert_eq!(
        call.params["reply_markup"],
        json!({"force_reply": true, "selective": true})
    );
    fake.assert_clean();
}

#[tokio::test]
async fn answer_is_sent_although_its_question_is_gone() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let asked = chat.says("may you?");
    chat.deletes(asked);
    let message = Outbound {
        reply_to: Some(asked.to_string().as_str().into()),
        ..Outbound::markdown("I may.")
    };
    send(&silent(&fake), &address(7), &message).await.unwrap();
    assert_eq!(chat.hears().await.text, "I may.");
}

#[tokio::test]
async fn topic_is_named_and_general_is_not() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let forum = fake.group(-1_005, "Team").with(&ann).forum();
    let topic = forum.topic("plans");
    let channel = silent(&fake);
    let named = |thread: i64| Address {
        thread: Some(ThreadKey::from(thread.to_string().as_str())),
        ..address(-1_005)
    };
    let message = Outbound::markdown("here");
    send(&channel, &named(topic.thread().unwrap()), &message)
        .await
        .unwrap();
    assert_eq!(topic.hears().await.text, "here");
    send(&channel, &named(1), &message).await.unwrap();
    assert!(
        !fake.calls_of("sendMessage")[1]
            .params
            .contains_key("message_thread_id")
    );
    channel
        .typing(&named(topic.thread().unwrap()))
        .await
        .unwrap();
    forum.sees_typing(1).await;
    fake.assert_clean();
}

type IsExpected = fn(&ChannelError) -> bool;

#[track_caller]
fn check_error(found: &Result<(), ChannelError>, is_expected: IsExpected) {
    let error = found.as_ref().unwrap_err();
    assert!(is_expected(error), "{error:?}");
    let shown = format!("{error} {error:?}");
    assert!(
        !shown.contains("fake-token") && !shown.contains("127.0.0.1"),
        "{shown}"
    );
}

#[tokio::test]
async fn each_failure_of_a_send_says_what_to_do_next() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let channel = silent(&fake);
    let refuse = |code, description: &str| Fault::Refuse {
        code,
        description: description.to_owned(),
    };
    let cases: [(Fault, IsExpected); 8] = [
        (Fault::TooManyRequests { retry_after: 3 }, |error| {
            *error == ChannelError::RetryAfter(Duration::from_secs(3))
        }),
        (Fault::BadGateway, |error| {
            matches!(error, ChannelError::Ambiguous(_))
        }),
        (Fault::ServerError, |error| {
            matches!(error, ChannelError::Ambiguous(_))
        }),
        (Fault::DropBefore, |error| {
            matches!(error, ChannelError::Ambiguous(_))
        }),
        (Fault::DropAfter, |error| {
            matches!(error, ChannelError::Ambiguous(_))
        }),
        (refuse(400, "Bad Request: message is too long"), |error| {
            *error == ChannelError::TooLong
        }),
        (refuse(401, "Unauthorized"), |error| {
            matches!(error, ChannelError::Unauthorized(_))
        }),
        (refuse(400, "Bad Request: chat not found"), |error| {
            matches!(error, ChannelError::Rejected(_))
        }),
    ];
    for (fault, is_expected) in cases {
        fake.fail_next("sendMessage", fault);
        let outcome = send(&channel, &address(7), &Outbound::markdown("hi")).await;
        check_error(&outcome.map(drop), is_expected);
    }
    assert_eq!(
        chat.messages().len(),
        1,
        "the one whose answer was lost stands there"
    );
}

#[tokio::test]
async fn server_that_is_not_there_is_unreachable() {
    let fake = FakeTelegram::start().await;
    let mut config = config(&fake);
    config.api_url = Url::parse("http://127.0.0.1:9").unwrap();
    let channel = sayso_telegram::Telegram::new(config).unwrap();
    let outcome = send(&channel, &address(7), &Outbound::markdown("hi")).await;
    check_error(&outcome.map(drop), |error| {
        matches!(error, ChannelError::Unreachable(_))
    });
}

#[tokio::test]
async fn blocked_by_the_person_is_said_in_plain_words() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    fake.direct(&ann).blocks();
    let outcome = send(&silent(&fake), &address(7), &Outbound::markdown("hi")).await;
    let reason = "the person blocked the bot".to_owned();
    assert_eq!(outcome, Err(ChannelError::Rejected(reason)));
}

#[tokio::test]
async fn group_that_became_a_supergroup_gives_its_new_address() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let moved = fake.group(-55, "Team").with(&ann).migrates(-10_055);
    let outcome = send(&silent(&fake), &address(-55), &Outbound::markdown("hi")).await;
    assert_eq!(outcome, Err(ChannelError::Moved(address(moved.id()))));
}

#[tokio::test]
async fn edit_can_be_repeated() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let channel = silent(&fake);
    let sent = send(&channel, &address(7), &Outbound::markdown("May I?"))
        .await
        .unwrap();
    let part = channel.render(&Outbound::markdown("Done: `ls`")).remove(0);

    fake.fail_next("editMessageText", Fault::DropAfter);
    let lost = channel.edit(&sent, &part).await;
    check_error(&lost, |error| matches!(error, ChannelError::Unreachable(_)));
    assert_eq!(channel.edit(&sent, &part).await, Ok(()));
    assert_eq!(chat.messages()[0].text, "Done: ls");

    chat.deletes(chat.messages()[0].id);
    let gone = channel.edit(&sent, &part).await;
    check_error(&gone, |error| matches!(error, ChannelError::Rejected(_)));
}

#[tokio::test]
async fn part_of_another_version_is_sent_without_its_styles() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let chat = fake.direct(&ann);
    let channel = silent(&fake);
    let mut part = channel.render(&Outbound::markdown("**hi**")).remove(0);
    part.markup = json!({"from": "2031"});
    channel
        .send(&address(7), &part, &SendKey("k".to_owned()))
        .await
        .unwrap();
    assert_eq!(chat.hears().await.text, "hi");
}

/// A file of the test's own below the build directory.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[tokio::test]
async fn file_travels_with_its_caption_and_comes_back() {
    let mut bot = Bot::starts().await;
    let ann = bot.fake.person(7, "Ann");
    let chat = bot.fake.direct(&ann);
    let message = Outbound {
        file: Some(OutFile {
            name: "结果.txt".to_owned(),
            source: FileSource::Path(file("out.txt", b"42")),
        }),
        buttons: vec![vec![button("Yes", ButtonLook::Yes)]],
        ..Outbound::markdown("The **result**")
    };
    send(&bot.channel, &address(7), &message).await.unwrap();
    let heard = chat.hears().await;
    assert_eq!(heard.text, "The result");
    assert_eq!(heard.labels(), ["Yes"]);
    assert_eq!(heard.file.as_ref().unwrap().name, "结果.txt");

    chat.sends_document("in.bin", b"some bytes".to_vec(), "look");
    let heard = message_of(bot.stores().await);
    let attachment = &heard.attachments[0];
    assert_eq!(
        (heard.text.as_str(), attachment.kind),
        ("look", AttachmentKind::Document)
    );
    let path = file("in.bin", b"what a broken attempt left behind");
    let mut into = tokio::fs::File::options()
        .write(true)
        .open(&path)
        .await
        .unwrap();
    bot.channel.fetch(attachment, &mut into).await.unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"some bytes");
    bot.fake.assert_clean();
}

#[tokio::test]
async fn file_that_is_not_there_is_refused() {
    let fake = FakeTelegram::start().await;
    let ann = fake.person(7, "Ann");
    let _chat = fake.direct(&ann);
    let channel = silent(&fake);
    let message = Outbound {
        file: Some(OutFile {
            name: "a.txt".to_owned(),
            source: FileSource::Path("/nowhere/a.txt".into()),
        }),
        ..Outbound::default()
    };
    let outcome = send(&channel, &address(7), &message).await;
    check_error(&outcome.map(drop), |error| {
        matches!(error, ChannelError::Rejected(_))
    });

    let attachment = AttachmentRef {
        kind: AttachmentKind::Document,
        reference: "unknown".to_owned(),
        name: None,
        media_type: None,
        bytes: None,
    };
    let path = file("none.bin", b"");
    let mut into = tokio::fs::File::options()
        .write(true)
        .open(path)
        .await
        .unwrap();
    let outcome = channel.fetch(&attachment, &mut into).await;
    check_error(&outcome, |error| matches!(error, ChannelError::Rejected(_)));
}

#[tokio::test]
async fn menu_has_both_languages() {
    let fake = FakeTelegram::start().await;
    let commands = [Command {
        name: "help",
        english: "Show what I can do",
        chinese: "显示我能做什么",
        argument: None,
    }];
    silent(&fake).announce(&commands).await.unwrap();
    let languages: Vec<_> = fake
        .calls_of("setMyCommands")
        .iter()
        .map(|call| {
            let description = &call.params["commands"][0]["description"];
            (call.text("language_code").to_owned(), description.clone())
        })
        .collect();
    let expected = [
        (String::new(), json!("Show what I can do")),
        ("zh".to_owned(), json!("显示我能做什么")),
    ];
    assert_eq!(languages, expected);
    fake.assert_clean();
}

#[tokio::test]
async fn check_tells_who_the_token_belongs_to() {
    let fake = FakeTelegram::start().await;
    let identity = sayso_telegram::check(&config(&fake)).await.unwrap();
    assert_eq!(identity.username.as_deref(), Some("sayso_bot"));
    assert!(identity.can_join_groups && identity.can_read_all_group_messages);
}
