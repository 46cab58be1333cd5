//! Saying: what reaches Discord, and what each failure means for the sender.

use std::time::Duration;

use sayso_channel::{
    Address, Button, ButtonLook, Channel, ChannelError, ChannelName, Command, Event, FileSource,
    Health, HeardMessage, Inbox, OutFile, Outbound, Receipt, SendKey, SentMessage, Speaker,
};
use sayso_discord::{Discord, DiscordConfig, LongAnswers, check};
use sayso_fakes::FakeDiscord;
use sayso_fakes::discord::{Fault, Right};
use secrecy::SecretString;
use serde_json::json;
use tokio_util::sync::CancellationToken;
use url::Url;

const HELP: Command = Command {
    name: "help",
    english: "Show what I can do",
    chinese: "显示我能做什么",
    argument: None,
};

fn account(fake: &FakeDiscord) -> DiscordConfig {
    DiscordConfig::new(
        ChannelName::from("discord"),
        SecretString::from(fake.token()),
        Url::parse(&fake.url()).unwrap(),
    )
}

/// Returns a channel that does not listen.
fn silent(fake: &FakeDiscord) -> Discord {
    Discord::new(account(fake)).unwrap()
}

fn address(chat: i64) -> Address {
    Address::chat("discord", chat.to_string().as_str())
}

fn key(name: &str) -> SendKey {
    SendKey(name.to_owned())
}

/// Renders a message and sends its parts.
async fn send(
    channel: &Discord,
    to: &Address,
    message: &Outbound,
) -> Result<Vec<SentMessage>, ChannelError> {
    let mut sent = Vec::new();
    for (index, part) in channel.render(message).iter().enumerate() {
        let key = key(&format!("key {index}"));
        sent.push(channel.send(to, part, &key).await?);
    }
    Ok(sent)
}

fn button(label: &str, look: ButtonLook) -> Button {
    Button {
        label: label.to_owned(),
        token: label.to_lowercase(),
        key: None,
        look,
    }
}

#[tokio::test]
async fn message_carries_looks_buttons_reply_and_silence() {
    let fake = FakeDiscord::start().await;
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
        ..Outbound::markdown("👍 **May I** call @everyone?")
    };
    send(&silent(&fake), &address(chat.id()), &message)
        .await
        .unwrap();

    let heard = chat.hears().await;
    assert_eq!(heard.labels(), ["Yes", "No", "Later"]);
    assert_eq!((heard.reply_to, heard.silent), (Some(asked), true));
    let call = &fake.calls_of("create_message")[0];
    assert_eq!(call.text("content"), "👍 **May I** call @\u{200b}everyone?");
    assert_eq!(call.params["enforce_nonce"], json!(true));
    assert_eq!(
        call.params["allowed_mentions"],
        json!({"parse": [], "users": [], "roles": [], "replied_user": true})
    );
    let row = &call.params["components"][0]["components"];
    let styles: Vec<_> = (0..3).map(|index| row[index]["style"].clone()).collect();
    assert_eq!(styles, [json!(3), json!(4), json!(2)]);
    fake.assert_clean();
}

#[tokio::test]
async fn repeated_send_is_the_first_message() {
    let fake = FakeDiscord::start().await;
    let chat = fake.direct(&fake.person(7, "Ann"));
    let channel = silent(&fake);
    let part = channel.render(&Outbound::markdown("once")).remove(0);
    fake.fail_next("create_message", Fault::DropAfter);
    let lost = channel.send(&address(chat.id()), &part, &key("k")).await;
    assert!(matches!(lost, Err(ChannelError::Ambiguous(_))), "{lost:?}");
    let sent = channel.send(&address(chat.id()), &part, &key("k")).await;
    let messages = chat.messages();
    assert_eq!(messages.len(), 1);
    assert_eq!(sent.unwrap().message.as_str(), messages[0].id.to_string());
    fake.assert_clean();
}

#[tokio::test]
async fn edit_replaces_text_and_buttons() {
    let fake = FakeDiscord::start().await;
    let chat = fake.direct(&fake.person(7, "Ann"));
    let channel = silent(&fake);
    let card = Outbound {
        buttons: vec![vec![button("Yes", ButtonLook::Yes)]],
        ..Outbound::markdown("May I?")
    };
    let sent = send(&channel, &address(chat.id()), &card).await.unwrap();
    let outcome = channel.render(&Outbound::markdown("✅ Approved")).remove(0);
    for _ in 0..2 {
        channel.edit(&sent[0], &outcome).await.unwrap();
    }
    let message = &chat.messages()[0];
    assert_eq!(
        (message.text.as_str(), message.labels().len()),
        ("✅ Approved", 0)
    );
    fake.assert_clean();
}

fn with_long_call() -> Outbound {
    Outbound {
        buttons: vec![vec![button("Approve", ButtonLook::Yes)]],
        file: Some(OutFile {
            name: "calls.txt".to_owned(),
            source: FileSource::Text(format!("shell\n\necho {}\n", "1".repeat(3_000))),
        }),
        ..Outbound::markdown("**May I run this?**\n\nIt is attached, in full.")
    }
}

#[tokio::test]
async fn long_call_is_a_file_on_its_card_and_stays_there() {
    let fake = FakeDiscord::start().await;
    let chat = fake.group(50, "Team");
    let channel = silent(&fake);
    let sent = send(&channel, &address(chat.id()), &with_long_call())
        .await
        .unwrap();
    let outcome = channel.render(&Outbound::markdown("✅ Approved")).remove(0);
    channel.edit(&sent[0], &outcome).await.unwrap();
    let message = &chat.messages()[0];
    let file = message.file.as_ref().expect("the file is on the message");
    assert_eq!((file.name.as_str(), file.size), ("calls.txt", 3_013));
    assert_eq!(message.labels().len(), 0);
    fake.assert_clean();
}

#[tokio::test]
async fn long_call_is_spelled_out_where_files_may_not_be_attached() {
    let fake = FakeDiscord::start().await;
    let chat = fake.group(50, "Team");
    chat.forbids(Right::Attach);
    send(&silent(&fake), &address(chat.id()), &with_long_call())
        .await
        .unwrap();
    let messages = chat.messages();
    let (card, above) = messages.split_last().unwrap();
    let ones: usize = above
        .iter()
        .map(|message| message.text.matches('1').count())
        .sum();
    assert_eq!(ones, 3_000);
    assert!(card.text.contains("May I run this?") && card.text.contains("stands above"));
    assert_eq!(card.labels(), ["Approve"]);
}

fn long_answers_in_threads(fake: &FakeDiscord) -> Discord {
    let mut account = account(fake);
    account.long_answers = LongAnswers::Thread;
    Discord::new(account).unwrap()
}

fn long_answer(to: i64) -> Outbound {
    Outbound {
        reply_to: Some(to.to_string().as_str().into()),
        ..Outbound::markdown(format!("The plan\n\n{}", "word ".repeat(1_000)))
    }
}

#[tokio::test]
async fn long_answer_goes_into_a_thread_of_its_question() {
    let fake = FakeDiscord::start().await;
    let chat = fake.group(50, "Team").with(&fake.person(7, "Ann"));
    let asked = chat.says("plan it");
    let channel = long_answers_in_threads(&fake);
    let sent = send(&channel, &address(chat.id()), &long_answer(asked))
        .await
        .unwrap();
    assert_eq!(chat.threads(), ["The plan"]);
    let thread = sent[0].address.thread.as_ref().unwrap().to_string();
    assert_eq!(thread, asked.to_string());
    assert!(sent.iter().all(|other| other.address == sent[0].address));
    assert_eq!(chat.thread_of(asked).messages().len(), 3);
    fake.assert_clean();
}

#[tokio::test]
async fn long_answer_stays_where_no_thread_can_be() {
    let fake = FakeDiscord::start().await;
    let chat = fake.group(50, "Team").with(&fake.person(7, "Ann"));
    chat.forbids(Right::StartThreads);
    let asked = chat.says("plan it");
    let channel = long_answers_in_threads(&fake);
    let sent = send(&channel, &address(chat.id()), &long_answer(asked))
        .await
        .unwrap();
    assert!(sent.iter().all(|sent| sent.address.thread.is_none()));
    assert_eq!(chat.messages().len(), 1 + sent.len());
}

/// Lets the channel listen until it hears something, which is stored, and returns that.
async fn hears(channel: &Discord, fake: &FakeDiscord, act: impl FnOnce()) -> HeardMessage {
    let (inbox, mut deliveries) = Inbox::new(Health::new(), 8);
    let shutdown = CancellationToken::new();
    let person = async {
        fake.waits_for_sessions(1).await;
        act();
        let delivery = deliveries.recv().await.expect("the channel listens");
        delivery.receipt.send(Receipt::default()).unwrap();
        shutdown.cancel();
        delivery.inbound
    };
    let (ended, inbound) = tokio::join!(channel.listen(inbox, shutdown.clone()), person);
    ended.unwrap();
    match inbound.event {
        Event::Message(message) => *message,
        other => panic!("not a message: {other:?}"),
    }
}

#[tokio::test]
async fn slash_command_is_answered_once_in_its_place_and_then_below() {
    let fake = FakeDiscord::start().await;
    let chat = fake.direct(&fake.person(7, "Ann"));
    let channel = silent(&fake);
    channel.announce(&[HELP]).await.unwrap();
    let command = hears(&channel, &fake, || {
        chat.says("/help");
    })
    .await;
    let answer = |text: &str| Outbound {
        reply_to: Some(command.message.clone()),
        ..Outbound::markdown(text)
    };
    let to = address(chat.id());
    let first = send(&channel, &to, &answer("Here is what I can do."))
        .await
        .unwrap();
    let again = send(&channel, &to, &answer("Here is what I can do."))
        .await
        .unwrap();
    assert_eq!(first, again, "an answer that was lost is not said twice");
    let part = channel.render(&answer("And more.")).remove(0);
    channel.send(&to, &part, &key("more")).await.unwrap();
    let edited = channel.render(&Outbound::markdown("Here it is.")).remove(0);
    channel.edit(&first[0], &edited).await.unwrap();
    let said: Vec<_> = chat
        .messages()
        .into_iter()
        .map(|message| message.text)
        .collect();
    assert_eq!(said, ["/help", "Here it is.", "And more."]);
    fake.assert_clean();
}

#[tokio::test]
async fn typing_is_shown() {
    let fake = FakeDiscord::start().await;
    let chat = fake.direct(&fake.person(7, "Ann"));
    silent(&fake).typing(&address(chat.id())).await.unwrap();
    chat.sees_typing(1).await;
    fake.assert_clean();
}

#[tokio::test]
async fn commands_are_announced_as_often_as_one_likes() {
    let fake = FakeDiscord::start().await;
    let channel = silent(&fake);
    for _ in 0..2 {
        channel.announce(&[HELP]).await.unwrap();
    }
    let commands = fake.commands();
    let names: Vec<_> = commands.iter().map(|command| &command["name"]).collect();
    assert_eq!(names, ["help", "Ask Sayso"]);
    fake.assert_clean();
}

#[tokio::test]
async fn look_at_the_account_says_who_we_are() {
    let fake = FakeDiscord::start().await;
    fake.allows_content(false);
    let without = check(&account(&fake)).await.unwrap();
    fake.allows_content(true);
    let with = check(&account(&fake)).await.unwrap();
    assert_eq!((without.reads_messages, with.reads_messages), (false, true));
    assert!(with.invite_link().contains("client_id="));
    fake.assert_clean();
}

#[tokio::test]
async fn each_failure_says_what_to_do_next() {
    let fake = FakeDiscord::start().await;
    let chat = fake.group(50, "Team");
    let channel = silent(&fake);
    let message = Outbound::markdown("hi");
    for right in [Right::View, Right::Send] {
        chat.forbids(right);
        let refused = send(&channel, &address(chat.id()), &message).await;
        assert!(
            matches!(refused, Err(ChannelError::Rejected(_))),
            "{refused:?}"
        );
        chat.permits(right);
    }
    fake.fail_next("create_message", Fault::BadGateway);
    let lost = send(&channel, &address(chat.id()), &message).await;
    assert!(matches!(lost, Err(ChannelError::Ambiguous(_))), "{lost:?}");
    fake.fail_next("create_message", Fault::TooManyRequests { retry_after: 3 });
    let paced = send(&channel, &address(chat.id()), &message).await;
    assert_eq!(paced, Err(ChannelError::RetryAfter(Duration::from_secs(3))));
}

#[tokio::test]
async fn wrong_token_is_refused_as_one() {
    let fake = FakeDiscord::start().await;
    let mut account = account(&fake);
    account.token = SecretString::from("MTIz.wrong.token");
    let refused = check(&account).await;
    assert!(
        matches!(refused, Err(ChannelError::Unauthorized(_))),
        "{refused:?}"
    );
}
