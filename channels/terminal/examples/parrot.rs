//! A chat with nobody: streams back what is said, and asks before it repeats itself.
//! For trying the terminal by hand: `cargo run -p sayso-terminal --example parrot`.

use std::sync::Arc;
use std::time::Duration;

use sayso_channel::{
    Button, ButtonLook, Channel, Event, Health, Inbound, Inbox, Notice, NoticeKind, Outbound,
    Receipt, SendKey, SentMessage, Speaker as _,
};
use sayso_terminal::{TerminalChannel, TerminalConfig};

/// How long it takes to say one more word.
const WORD: Duration = Duration::from_millis(150);

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let history_file = std::env::var_os("PARROT_HISTORY").map(Into::into);
    let channel = Arc::new(TerminalChannel::open(TerminalConfig {
        history_file,
        ..TerminalConfig::new("terminal", "you")
    })?);
    let (inbox, mut deliveries) = Inbox::new(Health::new(), 8);
    let shutdown = channel.input_ended();
    let listening = tokio::spawn({
        let channel = Arc::clone(&channel);
        async move { channel.listen(inbox, shutdown).await }
    });
    while let Some(delivery) = deliveries.recv().await {
        let is_press = matches!(delivery.inbound.event, Event::Press(_));
        let notice = is_press.then(|| Notice {
            text: "Noted.".to_owned(),
            kind: NoticeKind::Passing,
        });
        // The channel waits for this receipt.
        let _ = delivery.receipt.send(Receipt::with_notice(notice));
        answer(&channel, &delivery.inbound).await;
    }
    // Whatever ended it, there is nothing left to do.
    let _ = listening.await;
    Ok(())
}

async fn answer(channel: &TerminalChannel, inbound: &Inbound) {
    match &inbound.event {
        Event::Message(message) if message.text == "again" => {
            send(channel, &card("May I say it **again**?")).await;
        }
        Event::Message(message) => stream(channel, &message.text).await,
        Event::Press(press) => {
            let outcome = format!("You pressed `{}`.", press.token);
            send(channel, &Outbound::markdown(outcome)).await;
        }
        Event::Moved { .. } | Event::Closed | Event::Opened => {}
    }
}

async fn stream(channel: &TerminalChannel, text: &str) {
    let Some(sent) = send(channel, &Outbound::markdown("⏳ thinking")).await else {
        return;
    };
    let mut said = String::from("You said:\n\n");
    for word in text.split_inclusive(' ') {
        tokio::time::sleep(WORD).await;
        said.push_str(word);
        let parts = channel.render(&Outbound::markdown(said.clone()));
        if let Some(part) = parts.first() {
            // A terminal that is gone ends the loop in `main`.
            let _ = channel.edit(&sent, part).await;
        }
    }
}

async fn send(channel: &TerminalChannel, message: &Outbound) -> Option<SentMessage> {
    let parts = channel.render(message);
    let key = SendKey("parrot".to_owned());
    let to = channel.address();
    channel.send(&to, parts.first()?, &key).await.ok()
}

fn card(text: &str) -> Outbound {
    let button = |label: &str, key, look| Button {
        label: label.to_owned(),
        token: label.to_owned(),
        key: Some(key),
        look,
    };
    Outbound {
        buttons: vec![vec![
            button("Approve", 'y', ButtonLook::Yes),
            button("Deny", 'n', ButtonLook::No),
        ]],
        ..Outbound::markdown(text)
    }
}
