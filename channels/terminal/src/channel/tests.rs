//! Chats on a terminal: input, inbound messages, and the screen that results.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use insta::assert_snapshot;
use sayso_channel::conformance::{self, Seen, Stage, StagePerson};
use sayso_channel::{
    Address, Button, ButtonLook, Channel, ChannelError, Delivery, Event, Health, Inbound, Inbox,
    Language, Notice, NoticeKind, Outbound, Receipt, SendKey, SenderKey, SentMessage, Speaker,
};
use tokio::sync::{mpsc, watch};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::TerminalChannel;
use crate::messages::{INDENT, NAME, REMARK, UPDATED};
use crate::{Echo, Line, LinePace, TerminalConfig};

const PATIENCE: Duration = Duration::from_secs(10);

/// An output that a test can read and wait for.
#[derive(Clone)]
struct Paper(Arc<watch::Sender<String>>);

impl Paper {
    fn new() -> Self {
        Self(Arc::new(watch::Sender::default()))
    }

    fn text(&self) -> String {
        self.0.borrow().clone()
    }

    async fn wait_for(&self, holds: impl Fn(&str) -> bool) -> String {
        let mut text = self.0.subscribe();
        let found = timeout(PATIENCE, text.wait_for(|text| holds(text))).await;
        found.expect("it was never shown").unwrap().clone()
    }
}

impl Write for Paper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        self.0.send_modify(|all| all.push_str(&text));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A running channel, its keyboard, its door and its paper.
struct Chat {
    channel: Arc<TerminalChannel>,
    keyboard: Option<mpsc::Sender<Line>>,
    deliveries: mpsc::Receiver<Delivery>,
    paper: Paper,
    shutdown: CancellationToken,
    listening: JoinHandle<Result<(), ChannelError>>,
}

impl Chat {
    fn start(config: TerminalConfig) -> Self {
        let (keyboard, lines) = mpsc::channel(64);
        let paper = Paper::new();
        let channel = TerminalChannel::over(config, lines, Box::new(paper.clone()));
        let channel = Arc::new(channel);
        let (inbox, deliveries) = Inbox::new(Health::new(), 8);
        let shutdown = CancellationToken::new();
        let listening = tokio::spawn({
            let (channel, shutdown) = (Arc::clone(&channel), shutdown.clone());
            async move { channel.listen(inbox, shutdown).await }
        });
        Self {
            channel,
            keyboard: Some(keyboard),
            deliveries,
            paper,
            shutdown,
            listening,
        }
    }

    async fn types(&self, line: Line) {
        self.keyboard.as_ref().unwrap().send(line).await.unwrap();
    }

    /// Lets the person type a line, and shows the line on the paper as a terminal does.
    async fn says(&mut self, text: &str) -> Inbound {
        writeln!(self.paper, "you> {text}").unwrap();
        self.types(Line::Text(text.to_owned())).await;
        self.hears(None).await
    }

    async fn hears(&mut self, notice: Option<&str>) -> Inbound {
        let delivery = timeout(PATIENCE, self.deliveries.recv()).await;
        let delivery = delivery.expect("nothing was heard").unwrap();
        let notice = notice.map(|text| Notice {
            text: text.to_owned(),
            kind: NoticeKind::Passing,
        });
        delivery.receipt.send(Receipt::with_notice(notice)).unwrap();
        delivery.inbound
    }

    async fn sends(&self, message: &Outbound) -> SentMessage {
        let part = self.channel.render(message).remove(0);
        let key = SendKey("1".to_owned());
        let to = self.channel.address();
        self.channel.send(&to, &part, &key).await.unwrap()
    }

    async fn edits(&self, sent: &SentMessage, markdown: &str) {
        let part = self.channel.render(&Outbound::markdown(markdown)).remove(0);
        self.channel.edit(sent, &part).await.unwrap();
    }

    async fn ends(self) -> String {
        self.shutdown.cancel();
        self.listening.await.unwrap().unwrap();
        self.paper.text()
    }
}

fn config() -> TerminalConfig {
    TerminalConfig::new("terminal", "Ann")
}

fn approval(text: &str) -> Outbound {
    let button = |label: &str, key, look| Button {
        label: label.to_owned(),
        token: label.to_lowercase(),
        key: Some(key),
        look,
    };
    Outbound {
        buttons: vec![
            vec![
                button("Approve", 'y', ButtonLook::Yes),
                button("Always", 'a', ButtonLook::Plain),
            ],
            vec![button("Deny", 'n', ButtonLook::No)],
        ],
        ..Outbound::markdown(text)
    }
}

fn text_of(inbound: &Inbound) -> &str {
    match &inbound.event {
        Event::Message(message) => &message.text,
        other => panic!("not a message: {other:?}"),
    }
}

fn token_of(inbound: &Inbound) -> &str {
    match &inbound.event {
        Event::Press(press) => &press.token,
        other => panic!("not a press: {other:?}"),
    }
}

#[tokio::test]
async fn a_question_is_answered() {
    let mut chat = Chat::start(config());
    let heard = chat.says("What is **six** times seven?").await;
    assert_eq!(text_of(&heard), "What is **six** times seven?");
    assert_eq!(heard.sender.name, "Ann");
    chat.sends(&Outbound::markdown("It is **42**.\n\n```\n6 * 7\n```"))
        .await;
    chat.sends(&Outbound::markdown("```\nonly code\n```")).await;
    assert_snapshot!(chat.ends().await, @r"
    you> What is **six** times seven?
    sayso> It is 42.

    6 * 7
    sayso>
    only code
    ");
}

#[tokio::test]
async fn a_card_is_answered_with_a_key_and_shows_its_outcome() {
    let mut chat = Chat::start(config());
    let sent = chat.sends(&approval("May I run `ls`?")).await;
    let press = chat.says("Y").await;
    assert_eq!(token_of(&press), "approve");
    chat.edits(&sent, "Approved: `ls`").await;
    assert_eq!(text_of(&chat.says("y").await), "y", "the card is closed");

    chat.sends(&approval("May I run `rm`?")).await;
    assert_eq!(token_of(&chat.says("a").await), "always");
    chat.sends(&approval("May I run `dd`?")).await;
    assert_eq!(token_of(&chat.says("").await), "deny");
    assert_snapshot!(chat.ends().await, @r"
    sayso> May I run ls?
           [y] Approve  [a] Always  [N] Deny
    you> Y
         ↳ Approved: ls
    you> y
    sayso> May I run rm?
           [y] Approve  [a] Always  [N] Deny
    you> a
    sayso> May I run dd?
           [y] Approve  [a] Always  [N] Deny
    you>
    ");
}

#[tokio::test]
async fn a_closed_card_says_only_what_is_new() {
    let mut chat = Chat::start(config());
    let sent = chat
        .sends(&approval(
            "**May I?**\n\n`shell`\n```\nls\n```\nIt runs a command.",
        ))
        .await;
    chat.says("y").await;
    chat.edits(
        &sent,
        "✅ **Approved** by Ann\n\n`shell` — approved\n```\nls\n```\nIt runs a command.",
    )
    .await;
    let sent = chat
        .sends(&approval("**May I?**\n\n1. `ls`\n2. `dd`"))
        .await;
    chat.says("y").await;
    chat.edits(
        &sent,
        "**Decided** by Ann\n\n1. `ls` — approved\n2. `dd` — denied",
    )
    .await;
    let sent = chat.sends(&approval("Which one?")).await;
    chat.says("y").await;
    chat.edits(&sent, "Which one?\n\n↳ the first").await;
    let sent = chat.sends(&Outbound::markdown("It has no buttons.")).await;
    chat.says("ok").await;
    chat.edits(&sent, "It has no buttons.\nIt never had.").await;
    assert_snapshot!(chat.ends().await, @r"
    sayso> May I?

    shell

    ls

    It runs a command.
           [y] Approve  [a] Always  [N] Deny
    you> y
         ↳ ✅ Approved by Ann
    sayso> May I?

    1. ls
    2. dd
           [y] Approve  [a] Always  [N] Deny
    you> y
         ↳ Decided by Ann
           1. ls — approved
           2. dd — denied
    sayso> Which one?
           [y] Approve  [a] Always  [N] Deny
    you> y
           ↳ the first
    sayso> It has no buttons.
    you> ok
         ↳ It has no buttons.
    It never had.
    ");
}

#[tokio::test]
async fn a_script_is_shown_as_it_is_typed() {
    let mut chat = Chat::start(TerminalConfig {
        echo: Echo::Ours,
        ..config()
    });
    chat.types(Line::Remark("The first scene.".to_owned()))
        .await;
    chat.types(Line::Text("hello\u{1b}[2J".to_owned())).await;
    assert_eq!(text_of(&chat.hears(None).await), "hello\u{1b}[2J");
    chat.sends(&Outbound::markdown("Hi.")).await;
    assert_snapshot!(chat.ends().await, @r"
    ── The first scene.
    you> hello�[2J
    sayso> Hi.
    ");
}

#[tokio::test]
async fn u26_a_script_waits_for_enter_where_a_person_sits() {
    let (keyboard, lines) = mpsc::channel(8);
    let (enter, pauses) = mpsc::channel(8);
    let paper = Paper::new();
    let mut channel = TerminalChannel::over(config(), lines, Box::new(paper.clone()));
    channel.input.get_mut().pauses = Some(pauses);
    // What was pressed before the question does not answer it.
    enter.send(Line::Text(String::new())).await.unwrap();
    for line in [
        Line::Pause("Press Enter.".to_owned()),
        Line::Remark("The next scene.".to_owned()),
    ] {
        keyboard.send(line).await.unwrap();
    }
    let (inbox, _deliveries) = Inbox::new(Health::new(), 8);
    let shutdown = CancellationToken::new();
    let person = async {
        let shown = paper.wait_for(|text| text.contains("Press Enter.")).await;
        assert!(!shown.contains("The next scene."), "{shown}");
        enter.send(Line::Text(String::new())).await.unwrap();
        paper
            .wait_for(|text| text.contains("The next scene."))
            .await;
        shutdown.cancel();
    };
    let (listened, ()) = tokio::join!(channel.listen(inbox, shutdown.clone()), person);
    listened.unwrap();
}

#[tokio::test]
async fn u26_a_script_does_not_wait_in_a_pipe() {
    let chat = Chat::start(config());
    chat.types(Line::Pause("Press Enter.".to_owned())).await;
    chat.types(Line::Remark("The next scene.".to_owned())).await;
    let shown = chat
        .paper
        .wait_for(|text| text.contains("The next scene."))
        .await;
    assert!(!shown.contains("Press Enter."), "{shown}");
}

#[tokio::test]
async fn the_notice_of_a_press_is_shown() {
    let mut chat = Chat::start(config());
    chat.sends(&approval("May I?")).await;
    chat.types(Line::Text("n".to_owned())).await;
    chat.hears(Some("Denied.\x1b[2J")).await;
    let shown = chat.paper.wait_for(|text| text.contains(REMARK)).await;
    assert_snapshot!(shown, @r"
    sayso> May I?
           [y] Approve  [a] Always  [N] Deny
         · Denied.�[2J
    ");
}

#[tokio::test]
async fn a_choice_is_answered_by_number_or_in_own_words() {
    let mut chat = Chat::start(config());
    let choice = |label: &str| Button {
        label: label.to_owned(),
        token: format!("choice {label}"),
        key: None,
        look: ButtonLook::Plain,
    };
    let question = Outbound {
        buttons: vec![vec![choice("today")], vec![choice("tomorrow")]],
        ..Outbound::markdown("Which day?")
    };
    chat.sends(&question).await;
    assert_eq!(
        text_of(&chat.says("on my birthday").await),
        "on my birthday"
    );
    assert_eq!(token_of(&chat.says("2").await), "choice tomorrow");
    assert_snapshot!(chat.ends().await, @r"
    sayso> Which day?
           [1] today  [2] tomorrow
    you> on my birthday
    you> 2
    ");
}

#[tokio::test]
async fn model_f11_a_pipe_says_that_messages_do_not_change_in_place() {
    let chat = Chat::start(config());
    assert!(!chat.channel.profile().edits);
}

#[tokio::test]
async fn ctrl_c_stops_once_and_tells_how_to_leave() {
    let mut chat = Chat::start(config());
    chat.types(Line::Interrupt).await;
    chat.says("Work!").await;
    chat.types(Line::Interrupt).await;
    let stop = chat.hears(None).await;
    let Event::Message(message) = &stop.event else {
        panic!("not a message: {stop:?}");
    };
    assert_eq!(message.command.as_ref().unwrap().name, "stop");
    chat.types(Line::Interrupt).await;
    chat.says("Nothing was stopped twice.").await;
    chat.channel.turn_works(true);
    chat.types(Line::Interrupt).await;
    assert_eq!(text_of(&chat.hears(None).await), "/stop");
    chat.types(Line::Leave).await;
    chat.listening.await.unwrap().unwrap();
    let remarks = chat.paper.text();
    assert_eq!(remarks.matches("Press Ctrl-C again to leave.").count(), 4);
}

#[tokio::test]
async fn a_script_waits_for_answers_and_its_end_is_told_after_the_last() {
    let config = TerminalConfig {
        pace: LinePace::AfterAnswer,
        ..config()
    };
    let mut chat = Chat::start(config);
    for line in ["run ls", "y", "thanks"] {
        chat.types(Line::Text(line.to_owned())).await;
    }
    chat.keyboard = None;
    assert_eq!(text_of(&chat.hears(None).await), "run ls");
    chat.channel.turn_works(true);
    let sent = chat.sends(&approval("May I run `ls`?")).await;
    assert_eq!(token_of(&chat.hears(None).await), "approve");
    chat.edits(&sent, "Approved: `ls`").await;
    let ended = chat.channel.input_ended();
    assert!(!ended.is_cancelled());
    chat.channel.turn_works(false);
    assert_eq!(text_of(&chat.hears(None).await), "thanks");
    assert!(!ended.is_cancelled());
    chat.sends(&Outbound::markdown("You are welcome.")).await;
    timeout(PATIENCE, ended.cancelled()).await.unwrap();
    assert!(!chat.listening.is_finished(), "the application decides");
    assert_snapshot!(chat.ends().await, @r"
    sayso> May I run ls?
           [y] Approve  [a] Always  [N] Deny
         ↳ Approved: ls
    sayso> You are welcome.
    ");
}

#[tokio::test]
async fn event_keys_are_new_after_a_restart() {
    let (_, lines) = mpsc::channel(1);
    let mut first = TerminalChannel::over(config(), lines, Box::new(io::sink()));
    let (_, lines) = mpsc::channel(1);
    let second = TerminalChannel::over(config(), lines, Box::new(io::sink()));
    first.started_ms = second.started_ms - 1;
    assert_ne!(first.next_id(), second.next_id());
    assert_ne!(second.next_id(), second.next_id());
}

#[tokio::test]
async fn what_the_terminal_cannot_do_is_refused_readably() {
    let config = TerminalConfig {
        language: Language::Chinese,
        ..config()
    };
    let chat = Chat::start(config);
    let part = chat.channel.render(&Outbound::markdown("hi")).remove(0);
    let elsewhere = Address::chat("terminal", "elsewhere");
    let refused = chat
        .channel
        .send(&elsewhere, &part, &SendKey("1".to_owned()))
        .await;
    assert_snapshot!(
        refused.unwrap_err().to_string(),
        @"the platform refuses: the terminal has one chat only, terminal:local"
    );
}

/// The suite's person at the keyboard.
struct TerminalStage {
    channel: Arc<TerminalChannel>,
    keyboard: mpsc::Sender<Line>,
    paper: Paper,
    /// How much of the paper was written before the last press.
    before_press: usize,
}

#[async_trait]
impl Stage for TerminalStage {
    fn channel(&self) -> Arc<dyn Channel> {
        Arc::clone(&self.channel) as Arc<dyn Channel>
    }

    fn address(&self) -> Address {
        Address::chat("terminal", "local")
    }

    async fn newest(&mut self) -> Seen {
        let paper = format!("\n{}", self.paper.text());
        let starts = [NAME.trim_end(), UPDATED];
        let starts = starts.map(|start| {
            paper
                .rfind(&format!("\n{start}"))
                .map(|at| at + 1 + start.len())
        });
        let block = &paper[starts.into_iter().flatten().max().unwrap()..];
        let button = format!("{INDENT}[");
        let lines = block.trim().lines();
        let (buttons, text): (Vec<&str>, Vec<&str>) =
            lines.partition(|line| line.starts_with(&button));
        let buttons = buttons.iter().flat_map(|line| line.trim().split("  "));
        Seen {
            text: text.join("\n"),
            buttons: buttons.map(|button| button[4..].to_owned()).collect(),
        }
    }

    fn reactions(&self) -> usize {
        0
    }

    async fn something_unknown_happens(&mut self) {
        self.person_says("\u{0}\u{1b}[A\u{fffd}").await;
        self.person_says("   ").await;
    }
}

#[async_trait]
impl StagePerson for TerminalStage {
    fn sender(&self) -> SenderKey {
        SenderKey::new("local")
    }

    async fn person_says(&mut self, text: &str) {
        self.keyboard
            .send(Line::Text(text.to_owned()))
            .await
            .unwrap();
    }

    async fn person_presses(&mut self, _message: &SentMessage, button: &Button) {
        self.before_press = self.paper.text().len();
        let key = button.key.unwrap().to_string();
        self.person_says(&key).await;
    }

    async fn answer_to_press(&mut self) -> String {
        let shown = self
            .paper
            .wait_for(|text| text[self.before_press..].contains(REMARK));
        let shown = shown.await;
        shown.rsplit(REMARK).next().unwrap().trim_end().to_owned()
    }
}

#[tokio::test]
async fn the_terminal_keeps_the_promises_of_every_channel() {
    let (keyboard, lines) = mpsc::channel(64);
    let paper = Paper::new();
    let channel = TerminalChannel::over(config(), lines, Box::new(paper.clone()));
    let mut stage = TerminalStage {
        channel: Arc::new(channel),
        keyboard,
        paper,
        before_press: 0,
    };
    conformance::run(&mut stage).await;
}
