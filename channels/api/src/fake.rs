//! A channel whose platform is memory, for tests of everything that speaks to channels.
//!
//! It behaves like a real channel: it enforces its own limits, keeps messages until the inbox has
//! stored them, shows edits in place, and fails on request.

use std::collections::VecDeque;
use std::time::Duration;

use async_trait::async_trait;
use tokio::fs::File;
use tokio::io::AsyncWriteExt;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

use crate::{
    Address, Addressed, AttachmentRef, Channel, ChannelError, ChannelName, ChatKind, Command,
    CommandCall, Event, EventKey, HeardMessage, Inbound, Inbox, Limits, LongText, MessageKey,
    Notice, Outbound, Pace, Part, Press, Profile, RESENT_MARK_ROOM, Repeats, SendKey, Sender,
    SenderKey, SenderKind, SentMessage, Speaker, TextUnit, markdown, split,
};

/// How long a refused event waits before it is offered again.
const OFFERED_AGAIN_AFTER: Duration = Duration::from_millis(10);

/// How long a test waits for something before it fails.
const PATIENCE: Duration = Duration::from_secs(10);

/// A channel in memory. See the module.
#[derive(Debug)]
pub struct FakeChannel {
    profile: Profile,
    platform: watch::Sender<FakePlatform>,
}

/// What the platform of a [`FakeChannel`] knows.
#[derive(Debug, Clone, Default)]
pub struct FakePlatform {
    /// All messages as they read now, in the order in which they were sent.
    pub messages: Vec<FakeMessage>,
    /// Everything that was asked of the platform and happened, in order.
    pub said: Vec<Said>,
    /// How presses were answered, in order.
    pub answers: Vec<Option<Notice>>,
    /// The command menu.
    pub menu: Vec<Command>,
    waiting: VecDeque<Inbound>,
    faults: VecDeque<Fault>,
    last_id: u64,
}

/// A message on the fake platform.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeMessage {
    /// Its name and place.
    pub sent: SentMessage,
    /// How it reads now.
    pub part: Part,
    /// The attempt that sent it.
    pub key: SendKey,
}

/// Something that was asked of the platform and happened.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// A message was sent.
    Sent(SentMessage, Part),
    /// A message was edited.
    Edited(SentMessage, Part),
    /// A message was deleted.
    Deleted(SentMessage),
    /// A reaction was put below a message.
    Reacted(Address, MessageKey),
    /// Typing was shown.
    Typing(Address),
}

/// A failure that was ordered.
#[derive(Debug, Clone)]
struct Fault {
    error: ChannelError,
    happens: Happens,
}

/// Whether a failing call takes effect nevertheless.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Happens {
    Yes,
    No,
}

impl FakeChannel {
    /// Returns a channel with Telegram's limits and no pace.
    pub fn new(name: impl Into<ChannelName>) -> Self {
        let pace = Pace {
            burst: 1_000,
            every: Duration::from_micros(1),
        };
        Self::with_profile(Profile {
            name: name.into(),
            text_limit: 4096,
            text_unit: TextUnit::Utf16,
            buttons: true,
            token_bytes: 64,
            edits: true,
            reactions: true,
            repeats: Repeats::Arrive,
            long_text: LongText::Above,
            direct_prefix: None,
            file_bytes: 1_000_000,
            limits: Limits::Published,
            direct_pace: pace,
            group_pace: pace,
            channel_pace: pace,
        })
    }

    /// Returns a channel that promises to drop a send that repeats another within this time. Its
    /// platform never forgets one.
    pub fn that_drops_repeats(name: impl Into<ChannelName>, within: Duration) -> Self {
        let mut channel = Self::new(name);
        channel.profile.repeats = Repeats::AreDropped { within };
        channel
    }

    /// Returns a channel with other limits.
    pub fn with_profile(profile: Profile) -> Self {
        Self {
            profile,
            platform: watch::Sender::default(),
        }
    }

    /// Lets a person say something in a direct chat, and returns the event's key.
    pub fn says(&self, chat: &str, person: &str, text: &str) -> EventKey {
        let message = MessageKey::new(self.next_id());
        let command = CommandCall::parse(text, None);
        let event = Event::Message(Box::new(HeardMessage {
            message: message.clone(),
            text: text.to_owned(),
            addressed: Addressed::Direct,
            command,
            quoted: None,
            attachments: Vec::new(),
            album: None,
            edited: false,
            unsupported: None,
        }));
        let address = Address::chat(self.profile.name.clone(), chat);
        self.happens(address, person, "message", message.as_str(), event)
    }

    /// Lets a person press the button with this token, and returns the event's key.
    pub fn presses(&self, message: &SentMessage, person: &str, token: &str) -> EventKey {
        let event = Event::Press(Press {
            token: token.to_owned(),
            message: Some(message.message.clone()),
        });
        let id = self.next_id();
        self.happens(message.address.clone(), person, "press", &id, event)
    }

    /// Lets anything at all happen on the platform.
    pub fn hears(&self, inbound: Inbound) {
        self.platform
            .send_modify(|platform| platform.waiting.push_back(inbound));
    }

    /// Lets the next call fail, and not happen. Orders queue up.
    pub fn fail_next(&self, error: ChannelError) {
        self.order(error, Happens::No);
    }

    /// Makes the next call take effect and still fail, as when the response is lost.
    pub fn fail_next_after_it_happened(&self, error: ChannelError) {
        self.order(error, Happens::Yes);
    }

    /// Returns what the platform knows now.
    pub fn platform(&self) -> FakePlatform {
        self.platform.borrow().clone()
    }

    /// Returns the texts of one chat as they read now.
    pub fn texts(&self, chat: &str) -> Vec<String> {
        let platform = self.platform.borrow();
        let messages = platform.messages.iter();
        messages
            .filter(|message| message.sent.address.chat.as_str() == chat)
            .map(|message| message.part.text.clone())
            .collect()
    }

    /// Waits until something is true of the platform, and returns what it knows then.
    #[expect(clippy::panic, reason = "a test fails by panicking")]
    pub async fn wait_until(&self, holds: impl FnMut(&FakePlatform) -> bool) -> FakePlatform {
        let mut platform = self.platform.subscribe();
        match tokio::time::timeout(PATIENCE, platform.wait_for(holds)).await {
            Ok(Ok(platform)) => platform.clone(),
            Ok(Err(_)) | Err(_) => panic!("it never came true: {:#?}", self.platform()),
        }
    }

    fn happens(
        &self,
        address: Address,
        person: &str,
        kind: &str,
        id: &str,
        event: Event,
    ) -> EventKey {
        let key = EventKey {
            kind: kind.to_owned(),
            id: format!("{}/{id}", address.chat),
            version: 0,
        };
        self.hears(Inbound {
            address,
            chat_kind: ChatKind::Direct,
            thread_title: None,
            sender: Sender {
                key: SenderKey::new(person),
                name: person.to_owned(),
                language: None,
                kind: SenderKind::Person,
                roles: Vec::new(),
                handle: None,
            },
            key: key.clone(),
            at_ms: 0,
            event,
        });
        key
    }

    fn order(&self, error: ChannelError, happens: Happens) {
        let fault = Fault { error, happens };
        self.platform
            .send_modify(|platform| platform.faults.push_back(fault));
    }

    fn next_id(&self) -> String {
        let mut id = 0;
        self.platform.send_modify(|platform| {
            platform.last_id += 1;
            id = platform.last_id;
        });
        id.to_string()
    }

    /// Does something on the platform, or what was ordered instead.
    fn act<T>(
        &self,
        act: impl FnOnce(&mut FakePlatform) -> Result<T, ChannelError>,
    ) -> Result<T, ChannelError> {
        let mut outcome = None;
        self.platform.send_modify(|platform| {
            let fault = platform.faults.pop_front();
            outcome = Some(match fault {
                Some(fault) if fault.happens == Happens::No => Err(fault.error),
                Some(fault) => act(platform).and(Err(fault.error)),
                None => act(platform),
            });
        });
        outcome.unwrap_or_else(|| Err(ChannelError::Unreachable("the fake is gone".to_owned())))
    }

    fn check(&self, part: &Part) -> Result<(), ChannelError> {
        if self.profile.text_unit.measure(&part.text) > self.profile.text_limit {
            return Err(ChannelError::TooLong);
        }
        if part.text.trim().is_empty() && part.file.is_none() {
            return Err(ChannelError::Rejected("the text is empty".to_owned()));
        }
        let tokens = part.buttons.iter().flatten().map(|button| &button.token);
        let lengths = 1..=self.profile.token_bytes;
        if tokens.clone().any(|token| !lengths.contains(&token.len())) {
            return Err(ChannelError::Rejected("a token is too long".to_owned()));
        }
        if !self.profile.buttons && tokens.count() > 0 {
            return Err(ChannelError::Rejected("there are no buttons".to_owned()));
        }
        Ok(())
    }

    async fn offer(&self, inbox: &Inbox) {
        let next = self.platform.borrow().waiting.front().cloned();
        let Some(inbound) = next else {
            let mut platform = self.platform.subscribe();
            let said = platform.wait_for(|platform| !platform.waiting.is_empty());
            // An error would mean that this channel is gone, and it is borrowed here.
            let _ = said.await;
            return;
        };
        let is_press = matches!(inbound.event, Event::Press(_));
        let Ok(receipt) = inbox.put(inbound).await else {
            tokio::time::sleep(OFFERED_AGAIN_AFTER).await;
            return;
        };
        self.platform.send_modify(|platform| {
            platform.waiting.pop_front();
            if is_press {
                platform.answers.push(receipt.notice);
            }
        });
    }
}

#[async_trait]
impl Channel for FakeChannel {
    fn profile(&self) -> &Profile {
        &self.profile
    }

    async fn listen(&self, inbox: Inbox, shutdown: CancellationToken) -> Result<(), ChannelError> {
        inbox.health().connected();
        while !shutdown.is_cancelled() {
            tokio::select! {
                () = shutdown.cancelled() => {}
                () = self.offer(&inbox) => {}
            }
        }
        Ok(())
    }

    async fn announce(&self, commands: &[Command]) -> Result<(), ChannelError> {
        self.act(|platform| {
            platform.menu = commands.to_vec();
            Ok(())
        })
    }

    /// Gives the attachment's reference as its content.
    async fn fetch(&self, attachment: &AttachmentRef, into: &mut File) -> Result<(), ChannelError> {
        self.act(|_| Ok(()))?;
        let written = into.write_all(attachment.reference.as_bytes()).await;
        written.map_err(|error| ChannelError::Unreachable(error.to_string()))
    }
}

#[async_trait]
impl Speaker for FakeChannel {
    fn render(&self, message: &Outbound) -> Vec<Part> {
        let styled = markdown::to_styled(&message.markdown);
        let limit = self.profile.text_limit.saturating_sub(RESENT_MARK_ROOM);
        let pieces = split::split_by_text(&styled, limit, self.profile.text_unit)
            .into_iter()
            .map(|piece| (piece.text, serde_json::Value::Null));
        split::into_parts(message, pieces.collect())
    }

    async fn send(
        &self,
        to: &Address,
        part: &Part,
        key: &SendKey,
    ) -> Result<SentMessage, ChannelError> {
        self.act(|platform| {
            self.check(part)?;
            let mut messages = platform.messages.iter();
            if self.profile.repeats != Repeats::Arrive
                && let Some(first) = messages.find(|message| message.key == *key)
            {
                return Ok(first.sent.clone());
            }
            platform.last_id += 1;
            let sent = SentMessage {
                address: to.clone(),
                message: MessageKey::new(platform.last_id.to_string()),
            };
            platform.messages.push(FakeMessage {
                sent: sent.clone(),
                part: part.clone(),
                key: key.clone(),
            });
            platform.said.push(Said::Sent(sent.clone(), part.clone()));
            Ok(sent)
        })
    }

    async fn edit(&self, sent: &SentMessage, part: &Part) -> Result<(), ChannelError> {
        self.act(|platform| {
            self.check(part)?;
            let mut messages = platform.messages.iter_mut();
            let found = messages.find(|message| message.sent == *sent);
            let Some(message) = found.filter(|_| self.profile.edits) else {
                return Err(ChannelError::Rejected("it cannot be edited".to_owned()));
            };
            message.part = part.clone();
            platform.said.push(Said::Edited(sent.clone(), part.clone()));
            Ok(())
        })
    }

    async fn delete(&self, sent: &SentMessage) -> Result<(), ChannelError> {
        self.act(|platform| {
            platform.messages.retain(|message| message.sent != *sent);
            platform.said.push(Said::Deleted(sent.clone()));
            Ok(())
        })
    }

    async fn react(&self, to: &Address, message: &MessageKey) -> Result<(), ChannelError> {
        self.act(|platform| {
            let reacted = Said::Reacted(to.clone(), message.clone());
            platform.said.push(reacted);
            Ok(())
        })
    }

    async fn typing(&self, to: &Address) -> Result<(), ChannelError> {
        self.act(|platform| {
            platform.said.push(Said::Typing(to.clone()));
            Ok(())
        })
    }
}

#[cfg(test)]
#[path = "fake_tests.rs"]
mod tests;
