//! What Telegram does: webhooks, other pollers, limits, long and formatted texts, deleted messages.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use sayso_fakes::{Answer, Fault, Gate, Message};
use serde_json::json;

use crate::platform::{Platform, Trouble, on_both};
use crate::test_bot::{TestBot, free_address};

on_both!(
    what_the_platform_does_not_take_is_sent_again_and_marked_when_it_may_have_arrived,
    a_long_answer_comes_in_order_with_its_code_whole,
    an_answer_comes_when_its_message_or_live_message_is_gone
);

#[tokio::test]
async fn a_webhook_hears_what_polling_would_and_only_telegram() {
    let port = free_address();
    let bot = TestBot::with(&[
        ("CHANNELS__TELEGRAM__MODE", "webhook"),
        (
            "CHANNELS__TELEGRAM__WEBHOOK_URL",
            &format!("http://{port}/hook"),
        ),
        ("CHANNELS__TELEGRAM__LISTEN", &port.to_string()),
        ("CHANNELS__TELEGRAM__SECRET", "only-Telegram_knows"),
    ])
    .await;
    let chat = bot.direct();
    chat.says("hello");
    assert_eq!(chat.hears().await.text, "ok: hello");
    let forged = json!({"update_id": 1, "message": {
        "message_id": 1, "date": 1, "text": "forged",
        "from": {"id": bot.ann.id, "is_bot": false, "first_name": "Ann"},
        "chat": {"id": bot.ann.id, "type": "private", "first_name": "Ann"},
    }})
    .to_string();
    let mut call = TcpStream::connect(port).unwrap();
    let length = forged.len();
    write!(call, "POST /hook HTTP/1.1\r\nhost: sayso\r\nconnection: close\r\ncontent-length: {length}\r\n\r\n{forged}").unwrap();
    let mut refused = String::new();
    call.read_to_string(&mut refused).unwrap();
    assert!(refused.starts_with("HTTP/1.1 401"), "{refused}");
    chat.says("still there?");
    assert_eq!(chat.hears().await.text, "ok: still there?");
    assert_eq!(bot.telegram.count("getUpdates"), 0);
    bot.assert_clean();
}

#[tokio::test]
async fn another_poller_is_waited_out_and_told_of() {
    let mut bot = TestBot::closed(&[]).await;
    bot.telegram.fail_next("getUpdates", Fault::Conflict);
    bot.telegram.fail_next("getUpdates", Fault::BadGateway);
    bot.start();
    let chat = bot.direct();
    chat.says("hello");
    assert_eq!(chat.hears().await.text, "ok: hello");
    chat.says("/status details");
    let status = chat.hears().await.text;
    assert!(
        status.contains("telegram: connected") && status.contains("interrupted once"),
        "{status}"
    );
    bot.assert_clean();
}

async fn what_the_platform_does_not_take_is_sent_again_and_marked_when_it_may_have_arrived(
    platform: Platform,
) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    bot.saying_fails(Trouble::TooMany { seconds: 1 });
    bot.saying_fails(Trouble::BadGateway);
    chat.says("hello");
    chat.hears().await;
    chat.says("thank you");
    chat.hears_with(|message| message.text.contains("thank you"))
        .await;
    // Discord knows a repeated message by its nonce, so there it cannot stand twice.
    let mark = match platform {
        Platform::Telegram => "\n\n  ↻ sent again / 重发",
        Platform::Discord => "",
    };
    let expected =
        format!("Ann: hello\nSayso: ok: hello{mark}\nAnn: thank you\nSayso: ok: thank you");
    assert_eq!(chat.transcript(), expected);
    bot.assert_clean();
}

#[tokio::test]
async fn formatted_text_is_shown_as_meant() {
    let bot = TestBot::open().await;
    let chat = bot.direct();
    bot.model.says("**Two** files, `a_b` *and* c_d:\n\n| name | size |\n|---|---|\n| a_b | 1 |\n| c | 20 |\n\n```rust\nlet x = 1 < 2;\n```\n- one\n- [two](https://example.org)\n\n<b>no tag</b> & _un*closed");
    chat.says("show me");
    let shown = chat.hears().await;
    let kinds: Vec<&str> = shown
        .entities
        .iter()
        .filter_map(|entity| entity["type"].as_str())
        .collect();
    insta::assert_snapshot!(shown.text, @r"
    Two files, a_b and c_d:

    name | size
    -----+-----
    a_b  | 1
    c    | 20

    let x = 1 < 2;

    • one
    • two

    <b>no tag</b> & _un*closed
    ");
    insta::assert_snapshot!(kinds.join(" "), @"bold code italic pre pre text_link");
    bot.assert_clean();
}

async fn a_long_answer_comes_in_order_with_its_code_whole(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let chat = bot.direct();
    let lines: Vec<String> = (1..=400)
        .map(|number| format!("line number {number:04}"))
        .collect();
    bot.model.says(&format!(
        "Here it is:\n```\n{}\n```\nThat is all.",
        lines.join("\n")
    ));
    chat.says("print it");
    chat.hears_with(|message| message.text.contains("That is all."))
        .await;
    let parts: Vec<_> = chat.messages().into_iter().skip(1).collect();
    assert!(parts.len() > 1, "{} parts", parts.len());
    for part in &parts {
        let length = match platform {
            Platform::Telegram => part.text.encode_utf16().count(),
            Platform::Discord => part.text.chars().count(),
        };
        assert!(length <= platform.longest_text(), "{length}");
        let code = chat.code_blocks(part.id);
        assert!(!code.is_empty(), "code stays code in each part");
    }
    let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
    let said = texts.join("\n");
    let heard: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("line number"))
        .collect();
    assert_eq!(heard, lines);
    bot.assert_clean();
}

async fn an_answer_comes_when_its_message_or_live_message_is_gone(platform: Platform) {
    let bot = TestBot::on(platform).await;
    let group = bot.group("Attic").with(&bot.ann);
    let [first, second] = [Gate::new(), Gate::new()];
    let look = Answer::calls(vec![("list_dir", json!({"path": "."}))]);
    bot.model.answers(look.held_by(&first));
    bot.model
        .answers(Answer::text("It is empty.").held_by(&second));
    let asked = group.says("@sayso_bot what is there?");
    first.open();
    second.reached_by(1).await;
    let live = group.hears_with(Message::is_live).await;
    group.deletes(live.id);
    group.deletes(asked);
    second.open();
    assert_eq!(group.hears().await.text, "It is empty.");
    bot.assert_clean();
}
