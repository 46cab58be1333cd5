//! Listening: what a line means, and when the next one is taken.

use std::time::Duration;

use sayso_channel::{
    Addressed, ChatKind, CommandCall, Event, EventKey, HeardMessage, Inbound, Inbox, Language,
    Sender, SenderKey, SenderKind,
};
use tokio::sync::mpsc;
use tokio::time::{sleep, timeout};

use super::{LOCAL, TerminalChannel, now_ms};
use crate::config::{Echo, LinePace};
use crate::lines::Line;
use crate::messages;
use crate::render;

/// How long a refused line waits before it is offered again.
const OFFERED_AGAIN_AFTER: Duration = Duration::from_millis(100);

/// How long nothing may be said before an answer counts as complete, for [`LinePace::AfterAnswer`].
const ANSWERED_AFTER: Duration = Duration::from_millis(400);

/// The same after a press, until a turn is seen to work: what a card held up is woken first, and that
/// takes a while on a busy machine.
const WOKEN_AFTER: Duration = Duration::from_secs(2);

/// How long a line that nothing answers holds up the next one.
const UNANSWERED_AFTER: Duration = Duration::from_mins(2);

/// Where lines come from, and what was made of the last one until it is stored.
pub(super) struct Input {
    pub(super) lines: mpsc::Receiver<Line>,
    pub(super) held: Option<Inbound>,
    /// What the person types at the pauses of a script.
    pub(super) pauses: Option<mpsc::Receiver<Line>>,
}

/// What follows a line.
enum Next {
    Line,
    Leave,
}

impl TerminalChannel {
    /// Hears until the person leaves.
    pub(super) async fn hear_all(&self, input: &mut Input, inbox: &Inbox) {
        loop {
            if input.held.is_none() {
                let Next::Line = self.hear(input).await else {
                    return;
                };
            }
            self.deliver(input, inbox).await;
        }
    }

    /// Takes the next line and holds what it means, if it means anything.
    async fn hear(&self, input: &mut Input) -> Next {
        let Some(line) = input.lines.recv().await else {
            self.input_ended.cancel();
            return std::future::pending().await;
        };
        input.held = match line {
            Line::Text(text) => {
                if self.config.echo == Echo::Ours {
                    self.print(|screen| screen.typed(&render::harmless(&text)));
                }
                self.understand(&text)
            }
            Line::Remark(text) => {
                self.print(|screen| screen.heading(&render::harmless(&text)));
                None
            }
            Line::Pause(text) => {
                if let Some(typed) = &mut input.pauses {
                    self.pause(&text, typed).await;
                }
                None
            }
            Line::Interrupt => self.interrupt(),
            Line::Leave => return Next::Leave,
        };
        Next::Line
    }

    /// Waits for Enter. What was typed before the question is no answer to it.
    async fn pause(&self, text: &str, typed: &mut mpsc::Receiver<Line>) {
        while typed.try_recv().is_ok() {}
        self.print(|screen| screen.remark(&render::harmless(text)));
        // Without a person who could press it, the script goes on.
        let _ = typed.recv().await;
    }

    fn understand(&self, text: &str) -> Option<Inbound> {
        if let Some(press) = self.cards().press(text) {
            return Some(self.inbound("press", Event::Press(press)));
        }
        (!text.trim().is_empty()).then(|| self.message(text))
    }

    /// Ctrl-C stops what works. The keyboard makes a second one a [`Line::Leave`].
    fn interrupt(&self) -> Option<Inbound> {
        self.print(|screen| screen.remark(messages::how_to_leave(self.config.language)));
        let mut stops = false;
        self.activity.send_modify(|activity| {
            stops = activity.works.unwrap_or(activity.asked);
            activity.asked = false;
        });
        stops.then(|| self.message("/stop"))
    }

    fn message(&self, text: &str) -> Inbound {
        let event = Event::Message(Box::new(HeardMessage {
            message: self.next_message_key(),
            text: text.to_owned(),
            addressed: Addressed::Direct,
            command: CommandCall::parse(text, None),
            quoted: None,
            attachments: Vec::new(),
            album: None,
            edited: false,
            unsupported: None,
        }));
        self.inbound("message", event)
    }

    fn inbound(&self, kind: &str, event: Event) -> Inbound {
        let language = match self.config.language {
            Language::English => "en",
            Language::Chinese => "zh-CN",
        };
        Inbound {
            address: self.address(),
            chat_kind: ChatKind::Direct,
            thread_title: None,
            sender: Sender {
                key: SenderKey::new(LOCAL),
                name: self.config.person.clone(),
                language: Some(language.to_owned()),
                kind: SenderKind::Person,
                roles: Vec::new(),
                handle: None,
            },
            key: EventKey {
                kind: kind.to_owned(),
                id: self.next_id(),
                version: 0,
            },
            at_ms: now_ms(),
            event,
        }
    }

    /// Offers what is held to the door; it stays held until it is stored.
    async fn deliver(&self, input: &mut Input, inbox: &Inbox) {
        let Some(inbound) = &input.held else {
            return;
        };
        let said_before = self.activity.borrow().said;
        let Ok(receipt) = inbox.put(inbound.clone()).await else {
            sleep(OFFERED_AGAIN_AFTER).await;
            return;
        };
        let stops = is_stop(inbound);
        let is_press = matches!(inbound.event, Event::Press(_));
        input.held = None;
        self.activity
            .send_modify(|activity| activity.asked = !stops);
        if let Some(notice) = receipt.notice {
            self.print(|screen| screen.remark(&render::harmless(&notice.text)));
        }
        match self.config.pace {
            LinePace::AtOnce => {}
            LinePace::AfterAnswer => self.answered(said_before, is_press).await,
        }
    }

    /// Waits until something was said and nothing more comes: until no turn works, where somebody
    /// tells us, or a card is open, and then for a moment of silence.
    async fn answered(&self, said_before: u64, is_press: bool) {
        let mut activity = self.activity.subscribe();
        let mut may_wake = is_press;
        loop {
            let now = *activity.borrow_and_update();
            may_wake &= now.works != Some(true);
            let timeouts = if now.works == Some(true) && self.cards().is_empty() {
                Duration::MAX
            } else if now.said > said_before {
                if may_wake && now.works.is_some() {
                    WOKEN_AFTER
                } else {
                    ANSWERED_AFTER
                }
            } else {
                UNANSWERED_AFTER
            };
            if timeout(timeouts, activity.changed()).await.is_err() {
                return;
            }
        }
    }
}

fn is_stop(inbound: &Inbound) -> bool {
    match &inbound.event {
        Event::Message(message) => message
            .command
            .as_ref()
            .is_some_and(|command| command.name == "stop"),
        Event::Press(_) | Event::Moved { .. } | Event::Closed | Event::Opened => false,
    }
}
