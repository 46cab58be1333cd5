//! Roles at intake: they apply as the platform reports them with each event, and are not
//! remembered.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;

use async_trait::async_trait;
use sayso_channel::{
    Address, Addressed, ChatKind, CommandCall, Event, EventKey, HeardMessage, Inbound, Press,
    Sender, SenderKind,
};
use sayso_store::chats::ChatRow;
use sayso_store::{Store, StoreError, Tx};
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

use super::{
    Access, AccountRule, Accounts, CommandRate, Effects, EventMaterial, Features, IntakeContext,
    Listener, Overheard, Pressed, RateLimits, RatesPerMinute, ResolvedMessage, event,
};
use crate::delivery::Dispatcher;
use crate::sessions::SessionLimits;

const MEMBERS: &str = "77";

/// What every press that is let through is answered with.
const ANSWERED: &str = "This button was pressed.";

/// No commands, and one answer to every button.
struct OneAnswer;

#[async_trait]
impl Listener for OneAnswer {
    async fn overheard(&self, _tx: &mut Tx, _heard: &Overheard<'_>) -> Result<Effects, StoreError> {
        Ok(Effects::default())
    }
}

#[async_trait]
impl EventMaterial for OneAnswer {
    async fn read_for(&self, _inbound: &Inbound) {}
}

#[async_trait]
impl Features for OneAnswer {
    fn rate(&self, _command: &str) -> CommandRate {
        CommandRate::Limited
    }

    async fn command(
        &self,
        _tx: &mut Tx,
        _heard: &ResolvedMessage<'_>,
        _call: &CommandCall,
    ) -> Result<Effects, StoreError> {
        Ok(Effects::default())
    }

    async fn answer(&self, _tx: &mut Tx, _pressed: &Pressed<'_>) -> Result<Effects, StoreError> {
        Ok(Effects::told(ANSWERED.to_owned(), false))
    }

    async fn meet(
        &self,
        _tx: &mut Tx,
        _inbound: &Inbound,
        _message: &HeardMessage,
        _chat: &ChatRow,
    ) -> Result<Effects, StoreError> {
        Ok(Effects::unanswered())
    }

    async fn redeem(
        &self,
        _tx: &mut Tx,
        _inbound: &Inbound,
        _message: &HeardMessage,
        _chat: &ChatRow,
    ) -> Result<Option<Effects>, StoreError> {
        Ok(None)
    }

    async fn take_words(
        &self,
        _tx: &mut Tx,
        _heard: &ResolvedMessage<'_>,
    ) -> Result<Option<Effects>, StoreError> {
        Ok(None)
    }

    async fn stop(
        &self,
        _tx: &mut Tx,
        _heard: &ResolvedMessage<'_>,
    ) -> Result<Effects, StoreError> {
        Ok(Effects::default())
    }

    async fn run(&self, _store: &Store, _shutdown: &CancellationToken) {}
}

struct Opened {
    store: Store,
    ctx: Arc<IntakeContext>,
    _directory: TempDir,
}

/// Opens a door that lets in who has the role.
async fn open() -> Opened {
    let directory = tempfile::tempdir().unwrap();
    let store = Store::open(&directory.path().join("sayso.db"))
        .await
        .unwrap();
    let redactor = sayso_core::redact::Redactor::new([]).unwrap();
    let (_desk, outbox) = Dispatcher::new(store.clone(), Arc::new(HashMap::new()), redactor);
    let ctx = IntakeContext {
        access: Access {
            owners: vec![],
            allow: vec![AccountRule {
                channel: "chat".into(),
                accounts: Accounts::Role(MEMBERS.to_owned()),
            }],
            pairing: false,
        },
        outbox,
        limits: SessionLimits {
            messages_per_minute: None,
            concurrent_turns: 1,
            concurrent_background: 1,
            turn_timeout: std::time::Duration::from_mins(1),
            while_busy: crate::sessions::WhileBusy::Steer,
            approval_expires_ms: 1000,
            workspaces: PathBuf::new(),
            projects: crate::sessions::Projects::default(),
            language: None,
            learning: None,
        },
        rates: RateLimits::new(RatesPerMinute {
            messages: NonZeroU32::MAX,
            commands: NonZeroU32::MAX,
        }),
        missing_provider: false,
        features: Arc::new(OneAnswer),
        material: Arc::new(OneAnswer),
        listener: Arc::new(OneAnswer),
    };
    Opened {
        store,
        ctx: Arc::new(ctx),
        _directory: directory,
    }
}

impl Opened {
    async fn receives(&self, inbound: Inbound) -> Effects {
        let ctx = Arc::clone(&self.ctx);
        self.store
            .write(move |tx| Box::pin(async move { event::receive(tx, &ctx, inbound).await }))
            .await
            .unwrap()
    }

    /// Returns whether a message becomes a job.
    async fn takes(&self, inbound: Inbound) -> bool {
        !self.receives(inbound).await.signals.is_empty()
    }

    /// Returns the notice that a press gets.
    async fn tells(&self, inbound: Inbound) -> String {
        let receipt = self.receives(inbound).await.receipt;
        receipt.notice.unwrap().text
    }
}

/// Returns an event of the one account there is.
fn by(roles: &[&str], chat_kind: ChatKind, id: &str, event: Event) -> Inbound {
    Inbound {
        address: Address::chat("chat", id),
        chat_kind,
        thread_title: None,
        sender: Sender {
            key: "5".into(),
            name: "Ann".to_owned(),
            language: None,
            kind: SenderKind::Person,
            roles: roles.iter().map(|role| (*role).to_owned()).collect(),
            handle: None,
        },
        key: EventKey {
            kind: "message".to_owned(),
            id: id.to_owned(),
            version: 0,
        },
        at_ms: 0,
        event,
    }
}

fn says(roles: &[&str], chat_kind: ChatKind, id: &str) -> Inbound {
    let message = HeardMessage {
        message: id.into(),
        text: "hello".to_owned(),
        addressed: match chat_kind {
            ChatKind::Direct => Addressed::Direct,
            ChatKind::Group => Addressed::Mention,
        },
        command: None,
        quoted: None,
        attachments: vec![],
        album: None,
        edited: false,
        unsupported: None,
    };
    by(roles, chat_kind, id, Event::Message(Box::new(message)))
}

fn presses(roles: &[&str], id: &str) -> Inbound {
    let press = Press {
        token: "y:00".to_owned(),
        message: None,
    };
    by(roles, ChatKind::Group, id, Event::Press(press))
}

#[tokio::test]
async fn a_role_lets_in_where_it_is_known_and_as_long_as_it_is_given() {
    let opened = open().await;
    assert!(!opened.takes(says(&[], ChatKind::Group, "1")).await);
    assert!(
        opened
            .takes(says(&["1", MEMBERS], ChatKind::Group, "2"))
            .await
    );
    assert!(!opened.takes(says(&["1"], ChatKind::Group, "3")).await);
    assert!(!opened.takes(says(&[], ChatKind::Direct, "4")).await);
    assert!(opened.takes(says(&[MEMBERS], ChatKind::Group, "5")).await);
}

#[tokio::test]
async fn who_may_press_is_who_has_the_role_when_it_is_pressed() {
    let opened = open().await;
    let with_role = opened.tells(presses(&[MEMBERS], "1")).await;
    assert_eq!(with_role, ANSWERED);
    let without = opened.tells(presses(&["1"], "2")).await;
    assert_eq!(without, "This button is not for you.");
}
